import { isBuiltin } from 'node:module';

/** Maximum characters of a package's name, from npm. */
const MAX_NAME = 214;
/** Letters of names: old packages have upper case and signs that npm no longer allows. */
const packageName = /^(?:@[a-z\d-][\w.~-]*\/)?[a-z\d-][\w.~!'()*-]*$/i;
/** Names that npm refuses, because they mean something else. */
const reservedNames = new Set(['node_modules', 'favicon.ico']);

/**
 * Returns whether a package can have this name. A name that passes is safe as a part of a path: it has no `..`
 * and no separator except the one behind a scope.
 */
export function isPackageName(name: string): boolean {
  return (
    name.length <= MAX_NAME && packageName.test(name) && !reservedNames.has(name.toLowerCase())
  );
}

/**
 * Returns the package of an import specifier: `@acme/sdk` for `@acme/sdk/client`.
 * @returns undefined for files, URLs, aliases such as `#x` and `@/x`, and Node's own modules.
 */
export function packageOfSpecifier(specifier: string): string | undefined {
  if (isBuiltin(specifier)) return undefined;
  const [name = ''] = /^(?:@[^/]*\/)?[^/]*/.exec(specifier) ?? [];
  return isPackageName(name) ? name : undefined;
}

/**
 * Returns the name of the package at a folder by its place: `@acme/sdk` for `/x/node_modules/@acme/sdk`.
 * @returns undefined if the folder isn't directly in a `node_modules`.
 */
export function nameOfPlace(folder: string): string | undefined {
  const [, name = ''] = /^.*[\\/]node_modules[\\/](.+)$/s.exec(folder) ?? [];
  const plain = name.replaceAll('\\', '/');
  return isPackageName(plain) ? plain : undefined;
}

const DOUBLE_QUOTE = 34;
const SINGLE_QUOTE = 39;
const SLASH = 47;
const STAR = 42;
const DOT = 46;
const OPEN = 40;
const BACKSLASH = 92;
const LINE_FEED = 10;

/** Matches a word. It is used at one position at a time. */
const word = /[\w$]+/y;
const blank = /\s/;
const typesReference =
  /^\/\/\/[ \t]{0,20}<reference[ \t]{1,20}types[ \t]?=[ \t]?["']([^"'\n]{1,300})/;
const docImports = [
  /\bimport\(\s?["']([^"'\n]{1,300})["']/g,
  /@import\b[^@"']{0,400}\bfrom\s?["']([^"'\n]{1,300})["']/g,
];

/**
 * Returns the packages that JavaScript or TypeScript imports, in order, each once: with `import`, `export … from`,
 * `require`, `import()`, and types in the comments. The text doesn't have to be valid, and can be that of a file
 * with such code in it, such as a component of Vue. Takes linear time.
 */
export function packagesImportedIn(source: string): string[] {
  const names = new Set<string>();
  for (const specifier of new ImportScanner(source).specifiers()) {
    const name = packageOfSpecifier(specifier);
    if (name !== undefined) names.add(name);
  }
  return [...names];
}

class ImportScanner {
  readonly #source: string;
  #at = 0;
  /** Word that makes the next string a specifier. */
  #keyword: 'import' | 'from' | 'require' | undefined;
  /** Whether the rest of the text has no end of a comment. */
  #hasNoCommentEnd = false;
  /** Position before which each kind of quote doesn't begin a string, because none ends in that line. */
  readonly #looseUntil = new Map<number, number>();

  constructor(source: string) {
    this.#source = source;
  }

  *specifiers(): Generator<string> {
    const source = this.#source;
    while (this.#at < source.length) {
      const code = source.charCodeAt(this.#at);
      if (code === SLASH && source.charCodeAt(this.#at + 1) === SLASH) yield* this.#lineComment();
      else if (code === SLASH && source.charCodeAt(this.#at + 1) === STAR)
        yield* this.#blockComment();
      else if (code === SINGLE_QUOTE || code === DOUBLE_QUOTE) yield* this.#string(code);
      else this.#code(code);
    }
  }

  *#lineComment(): Generator<string> {
    const end = this.#source.indexOf('\n', this.#at);
    const comment = this.#source.slice(this.#at, end < 0 ? undefined : end);
    this.#at += comment.length;
    const [, types] = typesReference.exec(comment) ?? [];
    if (types !== undefined) yield types;
  }

  *#blockComment(): Generator<string> {
    const start = this.#at;
    const end = this.#hasNoCommentEnd ? -1 : this.#source.indexOf('*/', start + 2);
    if (end < 0) {
      // Without an end, it is part of a regular expression or of text.
      this.#hasNoCommentEnd = true;
      this.#at += 2;
      return;
    }
    this.#at = end + 2;
    if (this.#source.charCodeAt(start + 2) !== STAR) return;
    const comment = this.#source.slice(start, end);
    for (const pattern of docImports) {
      for (const [, specifier = ''] of comment.matchAll(pattern)) yield specifier;
    }
  }

  *#string(quote: number): Generator<string> {
    const start = this.#at + 1;
    const keyword = this.#keyword;
    this.#keyword = undefined;
    this.#at = start;
    if (start <= (this.#looseUntil.get(quote) ?? -1)) return;
    const source = this.#source;
    for (let at = start; ; at++) {
      const code = at < source.length ? source.charCodeAt(at) : LINE_FEED;
      if (code === BACKSLASH) at++;
      else if (code === LINE_FEED) {
        // The quote is an apostrophe in text or in a regular expression.
        this.#looseUntil.set(quote, at);
        return;
      } else if (code === quote) {
        this.#at = at + 1;
        if (keyword !== undefined) yield source.slice(start, at);
        return;
      }
    }
  }

  #code(code: number): void {
    word.lastIndex = this.#at;
    const [text = ''] = word.exec(this.#source) ?? [];
    if (text !== '') {
      const isMember = this.#source.charCodeAt(this.#at - 1) === DOT;
      this.#at += text.length;
      if (isMember && text === 'resolve' && this.#keyword === 'require') return;
      const isKeyword = text === 'import' || text === 'from' || text === 'require';
      this.#keyword = isKeyword && !isMember ? text : undefined;
      return;
    }
    const isKept =
      blank.test(this.#source.charAt(this.#at)) ||
      (code === OPEN && this.#keyword !== 'from') ||
      (code === DOT && this.#keyword === 'require');
    if (!isKept) this.#keyword = undefined;
    this.#at++;
  }
}

/** Returns the package of DefinitelyTyped with the types of another one: `@types/acme__sdk` for `@acme/sdk`. */
export function typesPackageOf(name: string): string {
  return `@types/${name.replace(/^@/, '').replace('/', '__')}`;
}
