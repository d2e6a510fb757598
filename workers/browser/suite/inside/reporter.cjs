'use strict';

/**
 * A reporter that Playwright loads beside those of the project, whatever its version: it writes what
 * happens to a file, a line of JSON for each event (shared/playwright/suite-events.ts). Plain JavaScript, since
 * the Playwright of the project loads it.
 */

const { appendFileSync, writeFileSync } = require('node:fs');
const { join, relative, sep } = require('node:path');
const { stripVTControlCharacters } = require('node:util');
const { jsonReport } = require('./json-report.cjs');
const { htmlReporter } = require('./html-reporter.cjs');

const { WATCHPOST_PROJECT: PROJECT = '', WATCHPOST_REPORTS: REPORTS = '' } = process.env;

/** More of each are not reported: the runner keeps fewer. */
const MAX_TEXT = 16_000;
const MAX_TESTS = 2_000;
const MAX_STEPS = 200;
const MAX_ERRORS = 20;
const MAX_ATTACHMENTS = 200;
const MAX_DEPTH = 10;
/** The annotation by which a test says that its check is degraded. */
const DEGRADED = 'watchpost:degraded';

class SuiteReporter {
  #config;
  #suite;
  #html;
  #errors = [];
  #known = new Set();

  printsToStdio() {
    return false;
  }

  onBegin(config, suite) {
    this.#config = config;
    this.#suite = suite;
    const tests = suite.allTests();
    const planned = tests.slice(0, MAX_TESTS);
    for (const { id } of planned) this.#known.add(id);
    write({
      type: 'plan',
      version: String(config.version),
      projects: config.projects.slice(0, 100).map(projectOf),
      tests: planned.map(identityOf),
      total: tests.length,
    });
    this.#html = htmlReporter(config);
    this.#tellHtml('onConfigure', config);
    if (this.#html?.version?.() === 'v2') this.#tellHtml('onBegin', suite);
    else this.#tellHtml('onBegin', config, suite);
  }

  onTestBegin({ id }, { retry }) {
    if (this.#known.has(id)) write({ type: 'testBegin', test: id, retry, at: Date.now() });
  }

  onTestEnd({ id, expectedStatus, annotations }, result) {
    if (!this.#known.has(id)) return;
    const startedAt = result.startTime.getTime();
    let steps = 0;
    const stepsOf = (list, depth) => {
      if (depth > MAX_DEPTH) return [];
      return list.flatMap((step) => {
        steps += 1;
        if (steps > MAX_STEPS) return [];
        return [{ ...stepOf(step), steps: stepsOf(step.steps, depth + 1) }];
      });
    };
    write({
      type: 'testEnd',
      test: id,
      retry: result.retry,
      status: result.status,
      expected: expectedStatus,
      at: startedAt,
      durationMs: Math.max(0, result.duration),
      errors: errorsOf(result),
      // Older versions have those of a run with the test.
      degraded: (result.annotations ?? annotations)
        .filter(({ type }) => type === DEGRADED)
        .map(({ description }) => shown(description))
        .slice(0, MAX_ERRORS),
      steps: stepsOf(result.steps, 0),
      attachments: result.attachments.slice(0, MAX_ATTACHMENTS).flatMap(attachmentOf),
    });
  }

  /** An error of no test: of the configuration, of a file that cannot be loaded. */
  onError(error) {
    this.#errors.push(error);
    if (this.#errors.length <= MAX_ERRORS) write({ type: 'error', error: errorOf(error) });
    this.#tellHtml('onError', error);
  }

  async onEnd(result) {
    write({ type: 'end', status: String(result.status) });
    if (this.#suite === undefined) return;
    const report = jsonReport(this.#config, this.#suite, this.#errors, result);
    writeFileSync(join(REPORTS, 'report.json'), JSON.stringify(report));
    await this.#tellHtml('onEnd', result);
  }

  /** The report is an extra: where this version of Playwright makes it in another way, there is none. */
  async #tellHtml(method, ...args) {
    try {
      await this.#html?.[method]?.(...args);
    } catch (error) {
      this.#html = undefined;
      process.stderr.write(`No HTML report was made: ${error.message}\n`);
    }
  }
}

function write(event) {
  appendFileSync(join(REPORTS, 'events.jsonl'), `${JSON.stringify(event)}\n`);
}

/** A text without colours and without what the folders of this machine are called. */
function shown(value) {
  return stripVTControlCharacters(String(value ?? ''))
    .replaceAll(PROJECT + sep, '')
    .slice(0, MAX_TEXT);
}

const pathOf = (file) => shown(relative(PROJECT, file).split(sep).join('/'));

function projectOf({ name, use }) {
  return {
    name: shown(name),
    browser: shown(use.browserName ?? use.defaultBrowserType ?? 'chromium'),
    ...(use.channel && { channel: shown(use.channel) }),
  };
}

function identityOf(test) {
  const [, project, , ...path] = test.titlePath();
  const { file, line } = test.location;
  return {
    id: test.id,
    project: shown(project),
    path: path.slice(0, 50).map(shown),
    file: pathOf(file),
    line,
  };
}

function stepOf({ title, category, startTime, duration, error }) {
  return {
    title: shown(title),
    category: shown(category),
    at: startTime.getTime(),
    durationMs: duration >= 0 ? duration : null,
    ...(error && { error: shown(error.message ?? error.value) }),
  };
}

function errorsOf({ errors, error }) {
  const all = errors?.length > 0 ? errors : error ? [error] : [];
  return all.slice(0, MAX_ERRORS).map(errorOf);
}

function errorOf({ message, value, stack, location, snippet }) {
  return {
    message: shown(message ?? value) || 'Unknown error',
    ...(stack && { stack: shown(stack) }),
    ...(snippet && { snippet: shown(snippet) }),
    ...(location && {
      location: { file: pathOf(location.file), line: location.line, column: location.column },
    }),
  };
}

/** What is in memory becomes a file; what has neither is nothing. */
function attachmentOf({ name, contentType, path, body }) {
  const file = path ?? (body && written(body));
  if (!file) return [];
  return [{ name: shown(name), contentType: String(contentType).slice(0, 200), path: file }];
}

let bodies = 0;

function written(body) {
  bodies += 1;
  const file = join(REPORTS, `attachment-${process.pid}-${bodies}`);
  writeFileSync(file, body);
  return file;
}

module.exports = SuiteReporter;
