/** The programming interface of Yarn's Plug'n'Play, which its `.pnp.cjs` has. Uses `node:fs`. */
import { stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { stampOf } from '../docsFolder';

/** Name of the file with which Yarn finds packages. */
export const PNP_FILE = '.pnp.cjs';

/** Finds packages as a `.pnp.cjs` does. */
export interface PackageLookup {
  /** Returns whether the lookup is responsible for a folder, as one of its projects or packages. */
  owns(folder: string): boolean;
  /** Returns the folder of the package that a folder's code gets for a name. It can be in an archive. */
  find(name: string, folder: string): string | undefined;
  /** Returns the real path of a path that stands for a package with certain peers. */
  realPath(file: string): string;
}

type Api = ReadonlyMap<string, (...values: readonly unknown[]) => unknown>;

/** Loads `.pnp.cjs` files, which are code of the workspace. Each is loaded again when it changes. */
export class PackageLookups {
  readonly #loaded = new Map<string, { readonly stamp: string; readonly lookup: PackageLookup }>();

  /**
   * Loads a `.pnp.cjs` file. This runs its code, so the user must trust the workspace.
   * @throws if the code fails or isn't Yarn's.
   */
  async load(file: string): Promise<PackageLookup> {
    const stamp = stampOf(await stat(file));
    const known = this.#loaded.get(file);
    if (known?.stamp === stamp) return known.lookup;
    const lookup = new PnpLookup(apiOf(loadAgain(file)));
    this.#loaded.set(file, { stamp, lookup });
    return lookup;
  }
}

function loadAgain(file: string): unknown {
  const load = createRequire(file);
  // Otherwise, Node returns the content that the file had at first.
  // eslint-disable-next-line typescript/no-dynamic-delete -- the cache is an object by path
  delete load.cache[load.resolve(file)];
  return load(file);
}

function apiOf(module: unknown): Api {
  const found = new Map<string, (...values: readonly unknown[]) => unknown>();
  if (typeof module !== 'object' || module === null) throw new Error('It has no interface');
  for (const name of ['findPackageLocator', 'resolveToUnqualified', 'resolveVirtual']) {
    const value: unknown = Reflect.get(module, name);
    if (typeof value === 'function')
      found.set(name, (...values) => Reflect.apply(value, module, values) as unknown);
  }
  if (!found.has('findPackageLocator') || !found.has('resolveToUnqualified'))
    throw new Error('It is not an interface of Plug’n’Play');
  return found;
}

class PnpLookup implements PackageLookup {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  owns(folder: string): boolean {
    const locator = this.#call('findPackageLocator', withEnd(folder));
    return typeof locator === 'object' && locator !== null;
  }

  find(name: string, folder: string): string | undefined {
    const found = this.#call('resolveToUnqualified', name, withEnd(folder), {
      considerBuiltins: false,
    });
    return typeof found === 'string' ? this.realPath(found).replace(/[\\/]+$/, '') : undefined;
  }

  realPath(file: string): string {
    const real = this.#call('resolveVirtual', file);
    return typeof real === 'string' ? real : file;
  }

  /** Calls Yarn's code, which throws for packages that a project may not use. */
  #call(name: string, ...values: readonly unknown[]): unknown {
    try {
      return this.#api.get(name)?.(...values);
    } catch {
      return undefined;
    }
  }
}

/** Returns a folder with a separator at its end, which tells Yarn that it isn't a file. */
function withEnd(folder: string): string {
  return folder.endsWith(path.sep) ? folder : `${folder}${path.sep}`;
}
