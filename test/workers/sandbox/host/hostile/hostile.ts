import type { ScriptError } from '#shared/sandbox/script.ts';

/** What the environment of a host holds, and the socket that it may reach; no script may ever show it. */
export const MARKER = 'marker-7d1f-of-the-host';
/** A file that a host may read, and how it begins. */
export const FILE = { path: '../../../package.json', begins: '"name": "watchpost"' };

export interface Hostile {
  name: string;
  code: string;
  /** How it must end: null for quietly; several where it is a race between limits. */
  ends: null | ScriptError['kind'] | readonly (ScriptError['kind'] | null)[];
  /** Where it reaches for the host: a host that lets it out sees {@link MARKER}, {@link FILE} or its own end. */
  reaches?: true;
  /** Where V8 cannot stop it: its host is given up, and nobody else's script with it. */
  isStuck?: true;
}

export const quiet = (name: string, code: string): Hostile => ({ name, code, ends: null });
export const ends = (name: string, kind: Hostile['ends'], code: string): Hostile => ({
  name,
  code,
  ends: kind,
});

/**
 * Tries every way on from what a script found, and what that is once it is awaited, and gives back the
 * texts behind them. Nothing here works without what was found: texts and numbers lead nowhere.
 */
const DIG = `async (found) => {
  const ways = [
    (x) => x.stack,
    (x) => JSON.stringify(x),
    (x) => x.MARKER,
    (x) => x.env.MARKER,
    (x) => x.process.env.MARKER,
    (x) => x.constructor('return process.env.MARKER')(),
    (x) => x.constructor.constructor('return process.env.MARKER')(),
    (x) => Object.getPrototypeOf(x).constructor.constructor('return process.env.MARKER')(),
    (x) => x.readFileSync('${FILE.path}', 'utf8'),
    (x) => x.mainModule.require('fs').readFileSync('${FILE.path}', 'utf8'),
  ];
  const texts = [];
  const look = (x) => {
    const isWay = (typeof x === 'object' && x !== null) || typeof x === 'function';
    for (let n = -1; n < (isWay ? ways.length : 0); n++) {
      try {
        const text = n < 0 ? String(x) : ways[n](x);
        if (typeof text === 'string' && texts.length < 100) texts[texts.length] = text.slice(0, 1000);
      } catch {}
    }
  };
  look(found);
  try { look(await found) } catch (e) { look(e) }
  if (Array.isArray(found)) for (let n = 0; n < found.length && n < 20; n++) look(found[n]);
  return texts.join('\\n');
}`;

/** Evaluates an expression, and leaves what it leads to where the outcome shows it. */
export const reaches = (name: string, expression: string): Hostile => ({
  ...quiet(
    name,
    `const dig = ${DIG};
let found; try { found = ${expression} } catch (e) { found = e }
request.body = await dig(found);`,
  ),
  reaches: true,
});
