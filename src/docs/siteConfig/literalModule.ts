import { tsPlugin } from '@sveltejs/acorn-typescript';
import { Parser, type AnyNode, type Expression, type Pattern, type Program } from 'acorn';
import path from 'node:path';
import { jsonValue, type ConfigFiles } from './configFiles';

/** The value of a configuration's code, as far as it is literal. */
interface LiteralModule {
  readonly value: unknown;
  /** Whether all parts are literals. False if a part is computed in a way that is not supported. */
  readonly isWhole: boolean;
}

/** Stands for a value that is only known after running the code. */
const unknown = Symbol('unknown');

/** Maximum number of files that one configuration can import. */
const MAX_FILES = 40;
/** Maximum number of expressions to read. Configurations that people write have far fewer. */
const MAX_STEPS = 200_000;
const MAX_DEPTH = 60;

const TypeScriptParser = Parser.extend(tsPlugin());

/**
 * Reads the default export of a JavaScript or TypeScript module as far as it is literal: literals,
 * constants, spreads, templates, functions that only return such values, and files imported by a
 * relative path. Runs no code, because a docs folder is not trusted. If the file cannot be parsed, logs the
 * reason and returns undefined.
 */
export async function readLiteralModule(
  files: ConfigFiles,
  file: string,
  text: string,
): Promise<LiteralModule | undefined> {
  const modules = new Map<string, ParsedModule>();
  try {
    await load(files, file, text, modules);
  } catch (error) {
    files.refuse(file, error instanceof Error ? error.message : 'it cannot be read');
    return undefined;
  }
  const reader = new Reader(modules);
  const value = reader.exported(file, 'default');
  return { value: value === unknown ? undefined : value, isWhole: reader.isWhole };
}

/** A function of the configuration, with its code and scope. */
class LiteralFunction {
  readonly parameters: readonly Pattern[];
  readonly body: AnyNode;
  readonly scope: Scope;

  constructor(parameters: readonly Pattern[], body: AnyNode, scope: Scope) {
    this.parameters = parameters;
    this.body = body;
    this.scope = scope;
  }
}

interface Import {
  /** Path of the module, or undefined for a package. */
  readonly file: string | undefined;
  readonly name: string;
}

interface ParsedModule {
  readonly declared: ReadonlyMap<string, AnyNode>;
  readonly imports: ReadonlyMap<string, Import>;
  readonly exports: ReadonlyMap<string, AnyNode | Import>;
  readonly data?: unknown;
}

async function load(
  files: ConfigFiles,
  file: string,
  text: string,
  modules: Map<string, ParsedModule>,
): Promise<void> {
  if (/\.json$/i.test(file)) {
    const data = jsonValue(text);
    modules.set(file, { declared: new Map(), imports: new Map(), exports: new Map(), data });
    return;
  }
  const program = TypeScriptParser.parse(text, {
    sourceType: 'module',
    ecmaVersion: 'latest',
    locations: true,
    allowReturnOutsideFunction: true,
  });
  const module = await parsed(program, file, files);
  modules.set(file, module);
  const wanted = [...module.imports.values(), ...module.exports.values()];
  for (const entry of wanted) {
    if (!isImport(entry) || entry.file === undefined || modules.has(entry.file)) continue;
    if (modules.size >= MAX_FILES) return;
    const source = await files.text(entry.file);
    if (source === undefined) continue;
    try {
      await load(files, entry.file, source, modules);
    } catch {
      // The module can't be parsed, so its exports stay unknown.
    }
  }
}

function isImport(entry: AnyNode | Import): entry is Import {
  return !('type' in entry);
}

const endings = ['', '.ts', '.mts', '.js', '.mjs', '.cjs', '.json', '/index.ts', '/index.js'];

/** Returns the file that a relative import means, or undefined for a package or a missing file. */
async function moduleFile(
  files: ConfigFiles,
  from: string,
  specifier: string,
): Promise<string | undefined> {
  if (!/^\.{1,2}\//.test(specifier)) return undefined;
  const base = path.posix.join(path.posix.dirname(from), specifier);
  // Files above the folder do not belong to the docs.
  if (base.startsWith('..') && !from.startsWith('..')) return undefined;
  for (const ending of endings) {
    if (ending === '' && !/\.\w+$/.test(base)) continue;
    const candidate = ending === '' ? base : base.replace(/\.[cm]?js$/, '') + ending;
    if ((await files.text(candidate)) !== undefined) return candidate;
  }
  return undefined;
}

async function parsed(program: Program, file: string, files: ConfigFiles): Promise<ParsedModule> {
  const declared = new Map<string, AnyNode>();
  const imports = new Map<string, Import>();
  const exports = new Map<string, AnyNode | Import>();
  const declare = (node: AnyNode): string[] => {
    const found = declarations(node);
    for (const [name, value] of found) declared.set(name, value);
    return found.map(([name]) => name);
  };
  for (const node of program.body) {
    if (node.type === 'ImportDeclaration') {
      const source = await moduleFile(files, file, String(node.source.value));
      for (const specifier of node.specifiers) {
        const name =
          specifier.type === 'ImportSpecifier' && specifier.imported.type === 'Identifier'
            ? specifier.imported.name
            : 'default';
        imports.set(specifier.local.name, { file: source, name });
      }
    } else if (node.type === 'ExportDefaultDeclaration') {
      if ('id' in node.declaration && node.declaration.id) declare(node.declaration);
      exports.set('default', node.declaration);
    } else if (node.type === 'ExportNamedDeclaration') {
      for (const name of node.declaration ? declare(node.declaration) : []) {
        const value = declared.get(name);
        if (value) exports.set(name, value);
      }
      const source = node.source ? await moduleFile(files, file, String(node.source.value)) : '';
      for (const { local, exported } of node.specifiers) {
        if (local.type !== 'Identifier' || exported.type !== 'Identifier') continue;
        exports.set(exported.name, node.source ? { file: source, name: local.name } : local);
      }
    } else if (
      node.type === 'ExpressionStatement' &&
      node.expression.type === 'AssignmentExpression' &&
      isModuleExports(node.expression.left)
    ) {
      exports.set('default', node.expression.right);
    } else declare(node);
  }
  return { declared, imports, exports };
}

function isModuleExports(node: AnyNode): boolean {
  return (
    node.type === 'MemberExpression' &&
    node.object.type === 'Identifier' &&
    node.object.name === 'module' &&
    node.property.type === 'Identifier' &&
    node.property.name === 'exports'
  );
}

/** Returns the names that a statement declares, with their values. */
function declarations(node: AnyNode): [string, AnyNode][] {
  if (node.type === 'FunctionDeclaration') {
    return node.id === null ? [] : [[node.id.name, node]];
  }
  if (node.type !== 'VariableDeclaration' || node.kind !== 'const') return [];
  return node.declarations.flatMap(({ id, init }): [string, AnyNode][] =>
    id.type === 'Identifier' && init ? [[id.name, init]] : [],
  );
}

/** The names that an expression can use, with those of the enclosing scopes in `parent`. */
interface Scope {
  readonly file: string;
  readonly values: ReadonlyMap<string, unknown>;
  readonly declared: ReadonlyMap<string, AnyNode>;
  readonly parent: Scope | undefined;
}

const wrappers: ReadonlySet<string> = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
  'TSInstantiationExpression',
]);

/** Returns whether the node only wraps an expression, such as a TypeScript cast. */
function isWrapper(node: AnyNode): node is AnyNode & { readonly expression: Expression } {
  return wrappers.has(node.type);
}

class Reader {
  isWhole = true;
  readonly #modules: ReadonlyMap<string, ParsedModule>;
  #steps = 0;
  #depth = 0;

  constructor(modules: ReadonlyMap<string, ParsedModule>) {
    this.#modules = modules;
  }

  exported(file: string | undefined, name: string): unknown {
    const module = file === undefined ? undefined : this.#modules.get(file);
    if (!module || file === undefined) return this.#unknown();
    if (module.data !== undefined) return module.data;
    const entry = module.exports.get(name);
    if (!entry) return this.#unknown();
    if (isImport(entry)) return this.#deeper(() => this.exported(entry.file, entry.name));
    const value = this.#read(entry, moduleScope(file, module));
    // An exported function, as in `export default () => ({ … })`, returns the configuration.
    return value instanceof LiteralFunction ? this.#call(value, []) : value;
  }

  #unknown(): typeof unknown {
    this.isWhole = false;
    return unknown;
  }

  #deeper(read: () => unknown): unknown {
    if (this.#depth >= MAX_DEPTH) return this.#unknown();
    this.#depth++;
    const value = read();
    this.#depth--;
    return value;
  }

  #read(node: AnyNode, scope: Scope): unknown {
    if (++this.#steps > MAX_STEPS) return this.#unknown();
    return this.#deeper(() => this.#value(node, scope));
  }

  #value(node: AnyNode, scope: Scope): unknown {
    if (isWrapper(node)) return this.#read(node.expression, scope);
    switch (node.type) {
      case 'Literal':
        return 'regex' in node ? this.#unknown() : node.value;
      case 'TemplateLiteral':
        return this.#template(node.quasis, node.expressions, scope);
      case 'ArrayExpression':
        return this.#array(node.elements, scope);
      case 'ObjectExpression':
        return this.#object(node.properties, scope);
      case 'Identifier':
        return node.name === 'undefined' ? undefined : this.#name(node.name, scope);
      case 'UnaryExpression': {
        const value = this.#read(node.argument, scope);
        if (value === unknown) return unknown;
        if (node.operator === '!') return !value;
        return node.operator === '-' && typeof value === 'number' ? -value : this.#unknown();
      }
      case 'BinaryExpression':
      case 'LogicalExpression':
        return this.#combined(node, scope);
      case 'ConditionalExpression': {
        const test = this.#read(node.test, scope);
        if (test === unknown) return unknown;
        return this.#read(test ? node.consequent : node.alternate, scope);
      }
      case 'MemberExpression':
        return this.#member(node, scope);
      case 'AwaitExpression':
        return this.#read(node.argument, scope);
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
      case 'FunctionDeclaration':
        return new LiteralFunction(node.params, node.body, scope);
      case 'CallExpression':
        return this.#called(node, scope);
      default:
        return this.#unknown();
    }
  }

  #template(
    quasis: readonly { readonly value: { readonly cooked?: string | null | undefined } }[],
    expressions: readonly Expression[],
    scope: Scope,
  ): unknown {
    let text = '';
    for (const [index, { value }] of quasis.entries()) {
      text += value.cooked ?? '';
      const expression = expressions[index];
      if (!expression) continue;
      const part = this.#read(expression, scope);
      if (typeof part !== 'string' && typeof part !== 'number') return this.#unknown();
      text += String(part);
    }
    return text;
  }

  #array(elements: readonly (AnyNode | null)[], scope: Scope): unknown[] {
    return elements.flatMap((element) => {
      if (!element) return [];
      const isSpread = element.type === 'SpreadElement';
      const value = this.#read(isSpread ? element.argument : element, scope);
      if (value === unknown) return [];
      if (!isSpread) return [value];
      const items: unknown[] = Array.isArray(value) ? value : [];
      return items;
    });
  }

  #object(properties: readonly AnyNode[], scope: Scope): Record<string, unknown> {
    const entries: [string, unknown][] = [];
    for (const property of properties) {
      if (property.type === 'SpreadElement') {
        const value = this.#read(property.argument, scope);
        if (isRecord(value)) entries.push(...Object.entries(value));
      } else if (property.type === 'Property') {
        const key = this.#key(property.key, property.computed, scope);
        const value = this.#read(property.value, scope);
        if (key !== undefined && value !== unknown && !(value instanceof LiteralFunction))
          entries.push([key, value]);
      }
    }
    // `Object.fromEntries` creates an own property even for `__proto__`, and never changes the prototype.
    return Object.fromEntries(entries);
  }

  #key(key: AnyNode, isComputed: boolean, scope: Scope): string | undefined {
    if (!isComputed && key.type === 'Identifier') return key.name;
    const value = this.#read(key, scope);
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
  }

  #name(name: string, scope: Scope): unknown {
    for (let at: Scope | undefined = scope; at; at = at.parent) {
      if (at.values.has(name)) return at.values.get(name);
      const declared = at.declared.get(name);
      if (declared) return this.#read(declared, at);
    }
    const imported = this.#modules.get(scope.file)?.imports.get(name);
    return imported ? this.exported(imported.file, imported.name) : this.#unknown();
  }

  #combined(
    node: Extract<AnyNode, { readonly type: 'BinaryExpression' | 'LogicalExpression' }>,
    scope: Scope,
  ): unknown {
    const left = this.#read(node.left, scope);
    const known = left === unknown ? undefined : left;
    const right = (): unknown => this.#read(node.right, scope);
    switch (node.operator) {
      case '??':
        return known ?? right();
      case '||':
        return known || right();
      case '&&':
        return left === unknown ? unknown : left && right();
      case '+': {
        const other = right();
        if (typeof left === 'string' && typeof other === 'string') return left + other;
        return this.#unknown();
      }
      default:
        return this.#unknown();
    }
  }

  #member(node: Extract<AnyNode, { readonly type: 'MemberExpression' }>, scope: Scope): unknown {
    const object = this.#read(node.object, scope);
    const key = this.#key(node.property, node.computed, scope);
    if (!isRecord(object) || key === undefined || !Object.hasOwn(object, key)) {
      return this.#unknown();
    }
    return object[key];
  }

  #called(node: Extract<AnyNode, { readonly type: 'CallExpression' }>, scope: Scope): unknown {
    const { callee } = node;
    if (callee.type !== 'Identifier') return this.#unknown();
    const before = this.isWhole;
    const target = this.#name(callee.name, scope);
    if (target instanceof LiteralFunction) {
      return this.#call(
        target,
        node.arguments.map((argument) => this.#read(argument, scope)),
      );
    }
    // A helper from a package, such as `defineConfig({ … })`, returns its argument.
    const [first] = node.arguments;
    if (!first || this.#modules.get(scope.file)?.imports.get(callee.name)?.file !== undefined) {
      return this.#unknown();
    }
    this.isWhole = before;
    const given = this.#read(first, scope);
    return given instanceof LiteralFunction ? this.#call(given, []) : given;
  }

  #call(target: LiteralFunction, values: readonly unknown[]): unknown {
    const { parameters, body, scope } = target;
    const named = parameters.flatMap((parameter, index): [string, unknown][] =>
      parameter.type === 'Identifier' ? [[parameter.name, values[index] ?? unknown]] : [],
    );
    const statements: readonly AnyNode[] = body.type === 'BlockStatement' ? body.body : [];
    const inner: Scope = {
      file: scope.file,
      values: new Map(named),
      declared: new Map(statements.flatMap(declarations)),
      parent: scope,
    };
    if (body.type !== 'BlockStatement') return this.#read(body, inner);
    for (const statement of statements) {
      if (statement.type !== 'ReturnStatement' || !statement.argument) continue;
      return this.#read(statement.argument, inner);
    }
    return this.#unknown();
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !(value instanceof LiteralFunction);
}

function moduleScope(file: string, { declared }: ParsedModule): Scope {
  return { file, values: new Map(), declared, parent: undefined };
}
