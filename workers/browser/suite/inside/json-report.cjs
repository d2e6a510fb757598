'use strict';

const { relative, sep } = require('node:path');

/** A report in the form that Playwright documents as `JSONReport`. */
function jsonReport(config, suite, errors, { startTime, duration }) {
  const stats = { expected: 0, unexpected: 0, flaky: 0, skipped: 0 };
  for (const test of suite.allTests()) stats[test.outcome()] += 1;
  const placeOf = (location) => ({
    file: location ? posix(relative(config.rootDir, location.file)) : '',
    line: location?.line ?? 0,
    column: location?.column ?? 0,
  });
  const suiteOf = (one, project) => ({
    title: one.title,
    ...placeOf(one.location),
    specs: one.tests.map((test) => specOf(test, project, placeOf)),
    suites: one.suites.map((inner) => suiteOf(inner, project)),
  });
  return {
    config: configOf(config),
    suites: suite.suites.flatMap((inProject) => {
      const { name = '' } = inProject.project() ?? {};
      return inProject.suites.map((file) => suiteOf(file, name));
    }),
    errors,
    stats: {
      // Older versions say neither.
      startTime: (startTime ?? new Date()).toISOString(),
      duration: duration ?? 0,
      ...stats,
    },
  };
}

function configOf(config) {
  const own = Object.entries(config).filter(([name]) => !name.startsWith('_'));
  return {
    ...Object.fromEntries(own),
    rootDir: posix(config.rootDir),
    projects: config.projects.map((project) => ({
      outputDir: posix(project.outputDir),
      repeatEach: project.repeatEach,
      retries: project.retries,
      metadata: project.metadata,
      id: project.name,
      name: project.name,
      testDir: posix(project.testDir),
      testIgnore: patterns(project.testIgnore),
      testMatch: patterns(project.testMatch),
      timeout: project.timeout,
    })),
  };
}

function specOf(test, project, placeOf) {
  return {
    title: test.title,
    ok: test.ok(),
    tags: (test.tags ?? []).map((tag) => tag.replace(/^@/, '')),
    id: test.id,
    ...placeOf(test.location),
    tests: [
      {
        timeout: test.timeout,
        annotations: test.annotations,
        expectedStatus: test.expectedStatus,
        projectId: project,
        projectName: project,
        status: test.outcome(),
        results: test.results.map(resultOf),
      },
    ],
  };
}

function resultOf(result) {
  const { workerIndex, parallelIndex, status, duration, error, errors = [], retry } = result;
  return {
    workerIndex,
    parallelIndex,
    status,
    duration,
    error,
    errors: errors.map(({ message, value, location }) => ({ message: message ?? value, location })),
    stdout: result.stdout.map(outputOf),
    stderr: result.stderr.map(outputOf),
    retry,
    steps: stepsOf(result.steps),
    startTime: result.startTime.toISOString(),
    annotations: result.annotations ?? [],
    attachments: result.attachments.map(({ name, contentType, path, body }) => ({
      name,
      contentType,
      path,
      body: body?.toString('base64'),
    })),
  };
}

function stepsOf(steps) {
  return steps
    .filter(({ category }) => category === 'test.step')
    .map(({ title, duration, error, steps: inner }) => ({
      title,
      duration,
      error,
      steps: stepsOf(inner),
    }));
}

const outputOf = (chunk) =>
  typeof chunk === 'string' ? { text: chunk } : { buffer: chunk.toString('base64') };
const patterns = (given) => [given].flat().map(String);
const posix = (path) => path.split(sep).join('/');

module.exports = { jsonReport };
