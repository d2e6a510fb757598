import { execFile } from 'node:child_process';
import { ANSWER_WITHIN_MS } from './probe-tcp.ts';

const ARGUMENTS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  win32: ['-n', '1', '-w', '1000'],
  darwin: ['-n', '-c', '1', '-t', '1'],
};
/** iputils and BusyBox. */
const OF_LINUX = ['-n', '-c', '1', '-W', '1'];
/** Windows ends with 0 also where a router says that there is no way. */
const WINDOWS_REPLY = /TTL=/i;

/** Whether an address answers one ping; false as well where this machine has no such program. */
export function probePing(address: string): Promise<boolean> {
  const args = [...(ARGUMENTS[process.platform] ?? OF_LINUX), address];
  const options = {
    timeout: ANSWER_WITHIN_MS,
    killSignal: 'SIGKILL',
    windowsHide: true,
    env: { PATH: process.env.PATH, SystemRoot: process.env.SystemRoot, LC_ALL: 'C' },
  } as const;
  return new Promise((resolve) => {
    execFile('ping', args, options, (error, stdout) =>
      resolve(error === null && (process.platform !== 'win32' || WINDOWS_REPLY.test(stdout))),
    );
  });
}
