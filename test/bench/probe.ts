import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into the appliance by `--import`: measures its main thread between SIGUSR2 (begin) and the
 * next SIGUSR2 (end), and writes what it saw to WATCHPOST_BENCH_PROBE as JSON.
 */
const file = process.env.WATCHPOST_BENCH_PROBE;
const RESOLUTION_MS = 5;

if (isMainThread && file) {
  let begun:
    | {
        delay: ReturnType<typeof monitorEventLoopDelay>;
        cpu: NodeJS.CpuUsage;
        mainThreadCpu: NodeJS.CpuUsage;
        at: number;
      }
    | undefined;
  process.on('SIGUSR2', () => {
    if (!begun) {
      const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
      delay.enable();
      begun = {
        delay,
        cpu: process.cpuUsage(),
        mainThreadCpu: process.threadCpuUsage(),
        at: performance.now(),
      };
      return;
    }
    const { delay } = begun;
    delay.disable();
    const milliseconds = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1_000;
    // The histogram holds whole intervals: what is over the resolution is delay.
    const overMs = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
    writeFileSync(
      file,
      JSON.stringify({
        seconds: (performance.now() - begun.at) / 1_000,
        cpuMs: milliseconds(process.cpuUsage(begun.cpu)),
        mainThreadCpuMs: milliseconds(process.threadCpuUsage(begun.mainThreadCpu)),
        mainThreadDelayMs: {
          p50: overMs(delay.percentile(50)),
          p99: overMs(delay.percentile(99)),
          max: overMs(delay.max),
        },
        rssMb: process.memoryUsage.rss() / 2 ** 20,
      }),
    );
    begun = undefined;
  });
}
