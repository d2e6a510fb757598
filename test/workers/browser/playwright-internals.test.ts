import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LEFT_OUT } from '#workers/browser/spec/lean-playwright.ts';
import * as internals from '#workers/browser/spec/playwright.ts';

const UPGRADE = `${createRequire(import.meta.url)('playwright/package.json').version} of Playwright has it no longer as workers/browser/spec/playwright.ts takes it`;

/** What each thing that Playwright does not export must be. */
const { common, createWorker, instrumentation, chromium } = internals;
const config = new common.FullConfigInternal({ configDir: import.meta.dirname }, {}, {});
const worker = createWorker({
  ...{ workerIndex: 0, parallelIndex: 0, repeatEachIndex: 0, projectId: '', config: null },
  ...{ artifactsDir: '', pauseOnError: false, pauseAtEnd: false },
});

describe('this version of Playwright has what runs of scripts take hold of:', () => {
  test.each<[string, unknown, string]>([
    ['a project of a configuration', config.projects[0]?.project.timeout, 'number'],
    ['the id of a project', config.projects[0]?.id, 'string'],
    ['loading of test files', common.testLoader.loadTestFile, 'function'],
    ['binding of tests to a project', common.suiteUtils.bindFileSuiteToProject, 'function'],
    ['test.only', common.suiteUtils.filterOnly, 'function'],
    ['fixtures while loading', common.poolBuilder.PoolBuilder.createForLoader, 'function'],
    ['fixtures while running', common.poolBuilder.PoolBuilder.createForWorker, 'function'],
    ['files made ready, in', common.cc.addToCompilationCache, 'function'],
    ['files made ready, out', common.cc.serializeCompilationCache, 'function'],
    ['loading of files as scripts', common.transform.installTransformIfNeeded, 'function'],
    ['the worker: its run', worker.runTestGroup, 'function'],
    ['the worker: its end', worker.gracefullyClose, 'function'],
    ['the worker: its events', worker.dispatchEvent, 'function'],
    ['the worker: its fixtures', worker._fixtureRunner, 'object'],
    ['new contexts told', instrumentation.addListener, 'function'],
    ['calls that are no steps', (chromium as unknown as Api)._wrapApiCall, 'function'],
    ['starts of browsers', (Object.getPrototypeOf(chromium) as typeof chromium).launch, 'function'],
  ])('%s', (_, found, type) => {
    expect(typeof found, `Version ${UPGRADE}`).toBe(type);
  });

  // Its methods make them, unless they are there already.
  test.each(['_config', '_project', '_poolBuilder'])('the worker: %s', (name) => {
    expect(String(worker.constructor), `Version ${UPGRADE}`).toContain(`this.${name} = `);
  });
});

describe('this version of Playwright has once what is left out of it:', () => {
  const folder = join(createRequire(import.meta.url).resolve('playwright-core/package.json'), '..');
  const all = ['coreBundle', 'utilsBundle']
    .map((name) => readFileSync(join(folder, 'lib', `${name}.js`), 'utf8'))
    .join('');
  test.each(LEFT_OUT)('%j', (text) => {
    expect(all.split(text), 'see workers/browser/spec/lean-playwright.ts').toHaveLength(2);
  });
});

interface Api {
  _wrapApiCall: unknown;
}
