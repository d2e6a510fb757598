import { randomUUID } from 'node:crypto';
import { openConfiguration } from '#main/store/json/open-configuration.ts';
import { makeKey } from '../json/make-key.ts';

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
