const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
/** The session's own ids of things that do not exist; they are the same in every recording. */
const FIXED_UUID = /^00000000-/;
const ISO_TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)/g;
const MAIL_TIME = /\b[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d (?:GMT|[+-]\d{4})/g;
const EPOCH = /\b\d{10}(?:\d{3})?\b/g;
const CANONICAL_TIME = '0000-00-00T00:00:00.000Z';
const TIME_IN_WORDS = /\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\b/g;
/** Also spans that never differ: what is measured cannot be told from a limit. */
const SPAN_IN_WORDS = /\b(?:under )?\d+(?:\.\d+)? (ms|s)\b/g;
const PORT = /(:|\bport )(\d{4,5})\b/g;
/** Ids that are made of the hash of a random one. */
const LEAST_HASHED_ID = 1e10;
const NEAR_MS = 2 * 86_400_000;

/** Values that differ from run to run and can be told by their form, with the word for each. */
const RANDOM_VALUES: readonly [RegExp, string][] = [
  [/\bwp_[\w-]{43}(?![\w-])/g, 'key'],
  [/\bwpa_[\w.-]+/g, 'access token'],
  [/(?<=watchpost-[\da-f]{8}=)[\w-]{43}/g, 'cookie'],
  [/\b[0-9a-f]{64}\b/g, 'hash'],
  [/--_NmP-[\w-]+/g, 'boundary'],
  [/(?<=\/subscriptions\/[\da-f-]{36}\/)[\w-]{43}/g, 'token'],
  [/\b[0-9a-f]{32}(?=@)/g, 'message id'],
];
/** Members that hold such a value and can be told only by their names. */
const RANDOM_MEMBERS = new Set(['token', 'nextId', 'prefix', 'adminToken', 'dashboardId']);
/** Members that hold a number, or numbers further down, that the machine's speed decides. */
const MEASURED_MEMBERS = new Set([
  'responseTime',
  'timeElapsed',
  'timings',
  'timingPhases',
  'tlsMs',
  'lastedMs',
  'longestRun',
  'shortestRun',
  'response_time',
  'usedBytes',
  'bytes',
]);

/**
 * Replaces what differs from one recording to the next by placeholders that keep its identity: the
 * first UUID seen is `<uuid-1>` wherever it stands. Times of these days are `<time>`, as two of them may
 * be equal or not by chance; times far from now, which the session chose, stay.
 */
export class Normaliser {
  readonly #now: number;
  readonly #placeholders = new Map<string, string>();
  /** Values that have no form of their own: they are looked for wherever they may stand. */
  readonly #tokens = new Set<string>();
  readonly #counts = new Map<string, number>();
  readonly #ports = new Map<number, string>();

  /** @param now epoch ms */
  constructor(now: number) {
    this.#now = now;
  }

  /** Has a port called by a name. */
  namePort(port: number, name: string): void {
    this.#ports.set(port, `<port of ${name}>`);
  }

  /** A text with its varying parts replaced. */
  text(text: string): string {
    let out = text;
    for (const [pattern, kind] of RANDOM_VALUES) {
      out = out.replace(pattern, (value) => this.#placeholder(value, kind));
    }
    for (const token of this.#tokens) {
      out = out.replaceAll(token, () => this.#placeholders.get(token) ?? '');
    }
    out = out.replace(UUID, (id) => {
      return FIXED_UUID.test(id) ? id : this.#placeholder(id.toLowerCase(), 'uuid');
    });
    out = out.replace(ISO_TIME, (time) => (this.#isNear(Date.parse(time)) ? timeLike(time) : time));
    out = out.replace(MAIL_TIME, '<mail time>').replace(TIME_IN_WORDS, '<time in words>');
    out = out.replace(SPAN_IN_WORDS, '<number> $1');
    out = out.replace(EPOCH, (digits) => this.#epoch(Number(digits)) ?? digits);
    return out.replace(PORT, (part, before: string, port) => {
      const name = this.#ports.get(Number(port));
      return name === undefined ? part : before + name;
    });
  }

  /** A JSON value with its varying parts replaced; members keep their order. */
  json(value: unknown, member = ''): unknown {
    if (typeof value === 'string') {
      if (RANDOM_MEMBERS.has(member) && value !== '') this.#learn(value, member);
      return this.text(value);
    }
    if (typeof value === 'number') return this.#number(value, member);
    if (Array.isArray(value)) return value.map((item) => this.json(item, member));
    if (value === null || typeof value !== 'object') return value;
    if ('$secret' in value) return '<encrypted>';
    const inherited = MEASURED_MEMBERS.has(member) ? member : undefined;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        this.text(name),
        this.json(inner, inherited ?? name),
      ]),
    );
  }

  #number(value: number, member: string): unknown {
    if (MEASURED_MEMBERS.has(member)) return '<number>';
    const named = this.#epoch(value) ?? this.#ports.get(value);
    if (named !== undefined) return named;
    const isHashed = member === 'id' && value > LEAST_HASHED_ID;
    return isHashed ? this.#placeholder(String(value), 'hashed id') : value;
  }

  #epoch(value: number): string | undefined {
    if (this.#isNear(value)) return '<epoch ms>';
    return this.#isNear(value * 1_000) ? '<epoch s>' : undefined;
  }

  #isNear(ms: number): boolean {
    return Math.abs(ms - this.#now) < NEAR_MS;
  }

  #learn(value: string, kind: string): void {
    this.#placeholder(value, kind);
    this.#tokens.add(value);
  }

  #placeholder(value: string, kind: string): string {
    const known = this.#placeholders.get(value);
    if (known !== undefined) return known;
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    const placeholder = `<${kind}-${count}>`;
    this.#placeholders.set(value, placeholder);
    return placeholder;
  }
}

/** `<time>` for the form that the API answers; another form is shown. */
function timeLike(time: string): string {
  const form = time.replaceAll(/\d/g, '0');
  return form === CANONICAL_TIME ? '<time>' : `<time as ${form}>`;
}

/** A JSON document without its descriptions and summaries, which may change at any time. */
export function withoutDescriptions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDescriptions);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      // A member called so is described by an object and stays.
      .filter(([name, inner]) => !(isWords(name) && typeof inner === 'string'))
      .map(([name, inner]) => [name, withoutDescriptions(inner)]),
  );
}

function isWords(name: string): boolean {
  return name === 'description' || name === 'summary';
}
