/**
 * Finds the color of a piece of code in a theme by TextMate's rules: the longest scope wins, then
 * the more specific parents, then the later rule. This file needs no DOM.
 */
import type { CodeThemeView } from '../../src/shared/protocol';

interface CodeStyle {
  /** A CSS color, or undefined for the general color of code. */
  readonly foreground: string | undefined;
  /** Words of TextMate such as `italic bold`, or undefined for none. */
  readonly fontStyle: string | undefined;
}

interface Selector {
  /** Parent scopes, innermost first. */
  readonly parents: readonly string[];
  readonly order: number;
  readonly foreground: string | undefined;
  readonly fontStyle: string | undefined;
}

export class CodeColors {
  readonly #byScope = new Map<string, Selector[]>();

  constructor(rules: CodeThemeView['rules']) {
    rules.forEach(({ scope, foreground, fontStyle }, order) => {
      for (const selector of scope) {
        const segments = selector.trim().split(/\s+/);
        const leaf = segments.pop();
        if (leaf === undefined || leaf === '') continue;
        const entry: Selector = {
          parents: segments.reverse(),
          order,
          foreground,
          fontStyle,
        };
        const known = this.#byScope.get(leaf);
        if (known) known.push(entry);
        else this.#byScope.set(leaf, [entry]);
      }
    });
    for (const selectors of this.#byScope.values()) selectors.sort(bySpecificity);
  }

  /** @param path scopes from the outermost, such as `source.ts`, to the innermost. */
  styleOf(path: readonly string[]): CodeStyle {
    let foreground: string | undefined;
    let fontStyle: string | undefined;
    path.forEach((scope, index) => {
      const matching = this.#matching(scope, path, index);
      foreground =
        matching.find((found) => found.foreground !== undefined)?.foreground ?? foreground;
      fontStyle = matching.find((found) => found.fontStyle !== undefined)?.fontStyle ?? fontStyle;
    });
    return { foreground, fontStyle: fontStyle === '' ? undefined : fontStyle };
  }

  /** Returns the selectors that match the scope, the most specific first. */
  #matching(scope: string, path: readonly string[], index: number): Selector[] {
    const found: Selector[] = [];
    for (let name = scope; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('.')))) {
      const selectors = this.#byScope.get(name) ?? [];
      found.push(...selectors.filter(({ parents }) => areAround(parents, path, index - 1)));
    }
    return found;
  }
}

function bySpecificity(left: Selector, right: Selector): number {
  const length = Math.min(left.parents.length, right.parents.length);
  for (let index = 0; index < length; index++) {
    const difference = (right.parents[index]?.length ?? 0) - (left.parents[index]?.length ?? 0);
    if (difference !== 0) return difference;
  }
  return right.parents.length - left.parents.length || right.order - left.order;
}

/** @param from index in the path of the innermost scope that may match the first parent. */
function areAround(parents: readonly string[], path: readonly string[], from: number): boolean {
  let at = from;
  let mustBeNext = false;
  for (const parent of parents) {
    if (parent === '>') {
      mustBeNext = true;
      continue;
    }
    while (at >= 0 && !isWithin(path[at] ?? '', parent)) {
      if (mustBeNext) return false;
      at--;
    }
    if (at < 0) return false;
    at--;
    mustBeNext = false;
  }
  return true;
}

function isWithin(scope: string, wanted: string): boolean {
  return scope === wanted || scope.startsWith(`${wanted}.`);
}

const expression = (kind: string): string => `var(--vscode-debugTokenExpression-${kind})`;

/**
 * Rules for themes that can't be read. They use VS Code's own variables, which every theme defines.
 */
export const fallbackRules: CodeThemeView['rules'] = [
  { scope: ['comment'], foreground: 'var(--vscode-descriptionForeground)', fontStyle: 'italic' },
  {
    scope: ['keyword', 'storage', 'variable.language', 'entity.name.tag'],
    foreground: expression('name'),
  },
  { scope: ['keyword.operator'], foreground: 'var(--vscode-editor-foreground)' },
  { scope: ['string', 'punctuation.definition.string'], foreground: expression('string') },
  { scope: ['constant.numeric'], foreground: expression('number') },
  {
    scope: [
      'constant.language',
      'support.constant',
      'entity.name.type',
      'support.type',
      'support.class',
    ],
    foreground: expression('boolean'),
  },
  {
    scope: ['entity.name.function', 'support.function'],
    foreground: 'var(--vscode-symbolIcon-functionForeground)',
  },
  { scope: ['markup.heading', 'markup.bold'], fontStyle: 'bold' },
  { scope: ['markup.italic'], fontStyle: 'italic' },
  {
    scope: ['markup.inserted'],
    foreground: 'var(--vscode-gitDecoration-addedResourceForeground)',
  },
  {
    scope: ['markup.deleted'],
    foreground: 'var(--vscode-errorForeground)',
  },
];

/**
 * Maximum number of scope paths that get a class. Code with other paths keeps the general color.
 */
const MAX_CLASSES = 3_000;

/**
 * Gives each scope path a class, and the classes their colors in one style sheet. A new theme
 * changes only the sheet and not the document.
 */
export class ScopeClasses {
  readonly #sheet = new CSSStyleSheet();
  readonly #names = new Map<string, string | undefined>();
  /** Scope path of each rule of the sheet. */
  readonly #paths: (readonly string[])[] = [];
  /** Number of paths that have a rule. The other rules come with {@link ScopeClasses.write}. */
  #written = 0;
  #colors = new CodeColors(fallbackRules);

  constructor() {
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, this.#sheet];
  }

  /** @param theme undefined if it could not be read. */
  setTheme(theme: CodeThemeView | undefined): void {
    this.#colors = new CodeColors(theme?.rules ?? fallbackRules);
    this.#written = 0;
    this.write();
  }

  /**
   * Writes the colors of new classes. Call it in a frame, because the browser then looks at all
   * styles again.
   */
  write(): void {
    for (; this.#written < this.#paths.length; this.#written++) {
      const index = this.#written;
      const { cssRules } = this.#sheet;
      if (index === cssRules.length) this.#sheet.insertRule(`.code-text .code-${index} {}`, index);
      const rule = cssRules[index];
      const style = this.#colors.styleOf(this.#paths[index] ?? []);
      if (rule instanceof CSSStyleRule) applyStyle(rule.style, style);
    }
  }

  /** @param scopes from the outermost to the innermost. */
  nameFor(scopes: readonly string[]): string | undefined {
    // A path of only the language has the general color.
    if (scopes.length < 2) return undefined;
    const path = withoutRepeats(scopes);
    const key = path.join(' ');
    if (this.#names.has(key)) return this.#names.get(key);
    if (this.#paths.length >= MAX_CLASSES) return undefined;
    const name = `code-${this.#paths.length}`;
    this.#paths.push(path);
    this.#names.set(key, name);
    return name;
  }
}

/** Removes repeated scopes. Nested blocks make ever longer paths that no theme tells apart. */
function withoutRepeats(scopes: readonly string[]): string[] {
  return scopes.filter((scope, index) => scopes.lastIndexOf(scope) === index);
}

/** Applies the style as CSS properties, so that a value from a theme can't add other rules. */
function applyStyle(style: CSSStyleDeclaration, { foreground, fontStyle = '' }: CodeStyle): void {
  const lines = [
    ...(fontStyle.includes('underline') ? ['underline'] : []),
    ...(fontStyle.includes('strikethrough') ? ['line-through'] : []),
  ];
  style.color = foreground ?? '';
  style.fontStyle = fontStyle.includes('italic') ? 'italic' : '';
  style.fontWeight = fontStyle.includes('bold') ? 'bold' : '';
  style.textDecorationLine = lines.join(' ');
}
