import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { TEST_STATUSES, type TestStatus } from '#shared/playwright/detail.ts';
import { levelOfOutput } from './console.ts';
import { OWN_FOLDER } from './job.ts';
import type { TestError, Worker, WorkerEvents } from './playwright.ts';
import { report, shown, shownError } from './report.ts';

type Handlers = { [M in keyof WorkerEvents]: (params: WorkerEvents[M]) => void };

/** The annotation by which a script says that its check is degraded. */
const DEGRADED = 'watchpost:degraded';

/** Reports what a worker tells; `done` reports that it has told everything. */
export function reportEvents(worker: Worker, folder: string): { done(): void } {
  const text = (it: string) => shown(it, folder);
  const errorsOf = (errors: TestError[]) =>
    errors.slice(0, 50).map((error) => shownError(error, folder));
  const fatal: TestError[] = [];
  let skipped: string[] = [];
  const handlers: Handlers = {
    testBegin: ({ testId, startWallTime }) =>
      report({ type: 'testBegin', test: testId, at: startWallTime }),
    testEnd: (end) =>
      report({
        type: 'testEnd',
        test: end.testId,
        status: statusOf(end.status),
        expected: statusOf(end.expectedStatus),
        durationMs: end.duration,
        errors: errorsOf(end.errors),
        degraded: end.annotations
          .filter(({ type }) => type === DEGRADED)
          .map(({ description = '' }) => text(description))
          .slice(0, 20),
      }),
    stepBegin: ({ testId, stepId, parentStepId, title, subtitle, category, wallTime }) =>
      report({
        type: 'stepBegin',
        test: testId,
        step: stepId,
        ...(parentStepId && { parent: parentStepId }),
        title: text(subtitle ? `${title} ${subtitle}` : title),
        category,
        at: wallTime,
      }),
    stepEnd: ({ testId, stepId, wallTime, error }) =>
      report({
        type: 'stepEnd',
        test: testId,
        step: stepId,
        at: wallTime,
        ...(error && { error: shownError(error, folder).message }),
      }),
    attach: (attachment) => attach(attachment, folder),
    stdOut: (chunk) => output(chunk, levelOfOutput('INFO'), folder),
    stdErr: (chunk) => output(chunk, levelOfOutput('ERROR'), folder),
    done: ({ fatalErrors, skipTestsDueToSetupFailure }) => {
      fatal.push(...fatalErrors);
      skipped = skipTestsDueToSetupFailure;
    },
    teardownErrors: ({ fatalErrors }) => {
      fatal.push(...fatalErrors);
    },
  };
  worker.dispatchEvent = (method, params) => handlers[method as keyof Handlers]?.(params as never);
  return { done: () => report({ type: 'done', errors: errorsOf(fatal), skipped }) };
}

function statusOf(status: string): TestStatus {
  return TEST_STATUSES.find((known) => known === status) ?? 'failed';
}

/** What Playwright writes for assistants is of no use here. */
const NOT_KEPT = 'error-context';

let bodies = 0;

function attach({ testId, name, contentType, path, body }: WorkerEvents['attach'], folder: string) {
  if (name === NOT_KEPT) return;
  const file = path ?? written(Buffer.from(body ?? '', 'base64'), folder);
  report({
    type: 'attach',
    test: testId,
    name: shown(name, folder),
    contentType: contentType.slice(0, 200),
    path: relative(folder, file).split(sep).join('/'),
  });
}

/** An attachment that is in memory becomes a file. */
function written(content: Buffer, folder: string): string {
  const inside = join(folder, OWN_FOLDER, 'attachments');
  mkdirSync(inside, { recursive: true });
  bodies += 1;
  const file = join(inside, String(bodies));
  writeFileSync(file, content);
  return file;
}

function output({ text, buffer }: WorkerEvents['stdOut'], level: Level, folder: string): void {
  const written = text ?? Buffer.from(buffer ?? '', 'base64').toString();
  const line = shown(written.replace(/\n$/, ''), folder);
  report({ type: 'log', at: Date.now(), level, text: line });
}

type Level = 'DEBUG' | 'INFO' | 'WARN' | 'ERROR';
