import { readdirSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { WAYS } from '../../../fixtures/cages.ts';
import { SuiteLab, type SuiteResult } from '../../../fixtures/suite-lab.ts';
import { SHOP } from '../../../fixtures/suites/shop.ts';

const SECRET = 'correct horse battery';
const KNOWN = { variables: { PASSWORD: SECRET }, secrets: [SECRET] };

/** The texts of an archive by their names. */
async function textsOf(archive: Buffer): Promise<Map<string, string>> {
  const zip = await fromBufferPromise(archive);
  const texts = new Map<string, string>();
  for await (const entry of zip.eachEntry()) {
    texts.set(entry.fileName, (await buffer(await zip.openReadStreamPromise(entry))).toString());
  }
  return texts;
}

describe.each(WAYS)('a project of two projects, %s', (_way, bwrap) => {
  let lab: SuiteLab;
  let result: SuiteResult;
  beforeAll(async () => {
    lab = new SuiteLab(bwrap);
    result = await lab.run(SHOP, KNOWN);
  });
  afterAll(() => lab.close());

  test('fails with its first failing test and the line of it', () => {
    expect(result.hasFailures).toBe(true);
    expect(result.failure).toEqual({
      cause: 'SCRIPT',
      message:
        'the shop › sells [desktop]: expect(locator).toHaveText(expected) failed; Expected: "1 €"; Received: "***" (tests/shop.spec.ts:11)',
    });
  });

  test('tells of every test, with its project, its file, its steps and its attempts', () => {
    const { tests, testCount, playwrightVersion, errors } = result.found;
    expect(
      tests.map(({ title, project, file, line, status, attempts }) => [
        ...[title, project, file, line, status, attempts],
      ]),
    ).toEqual([
      ['the shop › is open @smoke [desktop]', 'desktop', 'tests/shop.spec.ts', 4, 'passed', 1],
      ['the shop › sells [desktop]', 'desktop', 'tests/shop.spec.ts', 8, 'failed', 1],
      ['the shop › is open @smoke [phone]', 'phone', 'tests/shop.spec.ts', 4, 'passed', 1],
      ['the shop › sells [phone]', 'phone', 'tests/shop.spec.ts', 8, 'failed', 1],
    ]);
    expect(testCount).toBe(4);
    expect(playwrightVersion).toMatch(/^1\./);
    expect(JSON.stringify(tests[1]?.steps)).toContain('look at the price');
    expect(errors[0]).toMatchObject({ location: { file: 'tests/shop.spec.ts', line: 11 } });
    expect(errors[0]?.snippet).toContain("> 11 |       await expect(page.locator('h1'))");
  });

  test('leaves traces, screenshots, reports and its log', () => {
    const { found } = result;
    const own = ['desktop', 'phone'].map((name) => `the shop › sells [${name}]`);
    expect(found.playwrightTestTraces).toEqual(own.map((name) => `${name}/trace.zip`));
    expect(found.jobAssets).toEqual(own.map((name) => `${name}/test-failed-1.png`));
    expect(found.playwrightTraceFiles[0]).toEqual({
      url: `${own[0]}/trace.zip`,
      filename: `${own[0]}/trace.zip`,
      name: 'the shop › sells [desktop]',
    });
    expect(found.htmlReportFile).toBe('report/index.html');
    expect(result.artifact('output.log').toString()).toContain('2 failed');
    const report = JSON.parse(result.artifact(found.playwrightTestJsonReportFile ?? '').toString());
    expect(report.stats).toMatchObject({ expected: 2, unexpected: 2, flaky: 0, skipped: 0 });
    expect(report.suites[0].suites[0].specs[1].title).toBe('sells');
  });

  test('says its secret nowhere', async () => {
    const said: string[] = [];
    const look = async (name: string, content: Buffer) => {
      const texts = content.subarray(0, 2).toString() === 'PK' ? await textsOf(content) : null;
      const all = texts === null ? [content.toString()] : [...texts.values(), ...texts.keys()];
      if (all.some((text) => text.includes(SECRET))) said.push(name);
    };
    for (const { name } of result.artifacts ?? []) await look(name, result.artifact(name));
    const page = result.artifact('report/index.html').toString();
    const [, data = ''] = /data:application\/zip;base64,([\w+/=]+)/.exec(page) ?? [];
    const report = await textsOf(Buffer.from(data, 'base64'));
    expect([...report.keys()]).toContain('report.json');
    await look('data of the report', Buffer.from(data, 'base64'));
    await look('result', Buffer.from(JSON.stringify(result)));
    expect(said).toEqual([]);
    // What is masked was there: the trace has the page, and the page had the password.
    expect(
      [...(await textsOf(result.artifact('the shop › sells [phone]/trace.zip'))).values()].join(),
    ).toContain('***');
  });

  test('leaves no folder of its run', () => {
    expect(
      readdirSync(lab.data.runsFolder).flatMap((one) =>
        readdirSync(`${lab.data.runsFolder}/${one}`),
      ),
    ).toEqual([]);
  });
});
