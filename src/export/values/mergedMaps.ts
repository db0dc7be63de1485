/** Follows the aliases (`*x`) and merge keys (`<<`) of a YAML document, as readers of the file do. */
import { isAlias, isMap, isSeq, visit, type Node } from 'yaml';
import { isMergeKey, type ValuesDocument, type ValuesMap } from './valuesSource';

/** Nodes that the aliases of a document stand for. */
type AliasTargets = ReadonlyMap<unknown, Node>;

/** Returns the node of each alias: the last one before it with its anchor. */
export function aliasTargets(document: ValuesDocument): AliasTargets {
  const anchored = new Map<string, Node>();
  const targets = new Map<unknown, Node>();
  visit(document, {
    Node: (_key, node) => {
      if (isAlias(node)) {
        const target = anchored.get(node.source);
        if (target) targets.set(node, target);
      } else if (node.anchor !== undefined) {
        anchored.set(node.anchor, node);
      }
    },
  });
  return targets;
}

/**
 * Returns the maps that the merge keys of a map add, and those that they merge in turn.
 * @param from index of the first pair that counts.
 * @param seen maps that are left out. It gets the maps that are returned.
 */
export function mergedMaps(
  map: ValuesMap,
  targets: AliasTargets,
  { from = 0, seen = new Set() }: { readonly from?: number; readonly seen?: Set<unknown> } = {},
): readonly ValuesMap[] {
  const found: ValuesMap[] = [];
  const add = ({ items }: ValuesMap, start: number): void => {
    for (const pair of items.slice(start)) {
      if (!isMergeKey(pair)) continue;
      const { value } = pair;
      for (const item of isSeq(value) ? value.items : [value]) {
        const merged = targets.get(item) ?? item;
        if (!isMap(merged) || seen.has(merged)) continue;
        seen.add(merged);
        found.push(merged);
      }
    }
  };
  add(map, from);
  // The list grows while it is read. A recursion could be too deep.
  for (const merged of found) add(merged, 0);
  return found;
}
