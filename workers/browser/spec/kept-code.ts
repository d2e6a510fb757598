import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { constants, Script } from 'node:vm';

type Load = (module: NodeJS.Module, path: string) => void;

/** Of Node. */
const extensions = createRequire(import.meta.url).extensions as { '.js': Load };

/** How texts are kept: V8 takes them as they are, while UTF-8 would be decoded. */
const ENCODING = 'utf16le';

/**
 * Runs files with code that an earlier process left, that of their functions too. Node's own cache has what V8
 * makes of a file as it is loaded, and each function that is called would be compiled anew.
 */
export class KeptCode {
  readonly #folder: string;
  readonly #edit: (text: string) => string;
  /** To be left; null where an earlier process did. */
  readonly #made: Map<string, Script> | null;

  /**
   * @param folder made by `leave`, and then only read
   * @param isKept of which files code is kept
   * @param edit makes the text that runs of that of a file
   */
  constructor(
    folder: string,
    isKept: (path: string) => boolean,
    edit: (text: string) => string = (text) => text,
  ) {
    this.#folder = folder;
    this.#edit = edit;
    this.#made = existsSync(folder) ? null : new Map();
    const { '.js': load } = extensions;
    extensions['.js'] = (module, path) => {
      const script = isKept(path) ? this.#scriptOf(path) : null;
      if (script) run(script, module, path);
      else load(module, path);
    };
  }

  /** Leaves the code of all that ran in this process, where none is there. The folder is made whole. */
  leave(): void {
    if (this.#made === null) return;
    const draft = `${this.#folder}.${process.pid}-${Date.now()}`;
    mkdirSync(draft);
    for (const [path, script] of this.#made) {
      const place = join(draft, nameOf(path));
      // Flushed: after a cut of the power an empty text in the finished folder would run in every check.
      writeFileSync(`${place}.js`, this.#wrapped(path), { encoding: ENCODING, flush: true });
      writeFileSync(`${place}.code`, script.createCachedData(), { flush: true });
    }
    try {
      renameSync(draft, this.#folder);
    } catch (error) {
      // Another process was first.
      if (!existsSync(this.#folder)) throw error;
    }
  }

  /** Null for one that is not kept. */
  #scriptOf(path: string): Script | null {
    const place = join(this.#folder, nameOf(path));
    if (this.#made !== null) {
      const script = scriptOf(path, this.#wrapped(path));
      this.#made.set(path, script);
      return script;
    }
    if (!existsSync(`${place}.code`)) return null;
    return scriptOf(path, readFileSync(`${place}.js`, ENCODING), readFileSync(`${place}.code`));
  }

  #wrapped(path: string): string {
    return Module.wrap(this.#edit(readFileSync(path, 'utf8')));
  }
}

/** Without the place of the packages. */
const nameOf = (path: string): string =>
  path.slice(path.lastIndexOf('node_modules')).split(sep).join('-');

function scriptOf(filename: string, text: string, cachedData?: Buffer): Script {
  const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  return new Script(text, {
    ...{ filename, importModuleDynamically },
    ...(cachedData && { cachedData }),
  });
}

function run(script: Script, module: NodeJS.Module, path: string): void {
  const load: (...given: unknown[]) => void = script.runInThisContext();
  load.call(module.exports, module.exports, createRequire(path), module, path, dirname(path));
}
