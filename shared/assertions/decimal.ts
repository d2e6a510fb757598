/** Numbers in decimal form, as texts hold them: `42`, `-0.5`, `007`. No exponents, no `0x`. */
const DECIMAL = /^\s*([+-]?)(\d+)(?:\.(\d*))?\s*$/;

/** The number that a value is or spells out in decimal form; null for anything else. */
export function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && DECIMAL.test(value) ? Number(value) : null;
}

/**
 * A decimal text in the one form that all texts of the same number share; null for what is no
 * decimal. Exact: no two numbers of twenty digits become equal as they would as doubles.
 */
export function canonicalDecimal(text: string): string | null {
  const [matched, sign, whole = '', fraction = ''] = DECIMAL.exec(text) ?? [];
  if (matched === undefined) return null;
  const digits = `${withoutLeadingZeros(whole)}.${withoutTrailingZeros(fraction)}`;
  return sign === '-' && digits !== '0.' ? `-${digits}` : digits;
}

function withoutLeadingZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/, '');
}

function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}
