import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PARTS = ['shared', 'main', 'workers'];

/** The layers of main/, from the top: a room imports its own layer's ports and the layers below. */
const ENGINES = [
  'monitoring',
  'sessions',
  'alerting',
  'incidents',
  'notifications',
  'self-monitoring',
  'status-pages',
  'slos',
];
const LAYERS = [['api', 'commands'], ['services'], ENGINES, ['store'], ['platform']];

interface Import {
  from: string;
  to: string;
  isTypeOnly: boolean;
}

/** Every import of a file of ours by another, types included. */
function importsOf(parts: readonly string[]): Import[] {
  const files = parts.flatMap((part) =>
    readdirSync(join(ROOT, part), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => join(part, file)),
  );
  return files.flatMap((from) => {
    const text = readFileSync(join(ROOT, from), 'utf8');
    const written = text.matchAll(/^(import|export)( type)?\b[^'";]*?from '([#.][^']+)';/gm);
    return [...written].map(([, , type, path = '']) => ({
      from,
      to: path.startsWith('#') ? path.slice(1) : relative(ROOT, resolve(ROOT, dirname(from), path)),
      isTypeOnly: type !== undefined,
    }));
  });
}

const IMPORTS = importsOf(PARTS);

/** The first two folders of a file, or the first where it stands in no other. */
const roomOf = (file: string): string => file.split('/').slice(0, -1).slice(0, 2).join('/');
const nameOf = (file: string): string => roomOf(file).split('/')[1] ?? '';
const layerOf = (file: string): number => LAYERS.findIndex((rooms) => rooms.includes(nameOf(file)));
const inMain = ({ from, to }: Import): boolean =>
  from.startsWith('main/') && to.startsWith('main/');
const text = ({ from, to }: Import): string => `${from} imports ${to}`;

/** The rooms that can be reached from themselves. */
function roomsInCycles(): string[] {
  const next = new Map<string, Set<string>>();
  for (const { from, to } of IMPORTS) {
    const [here, there] = [roomOf(from), roomOf(to)];
    // The start, which is in no room, may import all; nothing may import it.
    if (here !== there && here !== 'main') next.set(here, (next.get(here) ?? new Set()).add(there));
  }
  const reachable = (start: string): Set<string> => {
    const found = new Set<string>();
    const open = [start];
    for (let room = open.pop(); room !== undefined; room = open.pop()) {
      for (const one of next.get(room) ?? []) if (!found.has(one)) open.push(one);
      for (const one of next.get(room) ?? []) found.add(one);
    }
    return found;
  };
  return [...next.keys()].filter((room) => reachable(room).has(room));
}

describe('the house', () => {
  test('has imports that this test sees', () => {
    expect(IMPORTS.length).toBeGreaterThan(1_000);
    expect(new Set(IMPORTS.filter(inMain).map(({ from }) => nameOf(from)))).toContain('services');
  });

  test('has no cycle between rooms, types counted', () => {
    expect(roomsInCycles()).toEqual([]);
  });

  test('has rooms of known layers only', () => {
    const rooms = new Set(IMPORTS.filter(inMain).map(({ from }) => nameOf(from)));
    expect([...rooms].filter((room) => room !== '' && !LAYERS.flat().includes(room))).toEqual([]);
  });

  test('has no import from a lower layer of one above', () => {
    const upwards = IMPORTS.filter(inMain)
      .filter(({ from }) => nameOf(from) !== '')
      .filter(({ from, to }) => layerOf(to) < layerOf(from));
    expect(upwards.map(text)).toEqual([]);
  });

  test('has engines that know of each other by types of ports only', () => {
    const others = IMPORTS.filter(inMain)
      .filter(({ from, to }) => ENGINES.includes(nameOf(from)) && ENGINES.includes(nameOf(to)))
      .filter(({ from, to }) => nameOf(from) !== nameOf(to))
      .filter(({ to, isTypeOnly }) => !(isTypeOnly && to.endsWith('-port.ts')));
    expect(others.map(text)).toEqual([]);
  });

  test('has routes that know of services only', () => {
    const below = IMPORTS.filter(
      ({ from, to }) =>
        from.startsWith('main/api/routes/') && [...ENGINES, 'store'].includes(nameOf(to)),
    );
    expect(below.filter(({ to }) => to.startsWith('main/')).map(text)).toEqual([]);
  });

  test('has no import of the start by a room', () => {
    const backwards = IMPORTS.filter(
      ({ from, to }) => roomOf(to) === 'main' && roomOf(from) !== 'main',
    );
    expect(backwards.map(text)).toEqual([]);
  });
});

describe('the interface', () => {
  const imports = importsOf(['renderer']);
  const screenOf = (file: string) => /^renderer\/screens\/([^/]+)\//.exec(file)?.[1];

  test('has screens that this test sees', () => {
    expect(new Set(imports.map(({ from }) => screenOf(from)))).toContain('checks');
  });

  test('has no screen that imports another', () => {
    const others = imports.filter(
      ({ from, to }) =>
        screenOf(from) !== undefined &&
        screenOf(to) !== undefined &&
        screenOf(from) !== screenOf(to),
    );
    expect(others.map(text)).toEqual([]);
  });

  test('has parts that know of no screen, and only the router imports screens', () => {
    const upwards = imports.filter(
      ({ from, to }) => screenOf(to) !== undefined && screenOf(from) === undefined,
    );
    const allowed = ['renderer/app/router.ts'];
    expect(upwards.filter(({ from }) => !allowed.includes(from)).map(text)).toEqual([]);
  });
});
