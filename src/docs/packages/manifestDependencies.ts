/** The places of dependencies in the text of a `package.json`. */
import { type Node, parseTree } from 'jsonc-parser';
import { MAX_MANIFEST_BYTES } from '../sources/installed/packageManifest';
import { isPackageName } from '../sources/installed/packageNames';

/** A dependency in the text of a manifest. */
interface WrittenDependency {
  /** Name under which code imports the package. */
  readonly name: string;
  /** Positions of the name and its version, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

const fields = new Set([
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
]);

/** Returns the dependencies in a text, in their order. The text doesn't have to be valid, as while it is edited. */
export function writtenDependencies(text: string): readonly WrittenDependency[] {
  if (text.length > MAX_MANIFEST_BYTES) return [];
  const root = parseTree(text);
  return propertiesOf(root)
    .filter(([name]) => fields.has(name))
    .flatMap(([, , value]) => propertiesOf(value))
    .filter(([name]) => isPackageName(name))
    .map(([name, { offset, length }]) => ({ name, start: offset, end: offset + length }));
}

/** Returns the names, nodes and values of an object's properties. */
function propertiesOf(node: Node | undefined): readonly (readonly [string, Node, Node?])[] {
  if (node?.type !== 'object') return [];
  return (node.children ?? []).flatMap((property) => {
    const [key, value] = property.children ?? [];
    const name: unknown = key?.value;
    return typeof name === 'string' ? [[name, property, value] as const] : [];
  });
}
