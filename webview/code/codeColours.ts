/**
 * Which colour a theme gives to a piece of code, by TextMate's rules: the longest scope wins, then
 * the more precise surroundings, then the later rule. Pure.
 */
import type { CodeThemeView } from '../../src/shared/protocol';

export interface CodeStyle {
  /** A CSS colour; undefined for the colour that all code has. */
  readonly foreground: string | undefined;
  /** Words as TextMate has them, such as `italic bold`; undefined for none. */
  readonly fontStyle: string | undefined;
}

interface Selector {
  /** Innermost first. */
  readonly parents: readonly string[];
  readonly order: number;
  readonly foreground: string | undefined;
  readonly fontStyle: string | undefined;
}

export class CodeColours {
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

  /** @param path scopes from the language's own, such as `source.ts`, to the innermost */
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

  /** Most specific first. */
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

/** @param from index in the path of the innermost scope that may be the first of the parents */
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

/** For readers whose theme cannot be read: VS Code's own variables, which every theme has. */
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
