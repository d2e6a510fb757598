import { runProgram } from './run-program.ts';

/** What `npm run verify` looks at, each by one program. */
export const CHECKS: readonly Check[] = [
  {
    // Boundaries and import cycles are rules of biome.json too.
    name: 'format, lint and boundaries',
    script: '@biomejs/biome/bin/biome',
    args: ['check', '--error-on-warnings', '.'],
  },
  { name: 'types', script: 'typescript/bin/tsc', args: [] },
  // The interface is for browsers: it sees the DOM and nothing of Node.
  {
    name: 'types of the interface',
    script: 'typescript/bin/tsc',
    args: ['--project', 'renderer'],
  },
];

interface Check {
  name: string;
  script: string;
  args: readonly string[];
}

/** Runs every check, also after one that fails; says how each went and gives the names of those. */
export async function runChecks(): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, script, args } of CHECKS) {
    const startedAt = performance.now();
    const passed = (await runProgram(script, args)) === 0;
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    console.log(`${passed ? 'passed' : 'FAILED'}: ${name} (${seconds} s)`);
    if (!passed) failed.push(name);
  }
  return failed;
}
