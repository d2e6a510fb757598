import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { NotKept } from '#workers/browser/artifact-writer.ts';
import { maskedZip } from '#workers/browser/masked-zip.ts';
import { Mask } from '#workers/masking/mask.ts';
import { SecretForms } from '#workers/masking/secret-forms.ts';
import { type ArchiveEntry, encryptedZipOf, tarOf, zipOf } from '../../fixtures/archives.ts';

const SECRET = 'hunter2-söhne';
const mask = new Mask({ values: [SECRET] }, new SecretForms());

/** What an archive holds, by the names in it. */
async function contentsOf(archive: Buffer): Promise<Map<string, Buffer>> {
  const zip = await fromBufferPromise(archive);
  const contents = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    contents.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  }
  return contents;
}

/** Whether names are in UTF-8. */
const UTF8_NAMES = 0x800;

const masked = async (entries: ArchiveEntry[]) =>
  contentsOf(await maskedZip(zipOf(entries, UTF8_NAMES), mask));

const limits = { entryBytes: 10, allBytes: 15, entries: 3 };
const file = (name: string, bytes: number): ArchiveEntry => ({ name, content: 'x'.repeat(bytes) });

describe('a copy of an archive', () => {
  test('has no secret in its texts and in the names of its files', async () => {
    const contents = await masked([
      { name: 'test.trace', content: `{"value":"${SECRET}"}` },
      { name: `resources/${SECRET}.txt`, content: encodeURIComponent(SECRET) },
      { name: 'latin.html', content: Buffer.from(`é ${SECRET}`, 'latin1') },
    ]);
    expect([...contents].map(([name, content]) => [name, content.toString('latin1')])).toEqual([
      ['test.trace', '{"value":"***"}'],
      ['resources/***.txt', '***'],
      ['latin.html', 'é ***'],
    ]);
  });

  test('has everything that is no text as it was, byte by byte', async () => {
    const picture = Buffer.concat([Buffer.from([0x89, 0, 0xff]), Buffer.from(SECRET)]);
    const latin = Buffer.from('caf\xe9 \xff', 'latin1');
    const contents = await masked([
      { name: 'a.png', content: picture },
      { name: 'b.txt', content: latin },
      { name: 'empty', content: '' },
    ]);
    expect([...contents.values()]).toEqual([picture, latin, Buffer.alloc(0)]);
  });

  test('has no folders, which are in the names of files', async () => {
    const contents = await masked([{ name: 'a/' }, { name: 'a/b', content: 'c' }]);
    expect([...contents.keys()]).toEqual(['a/b']);
  });

  test('is made where it is just within the limits', async () => {
    const entries = [file('a', 10), file('b', 4), file('c', 1)];
    expect((await contentsOf(await maskedZip(zipOf(entries), mask, limits))).size).toBe(3);
  });
});

describe('nothing is kept of', () => {
  const TOO_MUCH = 'it unpacks to more than can be searched for secrets';

  test.each<[string, ArchiveEntry[]]>([
    ['a file that is too large', [file('a', 11)]],
    ['files that are too large together', [file('a', 8), file('b', 8)]],
    ['too many files', ['a', 'b', 'c', 'd'].map((name) => file(name, 1))],
  ])('an archive with %s', async (_, entries) => {
    await expect(maskedZip(zipOf(entries), mask, limits)).rejects.toThrow(new NotKept(TOO_MUCH));
  });

  test.each([
    ['a text', async () => Buffer.from('no archive')],
    ['nothing', async () => Buffer.alloc(0)],
    ['another archive', async () => tarOf([{ name: 'a', content: 'b' }])],
    ['an archive that is encrypted', async () => encryptedZipOf([{ name: 'a', content: 'b' }])],
    [
      'an archive that is cut off',
      async () => zipOf([{ name: 'a', content: SECRET }]).subarray(0, -30),
    ],
    ['an archive that leads out', async () => zipOf([{ name: '../a', content: 'b' }])],
    [
      'an archive with more in a file than it says',
      async () => {
        const archive = zipOf([{ name: 'a', content: SECRET.repeat(50) }]);
        // The length of the file once it is unpacked, in the directory.
        archive.writeUInt32LE(5, archive.indexOf('PK\x01\x02') + 24);
        return archive;
      },
    ],
  ])('%s', async (_, make) => {
    await expect(maskedZip(await make(), mask)).rejects.toThrow(new NotKept('it is no archive'));
  });
});
