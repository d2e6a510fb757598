/** What stands in the address is typed by people too: what does not fit is as if it were not there. */

const MAX_LENGTH = 500;

export function textParam(value: unknown): string | undefined {
  // The router reads what looks like a number as one.
  const written = typeof value === 'number' ? String(value) : value;
  const isText = typeof written === 'string' && written !== '' && written.length <= MAX_LENGTH;
  return isText ? written : undefined;
}

export function choiceParam<const T extends string>(
  value: unknown,
  choices: readonly T[],
): T | undefined {
  return choices.find((choice) => choice === value);
}

export function choicesParam<const T extends string>(
  value: unknown,
  choices: readonly T[],
): T[] | undefined {
  const chosen = choices.filter((choice) => [value].flat().includes(choice));
  return chosen.length > 0 ? chosen : undefined;
}

const MAX_TEXTS = 20;

export function textsParam(value: unknown): string[] | undefined {
  const texts = [value].flat().map(textParam);
  const found = texts.filter((one) => one !== undefined).slice(0, MAX_TEXTS);
  return found.length > 0 ? found : undefined;
}

export function numberParam(value: unknown, { min, max }: { min: number; max: number }) {
  const isGood = typeof value === 'number' && value >= min && value <= max;
  return isGood ? value : undefined;
}
