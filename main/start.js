// Where the process begins. Plain JavaScript without imports of ours: what compiles and strips TypeScript is large, and
// is loaded only where something is not found compiled, so the folder of compiled code must be known before any of it.
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

const { directory } = enableCompileCache(
  fileURLToPath(new URL('../node_modules/.cache/watchpost', import.meta.url)),
);
// The threads find the folder here.
if (directory) process.env.NODE_COMPILE_CACHE = directory;
await import('./cli.ts');
