import type { AnyStateMachine, AnyTransitionDefinition } from 'xstate';

/** Reads a machine as it was defined: its states and transitions, in words. */

export type StateNode = AnyStateMachine['root'];

export interface Transition {
  /** Dotted path of the state, or that of a part of the machine with `any` for all in it. */
  from: string;
  /** What causes it: an event, a delay, the end of what a state invokes; `at once` if nothing. */
  on: string;
  /** The guard's name; `otherwise` where others were tried before it; empty if there is none. */
  guard: string;
  /** Dotted path of the state, or `(stays)`. */
  to: string;
  definition: AnyTransitionDefinition;
}

/** Every state, parents first, without the machine itself. */
export function statesOf(machine: AnyStateMachine): StateNode[] {
  return descendants(machine.root);
}

/** Every transition, in the order in which the machine tries them; those of a parent come last. */
export function transitionsOf(machine: AnyStateMachine): Transition[] {
  return [...descendants(machine.root), machine.root]
    .sort((a, b) => order(a) - order(b))
    .flatMap(transitionsFrom);
}

/** A state's dotted path in its machine. */
export function pathOf({ path }: StateNode): string {
  return path.join('.');
}

/** The actors that a state invokes, by the names of their ports. */
export function invokedBy(node: StateNode): string[] {
  return node.invoke.map(({ src }) => named(src, `what ${node.id} invokes`));
}

function descendants(node: StateNode): StateNode[] {
  return Object.values<StateNode>(node.states).flatMap((child) => [child, ...descendants(child)]);
}

/** The machine's own transitions hold in every state, so they are read last. */
const order = ({ path }: StateNode): number => (path.length === 0 ? 1 : 0);

function transitionsFrom(node: StateNode): Transition[] {
  const groups = [node.always ?? [], ...node.transitions.values()];
  return groups.flatMap((candidates) =>
    candidates.map((definition, index) => ({
      from: sourceOf(node),
      on: causeOf(node, definition),
      guard: guardOf(definition) ?? (index > 0 ? 'otherwise' : ''),
      to: definition.target?.map(pathOf).join(', ') ?? '(stays)',
      definition,
    })),
  );
}

function sourceOf(node: StateNode): string {
  if (node.path.length === 0) return 'any state';
  return node.type === 'compound' ? `any of ${pathOf(node)}` : pathOf(node);
}

/** In words, what a transition waits for. XState gives what is not an event a made-up type. */
function causeOf(node: StateNode, { eventType }: AnyTransitionDefinition): string {
  if (eventType === '') return 'at once';
  if (eventType === `xstate.done.state.${node.id}`) return `${node.key} is done`;
  const delayed = node.after.find((transition) => transition.eventType === eventType);
  if (delayed) return delayOf(delayed.delay, node);
  for (const { id, src } of node.invoke) {
    const actor = named(src, `what ${node.id} invokes`);
    if (eventType === `xstate.done.actor.${id}`) return `${actor} is done`;
    if (eventType === `xstate.error.actor.${id}`) return `${actor} fails`;
    if (eventType === `xstate.snapshot.${id}`) return `${actor} moves on`;
  }
  return eventType === '*' ? 'any other event' : eventType;
}

function delayOf(delay: unknown, { id }: StateNode): string {
  return typeof delay === 'number' ? `${delay} ms` : named(delay, `a delay of ${id}`);
}

/** A guard's name; null where there is none. */
function guardOf({ guard, source, eventType }: AnyTransitionDefinition): string | null {
  if (guard === undefined) return null;
  const name = typeof guard === 'object' && 'type' in guard ? guard.type : guard;
  return named(name, `a guard of ${source.id} at ${eventType || 'always'}`);
}

/** A document needs words: what a machine was given in place, as a function, has none. */
function named(value: unknown, what: string): string {
  if (typeof value === 'string' && !value.startsWith('xstate.')) return value;
  throw new Error(`Give ${what} a name in the machine's setup().`);
}
