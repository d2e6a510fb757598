import { openAddress } from '#main/platform/open-browser.ts';
import { signInLink } from '#shared/sign-ins/sign-in.ts';
import { CommandError } from './command-error.ts';
import { answerOrNull, ask, instanceOn, refuseFailure } from './running-instance.ts';

/**
 * A link that signs one browser in at the appliance that runs on a data folder.
 *
 * @throws CommandError where none runs there
 */
export async function signInLinkOfRunning(
  dataDir: string,
  publicUrl: string | null,
): Promise<string> {
  const run = await instanceOn(dataDir);
  const answer = run && (await answerOrNull(ask(run, 'POST', '/app/sign-in-links')));
  // Another process may answer at the address of an appliance that was killed.
  if (!run || answer === null || answer.status === 401) {
    throw new CommandError(`No Watchpost runs on ${dataDir}; \`npm start\` starts one`);
  }
  await refuseFailure(answer);
  const { path } = signInLink.parse(await answer.json());
  return (publicUrl ?? openAddress(run.url)) + path;
}
