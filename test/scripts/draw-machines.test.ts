import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { setup } from 'xstate';
import { machinePages } from '../../scripts/draw-machines.ts';
import { diagram } from '../../scripts/machine-page.ts';
import { transitionsOf } from '../../scripts/machine-structure.ts';

const FOLDER = new URL('../../docs/machines/', import.meta.url);

describe('docs/machines holds what the machines are now (else: npm run draw)', () => {
  test('a page for each machine and no other', () => {
    expect(readdirSync(FOLDER).sort()).toEqual([...machinePages().keys()].sort());
  });

  test.each([...machinePages()])('%s', (file, page) => {
    expect(readFileSync(new URL(file, FOLDER), 'utf8'), 'run: npm run draw').toBe(page);
  });
});

const door = setup({
  guards: { isLocked: () => false, isHeld: (_, _by: string) => true },
  delays: { untilClosed: 1_000 },
}).createMachine({
  id: 'door',
  initial: 'closed',
  on: { BREAK: '.broken' },
  states: {
    closed: { on: { OPEN: [{ guard: 'isLocked' }, { target: 'open' }] } },
    open: {
      initial: 'swinging',
      onDone: 'closed',
      on: { SLAM: 'closed' },
      after: { untilClosed: { guard: { type: 'isHeld', params: 'a foot' }, target: 'closed' } },
      states: { swinging: { after: { 50: 'still' } }, still: { type: 'final' } },
    },
    broken: { type: 'final' },
  },
});

test('a diagram shows nested states, first and last ones, guards and delays by name', () => {
  expect(diagram(door).split('\n')).toEqual([
    'stateDiagram-v2',
    '  [*] --> closed',
    '  state "closed" as closed',
    '  state "open" as open {',
    '    [*] --> open_swinging',
    '    state "swinging" as open_swinging',
    '    state "still" as open_still',
    '    open_still --> [*]',
    '  }',
    '  state "broken" as broken',
    '  broken --> [*]',
    '  state "any of open" as any_open',
    '  state "any state" as any',
    '  closed --> closed: OPEN [isLocked]',
    '  closed --> open: OPEN',
    '  any_open --> closed: SLAM',
    '  any_open --> closed: open is done',
    '  any_open --> closed: untilClosed [isHeld]',
    '  open_swinging --> open_still: 50 ms',
    '  any --> broken: BREAK',
  ]);
});

test('a guard without a name is refused, with its place', () => {
  const nameless = setup({}).createMachine({
    id: 'door',
    initial: 'closed',
    states: { closed: { on: { OPEN: { guard: () => true, target: 'open' } } }, open: {} },
  });
  expect(() => transitionsOf(nameless)).toThrow('a guard of door.closed at OPEN');
});
