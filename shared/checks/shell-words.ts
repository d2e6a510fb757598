/**
 * The words of the first command of a line for a POSIX shell, quotes and escapes taken away; null where a quote is
 * left open. Variables and the like are left as they are: nothing is run.
 */
export function shellWords(line: string): string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  let rest = line.trim();
  while (rest !== '') {
    const token = TOKENS.map(({ form, read }) => ({ match: form.exec(rest), read })).find(
      ({ match }) => match !== null,
    );
    if (!token?.match) return null;
    const [whole] = token.match;
    rest = rest.slice(whole.length);
    const part = token.read(token.match);
    if (part === END) break;
    if (part === BETWEEN) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? '') + part;
  }
  return word === null ? words : [...words, word];
}

const BETWEEN = Symbol('between words');
const END = Symbol('end of the command');
type Part = string | typeof BETWEEN | typeof END;

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', 0: '\0' };
const ANSI_ESCAPE = /\\(?:u([\da-fA-F]{4})|x([\da-fA-F]{2})|([\s\S]))/g;

/** What a line begins with, and what that stands for. An open quote matches none of them. */
const TOKENS: readonly { form: RegExp; read(match: RegExpExecArray): Part }[] = [
  { form: /^(?:\s|\\\r?\n)+/, read: () => BETWEEN },
  { form: /^(?:[|;<>]|&&|&(?=\s|$))/, read: () => END },
  { form: /^'([^']*)'/, read: ([, text = '']) => text },
  { form: /^\$'((?:[^'\\]|\\[\s\S])*)'/, read: ([, text = '']) => unescaped(text) },
  {
    form: /^"((?:[^"\\]|\\[\s\S])*)"/,
    read: ([, text = '']) => text.replaceAll(/\\([$`"\\]|\r?\n)/g, (_, one: string) => one.trim()),
  },
  { form: /^\\([\s\S])/, read: ([, one = '']) => one },
  { form: /^[^\s'"\\|;<>]/, read: ([one]) => one },
];

/** As in `$'…'`, which browsers write where a text has more than plain characters. */
function unescaped(text: string): string {
  return text.replaceAll(ANSI_ESCAPE, (_, unicode?: string, hex?: string, one = '') => {
    const code = unicode ?? hex;
    return code === undefined
      ? (ESCAPES[one] ?? one)
      : String.fromCharCode(Number.parseInt(code, 16));
  });
}
