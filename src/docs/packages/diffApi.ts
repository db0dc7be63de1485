/** Compares the APIs of two versions of a package. */
import type { ApiName } from '../pages/types/apiNames';
import { type ApiPath, type ApiPathEntry, pathKey } from './apiPaths';

/** A difference of one name. Code can get it on several paths. */
export interface ApiChange {
  /** Paths that have the difference, the shortest first. There is at least one. */
  readonly paths: readonly ApiPath[];
  /** Facts of the older version about the name. Undefined if it doesn't have it. */
  readonly older: ApiFacts | undefined;
  readonly newer: ApiFacts | undefined;
  /** Name that the older version says to use instead, if the newer version has it. Only for a removed name. */
  readonly replacement: ApiPath | undefined;
}

/** Facts that a version of a package tells about a name. */
type ApiFacts = Pick<ApiName, 'kind' | 'signature' | 'deprecated' | 'defaultValue' | 'place'>;

export interface ApiDiff {
  /** Names that are gone, without those that are part of other names that are gone. */
  readonly removed: readonly ApiChange[];
  /** New names, without those that are part of other new names. */
  readonly added: readonly ApiChange[];
  /** Names that only the newer version says are deprecated. */
  readonly deprecated: readonly ApiChange[];
  /** Names that have another default value, where both versions say which. */
  readonly defaultChanged: readonly ApiChange[];
  readonly signatureChanged: readonly ApiChange[];
}

/** Kinds of differences, the most important first. */
export const apiChangeKinds = [
  'removed',
  'deprecated',
  'defaultChanged',
  'signatureChanged',
  'added',
] as const satisfies readonly (keyof ApiDiff)[];

export type ApiChangeKind = (typeof apiChangeKinds)[number];

/** The API of one version. */
export interface ApiSide {
  readonly paths: ReadonlyMap<string, ApiPathEntry>;
  /** Modules that also export everything from packages that can't be read. */
  readonly incomplete: ReadonlySet<string>;
}

/**
 * Returns the differences of two APIs. A name that has another one in the newer version counts as removed and added,
 * because only its docs know that the two are the same. If they do, the removed name has the new one as replacement.
 * A name counts as missing only if the other version can't have it in a place that isn't read.
 */
export function diffApi(older: ApiSide, newer: ApiSide): ApiDiff {
  const removed = new Changes();
  const deprecated = new Changes();
  const defaultChanged = new Changes();
  const signatureChanged = new Changes();
  for (const [key, entry] of older.paths) {
    const { described: before } = entry;
    const after = newer.paths.get(key)?.described;
    if (!after) {
      if (isMissing(entry, older, newer))
        removed.add(entry, before, undefined, replacementOf(entry, newer));
      continue;
    }
    if (before.deprecated === undefined && after.deprecated !== undefined)
      deprecated.add(entry, before, after);
    const isOtherDefault =
      before.defaultValue !== undefined &&
      after.defaultValue !== undefined &&
      flat(before.defaultValue) !== flat(after.defaultValue);
    if (isOtherDefault) defaultChanged.add(entry, before, after);
    const isDescribed = before.kind !== 'reference' && after.kind !== 'reference';
    if (isDescribed && flat(before.signature) !== flat(after.signature))
      signatureChanged.add(entry, before, after);
  }
  const added = new Changes();
  for (const [key, entry] of newer.paths) {
    if (!older.paths.has(key) && isMissing(entry, newer, older))
      added.add(entry, undefined, entry.described);
  }
  return {
    removed: removed.list(),
    added: added.list(),
    deprecated: deprecated.list(),
    defaultChanged: defaultChanged.list(),
    signatureChanged: signatureChanged.list(),
  };
}

/**
 * Returns whether the other version certainly lacks a name of its own, and not only because it lacks what the name
 * is part of.
 */
function isMissing(entry: ApiPathEntry, own: ApiSide, other: ApiSide): boolean {
  const { module, name, described } = entry;
  for (let at = name.lastIndexOf('.'); at > 0; at = name.lastIndexOf('.', at - 1)) {
    const parent = pathKey({ module, name: name.slice(0, at) });
    if (!own.paths.has(parent)) continue;
    const otherParent = other.paths.get(parent)?.described;
    if (!otherParent) return false;
    if (described.kind === 'member') return hasAllMembers(otherParent);
    return otherParent.target?.name !== '*' || !other.incomplete.has(otherParent.target.module);
  }
  return !other.incomplete.has(module);
}

/** Returns whether all members of a name are known: none can come from a type that it extends or is made of. */
function hasAllMembers({ kind, signature }: ApiName): boolean {
  if (kind !== 'class' && kind !== 'interface' && kind !== 'enum') return false;
  return !/\bextends\b/.test(withoutTypeArguments(signature));
}

/** Returns a signature without what is in angle brackets. */
function withoutTypeArguments(signature: string): string {
  let text = '';
  let depth = 0;
  for (const mark of signature.replaceAll('=>', '')) {
    if (mark === '<') depth++;
    else if (mark === '>') depth = Math.max(0, depth - 1);
    else if (depth === 0) text += mark;
  }
  return text;
}

interface Change extends ApiChange {
  readonly paths: ApiPath[];
}

/** Differences, one for each thing that a package declares and its own name, whatever paths lead to it. */
class Changes {
  readonly #byThing = new Map<string, Change>();

  add(
    { module, name }: ApiPathEntry,
    older: ApiName | undefined,
    newer: ApiName | undefined,
    replacement?: ApiPath,
  ): void {
    const described = older ?? newer;
    if (!described) return;
    const { file, line, package: owner = '' } = described.place;
    const thing = `${owner}\n${file}\n${line}\n${lastName(described.name)}`;
    const known = this.#byThing.get(thing);
    if (known) known.paths.push({ module, name });
    else {
      const facts = { older: older && factsOf(older), newer: newer && factsOf(newer) };
      this.#byThing.set(thing, { paths: [{ module, name }], ...facts, replacement });
    }
  }

  list(): readonly ApiChange[] {
    const changes = [...this.#byThing.values()];
    for (const { paths } of changes) paths.sort((one, other) => lengthOf(one) - lengthOf(other));
    return changes;
  }
}

function factsOf({ kind, signature, deprecated, defaultValue, place }: ApiName): ApiFacts {
  return { kind, signature, deprecated, defaultValue, place };
}

function lengthOf({ module, name }: ApiPath): number {
  return module.length + name.length;
}

function lastName(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** Returns the name that the deprecation of a name says to use, if the newer version has it. */
function replacementOf(
  { module, name, described: { deprecated } }: ApiPathEntry,
  newer: ApiSide,
): ApiPath | undefined {
  const said = /\b(?:use|replaced (?:by|with)|renamed to)\s+(?:the\s+)?[`'"[]*([\w$.]+)/i.exec(
    deprecated ?? '',
  )?.[1];
  if (said === undefined) return undefined;
  const wanted = said.replace(/^\.+|\.+$/g, '');
  const parent = name.slice(0, name.lastIndexOf('.') + 1);
  const found = [parent + wanted, wanted].find((each) =>
    newer.paths.has(pathKey({ module, name: each })),
  );
  return found === undefined ? undefined : { module, name: found };
}

/** Returns a signature without line breaks and without what only formats it. */
function flat(signature: string): string {
  return signature
    .replace(/\s+/g, ' ')
    .replace(/ ?([{}()[\]<>,;:|&]) ?/g, '$1')
    .replace(/[,;](?=[)}\]])/g, '');
}
