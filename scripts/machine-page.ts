import type { AnyStateMachine } from 'xstate';
import {
  invokedBy,
  type StateNode,
  statesOf,
  type Transition,
  transitionsOf,
} from './machine-structure.ts';

/** The page of one machine in Markdown: what it does, a Mermaid diagram, a table of transitions. */
export function machinePage(name: string, sentence: string, machine: AnyStateMachine): string {
  return `# The ${name} machine

${sentence}

\`\`\`mermaid
${diagram(machine)}
\`\`\`

In a state, transitions are tried from top to bottom; those of the state itself before those of
what it is a part of.

${transitionTable(machine)}

Made from the machine by \`npm run draw\`.
`;
}

/**
 * A Mermaid `stateDiagram-v2`. Mermaid takes no arrow from a state into its own inside, so the
 * transitions that hold in all of a state start at a box of their own beside it.
 */
export function diagram(machine: AnyStateMachine): string {
  const unsupported = statesOf(machine).find(
    ({ type }) => type === 'parallel' || type === 'history',
  );
  if (unsupported)
    throw new Error(`${unsupported.id}: no ${unsupported.type} states are drawn yet.`);
  const transitions = transitionsOf(machine);
  const anywhere = new Set(transitions.map(sourceId).filter((id) => id.startsWith('any')));
  return [
    'stateDiagram-v2',
    ...inside(machine.root),
    ...[...anywhere].map((id) => `  state "${anyTitle(transitions, id)}" as ${id}`),
    ...transitions.map(arrow),
  ].join('\n');
}

/** The lines of what is in a state: where it begins, its states, where it ends. */
function inside(node: StateNode, indent = '  '): string[] {
  const children = Object.values<StateNode>(node.states);
  const lines = [
    ...node.initial.target.map((first) => `[*] --> ${idOf(first)}`),
    ...children.flatMap((child) => declaration(child)),
    ...children.filter(({ type }) => type === 'final').map((child) => `${idOf(child)} --> [*]`),
  ];
  return lines.map((line) => `${indent}${line}`);
}

function declaration(node: StateNode): string[] {
  const title = `state "${[node.key, ...invokedBy(node).map((actor) => `runs ${actor}`)].join(': ')}"`;
  const line = `${title} as ${idOf(node)}`;
  return node.type === 'compound' ? [`${line} {`, ...inside(node), '}'] : [line];
}

function arrow(transition: Transition): string {
  const { on, guard, definition } = transition;
  const from = sourceId(transition);
  const targets = definition.target?.map(idOf) ?? [from];
  const label = guard === '' || guard === 'otherwise' ? on : `${on} [${guard}]`;
  return targets.map((to) => `  ${from} --> ${to}: ${label}`).join('\n');
}

function sourceId({ definition: { source } }: Transition): string {
  if (source.path.length === 0) return 'any';
  return source.type === 'compound' ? `any_${idOf(source)}` : idOf(source);
}

function anyTitle(transitions: readonly Transition[], id: string): string {
  return transitions.find((transition) => sourceId(transition) === id)?.from ?? id;
}

/** A state's name for Mermaid, whose names know no nesting. */
const idOf = (node: StateNode): string => node.path.join('_');

function transitionTable(machine: AnyStateMachine): string {
  const rows = transitionsOf(machine).map(({ from, on, guard, to }) => [from, on, guard, to]);
  const header = ['From', 'On', 'Guard', 'To'];
  const table = [header, header.map(() => '---'), ...rows];
  return table.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
