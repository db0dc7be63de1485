// @ts-check
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Extensions that an import may leave out, in the order in which they are tried. */
const extensions = ['', '.ts', '.d.ts', '.mjs'];

/**
 * Finds the specifiers of imports, re-exports, `import()` and imports of types. It also finds those in
 * the JSDoc of JavaScript, and would find one in a text, where only a path that exists counts.
 */
const specifiers = /\b(?:from|import|require)\s*\(?\s*(['"`])([^'"`\n]+)\1/g;

/** Graph of the imports between our files. It includes types and `import()`, but no libraries. */
export class ImportGraph {
  /** @type {Map<string, readonly string[]>} */
  #imports = new Map();
  #root;

  /** @param {string} root the clone's top folder @param {readonly string[]} folders below it */
  constructor(root, folders) {
    this.#root = root;
    for (const folder of folders) {
      for (const entry of readdirSync(path.join(root, folder), { recursive: true })) {
        const file = path.posix.join(folder, String(entry).replaceAll(path.sep, '/'));
        if (!/\.(?:ts|mjs)$/.test(file) || file.includes('/sample/')) continue;
        this.update(file, readFileSync(path.join(root, file), 'utf8'));
      }
    }
  }

  /** All files of the graph, relative to the clone. */
  get files() {
    return [...this.#imports.keys()];
  }

  /** Adds a file with its text, because an editor may hold a newer text than the disk. @param {string} file @param {string} text */
  update(file, text) {
    const imported = [...text.matchAll(specifiers)].map(([, , specifier = '']) => specifier);
    const found = imported.flatMap((specifier) => this.resolve(file, specifier) ?? []);
    this.#imports.set(file, [...new Set(found)]);
  }

  /** @param {string} file @returns {readonly string[]} */
  importsOf(file) {
    return this.#imports.get(file) ?? [];
  }

  /** Returns the file that a relative import means. @param {string} from @param {string} specifier */
  resolve(from, specifier) {
    if (!specifier.startsWith('.')) return undefined;
    const wanted = path.posix.join(path.posix.dirname(from), specifier);
    for (const extension of extensions) {
      const file = wanted + extension;
      if (/\.\w+$/.test(file) && existsSync(path.join(this.#root, file))) return file;
    }
    return undefined;
  }

  /**
   * Returns the shortest chain of imports from one file to another, including both files, or undefined
   * if there is none.
   *
   * @param {string} from @param {string} to
   */
  way(from, to) {
    /** @type {Map<string, string | undefined>} */
    const cameFrom = new Map([[from, undefined]]);
    const queue = [from];
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      if (file === to) {
        const way = [];
        for (let step = /** @type {string | undefined} */ (to); step; step = cameFrom.get(step))
          way.unshift(step);
        return way;
      }
      for (const next of this.importsOf(file)) {
        if (cameFrom.has(next)) continue;
        cameFrom.set(next, file);
        queue.push(next);
      }
    }
    return undefined;
  }
}
