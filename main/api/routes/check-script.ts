import { z } from 'zod';
import { RUNTIME_IDS } from '#shared/checks/enums.ts';
import { scriptProblems, withRules } from '#shared/checks/rules.ts';
import { SCRIPT_BYTES } from '#shared/sandbox/script.ts';
import { scriptVerdict } from '#shared/sandbox/script-verdict.ts';
import { KEY, operation } from '../operation.ts';

/** What the UI asks before it saves a script: nothing is run. */
export const checkScript = operation({
  id: 'checkScript',
  method: 'post',
  path: '/app/scripts/check',
  tag: 'Appliance',
  summary: 'Check the syntax of a script without running it',
  access: KEY,
  internal: true,
  // All runtimes have the syntax of the one engine that scripts run on.
  body: {
    schema: withRules(
      z.object({
        code: z.string().max(SCRIPT_BYTES),
        runtimeId: z.enum(RUNTIME_IDS).nullish(),
      }),
      (body) => scriptProblems(body, ['code']),
    ),
  },
  status: 200,
  response: scriptVerdict,
  handle: async ({ body: { code } }, { scriptSyntax }) => ({
    content: { json: await scriptSyntax.check(code) },
  }),
});
