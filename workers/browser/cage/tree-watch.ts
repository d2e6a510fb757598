import type { EndReason } from './caged.ts';
import type { ProcessRow, ProcessSource } from './processes.ts';

/** Processes that are looked at together: a program and all that came of it. */
export interface WatchedTree {
  /** The process that was started, which leads its process group. */
  root: number;
  /** Another tree, which counts as a part of it; null for none. */
  beside: Tree | null;
  /** The folder whose mark its processes carry; null where none can leave the tree. */
  markedBy: string | null;
  memoryBytes: number;
  maxProcesses: number;
  /** Called with every look that finds it over a limit. */
  onOver(why: EndReason): void;
}

/** What is known of a tree. */
export class Tree {
  readonly watched: WatchedTree;
  /** The processes alive at the last look, each with its start. */
  members = new Map<number, string>();
  peakBytes = 0;

  constructor(watched: WatchedTree) {
    this.watched = watched;
  }

  /** Whether a process is one of those seen: not a later one with its number. */
  has({ pid, startedAt }: ProcessRow): boolean {
    return this.members.get(pid) === startedAt;
  }
}

/** Two seconds: reading of every process of a machine costs more than of those of the runs. */
const LOOKS_REMEMBERED = 8;

/**
 * Looks at the trees of all runs under way, a few times a second, and tells which use too much. Who was
 * seen in a tree stays in it, also when its parents are gone.
 */
export class TreeWatch {
  readonly #source: ProcessSource;
  readonly #trees = new Set<Tree>();
  /** Processes that were in no tree at the last look: nobody joins one later. */
  #foreign = new Set<number>();
  #looks = 0;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;

  constructor(source: ProcessSource) {
    this.#source = source;
  }

  add(watched: WatchedTree): Tree {
    const tree = new Tree(watched);
    this.#trees.add(tree);
    this.#foreign.delete(watched.root);
    this.#arm();
    return tree;
  }

  remove(tree: Tree): void {
    this.#trees.delete(tree);
    if (this.#trees.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** The members of a tree as of now. */
  async look(tree: Tree): Promise<readonly number[]> {
    const rows = await this.#source.list();
    tree.members = membersOf(tree, rows, childrenOf(rows), []);
    return [...tree.members.keys()];
  }

  #arm(): void {
    if (!this.#isLooking) {
      this.#timer ??= setTimeout(() => void this.#lookAtAll(), this.#source.everyMs);
    }
  }

  async #lookAtAll(): Promise<void> {
    this.#isLooking = true;
    // A number may by now be that of another process.
    const isThorough = this.#looks++ % LOOKS_REMEMBERED === 0;
    if (isThorough) this.#foreign.clear();
    const rows = await this.#source.list(this.#foreign);
    const children = childrenOf(rows);
    const foreign = new Set(rows.map(({ pid }) => pid));
    for (const tree of this.#trees) {
      const { markedBy } = tree.watched;
      const marked = isThorough && markedBy !== null ? await this.#source.ofRun(markedBy) : [];
      tree.members = membersOf(tree, rows, children, marked);
      for (const pid of tree.members.keys()) foreign.delete(pid);
      await this.#measure(tree);
    }
    for (const pid of foreign) this.#foreign.add(pid);
    this.#isLooking = false;
    this.#timer = undefined;
    if (this.#trees.size > 0) this.#arm();
  }

  async #measure(tree: Tree): Promise<void> {
    const { beside, maxProcesses, memoryBytes, onOver } = tree.watched;
    const all = [...tree.members.keys(), ...(beside?.members.keys() ?? [])];
    if (all.length > maxProcesses) return onOver('processes');
    const { bytes, isOver } = await this.#source.memoryOf(all, memoryBytes);
    tree.peakBytes = Math.max(tree.peakBytes, bytes);
    if (isOver) onOver('memory');
  }
}

function childrenOf(rows: readonly ProcessRow[]): Map<number, ProcessRow[]> {
  return Map.groupBy(rows, ({ parent }) => parent);
}

function membersOf(
  tree: Tree,
  rows: readonly ProcessRow[],
  children: ReadonlyMap<number, readonly ProcessRow[]>,
  marked: readonly number[],
): Map<number, string> {
  const known = new Set([tree.watched.root, ...marked]);
  const open = rows.filter((row) => known.has(row.pid) || known.has(row.group) || tree.has(row));
  const members = new Map<number, string>();
  for (let row = open.pop(); row !== undefined; row = open.pop()) {
    if (members.has(row.pid)) continue;
    members.set(row.pid, row.startedAt);
    open.push(...(children.get(row.pid) ?? []));
  }
  return members;
}
