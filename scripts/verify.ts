// `npm run verify`: everything that can be checked without running the product.
import { runChecks } from './checks.ts';

process.exitCode = (await runChecks()).length === 0 ? 0 : 1;
