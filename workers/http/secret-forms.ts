/** A shorter secret is found in too much that is none: it is hidden only where it stands alone. */
export const MIN_SECRET_CHARS = 4;

/** Whether a text is long enough to be looked for inside others. */
export function isWorthHiding(text: string): boolean {
  return text.length >= MIN_SECRET_CHARS;
}

/** What URLs, JSON and HTML all write as it is. */
const PLAIN = /^[\w.-]*$/;

/** Characters of forms that are kept from run to run: a secret of 40 has 700 to 6,000. */
const MAX_KEPT_CHARS = 4_000_000;

/**
 * Forms by their secret. Most runs of a check have the secrets of the run before, and making the
 * forms of a hundred takes milliseconds of the thread that measures response times.
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

  of(secret: string): readonly string[] {
    const known = this.#kept.get(secret);
    if (known) return known;
    const forms = formsOf(secret);
    const chars = charsOf(secret, forms);
    if (chars > this.#maxChars) return forms;
    for (const [oldest, its] of this.#kept) {
      if (this.#chars + chars <= this.#maxChars) break;
      this.#kept.delete(oldest);
      this.#chars -= charsOf(oldest, its);
    }
    this.#kept.set(secret, forms);
    this.#chars += chars;
    return forms;
  }
}

function charsOf(secret: string, forms: readonly string[]): number {
  return forms.reduce((chars, form) => chars + form.length, secret.length);
}

/**
 * The forms in which a secret comes back: as it is, in URLs, JSON, HTML, hexadecimal and base64.
 * Short remains of an encoding are left out, as they would be found in too much.
 */
export function formsOf(secret: string): string[] {
  const json = inJson(secret, NOTHING, lowerCase);
  const encoded = [...hexForms(secret), ...base64Forms(secret)];
  if (PLAIN.test(secret)) return [secret, ...encoded].filter(isWorthHiding);
  const forms = [
    secret,
    // A header is sent and told again without the space around it.
    secret.trim(),
    ...urlForms(secret),
    ...jsonForms(secret),
    ...htmlForms(secret),
    // As header bytes in UTF-8 are shown.
    ...[secret, json].map((text) => Buffer.from(text).toString('latin1')),
    ...base64Forms(json),
    ...encoded,
  ];
  return [...new Set(forms)].filter(isWorthHiding);
}

/**
 * The forms of a secret that is too short to be looked for inside others: those of URLs, JSON and
 * HTML. In hexadecimal or base64 it would be a usual number or word.
 */
export function shortFormsOf(secret: string): string[] {
  if (PLAIN.test(secret)) return [secret];
  const forms = [secret, ...urlForms(secret), ...jsonForms(secret), ...htmlForms(secret)];
  return [...new Set(forms)].filter((form) => form.length >= secret.length);
}

/** In path and query of a URL as it is parsed, fewer characters are encoded. */
const IN_URLS = ['http://h/x', 'http://h/?'] as const;

function urlForms(secret: string): string[] {
  const whole = encodeURIComponent(secret.toWellFormed());
  return [
    whole,
    whole.replace(/%[0-9A-F]{2}/g, lowerCase),
    encodeURIComponent(whole),
    encodeURI(secret.toWellFormed()),
    new URLSearchParams({ '': secret }).toString().slice(1),
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
  const once = ESCAPED_IN_JSON.flatMap((escaped) => [
    inJson(secret, escaped, lowerCase),
    inJson(secret, escaped, upperCase),
  ]);
  const forms = [...new Set(once)];
  return [
    ...forms,
    ...forms.map((form) => form.replaceAll('/', '\\/')),
    // A sentence about a JSON text quotes it once more.
    ...forms.map((form) => inJson(form, NOTHING, lowerCase)),
  ];
}

/** What any writer of JSON could escape. */
const ODD_IN_JSON = /[^ !#-[\]-~]|[<>&'`+]/g;

/** The inside of a JSON string, by UTF-16 units: that is how JSON escapes. */
function inJson(text: string, escaped: RegExp, inCase: (hex: string) => string): string {
  return text.replace(ODD_IN_JSON, (unit) =>
    escaped.test(unit) ? unicodeEscape(unit, inCase) : jsonUnit(unit),
  );
}

/** Half of a pair stays as it is, since JSON writes the pair so. */
function jsonUnit(unit: string): string {
  return unit.isWellFormed() ? JSON.stringify(unit).slice(1, -1) : unit;
}

function unicodeEscape(unit: string, inCase: (hex: string) => string): string {
  return `\\u${inCase(unit.charCodeAt(0).toString(16).padStart(4, '0'))}`;
}

function lowerCase(text: string): string {
  return text.toLowerCase();
}

function upperCase(text: string): string {
  return text.toUpperCase();
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
  const hex = Buffer.from(secret).toString('hex');
  return [hex, hex.toUpperCase()];
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
