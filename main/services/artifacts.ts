import { inSlices } from '#main/platform/yielding.ts';
import type { ArtifactFiles } from '#main/store/artifacts/artifact-files.ts';
import { artifactUrls } from '#main/store/artifacts/artifact-links.ts';
import {
  type ArtifactSigning,
  linksExpireAt,
  readArtifactToken,
} from '#main/store/artifacts/artifact-token.ts';
import type { ArtifactMoment, History } from '#main/store/history/history.ts';
import type { ResultAddress, RunArtifact } from '#shared/artifacts/artifact.ts';
import {
  type AssetManifest,
  type AssetSource,
  viewManifest,
} from '#shared/artifacts/asset-manifest.ts';
import { namePattern } from '#shared/artifacts/name-pattern.ts';
import type { Clock } from '#shared/clock.ts';
import type { Checks } from './checks.ts';
import { notFound, tooMany } from './service-error.ts';

interface ArtifactParts {
  history: Pick<History, 'listArtifacts' | 'findArtifact' | 'findArtifactAt' | 'findTestResult'>;
  artifactFiles: Pick<ArtifactFiles, 'pathOf'>;
  /** Signs links to artifacts. */
  artifactKey: Uint8Array;
  clock: Clock;
  checks: Checks;
}

/** Which artifacts a manifest has. */
export interface AssetFilters {
  /** Only of these types; none: of any. */
  types: readonly string[];
  /** A pattern of names; left out: any. */
  name?: string | undefined;
}

/** A file that is being sent; whoever sends it disposes of it at the end. */
export interface OpenArtifact extends Disposable {
  artifact: RunArtifact;
  path: string;
}

/** Files that are sent at once, and names that are compared in a row. */
const MAX_OPEN = 64;
const NAMES_IN_A_ROW = 5;
const RETRY_AFTER_MS = 1_000;

/** What results left: lists of it, and the files. */
export class Artifacts {
  readonly #parts: ArtifactParts;
  #open = 0;

  constructor(parts: ArtifactParts) {
    this.#parts = parts;
  }

  /** @throws ServiceError NOT_FOUND */
  async listOfResult(
    checkId: string,
    resultId: string,
    filters: AssetFilters,
    baseUrl: string,
  ): Promise<AssetManifest> {
    const { checks, history } = this.#parts;
    const { name, checkType: type } = checks.find(checkId);
    const artifacts = await history.listArtifacts({ checkId, resultId });
    if (artifacts === null) throw notFound(`No result of this check has the id ${resultId}`);
    const source = { check: { id: checkId, name, type }, resultId };
    return this.#manifest({ checkId, resultId }, source, artifacts, filters, baseUrl);
  }

  /** @throws ServiceError NOT_FOUND */
  async listOfTestResult(
    sessionId: string,
    resultId: string,
    filters: AssetFilters,
    baseUrl: string,
  ): Promise<AssetManifest> {
    const { history } = this.#parts;
    const of = { sessionId, resultId };
    const found = await history.findTestResult(of);
    if (found === null) throw notFound('No such test session result.');
    const { checkId: id, name, checkType: type } = found.result;
    const source = { check: { id, name, type }, resultId, testSessionId: sessionId };
    const artifacts = (await history.listArtifacts(of)) ?? [];
    return this.#manifest(of, source, artifacts, filters, baseUrl);
  }

  /**
   * What a link leads to.
   *
   * @throws ServiceError NOT_FOUND for whatever is wrong with it; TOO_MANY where too many are open
   */
  async openLink(token: string, name: string): Promise<OpenArtifact> {
    const { artifactKey, clock, history } = this.#parts;
    const of = readArtifactToken(token, artifactKey, clock.now());
    return this.#opened(of && (await history.findArtifact({ ...of, name })));
  }

  /** @throws ServiceError NOT_FOUND; TOO_MANY where too many are open */
  async openAt(moment: ArtifactMoment): Promise<OpenArtifact> {
    this.#parts.checks.find(moment.checkId);
    return this.#opened(await this.#parts.history.findArtifactAt(moment));
  }

  #opened(artifact: RunArtifact | null): OpenArtifact {
    if (artifact === null) throw notFound('There is no such artifact, or the link is over.');
    if (this.#open >= MAX_OPEN) {
      throw tooMany('Too many artifacts are being sent: try again in a moment', RETRY_AFTER_MS);
    }
    this.#open += 1;
    return {
      artifact,
      path: this.#parts.artifactFiles.pathOf(artifact.sha256),
      [Symbol.dispose]: () => {
        this.#open -= 1;
      },
    };
  }

  async #manifest(
    of: ResultAddress,
    source: AssetSource,
    artifacts: readonly RunArtifact[],
    { types, name }: AssetFilters,
    baseUrl: string,
  ): Promise<AssetManifest> {
    const ofType = artifacts.filter(({ type }) => types.length === 0 || types.includes(type));
    const wanted = name === undefined ? ofType : await named(ofType, name);
    const urlOf = artifactUrls(of, signingOf(this.#parts, baseUrl));
    return viewManifest(wanted, source, (one) => urlOf(one) ?? '');
  }
}

/** What links in answers are made with. */
export function signingOf(
  { artifactKey: key, clock }: Pick<ArtifactParts, 'artifactKey' | 'clock'>,
  baseUrl: string,
): ArtifactSigning {
  return { key, baseUrl, expiresAt: linksExpireAt(clock.now()) };
}

async function named(artifacts: readonly RunArtifact[], pattern: string): Promise<RunArtifact[]> {
  const isWanted = namePattern(pattern);
  const wanted: RunArtifact[] = [];
  for await (const slice of inSlices(artifacts, NAMES_IN_A_ROW)) {
    wanted.push(...slice.filter(({ name }) => isWanted(name)));
  }
  return wanted;
}
