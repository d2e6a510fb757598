import { openDataFolder } from '#main/store/data-folder.ts';

// Says `open` and holds the folder until it is killed, or says why it cannot.
try {
  await openDataFolder(process.argv[2] ?? '');
  console.log('open');
  setInterval(() => undefined, 60_000);
} catch (error) {
  console.log(`${(error as Error).name}: ${(error as Error).message}`);
}
