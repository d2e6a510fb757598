import { runPing } from './ping-process.ts';
import type { AskedPing, EndedPing } from './ping-starter.ts';

/**
 * A small process that starts pings: what it costs to start one grows with the memory of the process that does. It
 * ends with the appliance, however that ends.
 */
process.on('message', async ({ id, ...ping }: AskedPing) => {
  const exit = await runPing(ping);
  // Whoever asked may be gone.
  if (process.connected) process.send?.({ id, exit } satisfies EndedPing);
});
process.on('disconnect', () => process.exit());
