import type { CodeThemeView } from '../../src/shared/protocol';
import { CodeColours, fallbackRules, type CodeStyle } from './codeColours';

/** Different surroundings of code that get a class; code in others keeps the general colour. */
const MAX_CLASSES = 3_000;

/**
 * A class for each kind of code, by its scopes, and one style sheet that gives the classes their
 * colours. What is in the document says nothing of a theme: another theme changes the sheet only.
 */
export class ScopeClasses {
  readonly #sheet = new CSSStyleSheet();
  readonly #names = new Map<string, string | undefined>();
  /** The path of each rule of the sheet. */
  readonly #paths: (readonly string[])[] = [];
  #colours = new CodeColours(fallbackRules);

  constructor() {
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, this.#sheet];
  }

  /** @param theme undefined where it could not be read */
  setTheme(theme: CodeThemeView | undefined): void {
    this.#colours = new CodeColours(theme?.rules ?? fallbackRules);
    this.#paths.forEach((path, index) => {
      const rule = this.#sheet.cssRules[index];
      if (rule instanceof CSSStyleRule) applyStyle(rule.style, this.#colours.styleOf(path));
    });
  }

  /** @param scopes from the language's own to the innermost */
  nameFor(scopes: readonly string[]): string | undefined {
    // Code in nothing but its language, and what is a wrapper only, have the general colour.
    if (scopes.length < 2) return undefined;
    const path = withoutRepeats(scopes);
    const key = path.join(' ');
    if (this.#names.has(key)) return this.#names.get(key);
    if (this.#paths.length >= MAX_CLASSES) return undefined;
    const name = `code-${this.#paths.length}`;
    const index = this.#sheet.insertRule(`.code-text .${name} {}`, this.#paths.length);
    const rule = this.#sheet.cssRules[index];
    if (rule instanceof CSSStyleRule) applyStyle(rule.style, this.#colours.styleOf(path));
    this.#paths.push(path);
    this.#names.set(key, name);
    return name;
  }
}

/** Blocks within blocks make ever longer paths that no theme tells apart: each scope once. */
function withoutRepeats(scopes: readonly string[]): string[] {
  return scopes.filter((scope, index) => scopes.lastIndexOf(scope) === index);
}

/** Set as properties, so that a value can be nothing else than a value. */
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
