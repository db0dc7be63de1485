/** The declarations, imports and exports of a declaration file. */
import { declaredMembers, type Member } from './members';
import { endsBefore, isBody, signatureText } from './signatures';
import { lineAt, type Tokens, tokensOf } from './tokens';

export type DeclarationKind =
  | 'function'
  | 'class'
  | 'interface'
  | 'type'
  | 'enum'
  | 'namespace'
  | 'variable';

/** One declaration of a name. Overloads and merged declarations are several. */
export interface Declaration {
  readonly kind: DeclarationKind;
  readonly name: string;
  /**
   * Text without `export`, `declare` and comments. That of a class, an interface, an enum or a namespace ends before
   * its body.
   */
  readonly signature: string;
  /** Doc comment with its marks, or an empty text. */
  readonly doc: string;
  /** Line of the name, from 1. */
  readonly line: number;
  readonly isExported: boolean;
  readonly isDefault: boolean;
  /** Members of a class, an interface or an enum, or the documented fields of object types in the signature. */
  readonly members: readonly Member[];
  /** Content of a namespace. */
  readonly scope?: Scope;
}

/** A name that an `import` or `export` takes from a module. */
export interface ModuleName {
  /** Name in the module, `*` for the module itself, or `=` for what `import x = require()` takes. */
  readonly name: string;
  readonly from: string;
}

/** A name that an `import x = a.b` takes from the names of the file. */
export interface EntityName {
  readonly path: readonly string[];
}

/** An entry of `export { a as b }`. Its target is a name of the file if it isn't taken from a module. */
export interface ExportedName {
  readonly name: string;
  readonly target: ModuleName | EntityName;
  readonly doc: string;
  readonly line: number;
}

/** The content of a file, a namespace or an ambient module. */
export interface Scope {
  readonly declarations: Map<string, Declaration[]>;
  readonly imports: Map<string, ModuleName | EntityName>;
  readonly exports: ExportedName[];
  /** Modules of `export * from`. */
  readonly stars: string[];
  /** Name of `export =`. */
  equals: EntityName | undefined;
  /** Whether an `export { }`, `export *` or `export =` says what is exported. Otherwise, all declarations are. */
  hasExportList: boolean;
  /** Whether there is any import or export, which makes a file a module. */
  isModule: boolean;
  /** Contents of `declare module 'x'` by the module's name. */
  readonly modules: Map<string, Scope>;
  /** Content of `declare global`. */
  global: Scope | undefined;
}

export interface DeclarationFile extends Scope {
  /** Doc comment of the file itself, with its marks. */
  readonly doc: string;
  /** Paths in `/// <reference path="…" />`. */
  readonly references: readonly string[];
  /** Lines of statements that could not be read. */
  readonly unread: readonly number[];
}

/** Maximum number of namespaces in one another. */
const MAX_NESTING = 40;
/** Number of statements after which other work can have a turn. */
const STATEMENTS_PER_TURN = 30;

/**
 * Reads a declaration file as far as it can be read. Statements that are no declarations are left out. Yields when
 * other work can have a turn.
 */
export function* readDeclarations(source: string): Generator<undefined, DeclarationFile> {
  const tokens = yield* tokensOf(source);
  const reader = new Reader(tokens);
  const scope = emptyScope();
  yield* reader.read(scope, 0, tokens.texts.length, 0);
  const { fileDoc, references } = tokens;
  return {
    ...scope,
    doc: fileDoc ? source.slice(fileDoc.start, fileDoc.end) : '',
    references,
    unread: reader.unread,
  };
}

function emptyScope(): Scope {
  return {
    declarations: new Map(),
    imports: new Map(),
    exports: [],
    stars: [],
    equals: undefined,
    hasExportList: false,
    isModule: false,
    modules: new Map(),
    global: undefined,
  };
}

interface Statement {
  readonly doc: string;
  readonly isExported: boolean;
  readonly isDefault: boolean;
}

const modifiers = new Set(['export', 'default', 'declare', 'abstract', 'async']);

class Reader {
  readonly unread: number[] = [];
  readonly #tokens: Tokens;
  #statements = 0;

  constructor(tokens: Tokens) {
    this.#tokens = tokens;
  }

  /** Reads the statements from one token to another. */
  *read(scope: Scope, start: number, end: number, depth: number): Generator<undefined, void> {
    for (let at = start; at < end;) {
      const next: number = yield* this.#statement(scope, at, end, depth);
      at = Math.max(at + 1, next);
      if (++this.#statements % STATEMENTS_PER_TURN === 0) yield;
    }
  }

  /** Reads a statement. Returns the index of the token after it. */
  *#statement(
    scope: Scope,
    start: number,
    end: number,
    depth: number,
  ): Generator<undefined, number> {
    const { texts, docs, source } = this.#tokens;
    if (texts[start] === ';' || texts[start] === '}') return start + 1;
    const place = docs.get(start);
    const doc = place ? source.slice(place.start, place.end) : '';
    let at = start;
    let isExported = false;
    let isDefault = false;
    // A type can be named `declare`, so a modifier must stand before another word.
    while (modifiers.has(texts[at] ?? '') && this.#isWord(at + 1)) {
      const after = texts[at + 2] ?? '';
      // `export type { a }` and `export as namespace a` declare nothing.
      if (texts[at + 1] === 'type' && (after === '{' || after === '*')) break;
      if (texts[at] === 'export' && texts[at + 1] === 'as' && after === 'namespace') break;
      isExported ||= texts[at] === 'export';
      isDefault ||= texts[at] === 'default';
      if (texts[at] === 'abstract' && texts[at + 1] === 'class') break;
      at++;
    }
    if (isExported) scope.isModule = true;
    const statement: Statement = { doc, isExported, isDefault };
    const word = texts[at] ?? '';
    const isNamed = this.#isWord(at + 1);
    switch (word) {
      case 'import':
        return this.#import(scope, at, end, isExported);
      case 'export':
        return this.#export(scope, at, end, doc);
      case 'function':
        return this.#function(scope, at, end, statement);
      case 'abstract':
      case 'class':
        return this.#withBody(scope, at, end, 'class', statement);
      case 'interface':
        if (isNamed) return this.#withBody(scope, at, end, 'interface', statement);
        break;
      case 'enum':
        if (isNamed) return this.#withBody(scope, at, end, 'enum', statement);
        break;
      case 'type':
        if (isNamed) {
          const stop = endsBefore(this.#tokens, at, end);
          return this.#add(scope, 'type', at, at + 1, stop, statement);
        }
        break;
      case 'const':
      case 'let':
      case 'var':
      case 'using':
        if (texts[at + 1] === 'enum') return this.#withBody(scope, at, end, 'enum', statement);
        if (isNamed || texts[at + 1] === '{') return this.#variables(scope, at, end, statement);
        break;
      case 'namespace':
      case 'module':
        if (isNamed || /^["']/.test(texts[at + 1] ?? ''))
          return yield* this.#namespace(scope, at, end, depth, statement);
        break;
      case 'global':
        if (texts[at + 1] === '{') {
          scope.global ??= emptyScope();
          yield* this.#body(scope.global, at + 1, end, depth);
          return this.#after(at + 1);
        }
        break;
    }
    const stop = endsBefore(this.#tokens, at, end);
    // A modifier stands before a word, so a `default` can be left before a bracket.
    const value = isExported && word === 'default' ? at + 1 : at;
    if (isDefault || value > at) this.#exportDefault(scope, value, stop, statement);
    else this.unread.push(this.#line(start));
    return stop;
  }

  #isWord(index: number): boolean {
    return /^[\p{L}\p{N}_$#]/u.test(this.#tokens.texts[index] ?? '');
  }

  #line(index: number): number {
    return lineAt(this.#tokens, this.#tokens.starts[index] ?? 0);
  }

  /** Returns the index after a token, and after its closing bracket if it opens one. */
  #after(index: number): number {
    return Math.max(index, this.#tokens.closes[index] ?? -1) + 1;
  }

  *#body(scope: Scope, open: number, end: number, depth: number): Generator<undefined, void> {
    if (depth >= MAX_NESTING) {
      this.unread.push(this.#line(open));
      return;
    }
    yield* this.read(scope, open + 1, Math.min(this.#after(open) - 1, end), depth + 1);
  }

  /** Adds a declaration whose signature goes from one token to another. Returns the second one. */
  #add(
    scope: Scope,
    kind: DeclarationKind,
    start: number,
    nameAt: number,
    end: number,
    { doc, isExported, isDefault }: Statement,
    body?: { readonly members?: readonly Member[]; readonly scope?: Scope },
  ): number {
    const written = this.#tokens.texts[nameAt] ?? '';
    const name = /^[\p{L}_$]/u.test(written) && nameAt > start ? written : 'default';
    const line = this.#line(Math.min(nameAt, end - 1));
    add(scope, {
      kind,
      name,
      signature: signatureText(this.#tokens, start, end),
      doc,
      line,
      isExported,
      isDefault,
      members: body?.members ?? declaredMembers(this.#tokens, start, end),
      scope: body?.scope,
    });
    if (isDefault) {
      scope.exports.push({ name: 'default', target: { path: [name] }, doc: '', line });
    }
    return end;
  }

  #function(scope: Scope, at: number, end: number, statement: Statement): number {
    const { texts } = this.#tokens;
    const nameAt = texts[at + 1] === '*' ? at + 2 : at + 1;
    let stop = endsBefore(this.#tokens, at, end);
    const signatureEnd = texts[stop - 1] === ';' ? stop - 1 : stop;
    // A function of a source file has a body.
    for (let next = at; next < stop; next = this.#after(next)) {
      if (!isBody(this.#tokens, next)) continue;
      stop = this.#after(next);
      this.#add(scope, 'function', at, nameAt, next, statement);
      return stop;
    }
    this.#add(scope, 'function', at, nameAt, signatureEnd, statement);
    return stop;
  }

  /** Reads a class, an interface or an enum. */
  #withBody(
    scope: Scope,
    at: number,
    end: number,
    kind: 'class' | 'interface' | 'enum',
    statement: Statement,
  ): number {
    const { texts } = this.#tokens;
    let nameAt = at + 1;
    while (['class', 'enum'].includes(texts[nameAt] ?? '')) nameAt++;
    let open = nameAt;
    // `extends A<{ b: string }>` has braces in brackets, and `extends { a: 1 }` in none.
    while (open < end && texts[open] !== '{') open = this.#after(open);
    if (open >= end) {
      this.unread.push(this.#line(at));
      return endsBefore(this.#tokens, at, end);
    }
    const stop = Math.min(this.#after(open), end);
    const members = declaredMembers(this.#tokens, open, stop, kind);
    this.#add(scope, kind, at, nameAt, open, statement, { members });
    return stop;
  }

  #variables(scope: Scope, at: number, end: number, statement: Statement): number {
    const { texts, source, starts } = this.#tokens;
    const stop = endsBefore(this.#tokens, at, end);
    const keyword = `${texts[at] ?? 'const'} `;
    const last = texts[stop - 1] === ';' ? stop - 1 : stop;
    let nameAt = at + 1;
    if (texts[nameAt] === '{') {
      this.#pattern(scope, nameAt, last, statement);
      return stop;
    }
    for (let next = nameAt; next <= last; next = this.#after(next)) {
      if (next < last && texts[next] !== ',') continue;
      const name = texts[nameAt] ?? '';
      if (/^[\p{L}_$]/u.test(name)) {
        const place = nameAt === at + 1 ? undefined : this.#tokens.docs.get(nameAt);
        add(scope, {
          kind: 'variable',
          name,
          signature: keyword + signatureText(this.#tokens, nameAt, next),
          doc: place ? source.slice(place.start, place.end) : statement.doc,
          line: lineAt(this.#tokens, starts[nameAt] ?? 0),
          isExported: statement.isExported,
          isDefault: false,
          members: declaredMembers(this.#tokens, nameAt, next),
        });
      }
      nameAt = next + 1;
    }
    return stop;
  }

  /** Reads the names of `const { a, b: c }: Type`. */
  #pattern(scope: Scope, open: number, end: number, statement: Statement): void {
    const { texts } = this.#tokens;
    const close = this.#after(open) - 1;
    const type = signatureText(this.#tokens, close + 1, end);
    for (let at = open + 1; at < close; at++) {
      const isRenamed = texts[at + 1] === ':';
      const name = texts[isRenamed ? at + 2 : at] ?? '';
      if (/^[\p{L}_$]/u.test(name)) {
        add(scope, {
          kind: 'variable',
          name,
          signature: `const { ${isRenamed ? `${texts[at] ?? ''}: ` : ''}${name} }${type}`,
          doc: statement.doc,
          line: this.#line(at),
          isExported: statement.isExported,
          isDefault: false,
          members: [],
        });
      }
      while (at < close && texts[at] !== ',') at = this.#after(at);
    }
  }

  *#namespace(
    scope: Scope,
    at: number,
    end: number,
    depth: number,
    statement: Statement,
  ): Generator<undefined, number> {
    const { texts } = this.#tokens;
    const first = texts[at + 1] ?? '';
    let open = at + 1;
    while (open < end && texts[open] !== '{' && texts[open] !== ';') {
      if (open > at + 1 && this.#tokens.breaks[open] === true && texts[open - 1] !== '.') break;
      open++;
    }
    const isOpen = open < end && texts[open] === '{';
    if (/^["']/.test(first)) {
      const name = first.slice(1, -1);
      const module = scope.modules.get(name) ?? emptyScope();
      scope.modules.set(name, module);
      if (isOpen) yield* this.#body(module, open, end, depth);
      return isOpen ? this.#after(open) : open;
    }
    if (!isOpen) {
      this.unread.push(this.#line(at));
      return open;
    }
    // `namespace a.b { }` is `b` in `a`.
    let inner = scope;
    for (let nameAt = at + 1; nameAt < open && nameAt < at + 2 * MAX_NESTING; nameAt += 2) {
      const content = emptyScope();
      const isFirst = nameAt === at + 1;
      this.#add(
        inner,
        'namespace',
        at,
        nameAt,
        nameAt + 1,
        {
          doc: isFirst ? statement.doc : '',
          isExported: isFirst ? statement.isExported : true,
          isDefault: false,
        },
        { members: [], scope: content },
      );
      inner = content;
    }
    yield* this.#body(inner, open, end, depth);
    return this.#after(open);
  }

  /** Reads `import …`, after an `export` if the import is exported. */
  #import(scope: Scope, at: number, end: number, isExported: boolean): number {
    const { texts } = this.#tokens;
    scope.isModule = true;
    const stop = endsBefore(this.#tokens, at, end);
    let next = at + 1;
    if (texts[next] === 'type' && texts[next + 1] !== 'from' && texts[next + 1] !== '=') next++;
    const name = texts[next] ?? '';
    if (texts[next + 1] === '=') {
      const isRequire = texts[next + 2] === 'require' && texts[next + 3] === '(';
      const target = isRequire
        ? { name: '=', from: unquoted(texts[next + 4]) }
        : { path: this.#path(next + 2, stop) };
      scope.imports.set(name, target);
      if (isExported) {
        scope.exports.push({ name, target, doc: '', line: this.#line(next) });
      }
      return stop;
    }
    const from = unquoted(texts.slice(at, Math.min(stop, at + 20_000)).findLast(isString));
    if (texts[next] !== '{' && texts[next] !== '*' && this.#isWord(next)) {
      scope.imports.set(name, { name: 'default', from });
      next += texts[next + 1] === ',' ? 2 : 1;
    }
    if (texts[next] === '*') {
      scope.imports.set(texts[next + 2] ?? '', { name: '*', from });
    } else if (texts[next] === '{') {
      for (const { name: imported, as } of this.#names(next)) {
        scope.imports.set(as, { name: imported, from });
      }
    }
    return stop;
  }

  /** Reads the `export` statements that declare nothing. */
  #export(scope: Scope, at: number, end: number, doc: string): number {
    const { texts, docs, source } = this.#tokens;
    scope.isModule = true;
    const stop = endsBefore(this.#tokens, at, end);
    let next = at + 1;
    if (texts[next] === 'type') next++;
    if (texts[next] === '=') {
      scope.equals = { path: this.#path(next + 1, stop) };
      scope.hasExportList = true;
    } else if (texts[next] === '*') {
      scope.hasExportList = true;
      const isNamed = texts[next + 1] === 'as';
      const from = unquoted(texts[next + (isNamed ? 4 : 2)]);
      const name = unquoted(texts[next + 2]);
      if (!isNamed) scope.stars.push(from);
      else scope.exports.push({ name, target: { name: '*', from }, doc, line: this.#line(next) });
    } else if (texts[next] === '{') {
      scope.hasExportList = true;
      const close = this.#after(next);
      const from = texts[close] === 'from' ? unquoted(texts[close + 1]) : undefined;
      for (const { name, as, at: nameAt } of this.#names(next)) {
        const place = docs.get(nameAt);
        scope.exports.push({
          name: as,
          target: from === undefined ? { path: [name] } : { name, from },
          doc: place ? source.slice(place.start, place.end) : '',
          line: this.#line(nameAt),
        });
      }
    } else if (texts[next] === 'as') {
      // `export as namespace X` names a global variable.
      return stop;
    } else this.unread.push(this.#line(at));
    return stop;
  }

  /** Reads the name of `export default a.b`, or a value of a source file that has no name. */
  #exportDefault(scope: Scope, at: number, stop: number, statement: Statement): void {
    const { texts } = this.#tokens;
    scope.hasExportList = true;
    scope.isModule = true;
    const path = this.#path(at, stop);
    const after = at + 2 * path.length - 1;
    const isName =
      /^[\p{L}_$]/u.test(path[0] ?? '') &&
      (after >= stop || /^(?:;|as|satisfies)$/.test(texts[after] ?? ''));
    if (!isName) {
      this.#add(scope, 'variable', at, at, stop, { ...statement, isDefault: true });
      return;
    }
    const { doc } = statement;
    scope.exports.push({ name: 'default', target: { path }, doc, line: this.#line(at) });
  }

  /** Returns the names of `{ a, type b as c }`. */
  #names(open: number): { name: string; as: string; at: number }[] {
    const { texts } = this.#tokens;
    const close = this.#after(open) - 1;
    const names: { name: string; as: string; at: number }[] = [];
    for (let at = open + 1; at < close; at++) {
      if (texts[at] === ',') continue;
      const first = at;
      const hasType = texts[at] === 'type' && ![',', '}', 'as'].includes(texts[at + 1] ?? '}');
      if (hasType) at++;
      const name = unquoted(texts[at]);
      let as = name;
      if (texts[at + 1] === 'as') {
        as = unquoted(texts[at + 2]);
        at += 2;
      }
      names.push({ name, as, at: first });
      while (at + 1 < close && texts[at + 1] !== ',') at++;
    }
    return names;
  }

  /** Returns the names of `a.b.c`. */
  #path(at: number, end: number): string[] {
    const { texts } = this.#tokens;
    const path: string[] = [];
    for (let next = at; next < end && path.length < MAX_NESTING; next += 2) {
      path.push(texts[next] ?? '');
      if (texts[next + 1] !== '.') break;
    }
    return path;
  }
}

function add({ declarations }: Scope, declaration: Declaration): void {
  const found = declarations.get(declaration.name);
  if (found) found.push(declaration);
  else declarations.set(declaration.name, [declaration]);
}

function isString(text: string): boolean {
  return /^["'`]/.test(text);
}

function unquoted(text = ''): string {
  return isString(text) ? text.slice(1, -1) : text;
}
