import { randomUUID } from 'node:crypto';
import { openConfiguration } from '#main/store/configuration/open-configuration.ts';
import { makeKey } from '../configuration/make-key.ts';

// Puts keys, many at once, and says the id of each that was kept.
const { keys } = await openConfiguration(process.argv[2] ?? '');
for (;;) {
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      const key = makeKey(randomUUID());
      await keys.put(key);
      console.log(key.id);
    }),
  );
}
