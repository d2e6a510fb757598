const UNITS: readonly [string, number][] = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
];

/** A span in its two largest units, as people say it: `2 h 5 min`; below a second `under 1 s`. */
export function durationText(ms: number): string {
  let rest = Math.floor(Math.max(0, ms) / 1_000);
  const parts = UNITS.map(([unit, seconds]) => {
    const amount = Math.floor(rest / seconds);
    rest -= amount * seconds;
    return { amount, text: `${amount} ${unit}` };
  });
  const first = parts.findIndex(({ amount }) => amount > 0);
  if (first === -1) return 'under 1 s';
  return parts
    .slice(first, first + 2)
    .filter(({ amount }) => amount > 0)
    .map(({ text }) => text)
    .join(' ');
}

/** An ISO 8601 instant for people: `2026-01-15 12:00:00 UTC`. */
export function instantText(iso: string): string {
  return `${iso.slice(0, 19).replace('T', ' ')} UTC`;
}
