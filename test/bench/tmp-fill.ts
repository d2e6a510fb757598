import { fillFolder } from './footprint.ts';
await fillFolder(process.argv[2] ?? '', Number(process.argv[3]));
