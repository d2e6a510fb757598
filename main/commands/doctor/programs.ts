import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Settings } from '#main/platform/settings/table.ts';
import { type Finding, sayOf } from './finding.ts';

const ANSWER_MS = 5_000;

/** What the system's `ping` did when this machine was asked. */
export type PingFacts = 'answered' | 'missing' | 'failed';

export async function pingFacts(): Promise<PingFacts> {
  const count = process.platform === 'win32' ? '-n' : '-c';
  try {
    await promisify(execFile)('ping', [count, '1', '127.0.0.1'], { timeout: ANSWER_MS });
    return 'answered';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'missing' : 'failed';
  }
}

/** What is said of `ping`. */
export function judgePing(facts: PingFacts): Finding {
  const say = sayOf('ping');
  if (facts === 'answered') return say.ok('This machine answers itself.');
  const text = facts === 'missing' ? 'It is not installed.' : 'It does not work for this user.';
  const advice = 'ICMP checks need it: install it (iputils-ping), with the right to send.';
  return say.warning(`${text} ICMP checks end in errors.`, advice);
}

/** What is said of the network namespace of script hosts; `launcher` is what they start with. */
export function judgeScriptHosts(launcher: readonly string[], platform: NodeJS.Platform): Finding {
  const say = sayOf('setup and teardown scripts');
  if (launcher.length > 0)
    return say.ok('They run without a network but what Watchpost gives them.');
  const text = 'They run in isolates, but in no network namespace of their own.';
  if (platform !== 'linux') return say.ok(`${text} Only Linux has them.`);
  const advice =
    'Install unshare (util-linux), and allow user namespaces to the user of Watchpost.';
  return say.warning(text, advice);
}

/** What is said of bubblewrap; `works` is its path where it does. */
export function judgeBubblewrap(
  works: string | null,
  wanted: Settings['browserSandbox'],
  platform: NodeJS.Platform,
): Finding {
  const say = sayOf('bubblewrap');
  if (wanted === 'off') {
    const advice = 'Set WATCHPOST_BROWSER_SANDBOX to prefer, unless you trust every script.';
    return say.warning('It is turned off: scripts of browser checks see your files.', advice);
  }
  if (works !== null)
    return say.ok(`${works} works: scripts of browser checks see no file of yours.`);
  const text = 'It is not installed, or does not work for this user';
  if (wanted === 'require') {
    const advice = 'Install it (bubblewrap), and allow user namespaces to the user of Watchpost.';
    return say.problem(
      `${text}, and WATCHPOST_BROWSER_SANDBOX requires it: no browser check runs.`,
      advice,
    );
  }
  if (platform !== 'linux')
    return say.warning(NOT_CAGED, 'Only Linux has it: trust the scripts that you run.');
  const advice = 'Install it (bubblewrap), and allow user namespaces to the user of Watchpost.';
  return say.warning(`${text}. ${NOT_CAGED}`, advice);
}

/** What is said of the program that makes videos of browser checks; `found` is its path. */
export function judgeFfmpeg(found: string | null): Finding {
  const say = sayOf('ffmpeg');
  if (found !== null) return say.ok(`${found} makes the videos of browser checks.`);
  const advice =
    'Install it (ffmpeg, or npx playwright install ffmpeg), if checks are to leave videos.';
  return say.warning('It is not installed: browser checks leave no videos.', advice);
}

const NOT_CAGED = 'Scripts of browser checks can read what Watchpost can read.';

type MailSettings = Pick<Settings, 'smtpHost' | 'smtpPort'>;

/** What is said of the mail server. */
export function judgeMail({ smtpHost, smtpPort }: MailSettings): Finding {
  const say = sayOf('mail');
  if (smtpHost !== null) return say.ok(`Mail goes through ${smtpHost}:${smtpPort}.`);
  const advice = 'Name a mail server in WATCHPOST_SMTP_HOST, if alerts or subscribers need one.';
  return say.warning('No mail server is set: no e-mail is sent.', advice);
}
