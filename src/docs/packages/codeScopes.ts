/** Scopes of code: which names stand for a module or for something of one, and which are the code's own. */

/** A node of the syntax tree. Its fields depend on its type. */
export interface CodeNode {
  readonly type: string;
  readonly loc: { readonly start: { readonly line: number; readonly column: number } };
  readonly [field: string]: unknown;
}

/** Thing that a local name stands for: a module, or something of one. */
interface Binding {
  /** Module as it is written. */
  readonly module: string;
  /** Names from the module on, as in `CodeName`. */
  readonly names: readonly string[];
}

/** Local names of a part of the code. Those without a binding are the code's own. */
type Bindings = Map<string, Binding | undefined>;

type IsWanted = (module: string) => boolean;

export class Scope {
  readonly #outer: Scope | undefined;
  readonly #own: Bindings;

  constructor(outer: Scope | undefined, own: Bindings) {
    this.#outer = outer;
    this.#own = own;
  }

  find(name: string): Binding | undefined {
    return this.#own.has(name) ? this.#own.get(name) : this.#outer?.find(name);
  }
}

/** Returns the nodes in a field: none, one, or those of a list. */
export function nodesIn(value: unknown): readonly CodeNode[] {
  if (Array.isArray(value)) return value.filter(isNode);
  return isNode(value) ? [value] : [];
}

function isNode(value: unknown): value is CodeNode {
  return (
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    typeof value.type === 'string' &&
    'loc' in value
  );
}

/** Yields the nodes in the fields of a node, each with the name of the field. */
export function* childrenOf(node: CodeNode): Generator<readonly [string, CodeNode]> {
  for (const [field, value] of Object.entries(node)) {
    // `{ a }` has the same node as its key and as its value.
    if (field === 'key' && node['shorthand'] === true) continue;
    for (const child of nodesIn(value)) yield [field, child];
  }
}

/** Returns the name that an identifier or a string is, as a key or behind a dot. */
export function nameOf(node: CodeNode, isComputed: boolean): string | undefined {
  if (node.type === 'Identifier' || node.type === 'JSXIdentifier')
    return isComputed ? undefined : String(node['name']);
  return textOf(node);
}

export function textOf(node: CodeNode): string | undefined {
  const { type, value } = node;
  return type === 'Literal' && typeof value === 'string' ? value : undefined;
}

/** Returns the module of `require('x')`, `import('x')` and their like, as it is written. */
export function moduleOf(node: CodeNode): string | undefined {
  switch (node.type) {
    case 'AwaitExpression':
      return firstOf(node['argument'], moduleOf);
    case 'ImportExpression':
      return firstOf(node['source'], textOf);
    case 'TSImportType':
      return firstOf(node['argument'], (argument) => textOf(argument) ?? literalOf(argument));
    case 'TSImportEqualsDeclaration':
      return firstOf(node['moduleReference'], (reference) =>
        firstOf(reference['expression'], textOf),
      );
    case 'CallExpression': {
      const isRequire = firstOf(node['callee'], (callee) => nameOf(callee, false)) === 'require';
      return isRequire ? firstOf(node['arguments'], textOf) : undefined;
    }
    default:
      return undefined;
  }
}

function literalOf(node: CodeNode): string | undefined {
  return firstOf(node['literal'], textOf);
}

function firstOf<Result>(
  value: unknown,
  read: (node: CodeNode) => Result | undefined,
): Result | undefined {
  const [node] = nodesIn(value);
  return node && read(node);
}

interface Chain {
  /** First node of the chain. */
  readonly root: CodeNode;
  /** Names behind the root, as far as they are written. */
  readonly names: readonly string[];
  /** Expressions in brackets. */
  readonly computed: readonly CodeNode[];
}

/** Returns the parts of an expression such as `z.object`, of an element `<Tabs.List>`, or of a type. */
export function chainOf(node: CodeNode): Chain {
  const names: string[] = [];
  const computed: CodeNode[] = [];
  let root = node;
  for (;;) {
    const [inner, property] = linkOf(root);
    if (!inner) return { root, names, computed };
    if (property) {
      const isComputed = root['computed'] === true;
      const name = nameOf(property, isComputed);
      if (isComputed) computed.push(property);
      // Names behind a computed one belong to an unknown thing.
      if (name === undefined) names.length = 0;
      else names.unshift(name);
    }
    root = inner;
  }
}

/** Returns what a link of a chain is behind of, and its own name if it has one. */
function linkOf(node: CodeNode): readonly (CodeNode | undefined)[] {
  switch (node.type) {
    case 'MemberExpression':
    case 'JSXMemberExpression':
      return [nodesIn(node['object'])[0], nodesIn(node['property'])[0]];
    case 'TSQualifiedName':
      return [nodesIn(node['left'])[0], nodesIn(node['right'])[0]];
    case 'ChainExpression':
    case 'TSNonNullExpression':
      return [nodesIn(node['expression'])[0]];
    default:
      return [];
  }
}

/** Returns what an expression stands for, if it is a wanted module or something of one. */
export function boundBy(
  node: CodeNode,
  scope: Scope | undefined,
  isWanted: IsWanted,
): Binding | undefined {
  const { root, names } = chainOf(node);
  const module = moduleOf(root);
  if (module !== undefined) return isWanted(module) ? { module, names } : undefined;
  if (root.type !== 'Identifier') return undefined;
  const binding = scope?.find(String(root['name']));
  return binding && { module: binding.module, names: [...binding.names, ...names] };
}

const functions = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'TSDeclareFunction',
  'TSDeclareMethod',
]);

/**
 * Returns the names that a node declares for the code in it, or undefined if it declares none.
 * @param taken first parameter of a function and its value, like a variable, if the value is known.
 */
export function bindingsOf(
  node: CodeNode,
  outer: Scope,
  isWanted: IsWanted,
  taken?: CodeNode,
): Bindings | undefined {
  const collector = new Collector(outer, isWanted);
  switch (node.type) {
    case 'Program':
      collector.addImports(node['body']);
      collector.addStatements(node['body']);
      collector.addVariables(node);
      break;
    case 'BlockStatement':
    case 'TSModuleBlock':
    case 'StaticBlock':
      collector.addStatements(node['body']);
      break;
    case 'SwitchStatement':
      for (const each of nodesIn(node['cases'])) collector.addStatements(each['consequent']);
      break;
    case 'ForStatement':
      collector.addStatements(node['init']);
      break;
    case 'ForInStatement':
    case 'ForOfStatement':
      collector.addStatements(node['left']);
      break;
    case 'CatchClause':
      collector.addPattern(node['param']);
      break;
    case 'ClassExpression':
      collector.addPattern(node['id']);
      break;
    default:
      if (!functions.has(node.type)) break;
      if (node.type === 'FunctionExpression') collector.addPattern(node['id']);
      if (taken) collector.addDeclarators([taken]);
      collector.addPattern(node['params']);
      for (const body of nodesIn(node['body'])) collector.addVariables(body);
  }
  collector.addTypeParameters(node);
  return collector.bindings.size === 0 ? undefined : collector.bindings;
}

class Collector {
  readonly bindings: Bindings = new Map();
  readonly #scope: Scope;
  readonly #isWanted: IsWanted;

  constructor(outer: Scope, isWanted: IsWanted) {
    this.#scope = new Scope(outer, this.bindings);
    this.#isWanted = isWanted;
  }

  addImports(value: unknown): void {
    for (const node of nodesIn(value)) {
      if (node.type === 'TSImportEqualsDeclaration') {
        const module = moduleOf(node);
        if (module !== undefined && this.#isWanted(module))
          this.#add(node['id'], { module, names: [] });
      }
      if (node.type !== 'ImportDeclaration') continue;
      const module = firstOf(node['source'], textOf);
      if (module === undefined || !this.#isWanted(module)) continue;
      for (const specifier of nodesIn(node['specifiers'])) {
        const imported = firstOf(specifier['imported'], (name) => nameOf(name, false));
        const isDefault = specifier.type === 'ImportDefaultSpecifier';
        const name = isDefault ? 'default' : imported;
        this.#add(specifier['local'], { module, names: name === undefined ? [] : [name] });
      }
    }
  }

  /** Adds what statements declare in their own block. */
  addStatements(value: unknown): void {
    for (const statement of nodesIn(value)) {
      const [node = statement] = nodesIn(statement['declaration']);
      if (node.type === 'VariableDeclaration') this.addDeclarators(node['declarations']);
      else if (
        /Declaration$|^TSDeclareFunction$/.test(node.type) &&
        node.type !== 'ImportDeclaration'
      )
        this.addPattern(node['id']);
    }
  }

  /** Adds the variables of `var` in the blocks of a function. */
  addVariables(node: CodeNode): void {
    for (const [, child] of childrenOf(node)) {
      if (functions.has(child.type) || child.type.startsWith('Class')) continue;
      if (child.type === 'VariableDeclaration' && child['kind'] === 'var')
        this.addDeclarators(child['declarations']);
      this.addVariables(child);
    }
  }

  addTypeParameters(node: CodeNode): void {
    const parameters = nodesIn(node['typeParameters']).flatMap((list) => nodesIn(list['params']));
    for (const { name } of [...parameters, ...nodesIn(node['typeParameter'])])
      if (typeof name === 'string' && !this.bindings.has(name)) this.bindings.set(name, undefined);
  }

  /** Adds the names of a pattern as the code's own. */
  addPattern(value: unknown): void {
    for (const node of nodesIn(value)) {
      switch (node.type) {
        case 'Identifier':
          this.#add(node, undefined);
          break;
        case 'AssignmentPattern':
          this.addPattern(node['left']);
          break;
        case 'ObjectPattern':
          this.addPattern(node['properties']);
          break;
        case 'Property':
          this.addPattern(node['value']);
          break;
        case 'ArrayPattern':
          this.addPattern(node['elements']);
          break;
        case 'RestElement':
          this.addPattern(node['argument']);
          break;
        case 'TSParameterProperty':
          this.addPattern(node['parameter']);
          break;
      }
    }
  }

  /** Adds the names of variables, each of which has a pattern and a value. */
  addDeclarators(value: unknown): void {
    for (const { id, init } of nodesIn(value)) {
      const [pattern] = nodesIn(id);
      const [source] = nodesIn(init);
      if (pattern?.type === 'ObjectPattern' && source) {
        const from = boundBy(source, this.#scope, this.#isWanted);
        if (from) {
          this.#addParts(pattern, from);
          continue;
        }
      }
      // Only a module gets a second name. A variable for something of it is the code's own.
      const module = source && boundBy(source, undefined, this.#isWanted);
      if (module && pattern?.type === 'Identifier') this.#add(pattern, module);
      else this.addPattern(id);
    }
  }

  /** Adds the names that a pattern takes out of a module. */
  #addParts(pattern: CodeNode, from: Binding): void {
    for (const property of nodesIn(pattern['properties'])) {
      const key = firstOf(property['key'], (node) => nameOf(node, property['computed'] === true));
      const [value] = nodesIn(property['value']);
      const local = value?.type === 'AssignmentPattern' ? nodesIn(value['left'])[0] : value;
      if (key !== undefined && local?.type === 'Identifier')
        this.#add(local, { module: from.module, names: [...from.names, key] });
      else this.addPattern(property);
    }
  }

  #add(value: unknown, binding: Binding | undefined): void {
    const name = firstOf(value, (node) => nameOf(node, false));
    // An import wins over what is declared with it, such as a type of the same name.
    if (name !== undefined && !this.bindings.get(name)) this.bindings.set(name, binding);
  }
}
