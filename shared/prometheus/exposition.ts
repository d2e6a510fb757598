/** The text format 0.0.4 of Prometheus. */

export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export type FamilyType = 'gauge' | 'counter' | 'histogram';

/** What stands before the samples of a metric. */
export function familyHead(name: string, type: FamilyType, help: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
}

/** Labels as they stand between braces: names must be valid, values may be anything. */
export function labelText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escapeValue(value)}"`)
    .join(',');
}

const ESCAPES: Record<string, string> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' };

function escapeValue(value: string): string {
  return value.replaceAll(/[\\"\n]/g, (character) => ESCAPES[character] ?? character);
}

/** @param labels as {@link labelText} makes them */
export function sampleLine(name: string, labels: string, value: number): string {
  return `${name}{${labels}} ${value}\n`;
}
