import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wholeRecords } from '#main/sessions/test-session-kind.ts';
import { artifactUrls } from '#main/store/artifacts/artifact-links.ts';
import type { History } from '#main/store/history/history.ts';
import type { ResultAddress } from '#shared/artifacts/artifact.ts';
import { makeArtifact } from './artifact-records.ts';
import { entriesOf, makeResult, NOON } from './records.ts';
import { makeTestResult, makeTestSession } from './session-records.ts';

const names = (artifacts: readonly { name: string }[] | null) => artifacts?.map(({ name }) => name);

/** What every history does with what results left. */
export function artifactsContract(name: string, open: () => Promise<History>): void {
  let history: History;
  beforeAll(async () => {
    history = await open();
  });
  afterAll(() => history.close());

  const picture = makeArtifact({ name: 'a.png' });
  const report = makeArtifact({
    name: 'report/index.html',
    type: 'report',
    contentType: 'text/html',
    content: 'a report',
  });
  const artifacts = [picture, report];

  describe(`artifacts in the ${name}`, () => {
    test('of a result are found with it, also by the id that its script read', async () => {
      const checkId = randomUUID();
      const plain = makeResult({ checkId });
      const given = makeResult({ checkId, id: v7({ msecs: NOON - 5_000 }), slot: null });
      await history.write({
        results: [
          { ...plain, artifacts },
          { ...given, artifacts: [picture] },
        ],
      });
      const of = { checkId, resultId: plain.result.id };
      expect(await history.listArtifacts(of)).toEqual(artifacts);
      expect(await history.findArtifact({ ...of, name: 'report/index.html' })).toEqual(report);
      expect(await history.findArtifact({ ...of, name: 'index.html' })).toBeNull();
      const others = { checkId, resultId: given.result.id };
      expect(await history.listArtifacts(others)).toEqual([picture]);
    });

    test('of a result are none where it left none, and unlike those of no result', async () => {
      const { result, detail } = makeResult();
      await history.write({ results: [{ result, detail }] });
      const { checkId, id: resultId } = result;
      expect(await history.listArtifacts({ checkId, resultId })).toEqual([]);
      expect(await history.listArtifacts({ checkId, resultId: v7() })).toBeNull();
      expect(await history.listArtifacts({ checkId: randomUUID(), resultId })).toBeNull();
      expect(await history.findArtifact({ checkId, resultId, name: 'a.png' })).toBeNull();
      expect(await history.listArtifacts({ checkId, resultId: 'no id' })).toBeNull();
    });

    test('of a result that is written twice are those of the first time', async () => {
      const one = { ...makeResult(), artifacts };
      await history.write({ results: [one] });
      await history.write({ results: [{ ...one, artifacts: [makeArtifact({ name: 'late' })] }] });
      const { checkId, id: resultId } = one.result;
      expect(names(await history.listArtifacts({ checkId, resultId }))).toEqual(names(artifacts));
    });

    test('of a result of a test session are found with it', async () => {
      const result = makeTestResult({ resultType: 'FINAL', status: 'PASSED' });
      const session = makeTestSession({ results: [] });
      await history.write({
        ...wholeRecords(session),
        testResults: [{ sessionId: session.id, result, artifacts }],
      });
      const of = { sessionId: session.id, resultId: result.id };
      expect(await history.listArtifacts(of)).toEqual(artifacts);
      expect(await history.findArtifact({ ...of, name: 'a.png' })).toEqual(picture);
      expect(await history.listArtifacts({ ...of, sessionId: v7() })).toBeNull();
      // Of the same id, but of no check.
      expect(
        await history.listArtifacts({ checkId: result.checkId, resultId: result.id }),
      ).toBeNull();
    });

    test('are found by the moment and the place of their result', async () => {
      const one = { ...makeResult({ createdAt: NOON + 77 }), artifacts };
      const { checkId, runLocation: location } = one.result;
      await history.write({ results: [one] });
      const at = { checkId, location, createdAt: NOON + 77, name: 'a.png' };
      expect(await history.findArtifactAt(at)).toEqual(picture);
      expect(await history.findArtifactAt({ ...at, createdAt: NOON + 76 })).toBeNull();
      expect(await history.findArtifactAt({ ...at, createdAt: NOON + 78 })).toBeNull();
      expect(await history.findArtifactAt({ ...at, location: 'us-east-1' })).toBeNull();
      expect(await history.findArtifactAt({ ...at, name: 'b.png' })).toBeNull();
    });

    test('stand as links in the details that name them, where links are asked for', async () => {
      const links = { key: Buffer.alloc(32), baseUrl: 'https://w.test', expiresAt: 1_800_000_000 };
      const detail = '{"multiStepCheckResult":{"jobAssets":["a.png","gone.png"]}}';
      const one = { ...makeResult({ checkType: 'MULTI_STEP', metrics: {}, detail }), artifacts };
      const { checkId, id: resultId } = one.result;
      const session = makeTestSession({ results: [] });
      const result = makeTestResult({ resultType: 'FINAL', status: 'PASSED' });
      const testResults = [{ sessionId: session.id, result, detail, artifacts }];
      await history.write({ results: [one], ...wholeRecords(session), testResults });
      const url = (of: ResultAddress) => artifactUrls(of, links)('a.png');
      const query = { checkId, name: 'a check', limit: 9, resultType: 'ALL' } as const;
      const linked = { multiStepCheckResult: { jobAssets: [url({ checkId, resultId })] } };
      const plain = JSON.parse(detail);
      expect(entriesOf(await history.listResults({ ...query, links }))).toMatchObject([linked]);
      expect(entriesOf(await history.listResults(query))).toMatchObject([plain]);
      const found = await history.findResult({ ...query, resultId, links });
      expect(JSON.parse(Buffer.from(found ?? []).toString())).toMatchObject(linked);
      const of = { sessionId: session.id, resultId: result.id };
      const ofTest = await history.findTestResult({ ...of, links });
      const members = { multiStepCheckResult: { jobAssets: [url(of)] } };
      expect(JSON.parse(ofTest?.detail ?? '')).toEqual(members);
      expect((await history.findTestResult(of))?.detail).toBe(detail);
    });

    test('go with their check', async () => {
      const one = { ...makeResult(), artifacts };
      await history.write({ results: [one] });
      const { checkId, id: resultId } = one.result;
      await history.forget(checkId);
      expect(await history.listArtifacts({ checkId, resultId })).toBeNull();
    });

    test('name their contents, and what none of them names is told', async () => {
      const own = makeArtifact({ name: 'x.png', content: randomUUID() });
      const none = makeArtifact({ content: randomUUID() }).sha256;
      const one = { ...makeResult(), artifacts: [own] };
      await history.write({ results: [one] });
      expect(await history.listUnnamed([none, own.sha256])).toEqual([none]);
      expect(await history.listUnnamed([])).toEqual([]);
    });
  });
}
