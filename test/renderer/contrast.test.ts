import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const TOKENS = readFileSync(new URL('../../renderer/theme/tokens.css', import.meta.url), 'utf8');

type Theme = 'light' | 'dark';

/** The colour of a token, as red, green and blue from 0 to 255. */
function colour(token: string, theme: Theme): number[] {
  const [, light = '', dark = ''] =
    new RegExp(`--${token}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(TOKENS) ?? [];
  const hex = theme === 'light' ? light : dark;
  if (hex === '') throw new Error(`${token} is no colour of two`);
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
}

function luminance(rgb: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((byte) => {
    const part = byte / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string, theme: Theme): number {
  const [dark = 0, light = 0] = [one, other]
    .map((token) => luminance(colour(token, theme)))
    .toSorted((first, second) => first - second);
  return (light + 0.05) / (dark + 0.05);
}

const STATES = ['passing', 'degraded', 'failing', 'inconclusive'];
const GROUNDS = ['background', 'panel', 'hover', 'selected'];

/** Text on what it stands on. */
const TEXTS: [string, string][] = [
  ...['text', 'muted', 'faint', 'accent', 'failing-text', 'degraded-text'].flatMap((text) =>
    GROUNDS.map((ground): [string, string] => [text, ground]),
  ),
  ...STATES.map((state): [string, string] => [`${state}-text`, `${state}-tint`]),
  ...['passing-text', 'inconclusive-text'].map((text): [string, string] => [text, 'panel']),
  ...['keyword', 'string', 'number', 'name'].flatMap((part) =>
    ['panel', 'hover', 'selected'].map((ground): [string, string] => [`code-${part}`, ground]),
  ),
  ['on-accent', 'accent'],
  ['on-accent', 'accent-hover'],
];

/** What is seen without being read: borders of controls, icons, lines of charts. */
const SHAPES: [string, string][] = [
  ...['background', 'panel'].map((ground): [string, string] => ['control-line', ground]),
  ...STATES.map((state): [string, string] => [`${state}-text`, 'panel']),
  ['chart-line', 'panel'],
];

test.each(['light', 'dark'] as const)('in %s every text has a contrast of 4.5', (theme) => {
  const poor = TEXTS.filter(([text, ground]) => contrast(text, ground, theme) < 4.5);
  expect(poor.map((pair) => [...pair, contrast(...pair, theme).toFixed(2)])).toEqual([]);
});

test.each(['light', 'dark'] as const)('in %s every shape has a contrast of 3', (theme) => {
  const poor = SHAPES.filter(([shape, ground]) => contrast(shape, ground, theme) < 3);
  expect(poor.map((pair) => [...pair, contrast(...pair, theme).toFixed(2)])).toEqual([]);
});
