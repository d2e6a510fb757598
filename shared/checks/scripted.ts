import { z } from 'zod';
import { boundedJson, environmentVariables, frequency, frequencyOffset } from './blocks.ts';
import {
  commonDefaults,
  commonFields,
  placedFields,
  retriedFields,
  suiteDefaults,
  suiteFields,
} from './common.ts';
import { defineKind } from './kind.ts';
import { projectPath } from './project-path.ts';

/** The types that run a script of their own: BROWSER, MULTI_STEP and PLAYWRIGHT. */

/** Members of the two types whose script is text: BROWSER and MULTI_STEP. */
const scriptFields = {
  ...commonFields,
  ...placedFields,
  ...retriedFields,
  frequency: frequency(1),
  frequencyOffset,
  environmentVariables,
  script: z
    .string()
    .min(1)
    .max(256 * 1024)
    .nullable(),
  scriptPath: z.string().min(1).max(1_000).nullable(),
  dependencies: z
    .array(
      z.object({
        path: z.string().min(1).max(1_000),
        content: z
          .string()
          .min(1)
          .max(256 * 1024),
      }),
    )
    .max(200)
    .nullable(),
  playwrightConfig: boundedJson,
};
const scriptDefaults = { ...commonDefaults, frequency: 10 };

export const browserCheck = defineKind({
  checkType: 'BROWSER',
  segment: 'browser',
  schemaName: 'BrowserCheck',
  noun: 'browser check',
  required: ['name', 'script'],
  fields: {
    ...scriptFields,
    sslCheckDomain: z.string().max(2_048).nullable(),
    snapshots: z.array(boundedJson.unwrap()).max(200).nullable(),
  },
  defaults: scriptDefaults,
});

export const multiStepCheck = defineKind({
  checkType: 'MULTI_STEP',
  segment: 'multistep',
  schemaName: 'MultiStepCheck',
  noun: 'multi-step check',
  required: ['name', 'script'],
  fields: scriptFields,
  defaults: scriptDefaults,
});

const text = z.string().max(10_000);

/** Files of a project, each at its own path inside. */
const projectFiles = z
  .array(
    z.object({
      path: z.string().superRefine((path, context) => {
        const { problem } = projectPath(path);
        if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
      }),
      content: z
        .string()
        .min(1)
        .max(256 * 1024),
    }),
  )
  .max(200)
  .nullable();

export const playwrightCheck = defineKind({
  checkType: 'PLAYWRIGHT',
  segment: 'playwright',
  schemaName: 'PlaywrightCheck',
  noun: 'Playwright check',
  required: ['name'],
  refused: ['doubleCheck', 'shouldFail', 'runtimeId', 'retryStrategy'],
  fields: {
    ...suiteFields,
    ...placedFields,
    frequency: frequency(1),
    frequencyOffset,
    environmentVariables,
    /** Needed unless `dependencies` has the files of the project. */
    codeBundlePath: z.string().min(1).max(1_000),
    dependencies: projectFiles,
    cacheHash: text.nullable(),
    playwrightVersion: text.nullable(),
    workingDir: text.nullable(),
    testCommand: text,
    installCommand: text,
    browsers: z.array(z.string().max(50)).max(10),
    engine: z.enum(['node', 'bun']).nullable(),
    engineVersion: text.nullable(),
  },
  defaults: {
    ...suiteDefaults,
    frequency: 10,
    testCommand: 'npx playwright test',
    installCommand: '',
    browsers: ['chromium'],
    engine: null,
    engineVersion: null,
  },
});
