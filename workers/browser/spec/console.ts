/** The level of what is written to the log by each method of the console. */
const LEVELS = {
  debug: 'DEBUG',
  trace: 'DEBUG',
  log: 'INFO',
  info: 'INFO',
  table: 'INFO',
  dir: 'INFO',
  warn: 'WARN',
  error: 'ERROR',
  assert: 'ERROR',
} as const;
type Level = (typeof LEVELS)[keyof typeof LEVELS];

let current: Level | null = null;

/** Has what the console writes known by its level. */
export function watchConsole(): void {
  for (const [name, level] of Object.entries(LEVELS)) {
    const method = name as keyof typeof LEVELS;
    const write = console[method] as (...values: unknown[]) => void;
    console[method] = (...values: unknown[]) => {
      const outer = current;
      current ??= level;
      try {
        write.apply(console, values);
      } finally {
        current = outer;
      }
    };
  }
}

/** The level of what is being written to an output. @param usual of what the console does not write */
export function levelOfOutput(usual: Level): Level {
  return current ?? usual;
}
