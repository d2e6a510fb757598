import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { artifactPath } from '#shared/artifacts/artifact.ts';
import { ScriptRecord } from '#shared/playwright/script-record.ts';
import { ArtifactWriter } from '#workers/browser/artifact-writer.ts';
import { keepLeftFiles } from '#workers/browser/left-files.ts';
import { maskedContent } from '#workers/browser/masked-content.ts';
import { Mask } from '#workers/masking/mask.ts';
import { SecretForms } from '#workers/masking/secret-forms.ts';
import { temporaryFolder } from '../../main/store/temporary-folder.ts';

const SECRET = 'the-secret-of-the-shop';
const mask = new Mask({ values: [SECRET] }, new SecretForms());

let store = '';
let folder = '';
beforeEach(() => {
  store = join(temporaryFolder(), 'artifacts');
  folder = temporaryFolder();
});

/** Keeps files that are attached to a test, each with its content type. @returns their contents */
async function keep(files: Record<string, [contentType: string, content: Buffer]>) {
  const record = new ScriptRecord(0);
  for (const [name, [contentType, content]] of Object.entries(files)) {
    writeFileSync(join(folder, name), content);
    record.add({ type: 'attach', test: 'a', name, contentType, path: name });
  }
  const writer = new ArtifactWriter(store);
  await keepLeftFiles(folder, record, new Set(), writer, mask);
  return writer.artifacts.map(({ sha256 }) => readFileSync(join(store, artifactPath(sha256))));
}

const PICTURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0xff, 0xe9]);

test('a secret is in no text that is kept, whatever its encoding and what it is called', async () => {
  const kept = await keep({
    'page.html': ['text/html', Buffer.from(`café ${SECRET}`, 'latin1')],
    'drawing.svg': ['image/svg+xml', Buffer.from(`<svg>${SECRET}</svg>`)],
    'picture.png': ['image/png', PICTURE],
  });
  expect(kept).toEqual([Buffer.from('café ***', 'latin1'), Buffer.from('<svg>***</svg>'), PICTURE]);
});

test('a long text is searched in turns, so that nobody else waits for it', async () => {
  const line = `${'x'.repeat(100)}${SECRET}\n`;
  const text = Buffer.from(line.repeat(20e6 / line.length));
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 1);
  const kept = await maskedContent(text, mask);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(20);
  expect(kept.toString()).toBe(text.toString().replaceAll(SECRET, '***'));
});

test.skipIf(process.getuid?.() === 0)('a folder that the script closed stays closed', async () => {
  mkdirSync(join(folder, 'closed'));
  chmodSync(join(folder, 'closed'), 0);
  expect(await keep({ 'picture.png': ['image/png', PICTURE] })).toEqual([PICTURE]);
  chmodSync(join(folder, 'closed'), 0o700);
});
