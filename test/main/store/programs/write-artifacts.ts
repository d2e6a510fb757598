import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { ARTIFACTS_FOLDER } from '#main/store/artifacts/artifact-files.ts';
import { openHistory } from '#main/store/history/open-history.ts';
import { ArtifactWriter } from '#workers/browser/artifact-writer.ts';
import { makeResult } from '../records.ts';

/**
 * Writes results with an artifact each, as fast as it can, and says of each which one is kept: the ids of
 * its check and itself.
 */
const [folder = ''] = process.argv.slice(2);
const history = await openHistory(folder);
for (;;) {
  const writer = new ArtifactWriter(join(folder, ARTIFACTS_FOLDER));
  await writer.addBytes({ type: 'screenshot', name: 'a.png' }, Buffer.from(randomUUID()));
  const kept = makeResult({ createdAt: Date.now() });
  await history.write({ results: [{ ...kept, artifacts: writer.artifacts }] });
  process.stdout.write(`${kept.result.checkId} ${kept.result.id}\n`);
}
