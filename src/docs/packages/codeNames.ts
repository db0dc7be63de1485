/** The names of packages that JavaScript and TypeScript use, with their places. */
import { tsPlugin } from '@sveltejs/acorn-typescript';
import { Parser } from 'acorn';
import {
  bindingsOf,
  boundBy,
  chainOf,
  childrenOf,
  type CodeNode,
  moduleOf,
  nameOf,
  nodesIn,
  Scope,
  textOf,
} from './codeScopes';

/** A place in code that names something of a module. */
export interface CodeName {
  /** Module as it is written. */
  readonly module: string;
  /** Names one behind the other: `['z', 'string']`. Empty for the module itself, `default` for its default export. */
  readonly names: readonly string[];
  /** Whether the code has taken a name out of the module before, so that the place doesn't name the module itself. */
  readonly isTaken: boolean;
  /** Whether the place is an import, or passes the name on with `export … from`. */
  readonly isImport: boolean;
  /** Line and column, from 1. */
  readonly line: number;
  readonly column: number;
}

const TypeScriptParser = Parser.extend(tsPlugin());
const JsxParser = Parser.extend(tsPlugin({ jsx: {} }));

/**
 * Returns the places in code that name something of some modules, in their order. Comments, texts and local names
 * that hide an import don't count, nor do members of values that are only known by their type.
 * @param file name of the file. Its ending says how the code is read.
 * @param isWanted tells which modules count, as they are written.
 * @returns undefined if the code can't be parsed.
 */
export function codeNames(
  file: string,
  source: string,
  isWanted: (module: string) => boolean,
): readonly CodeName[] | undefined {
  try {
    const program = parsed(file, scriptsOf(file, source));
    return program && new NameFinder(isWanted).find(program);
  } catch {
    // Code that is nested too deeply is more than the stack takes.
    return undefined;
  }
}

function parsed(file: string, source: string): CodeNode | undefined {
  const isTypeScript = /\.[cm]?ts$/i.test(file);
  // Types in angle brackets, which components can have, look like elements.
  const parsers = component.test(file)
    ? [JsxParser, TypeScriptParser]
    : [isTypeScript ? TypeScriptParser : JsxParser];
  const texts = [source, withoutConstParameters(source)];
  for (const parser of parsers) {
    for (const text of texts) {
      for (const sourceType of ['module', 'script'] as const) {
        try {
          const program = parser.parse(text, {
            sourceType,
            ecmaVersion: 'latest',
            // The parser for TypeScript needs them.
            locations: true,
            allowHashBang: true,
            allowReturnOutsideFunction: true,
          });
          return nodesIn(program)[0];
        } catch (error) {
          if (!(error instanceof SyntaxError)) throw error;
        }
      }
    }
  }
  return undefined;
}

/** Returns code without the `const` of type parameters, which the parser doesn't know, at the same positions. */
function withoutConstParameters(source: string): string {
  return source.replace(
    /(?<=[<,]\s{0,200})const(?=\s{1,200}[\w$]+\s{0,200}(?:extends\b|[,>=]))/g,
    '     ',
  );
}

const component = /\.(?:vue|svelte|astro)$/i;

/** Returns the scripts of a component of Vue, Svelte or Astro at the same positions, or all of another file. */
function scriptsOf(file: string, source: string): string {
  if (!component.test(file)) return source;
  const scripts = /<script\b[^>]{0,500}>([^]*?)<\/script\s*>|^---\r?\n([^]*?)\r?\n---/gi;
  let code = '';
  let end = 0;
  for (const match of source.matchAll(scripts)) {
    const script = match[1] ?? match[2] ?? '';
    const start = match.index + match[0].indexOf(script);
    code += blank(source.slice(end, start)) + script;
    end = start + script.length;
  }
  return code;
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}

/** Kinds of nodes whose own names are no uses, by the fields that have them. */
const ownNames: Readonly<Partial<Record<string, readonly string[]>>> = {
  BreakStatement: ['label'],
  ClassDeclaration: ['id'],
  ClassExpression: ['id'],
  ContinueStatement: ['label'],
  FunctionDeclaration: ['id'],
  FunctionExpression: ['id'],
  JSXAttribute: ['name'],
  JSXElement: ['closingElement'],
  LabeledStatement: ['label'],
  TSDeclareFunction: ['id'],
  TSEnumDeclaration: ['id'],
  TSEnumMember: ['id'],
  TSImportEqualsDeclaration: ['id'],
  TSInterfaceDeclaration: ['id'],
  TSModuleDeclaration: ['id'],
  TSNamedTupleMember: ['label'],
  TSNamespaceExportDeclaration: ['id'],
  TSTypeAliasDeclaration: ['id'],
  TSTypeParameter: ['name'],
  TSTypePredicate: ['parameterName'],
};

/** Kinds of nodes that have a key, which is only a use if it is computed. */
const keyed = new Set([
  'Property',
  'PropertyDefinition',
  'MethodDefinition',
  'TSPropertySignature',
  'TSMethodSignature',
]);

class NameFinder {
  readonly #isWanted: (module: string) => boolean;
  readonly #found: CodeName[] = [];
  /** Imports by the functions that take their modules, as in `import('x').then((x) => …)`. */
  readonly #awaited = new Map<CodeNode, CodeNode>();

  constructor(isWanted: (module: string) => boolean) {
    this.#isWanted = isWanted;
  }

  find(program: CodeNode): readonly CodeName[] {
    this.#visit(program, new Scope(undefined, new Map()));
    return this.#found.sort((a, b) => a.line - b.line || a.column - b.column);
  }

  #visit(node: CodeNode, outer: Scope): void {
    const awaited = this.#awaited.get(node);
    const inner = bindingsOf(node, outer, this.#isWanted, awaited);
    const scope = inner ? new Scope(outer, inner) : outer;
    if (awaited) this.#destructured(awaited, scope);
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ExportAllDeclaration':
        this.#imported(node);
        return;
      case 'ExportNamedDeclaration':
        if (node['source']) {
          this.#imported(node);
          return;
        }
        break;
      case 'ExportSpecifier':
        this.#visitField(node, 'local', scope);
        return;
      case 'TSImportEqualsDeclaration':
      case 'TSImportType':
      case 'ImportExpression':
      case 'CallExpression':
        this.#module(node);
        this.#addAwaited(node);
        break;
      case 'Identifier':
      case 'JSXIdentifier':
        this.#used(node, [], scope);
        this.#visitField(node, 'typeAnnotation', scope);
        return;
      case 'MemberExpression':
      case 'JSXMemberExpression':
      case 'TSQualifiedName':
        this.#member(node, scope);
        return;
      case 'VariableDeclarator':
        this.#destructured(node, scope);
        this.#pattern(node['id'], scope);
        this.#visitField(node, 'init', scope);
        return;
      case 'CatchClause':
        this.#pattern(node['param'], scope);
        this.#visitField(node, 'body', scope);
        return;
      case 'JSXNamespacedName':
        return;
    }
    const skipped = ownNames[node.type] ?? [];
    const isKeyed = keyed.has(node.type) && node['computed'] !== true;
    for (const [field, child] of childrenOf(node)) {
      if (skipped.includes(field) || (isKeyed && field === 'key')) continue;
      if (field === 'params' || field === 'parameters') this.#parameter(child, scope);
      else this.#visit(child, scope);
    }
  }

  #visitField(node: CodeNode, field: string, scope: Scope): void {
    for (const [name, child] of childrenOf(node)) if (name === field) this.#visit(child, scope);
  }

  #parameter(node: CodeNode, scope: Scope): void {
    // Arguments of types have the same name as parameters of functions.
    if (/^(?:TS(?!ParameterProperty)|JSX)/.test(node.type)) this.#visit(node, scope);
    else this.#pattern(node, scope);
  }

  /** Visits what a pattern has besides the names that it declares: defaults, computed keys and types. */
  #pattern(value: unknown, scope: Scope): void {
    for (const node of nodesIn(value)) {
      this.#visitField(node, 'typeAnnotation', scope);
      this.#visitField(node, 'decorators', scope);
      switch (node.type) {
        case 'Identifier':
          break;
        case 'AssignmentPattern':
          this.#pattern(node['left'], scope);
          this.#visitField(node, 'right', scope);
          break;
        case 'Property':
          if (node['computed'] === true) this.#visitField(node, 'key', scope);
          this.#pattern(node['value'], scope);
          break;
        case 'ObjectPattern':
          this.#pattern(node['properties'], scope);
          break;
        case 'ArrayPattern':
          this.#pattern(node['elements'], scope);
          break;
        case 'RestElement':
          this.#pattern(node['argument'], scope);
          break;
        case 'TSParameterProperty':
          this.#pattern(node['parameter'], scope);
          break;
        default:
          this.#visit(node, scope);
      }
    }
  }

  /** Finds the names of a chain such as `z.object`, as far as they are written. */
  #member(node: CodeNode, scope: Scope): void {
    const { root, names, computed } = chainOf(node);
    for (const each of computed) this.#visit(each, scope);
    if (root.type === 'Identifier' || root.type === 'JSXIdentifier') {
      this.#used(root, names, scope);
      return;
    }
    const module = moduleOf(root);
    if (module !== undefined && this.#isWanted(module))
      this.#add({ module, names }, root, false, false);
    this.#visit(root, scope);
  }

  /** Finds the names that a pattern takes out of a module or of one of its names. */
  #destructured({ id, init }: CodeNode, scope: Scope): void {
    const [pattern] = nodesIn(id);
    const [value] = nodesIn(init);
    if (pattern?.type !== 'ObjectPattern' || !value) return;
    const from = boundBy(value, scope, this.#isWanted);
    if (!from) return;
    for (const property of nodesIn(pattern['properties'])) {
      const [key] = nodesIn(property['key']);
      const name = key && nameOf(key, property['computed'] === true);
      if (key && name !== undefined)
        this.#add({ ...from, names: [...from.names, name] }, key, true);
    }
  }

  /** Remembers the function of `import('x').then(…)` with what its parameter is. */
  #addAwaited(node: CodeNode): void {
    const [callee] = nodesIn(node['callee']);
    const [then] = nodesIn(callee?.['property']);
    const [init] = nodesIn(callee?.['object']);
    const [taker] = nodesIn(node['arguments']);
    const [id] = nodesIn(taker?.['params']);
    if (init?.type === 'ImportExpression' && then && nameOf(then, false) === 'then' && taker && id)
      this.#awaited.set(taker, { ...taker, id, init });
  }

  #used(node: CodeNode, names: readonly string[], scope: Scope): void {
    const binding = scope.find(String(node['name']));
    if (!binding) return;
    const named = { ...binding, names: [...binding.names, ...names] };
    this.#add(named, node, false, isName(binding));
  }

  #imported(node: CodeNode): void {
    const [source] = nodesIn(node['source']);
    const module = source && textOf(source);
    if (module === undefined || !this.#isWanted(module)) return;
    const specifiers = nodesIn(node['specifiers']);
    if (specifiers.length === 0) this.#add({ module, names: [] }, node, true);
    for (const specifier of specifiers) {
      const { type } = specifier;
      const [named] = nodesIn(specifier['imported'] ?? specifier['local']);
      const name = type === 'ImportDefaultSpecifier' ? 'default' : named && nameOf(named, false);
      const isAll = type === 'ImportNamespaceSpecifier' || name === undefined;
      this.#add({ module, names: isAll ? [] : [name] }, specifier, true);
    }
  }

  /** Finds `require`, `import()`, `import x = require()` and types such as `import('x').Name`. */
  #module(node: CodeNode): void {
    const module = moduleOf(node);
    if (module === undefined || !this.#isWanted(module)) return;
    const names: string[] = [];
    let [at] = nodesIn(node['qualifier']);
    while (at) {
      const [name] = nodesIn(at['right'] ?? at);
      names.unshift((name && nameOf(name, false)) ?? '');
      [at] = nodesIn(at['left']);
    }
    this.#add({ module, names }, node, true);
  }

  #add(
    named: Pick<CodeName, 'module' | 'names'>,
    { loc: { start } }: CodeNode,
    isImport: boolean,
    isTaken = isName(named),
  ): void {
    const { line, column } = start;
    this.#found.push({ ...named, isImport, isTaken, line, column: column + 1 });
  }
}

/** Returns whether names stand for something of a module, rather than for the module itself. */
function isName({ names: [first = 'default'] }: Pick<CodeName, 'names'>): boolean {
  return first !== 'default';
}
