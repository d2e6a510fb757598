/** `problem`: Watchpost or some of its checks cannot work; `warning`: something is worse than it could be. */
export type Level = 'ok' | 'warning' | 'problem';

/** What `watchpost doctor` says of one thing. */
export interface Finding {
  level: Level;
  /** What was looked at, such as `data folder`. */
  subject: string;
  /** What is the case; a sentence. */
  text: string;
  /** What to do about it; null where all is well. */
  advice: string | null;
}

/** Says of one subject what is the case. */
export interface Say {
  ok(text: string): Finding;
  warning(text: string, advice: string): Finding;
  problem(text: string, advice: string): Finding;
}

export function sayOf(subject: string): Say {
  return {
    ok: (text) => ({ level: 'ok', subject, text, advice: null }),
    warning: (text, advice) => ({ level: 'warning', subject, text, advice }),
    problem: (text, advice) => ({ level: 'problem', subject, text, advice }),
  };
}

const INDENT = ' '.repeat(9);

/** Findings as lines for people: each, then what to do about it, and a sum at the end. */
export function linesOf(findings: readonly Finding[]): string[] {
  const lines = findings.flatMap(({ level, subject, text, advice }) => [
    `${level.padEnd(INDENT.length)}${subject}: ${text}`,
    ...(advice === null ? [] : [`${INDENT}${advice}`]),
  ]);
  return [...lines, '', sumOf(findings)];
}

function sumOf(findings: readonly Finding[]): string {
  const { problem, warning } = countsOf(findings);
  if (problem + warning === 0) return 'All is well.';
  return `${counted(problem, 'problem')}, ${counted(warning, 'warning')}.`;
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** How many findings there are of each level. */
export function countsOf(findings: readonly Finding[]): Record<Level, number> {
  const counts = { ok: 0, warning: 0, problem: 0 };
  for (const { level } of findings) counts[level]++;
  return counts;
}
