/** What is to run in a cage, and how far it may go. */
export interface CagedOptions {
  program: string;
  args: readonly string[];
  /** Given to the program besides PATH, HOME, TMPDIR and LANG; nothing else of the appliance's is. */
  env: Readonly<Record<string, string>>;
  /** Becomes the working folder and HOME; with those of `writable` all that the program may write. */
  folder: string;
  /** Files and folders that it may read besides the system's programs; it sees them under the same paths. */
  readable: readonly string[];
  writable?: readonly string[];
  /** Null for one that ends by a `kill` alone. */
  deadlineMs: number | null;
  /** Another program, whose processes count as its own. */
  beside?: Caged | undefined;
  /** Of all its processes together. */
  memoryMb: number;
  maxProcesses: number;
  /** Of all files in `folder`, on the disk. */
  maxFolderMb?: number;
  /** A line that it wrote to file descriptor 3. */
  onLine(line: string): void;
  onLog(stream: LogStream, text: string): void;
}

export const DEFAULT_MAX_FOLDER_MB = 2_048;

export type LogStream = 'stdout' | 'stderr';

/**
 * Why a caged program is over: by itself, or killed over a limit, by a call, or as the appliance stops.
 * `output`: it wrote more to file descriptor 3 than it may, or too long a line.
 */
export type EndReason =
  | 'exited'
  | 'deadline'
  | 'memory'
  | 'processes'
  | 'disk'
  | 'output'
  | 'killed'
  | 'stopped'
  | 'not-started';

export interface CagedEnd {
  why: EndReason;
  code: number | null;
  signal: NodeJS.Signals | null;
  /** The most memory that all its processes together were seen to use. */
  peakBytes: number;
}

/** A program in its cage. */
export interface Caged {
  /** Of the process that was started; undefined where none was. */
  pid: number | undefined;
  /** Writes a line to its file descriptor 4. */
  send(line: string): void;
  /**
   * Stops the program where it is, so that nothing of it happens until `thaw`: its folder can be read and
   * written without it. @returns false where that is not certain, as with a program that has started others
   */
  freeze(): Promise<boolean>;
  thaw(): void;
  /** Ends all of its processes at once. */
  kill(why?: EndReason): void;
  /** Resolves once none of its processes is left; never rejects. */
  ended: Promise<CagedEnd>;
}
