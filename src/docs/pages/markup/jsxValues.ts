import { Parser, type AnyNode, type Node } from 'acorn';
import jsx from 'acorn-jsx';
import type { JsxObject, JsxValue } from './elementWriter';

/** Literal constants of a page by name. */
export type Scope = ReadonlyMap<string, JsxValue>;

const parser = Parser.extend(jsx());
const options = { ecmaVersion: 'latest', sourceType: 'module' } as const;
/** Maximum depth of nested values. */
const MAX_DEPTH = 20;
/** Maximum number of characters of a constant. A few constants that repeat each other could fill the memory. */
const MAX_VALUE = 20_000;

/** Returns the number of characters and items of a value, or more than {@link MAX_VALUE} for a larger value. */
export function sizeOfValue(value: JsxValue): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object') return 1;
  let size = 0;
  for (const item of Object.values<JsxValue>(value)) {
    size += 1 + sizeOfValue(item);
    if (size > MAX_VALUE) break;
  }
  return size;
}

interface PageModule {
  /** Paths of modules by the local name of the import: `./snippets/note.mdx` for `Note`. */
  readonly imports: ReadonlyMap<string, string>;
  readonly constants: ReadonlyMap<string, JsxValue>;
}

/** Reads imports and exports. Returns the position of the error if the source is not valid. */
export function readModule(
  source: string,
  scope: Scope,
): PageModule | { readonly faultAt: number; readonly reason: string } {
  let program;
  try {
    program = parser.parse(source, options);
  } catch (error) {
    const faultAt = error instanceof SyntaxError && 'pos' in error ? Number(error.pos) : 0;
    return { faultAt, reason: error instanceof Error ? error.message : 'unknown' };
  }
  const imports = new Map<string, string>();
  const constants = new Map<string, JsxValue>();
  /** All constants so far, of this module and of those above it. */
  const known = new Map(scope);
  for (const statement of program.body) {
    if (statement.type === 'ImportDeclaration') {
      for (const { local } of statement.specifiers) {
        imports.set(local.name, String(statement.source.value));
      }
      continue;
    }
    const declaration =
      statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declaration?.type !== 'VariableDeclaration') continue;
    for (const { id, init } of declaration.declarations) {
      const value = init ? valueOf(init, known, source) : undefined;
      if (id.type !== 'Identifier' || value === undefined) continue;
      if (sizeOfValue(value) > MAX_VALUE) continue;
      constants.set(id.name, value);
      known.set(id.name, value);
    }
  }
  return { imports, constants };
}

/** Returns the value of an expression, if it is a literal. */
export function readExpression(
  source: string,
  scope: Scope,
): { readonly value: JsxValue | undefined; readonly isValid: boolean } {
  if (/^\s*(?:\/\*[^]*\*\/\s*|\.\.\.[^]*)?$/.test(source))
    return { value: undefined, isValid: true };
  const text = `(${source}\n)`;
  try {
    const expression = parser.parseExpressionAt(text, 0, options);
    return {
      value: valueOf(expression, scope, text),
      isValid: text.slice(expression.end).trim() === ')',
    };
  } catch {
    return { value: undefined, isValid: false };
  }
}

function valueOf(node: AnyNode, scope: Scope, source: string, depth = 0): JsxValue | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const read = (child: AnyNode): JsxValue | undefined => valueOf(child, scope, source, depth + 1);
  switch (node.type) {
    case 'Literal': {
      const { value } = node;
      return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? value
        : undefined;
    }
    case 'TemplateLiteral': {
      let text = '';
      for (const [index, { value }] of node.quasis.entries()) {
        const part = node.expressions[index];
        const filled = part && read(part);
        text += (value.cooked ?? value.raw) + (isScalar(filled) ? String(filled) : '');
        if (part && text.length > MAX_VALUE) return undefined;
      }
      return text;
    }
    case 'UnaryExpression': {
      const value = read(node.argument);
      return node.operator === '-' && typeof value === 'number' ? -value : undefined;
    }
    case 'Identifier':
      return scope.get(node.name);
    case 'MemberExpression': {
      const object = read(node.object);
      const name = keyOf(node.property, node.computed);
      if (name === undefined || typeof object !== 'object' || !Object.hasOwn(object, name))
        return undefined;
      return (object as JsxObject)[name];
    }
    case 'ArrayExpression':
      return node.elements.flatMap((element) => {
        const value = element && element.type !== 'SpreadElement' ? read(element) : undefined;
        return value === undefined ? [] : [value];
      });
    case 'ObjectExpression':
      return Object.fromEntries(
        node.properties.flatMap((property) => {
          if (property.type !== 'Property') return [];
          const value = read(property.value);
          const name = keyOf(property.key, property.computed);
          return value === undefined || name === undefined ? [] : [[name, value]];
        }),
      );
    case 'BinaryExpression': {
      if (node.operator !== '+') return undefined;
      const [left, right] = [read(node.left), read(node.right)];
      const text = isScalar(left) && isScalar(right) ? `${left}${right}` : undefined;
      return text !== undefined && text.length > MAX_VALUE ? undefined : text;
    }
    case 'LogicalExpression':
      return read(node.right);
    case 'ConditionalExpression': {
      const [yes, no] = [read(node.consequent), read(node.alternate)];
      return isScalar(yes) && isScalar(no) ? `${yes} ${no}` : (yes ?? no);
    }
    case 'CallExpression':
      // In a call such as `items.map(() => <li>…</li>)`, the function has the text.
      return node.arguments
        .flatMap((argument) =>
          argument.type === 'ArrowFunctionExpression'
            ? (elementText(argument.body, source, scope, depth + 1) ?? [])
            : [],
        )
        .at(0);
    default:
      return elementText(node, source, scope, depth);
  }
}

/** Returns the name of a property, unless it is computed in a way that is not supported. */
function keyOf(key: AnyNode, isComputed: boolean): string | undefined {
  if (key.type === 'Identifier' && !isComputed) return key.name;
  return key.type === 'Literal' ? String(key.value) : undefined;
}

function isScalar(value: JsxValue | undefined): value is string | number | boolean {
  return value !== undefined && typeof value !== 'object';
}

/** A node that `acorn-jsx` adds. The types of acorn don't have it. */
interface JsxNode extends Node {
  readonly children?: readonly JsxNode[];
  readonly expression?: AnyNode;
  readonly openingElement?: { readonly attributes: readonly JsxAttribute[] };
}

interface JsxAttribute {
  readonly type: string;
  readonly name?: { readonly name?: unknown };
  readonly value?: Node | null;
}

const textAttributes = new Set(['title', 'label', 'alt', 'caption', 'description', 'tip']);

/** Returns the text of an element in an expression, or undefined if it is not an element. */
function elementText(
  node: AnyNode,
  source: string,
  scope: Scope,
  depth: number,
): string | undefined {
  const { type } = node as Node;
  if (type !== 'JSXElement' && type !== 'JSXFragment') return undefined;
  const element = node as JsxNode;
  const parts = (element.openingElement?.attributes ?? []).flatMap(({ name, value }) =>
    textAttributes.has(String(name?.name)) && value?.type === 'Literal'
      ? [source.slice(value.start + 1, value.end - 1)]
      : [],
  );
  /** Number of characters of the values in the text. */
  let length = 0;
  for (const child of element.children ?? []) {
    if (child.type === 'JSXText') parts.push(source.slice(child.start, child.end));
    else if (child.type === 'JSXExpressionContainer' && child.expression) {
      const value = valueOf(child.expression, scope, source, depth + 1);
      if (!isScalar(value)) continue;
      length += String(value).length;
      if (length <= MAX_VALUE) parts.push(String(value));
    } else {
      const text =
        depth < MAX_DEPTH
          ? elementText(child as unknown as AnyNode, source, scope, depth + 1)
          : undefined;
      if (text !== undefined) parts.push(text);
    }
  }
  const text = parts.join(' ').replace(/\s+/g, ' ').trim();
  return text === '' ? undefined : text;
}
