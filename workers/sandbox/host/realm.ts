import { readFileSync } from 'node:fs';

/** In this order; each declares functions and constants only. */
const FILES = [
  'primordials',
  'outcome',
  'timers',
  'console',
  'util',
  'codecs',
  'buffer-numbers',
  'buffer',
  'calls',
  'crypto',
  'ciphers',
  'keys',
  'derivations',
  'zlib',
  'url',
  'assert',
  'headers',
  'abort',
  'globals',
  'http',
  'form-data',
  'axios',
  'modules',
  'boot',
] as const;

/**
 * The program that prepares a realm, as one script: its value is `bootRealm`. The files are modules
 * for the tools' sake; an isolate has no loader, so they are joined in one strict function.
 */
export function realmProgram(): string {
  const texts = FILES.map((name) => {
    const text = readFileSync(new URL(`./realm/${name}.js`, import.meta.url), 'utf8');
    return text.replaceAll(/^export /gm, '');
  });
  return `(function () { 'use strict';\n${texts.join('\n')}\nreturn bootRealm; })()`;
}
