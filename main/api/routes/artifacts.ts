import { z } from 'zod';
import type { AssetFilters, OpenArtifact } from '#main/services/artifacts.ts';
import { notFound } from '#main/services/service-error.ts';
import { integer, repeated, several } from '#shared/api/query.ts';
import { ASSET_TYPES, assetManifest } from '#shared/artifacts/asset-manifest.ts';
import { presentationOf } from '#shared/artifacts/presentation.ts';
import { ApiError } from '../api-error.ts';
import { KEY, openTo, operation, type Reply } from '../operation.ts';
import { checkIdParams, uuidParam } from '../params.ts';

const description =
  'Screenshots, traces, videos, reports and other files that the run left, with URLs that open without a key for 12 hours. Artifacts go before their results: see the settings.';

const query = z.object({
  type: several(z.enum(ASSET_TYPES)).default([]).meta({ description: 'Left out: any' }),
  name: z.string().max(200).optional().meta({
    description:
      'A pattern: `*` is any text without a slash, `?` one character, `**` any text. Without a slash it is one for the last part of names',
  }),
});

const filtersOf = ({ type: types, name }: z.output<typeof query>): AssetFilters => ({
  types,
  name,
});

const listCheckResultAssets = operation({
  id: 'listCheckResultAssets',
  method: 'get',
  path: '/v1/check-results/{checkId}/{checkResultId}/assets',
  tag: 'Check results',
  summary: 'List what a check result left',
  description,
  access: KEY,
  params: checkIdParams.extend({ checkResultId: uuidParam }),
  query,
  status: 200,
  response: assetManifest,
  handle: async ({ params: { checkId, checkResultId }, query, baseUrl }, { artifacts }) => ({
    content: {
      json: await artifacts.listOfResult(checkId, checkResultId, filtersOf(query), baseUrl),
    },
  }),
});

const listTestResultAssets = operation({
  id: 'listTestSessionResultAssets',
  method: 'get',
  path: '/v1/test-sessions/{testSessionId}/results/{testSessionResultId}/assets',
  tag: 'Test sessions',
  summary: 'List what a result of a test session left',
  description,
  access: KEY,
  params: z.object({ testSessionId: uuidParam, testSessionResultId: uuidParam }),
  query,
  status: 200,
  response: assetManifest,
  handle: async ({ params, query, baseUrl }, { artifacts }) => {
    const { testSessionId, testSessionResultId } = params;
    const filters = filtersOf(query);
    return {
      content: {
        json: await artifacts.listOfTestResult(
          testSessionId,
          testSessionResultId,
          filters,
          baseUrl,
        ),
      },
    };
  },
});

const readArtifact = operation({
  id: 'readArtifact',
  method: 'get',
  path: '/artifacts/{token}/{name+}',
  tag: 'Check results',
  summary: 'An artifact by its link',
  access: openTo(
    'what one result left, for whoever has a link to it: signed, and over within 13 hours',
  ),
  internal: true,
  params: z.object({
    token: z.string(),
    name: z.array(z.string()).transform((parts) => parts.join('/')),
  }),
  query: z.object({ trace: repeated(z.string()).optional() }),
  status: 200,
  response: null,
  handle: async ({ params: { token, name }, query: { trace }, header }, { artifacts }) => {
    if (isScriptOfOurs(header)) throw notFound('No page of ours runs what a run left.');
    if (trace !== undefined && VIEWER_OF_REPORT.test(name)) return ownViewer(trace);
    return fileOf(await artifacts.openLink(token, name));
  },
});

const readCheckRunData = operation({
  id: 'readCheckRunData',
  method: 'get',
  path: '/v1/assets/checkRunData/{region}/{accountId}/{checkId}/{timestamp}/{file}',
  tag: 'Check results',
  summary: 'An artifact of the run that ended at a moment',
  access: KEY,
  params: z.object({
    region: z.string().max(200),
    accountId: uuidParam,
    checkId: uuidParam,
    timestamp: integer(0, 8_640_000_000_000_000).meta({
      description: '`created_at` of the result, in epoch milliseconds',
    }),
    file: z.string().meta({ description: 'The name of the artifact' }),
  }),
  status: 200,
  response: z.string(),
  mediaType: 'application/octet-stream',
  failures: [404],
  handle: async ({ params, account }, { artifacts }) => {
    const { region: location, accountId, checkId, timestamp: createdAt, file: name } = params;
    if (accountId !== account.id) {
      throw new ApiError(403, 'This key does not belong to the account that the request names');
    }
    return fileOf(await artifacts.openAt({ checkId, location, createdAt, name }));
  },
});

/** The viewer that a report brings with it; it works in no sandbox, and ours is the same. */
const VIEWER_OF_REPORT = /(?:^|\/)trace\/index\.html$/;

function ownViewer(traces: readonly string[]): Reply {
  const query = new URLSearchParams(traces.map((trace): [string, string] => ['trace', trace]));
  return { status: 302, headers: { location: `/trace-viewer/index.html?${query}` } };
}

/** Whether one of our own pages is to run it, with all that the page may do: reports are of another origin. */
function isScriptOfOurs(header: (name: string) => string | undefined): boolean {
  const isScript = /script|worker/.test(header('sec-fetch-dest') ?? '');
  return isScript && header('sec-fetch-site') === 'same-origin';
}

function fileOf(open: OpenArtifact): Reply {
  return { headers: presentationOf(open.artifact), content: { streamed: open } };
}

export const artifactOperations = [
  listCheckResultAssets,
  listTestResultAssets,
  readArtifact,
  readCheckRunData,
];
