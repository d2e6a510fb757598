import type { ScriptOutcome } from '#shared/sandbox/script.ts';
import { FILE, type Hostile, MARKER } from './hostile.ts';

/** Shows what a script before it left behind in its realm. */
export const CLEAN = `request.headers.clean = [typeof leaked, process.env.GREETING, [1, 2].join(), JSON.stringify({ a: 1 })].join(';'); console.log('clean');`;

/** A hostile script that also tries to leave something behind. */
export function leaving({ code }: Hostile): string {
  return `globalThis.leaked = Object.prototype.leaked = 1; ${code}`;
}

/** What of the host an outcome shows. */
export function shownOf(outcome: ScriptOutcome): string[] {
  const shown = JSON.stringify(outcome);
  const beginning = JSON.stringify(FILE.begins).slice(1, -1);
  const secrets = [MARKER, beginning, 'root:', process.cwd()];
  return secrets.filter((secret) => shown.includes(secret)).map((secret) => `shows ${secret}`);
}

/** What is wrong with the outcome of a hostile script. */
export function findingsOf(outcome: ScriptOutcome, { ends }: Hostile): string[] {
  const findings = shownOf(outcome);
  const kind = outcome.error?.kind ?? null;
  if (![ends].flat().includes(kind)) findings.push(`ends as ${kind}: ${outcome.error?.message}`);
  if (outcome.log.length > 1_001) findings.push('logs without end');
  return findings;
}

/** What is wrong with {@link CLEAN} beside or after a hostile script. */
export function damageOf({ error, request }: ScriptOutcome): string[] {
  const clean = request.headers.clean;
  if (error === null && clean === 'undefined;hello;1,2;{"a":1}') return [];
  return [`another script ends as ${error?.kind ?? null} with ${clean}`];
}
