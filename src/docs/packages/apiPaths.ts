/** The ways in which code gets the names of a package: the module that it imports, and the names behind it. */
import type { ApiName } from '../pages/types/apiNames';

/** Name of the module itself where a module has `export =`, as TypeScript calls it. */
export const WHOLE_MODULE = 'export=';
/** Maximum number of paths of one package. `effect`, the largest that we know, has 60,000. */
const MAX_PATHS = 400_000;

/** A way to a name: `string` of `zod`, or `z.string` of it. */
export interface ApiPath {
  /** Module that code imports. */
  readonly module: string;
  /** Name in the module. That of a member or of a name in a namespace has the others before it. */
  readonly name: string;
}

/** A path, and the name that it leads to. */
export interface ApiPathEntry extends ApiPath {
  readonly described: ApiName;
}

/** Returns the key of a path, for maps. */
export function pathKey({ module, name }: ApiPath): string {
  return `${module}\n${name}`;
}

/**
 * Returns the names of a package by each path on which code can get them, in the order of the modules. Names that
 * can't be imported are left out. A name for a namespace or for another name has the paths of what it leads to, so it
 * doesn't matter which of the modules describes a name.
 * @param aliases modules that export the same as others, by their names.
 */
export function apiPaths(
  names: readonly ApiName[],
  aliases: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, ApiPathEntry> {
  return new PathFinder(names.filter(({ isExported }) => isExported)).find(aliases);
}

/** Key under which the names of a module itself are found. */
const TOP = '';

class PathFinder {
  readonly #names: readonly ApiName[];
  /** Names by the path of the name that they are part of. */
  readonly #parts = new Map<string, ApiName[]>();
  readonly #found = new Map<string, ApiPathEntry>();

  constructor(names: readonly ApiName[]) {
    this.#names = names;
  }

  find(aliases: ReadonlyMap<string, string>): ReadonlyMap<string, ApiPathEntry> {
    const known = new Set(this.#names.map(pathKey));
    const modules = new Set<string>();
    for (const name of this.#names) {
      modules.add(name.module);
      const key = pathKey({ module: name.module, name: parentOf(name, known) });
      const others = this.#parts.get(key);
      if (others) others.push(name);
      else this.#parts.set(key, [name]);
    }
    // Such a module is only part of another one and has no name of its own to import.
    for (const { module, name, target } of this.#names)
      if (target?.name === '*' && target.module === `${module}.${name}`)
        modules.delete(target.module);
    for (const module of modules) this.#addParts(module, '', { module, name: TOP }, []);
    for (const [alias, module] of aliases)
      if (!modules.has(alias)) this.#addParts(alias, '', { module, name: TOP }, []);
    return this.#found;
  }

  /** @param trail keys of what the paths so far lead through, because names can lead to one another in a circle. */
  #addParts(module: string, prefix: string, of: ApiPath, trail: readonly string[]): void {
    const home = pathKey(of);
    if (trail.includes(home)) return;
    for (const part of this.#parts.get(home) ?? []) {
      // The names in a namespace that is the module itself are names of the module.
      if (prefix === `${WHOLE_MODULE}.` && part.kind !== 'member') continue;
      const own = of.name === TOP ? part.name : part.name.slice(of.name.length + 1);
      const isWhole = part.isModule && prefix === '' && of.name === TOP;
      const path = { module, name: prefix + (isWhole ? WHOLE_MODULE : own) };
      const key = pathKey(path);
      // The first of equal names counts.
      if (this.#found.has(key)) continue;
      if (this.#found.size >= MAX_PATHS) return;
      this.#found.set(key, { module, name: path.name, described: part });
      const { target } = part;
      const next =
        target?.name === '*' ? { module: target.module, name: TOP } : (target ?? pathOf(part));
      this.#addParts(module, `${path.name}.`, next, [...trail, home]);
    }
  }
}

function pathOf({ module, name }: ApiName): ApiPath {
  return { module, name };
}

/** Returns the longest name before a dot that the module has, too, or an empty name. */
function parentOf({ module, name }: ApiName, known: ReadonlySet<string>): string {
  for (let at = name.lastIndexOf('.'); at > 0; at = name.lastIndexOf('.', at - 1)) {
    const parent = name.slice(0, at);
    if (known.has(pathKey({ module, name: parent }))) return parent;
  }
  return TOP;
}
