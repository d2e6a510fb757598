import { domainToASCII } from 'node:url';

/** A shorter secret is found in too much that is none: it is hidden only where it stands alone. */
export const MIN_SECRET_CHARS = 4;

/** Whether a text is long enough to be looked for inside others. */
export function isWorthHiding(text: string): boolean {
  return text.length >= MIN_SECRET_CHARS;
}

/** What URLs, JSON and HTML all write as it is. */
const PLAIN = /^[\w.-]*$/;

/**
 * Of a secret longer than the first, only the forms that cost next to nothing to make are looked for;
 * of one longer than the second, not those that all its bytes change either. A check may have
 * megabytes of secrets, and each form of them takes time of the thread that measures.
 */
const MAX_ELABORATE_CHARS = 1_024;
const MAX_ENCODED_CHARS = 8_192;

/** Characters of forms that are kept from run to run: a secret of 40 has 400 to 4,000. */
const MAX_KEPT_CHARS = 8_000_000;

/**
 * Forms by their secret, in pieces. Most runs of a check have the secrets of the run before, and
 * making the forms of a hundred takes milliseconds of the thread that measures response times.
 */
export class SecretForms {
  readonly #kept = new Map<string, readonly string[]>();
  readonly #maxChars: number;
  #chars = 0;

  constructor(maxChars: number = MAX_KEPT_CHARS) {
    this.#maxChars = maxChars;
  }

  /** Characters of what is kept. */
  get chars(): number {
    return this.#chars;
  }

  /** The pieces of all forms of a secret, as {@link inOneCase} writes them. */
  of(secret: string): readonly string[] {
    const known = this.#kept.get(secret);
    if (known) return known;
    const pieces = [...new Set(formsOf(secret).flatMap(piecesOf))];
    const chars = charsOf(secret, pieces);
    if (chars > this.#maxChars) return pieces;
    for (const [oldest, its] of this.#kept) {
      if (this.#chars + chars <= this.#maxChars) break;
      this.#kept.delete(oldest);
      this.#chars -= charsOf(oldest, its);
    }
    this.#kept.set(secret, pieces);
    this.#chars += chars;
    return pieces;
  }
}

function charsOf(secret: string, pieces: readonly string[]): number {
  return pieces.reduce((chars, piece) => chars + piece.length, secret.length);
}

/**
 * A text with the letters of ASCII in lower case, of the same length: URLs, headers and methods
 * change the case of what they are given.
 */
export function inOneCase(text: string): string {
  // Of other letters, some change their length with their case.
  return /[^\0-\x7f]/.test(text) ? text.replace(/[A-Z]+/g, lowerCase) : text.toLowerCase();
}

/**
 * The forms in which a secret comes back: as it is, as a number, in URLs, JSON, HTML, hexadecimal
 * and base64. Short remains of an encoding are left out, as they would be found in too much.
 */
function formsOf(secret: string): string[] {
  return worthHiding(PLAIN.test(secret) ? plainForms(secret) : oddForms(secret));
}

/** Of a secret that URLs, JSON and HTML write as it is. */
function plainForms(secret: string): string[] {
  if (secret.length > MAX_ENCODED_CHARS) return [secret];
  return [secret, ...numberForms(secret), ...hexForms(secret), ...base64Forms(secret)];
}

function oddForms(secret: string): string[] {
  const json = inJson(secret, NOTHING);
  const encoded = encodeURIComponent(secret.toWellFormed());
  const simple = [
    ...plainForms(secret),
    // A header is sent and told again without the space around it.
    secret.trim(),
    encoded,
    json,
    ...lineForms(secret),
  ];
  if (secret.length > MAX_ELABORATE_CHARS) return simple;
  return [
    ...simple,
    // Of letters beyond ASCII.
    secret.toLowerCase(),
    secret.toUpperCase(),
    ...urlForms(secret),
    ...jsonForms(secret),
    ...htmlForms(secret),
    // As header bytes in UTF-8 are shown.
    ...[secret, json].map((text) => Buffer.from(text).toString('latin1')),
    ...base64Forms(json),
  ];
}

function worthHiding(forms: readonly string[]): string[] {
  return [...new Set(forms.map(inOneCase))].filter(isWorthHiding);
}

/**
 * The forms of a secret that is too short to be looked for inside others: those of URLs, JSON and
 * HTML. In hexadecimal or base64 it would be a usual number or word.
 */
export function shortFormsOf(secret: string): string[] {
  const forms = PLAIN.test(secret)
    ? [secret]
    : [secret, ...urlForms(secret), ...jsonForms(secret), ...htmlForms(secret)];
  return [...new Set(forms.map(inOneCase))].filter((form) => form.length >= secret.length);
}

const DECIMAL = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?\s*$/i;

/**
 * What is printed once it was read as a number: without zeros in front, with the digits of a double;
 * and the digits before an exponent.
 */
function numberForms(secret: string): string[] {
  if (!DECIMAL.test(secret)) return [];
  const number = Number(secret);
  return [String(number), number.toExponential().replace(/e.*/, 'e')];
}

/** A shorter line of a secret may be one of anything. */
const MIN_LINE_CHARS = 8;

/** The lines of a secret that has several: what ends them is not the same everywhere. */
function lineForms(secret: string): string[] {
  const lines = secret.split(/[\r\n]+/).map((line) => line.trim());
  if (lines.length === 1) return [];
  return lines
    .filter(({ length }) => length >= MIN_LINE_CHARS)
    .flatMap((line) => [line, encodeURIComponent(line.toWellFormed())]);
}

/** In path and query of a URL as it is parsed, fewer characters are encoded. */
const IN_URLS = ['http://h/x', 'http://h/?'] as const;

function urlForms(secret: string): string[] {
  const whole = encodeURIComponent(secret.toWellFormed());
  return [
    whole,
    encodeURIComponent(whole),
    encodeURI(secret.toWellFormed()),
    new URLSearchParams({ '': secret }).toString().slice(1),
    domainToASCII(secret),
    ...IN_URLS.map((start) => URL.parse(start + secret)?.href.slice(start.length) ?? ''),
  ];
}

const NOTHING = /(?!)/;
/** What writers of JSON escape beyond what they must: the default of Python, of Go, of .NET. */
const ESCAPED_IN_JSON: readonly RegExp[] = [
  NOTHING,
  /[^\0-\x7f]/,
  /[<>&]/,
  /[<>&]|[^\0-\x7f]/,
  /[<>&'"`+]|[^\0-\x7f]/,
];

function jsonForms(secret: string): string[] {
  const once = ESCAPED_IN_JSON.filter((escaped) => escaped === NOTHING || escaped.test(secret));
  const forms = [...new Set(once.map((escaped) => inJson(secret, escaped)))];
  return [
    ...forms,
    ...forms.map((form) => form.replaceAll('/', '\\/')),
    // A sentence about a JSON text quotes it once more.
    ...forms.map((form) => inJson(form, NOTHING)),
  ];
}

/** What any writer of JSON could escape. */
const ODD_IN_JSON = /[^ !#-[\]-~]|[<>&'`+]/g;

/** The inside of a JSON string, by UTF-16 units: that is how JSON escapes. */
function inJson(text: string, escaped: RegExp): string {
  return text.replace(ODD_IN_JSON, (unit) =>
    escaped.test(unit) ? unicodeEscape(unit) : jsonUnit(unit),
  );
}

/** Half of a pair stays as it is, since JSON writes the pair so. */
function jsonUnit(unit: string): string {
  return unit.isWellFormed() ? JSON.stringify(unit).slice(1, -1) : unit;
}

function unicodeEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function lowerCase(text: string): string {
  return text.toLowerCase();
}

/** How HTML is escaped: everywhere the same three, and of these what each library adds. */
const HTML_ALWAYS = { '&': '&amp;', '<': '&lt;', '>': '&gt;' } as const;
const HTML_TABLES: readonly Readonly<Record<string, string>>[] = [
  {},
  { '"': '&quot;' },
  { '"': '&quot;', "'": '&#39;' },
  { '"': '&#34;', "'": '&#39;' },
  { '"': '&quot;', "'": '&#x27;' },
  { '"': '&quot;', "'": '&#039;' },
  { '"': '&quot;', "'": '&apos;' },
  { '"': '&quot;', "'": '&#x27;', '`': '&#x60;', '=': '&#x3D;' },
  { '"': '&quot;', "'": '&#39;', '/': '&#x2F;', '`': '&#x60;', '=': '&#x3D;' },
];

function htmlForms(secret: string): string[] {
  return HTML_TABLES.map((table) => {
    const entities: Readonly<Record<string, string>> = { ...HTML_ALWAYS, ...table };
    return secret.replace(/[&<>"'`=/]/g, (char) => entities[char] ?? char);
  });
}

function hexForms(secret: string): string[] {
  return [Buffer.from(secret).toString('hex')];
}

/**
 * The characters of base64 that a text alone decides, where none, one or two bytes come before it in
 * its group of three (`user:secret`), and all of them where none do.
 */
function base64Forms(text: string): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)]);
    const start = Math.ceil((offset * 4) / 3);
    const end = Math.floor((bytes.length * 4) / 3);
    const stops = offset === 0 ? [undefined, end] : [end];
    const encoded = [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')];
    return encoded.flatMap((form) => stops.map((stop) => form.slice(start, stop)));
  });
}

/**
 * Lengths in which texts are looked for. A bounded number of them bounds what a place of a text
 * costs, however many secrets begin alike.
 */
const PIECE_CHARS = [4, 5, 6, 7, 8, 10, 12, 15, 19, 24, 30, 38, 48, 64] as const;

/**
 * Texts of a few lengths that stand for a text of any: where they are hidden, it is. Together they
 * cover it from end to end, so that of a longer one also a part is hidden: of 39 characters the
 * first and the last 38, of 200 every 64.
 *
 * @param text of at least 4 characters
 */
function piecesOf(text: string): string[] {
  const length = PIECE_CHARS.findLast((chars) => chars <= text.length) ?? text.length;
  const pieces: string[] = [];
  for (let from = 0; from + length <= text.length; from += length) {
    pieces.push(text.slice(from, from + length));
  }
  if (text.length % length !== 0) pieces.push(text.slice(-length));
  return pieces;
}
