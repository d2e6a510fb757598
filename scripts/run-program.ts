import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Folder of the project. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Runs a JavaScript program of a package on our own Node, in the project's folder, without standard
 * input; what it prints is printed.
 * @param script path of the program inside node_modules.
 * @returns its exit code; 1 where a signal ended it.
 */
export function runProgram(script: string, args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const program = `${ROOT}node_modules/${script}`;
    const child = spawn(process.execPath, [program, ...args], {
      cwd: ROOT,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}
