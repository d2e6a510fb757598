import { workerData } from 'node:worker_threads';
import { StartupError } from '#main/platform/startup-error.ts';
import { StoreError } from '#main/store/store-error.ts';
import { serve } from '#main/store/thread/serve.ts';

export type OddCalls = {
  echo: { takes: string; answers: string };
  bytes: { takes: number; answers: { bytes: Uint8Array } };
  never: { takes: null; answers: null };
  full: { takes: null; answers: null };
  mistake: { takes: null; answers: null };
  notice: { takes: null; answers: null };
  die: { takes: null; answers: null };
};

/** A thread for tests: it answers, keeps silent, fails and dies as it is told. */
await serve<OddCalls, string>(async (notify) => {
  const { refuse } = workerData as { refuse?: string };
  if (refuse !== undefined) throw new StartupError(refuse);
  return {
    value: 'ready',
    handlers: {
      echo: (text) => text,
      bytes: (length) => ({ bytes: new Uint8Array(length).fill(7) }),
      never: () => new Promise<null>(() => undefined),
      full: () => {
        throw new StoreError('FULL', 'No room.');
      },
      mistake: () => {
        throw new TypeError('A mistake of ours.');
      },
      notice: () => {
        notify('Something happened.', { times: 2 });
        return null;
      },
      die: () => process.exit(3),
    },
  };
});
