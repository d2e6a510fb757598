import { expect, test, vi } from 'vitest';
import { PingStarter } from '#workers/icmp/ping-starter.ts';
import { fakePing } from './fake-ping.ts';

const ping = (program: string) => ({
  ...{ program, args: ['192.0.2.1'], budgetMs: 20_000 },
  environment: { PATH: process.env.PATH },
});

test.skipIf(process.platform === 'win32')(
  'a helper that is lost loses the pings under way, which say so, and another starts the next',
  async () => {
    await using slow = await fakePing('echo $PPID > "$DIR/helper"; sleep 3; echo answered');
    await using quick = await fakePing('echo answered');
    const starter = new PingStarter();
    const lost = starter.run(ping(slow.path));
    const helper = await vi.waitFor(
      async () => Number.parseInt(await slow.read('helper'), 10) || Promise.reject(new Error()),
      { timeout: 60_000 },
    );
    expect(helper).not.toBe(process.pid);
    process.kill(helper, 'SIGKILL');
    expect(await lost).toEqual({ startError: 'EPIPE' });
    const next = await starter.run(ping(quick.path));
    expect(next).toMatchObject({ stdout: 'answered\n', exitCode: 0, stopped: false });
  },
);

test.skipIf(process.platform === 'win32')(
  'several pings under way end each with its own output',
  async () => {
    await using slow = await fakePing('sleep 0.3; echo slow');
    await using quick = await fakePing('echo quick >&2; exit 1');
    const starter = new PingStarter();
    const [one, other] = await Promise.all(
      [slow, quick].map(({ path }) => starter.run(ping(path))),
    );
    expect(one).toMatchObject({ stdout: 'slow\n', stderr: '', exitCode: 0 });
    expect(other).toMatchObject({ stdout: '', stderr: 'quick\n', exitCode: 1 });
  },
);
