import { type Install, InstallStore } from './install-store.ts';

const GIBIBYTE = 1024 ** 3;
/** Of all packages together. */
const MAX_BYTES = 4 * GIBIBYTE;

export interface InstallRequest {
  /** The same for projects that get the same packages. */
  key: string;
  /** An absolute path. */
  project: string;
  /** Whether what is kept does not count. */
  isAnew: boolean;
  /** Makes the packages in the project itself; rejects where it fails, and then nothing is kept. */
  install(): Promise<void>;
}

/**
 * The installed packages of projects. Each is installed once, however many runs ask for it at the same time;
 * beyond a number of bytes those that were used least recently go.
 */
export class Installs {
  readonly #store: InstallStore;
  readonly #maxBytes: number;
  readonly #making = new Map<string, Promise<void>>();
  /** How many runs use each install, by its folder. */
  readonly #uses = new Map<string, number>();

  constructor(folder: string, maxBytes = MAX_BYTES) {
    this.#store = new InstallStore(folder);
    this.#maxBytes = maxBytes;
  }

  /**
   * Has work done once the packages of a project are in their places.
   *
   * @param work gets what a cage must show for them: nothing where they are such that they cannot be kept
   */
  async use<T>(
    request: InstallRequest,
    work: (readable: readonly string[]) => Promise<T>,
  ): Promise<T> {
    const taken = await this.#inTurn(request.key, () => this.#take(request));
    if (taken === null) return work([]);
    try {
      await this.#store.place(taken, request.project);
      return await work([taken.folder]);
    } finally {
      this.#release(taken);
    }
  }

  async #take({ key, project, isAnew, install }: InstallRequest): Promise<Install | null> {
    const known = isAnew ? null : await this.#store.find(key);
    if (known !== null) return this.#hold(known);
    await install();
    const made = await this.#store.keep(key, project);
    if (made === null) return null;
    this.#hold(made);
    await this.#store.makeRoom(this.#maxBytes, (folder) => this.#uses.has(folder));
    return made;
  }

  /** Of several that ask for the same packages one installs them; where it fails, the next one does. */
  async #inTurn<T>(key: string, take: () => Promise<T>): Promise<T> {
    for (let other = this.#making.get(key); other; other = this.#making.get(key)) await other;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#making.set(key, promise);
    try {
      return await take();
    } finally {
      this.#making.delete(key);
      resolve();
    }
  }

  #hold(install: Install): Install {
    this.#uses.set(install.folder, (this.#uses.get(install.folder) ?? 0) + 1);
    return install;
  }

  #release({ folder }: Install): void {
    const left = (this.#uses.get(folder) ?? 1) - 1;
    if (left > 0) this.#uses.set(folder, left);
    else this.#uses.delete(folder);
  }
}
