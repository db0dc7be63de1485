/**
 * Loads grammars by name, each from a file of its own, and matches their patterns for the
 * tokenizer.
 */
import type { IRawGrammar, IOnigMatch, OnigScanner, OnigString } from '@shikijs/core/textmate';
import { EmulatedRegExp } from 'oniguruma-to-es';
import type { GrammarName } from '../../src/shared/codeLanguages';

/** A grammar as `grammarPlugin.mjs` writes it. */
export interface TranslatedGrammar {
  /**
   * The grammar with keys instead of patterns: `<name>:<index>`, and the text that the tokenizer
   * looks for.
   */
  readonly grammar: IRawGrammar;
  /** Patterns by index, then by the anchors that may match: none, `\G`, `\A`, or both. */
  readonly patterns: readonly (readonly TranslatedPattern[])[];
}

/**
 * A pattern translated to JavaScript, or null if JavaScript can't express it. `groups` holds the
 * original numbers of the groups that were kept. It is absent if all were kept.
 */
export type TranslatedPattern =
  | readonly [
      source: string,
      flags: string,
      emulation?: PatternEmulation | null,
      groups?: readonly number[],
    ]
  | null;

/** Features of a pattern that JavaScript lacks and `oniguruma-to-es` emulates. */
interface PatternEmulation {
  readonly hiddenCaptures?: number[];
  readonly strategy?: string | null;
  readonly transfers?: [number, number[]][];
}

type Loader = () => Promise<{ readonly default: TranslatedGrammar }>;

const loaders: Readonly<Record<GrammarName, Loader>> = {
  c: () => import('grammar:c'),
  csharp: () => import('grammar:csharp'),
  css: () => import('grammar:css'),
  diff: () => import('grammar:diff'),
  docker: () => import('grammar:docker'),
  go: () => import('grammar:go'),
  graphql: () => import('grammar:graphql'),
  html: () => import('grammar:html'),
  http: () => import('grammar:http'),
  ini: () => import('grammar:ini'),
  java: () => import('grammar:java'),
  javascript: () => import('grammar:javascript'),
  json: () => import('grammar:json'),
  jsonc: () => import('grammar:jsonc'),
  kotlin: () => import('grammar:kotlin'),
  markdown: () => import('grammar:markdown'),
  mermaid: () => import('grammar:mermaid'),
  php: () => import('grammar:php'),
  powershell: () => import('grammar:powershell'),
  python: () => import('grammar:python'),
  ruby: () => import('grammar:ruby'),
  rust: () => import('grammar:rust'),
  shellscript: () => import('grammar:shellscript'),
  shellsession: () => import('grammar:shellsession'),
  sql: () => import('grammar:sql'),
  swift: () => import('grammar:swift'),
  toml: () => import('grammar:toml'),
  tsx: () => import('grammar:tsx'),
  typescript: () => import('grammar:typescript'),
  xml: () => import('grammar:xml'),
  yaml: () => import('grammar:yaml'),
};

/** Languages embedded in other languages that are highlighted too. */
const embedded: Partial<Record<GrammarName, readonly GrammarName[]>> = {
  html: ['css', 'javascript'],
  http: ['json'],
  php: ['html', 'css', 'javascript'],
  shellsession: ['shellscript'],
};

/** Loads a grammar and the grammars that it embeds. The grammar itself comes first. */
export async function loadGrammars(name: GrammarName): Promise<readonly TranslatedGrammar[]> {
  const modules = await Promise.all(
    [name, ...(embedded[name] ?? [])].map((wanted) => loaders[wanted]()),
  );
  return modules.map((loaded) => loaded.default);
}

/** A captured text that a pattern refers to by number. */
const capturedText = /\ue000(\d+)\ue000/g;
/** Maximum number of patterns made for captured texts, such as the end of a here document. */
const MAX_MADE = 500;
/** Start and end of a group that did not take part in a match. */
const NOWHERE = 0xffffffff;

/** Thrown when the time for a line is over. */
export class OutOfTime extends Error {}

/**
 * Holds the patterns of all loaded grammars. Each pattern is compiled when it is first used, which
 * takes longer than matching, so the deadline is checked after each.
 */
export class PatternScanners {
  readonly #patterns = new Map<string, TranslatedGrammar['patterns']>();
  readonly #compiled = new Map<string, Pattern | undefined>();
  #madeCount = 0;
  #deadline = Infinity;

  add({ grammar, patterns }: TranslatedGrammar): void {
    // The build puts this name before each index.
    if (grammar.name !== undefined) this.#patterns.set(grammar.name, patterns);
  }

  /** @throws {OutOfTime} later, when a line is tokenized after that time of `performance.now()`. */
  setDeadline(time: number): void {
    this.#deadline = time;
  }

  createOnigScanner(keys: readonly (string | RegExp)[]): OnigScanner {
    return new PatternScanner(keys, (key) => {
      if (performance.now() > this.#deadline) throw new OutOfTime();
      return typeof key === 'string' ? this.#compile(key) : { regExp: key };
    });
  }

  createOnigString(content: string): OnigString {
    return { content };
  }

  #compile(key: string): Pattern | undefined {
    if (this.#compiled.has(key)) return this.#compiled.get(key);
    const [name = '', ...marks] = key.split('\u0001');
    const anchors = marks.filter((mark) => /^\\[AG\uffff]$/.test(mark));
    const variant = anchors.reduce((sum, mark) => sum * 2 + (mark === '\\\uffff' ? 0 : 1), 0);
    const captured = marks.slice(anchors.length);
    const [grammar = '', index = ''] = name.split(':');
    const pattern = this.#patterns.get(grammar)?.[Number(index)]?.[variant] ?? null;
    if (captured.length > 0 && ++this.#madeCount > MAX_MADE) {
      this.#compiled.clear();
      this.#madeCount = 0;
    }
    const made = makePattern(pattern, captured);
    this.#compiled.set(key, made);
    return made;
  }
}

interface Pattern {
  readonly regExp: RegExp;
  /** Original number of each group of the pattern. Absent if the numbers are the same. */
  readonly groups?: readonly number[] | undefined;
}

interface Match {
  readonly found: RegExpExecArray;
  readonly groups: readonly number[] | undefined;
}

/** The last match of a pattern in a text. It is reused for positions before the match. */
interface LastSearch {
  readonly from: number;
  readonly match: Match | null;
}

class PatternScanner implements OnigScanner {
  readonly #keys: readonly (string | RegExp)[];
  readonly #patternFor: (key: string | RegExp) => Pattern | undefined;
  readonly #last: (LastSearch | undefined)[] = [];
  #searched: string | OnigString = '';

  constructor(
    keys: readonly (string | RegExp)[],
    patternFor: (key: string | RegExp) => Pattern | undefined,
  ) {
    this.#keys = keys;
    this.#patternFor = patternFor;
  }

  /**
   * Returns the first match in the text. If several patterns match there, the earlier pattern wins.
   */
  findNextMatchSync(text: string | OnigString, start: number): IOnigMatch | null {
    if (text !== this.#searched || typeof text === 'string') this.#last.length = 0;
    this.#searched = text;
    const content = typeof text === 'string' ? text : text.content;
    let best: Match | undefined;
    let bestIndex = 0;
    for (const [index, key] of this.#keys.entries()) {
      const match = this.#search(index, key, content, start);
      if (!match || (best && match.found.index >= best.found.index)) continue;
      best = match;
      bestIndex = index;
      if (match.found.index === start) break;
    }
    return best ? { index: bestIndex, captureIndices: capturesOf(best) } : null;
  }

  #search(index: number, key: string | RegExp, content: string, start: number): Match | null {
    const last = this.#last[index];
    if (last && last.from <= start && (!last.match || last.match.found.index >= start)) {
      return last.match;
    }
    const pattern = this.#patternFor(key);
    if (!pattern) return null;
    const { regExp, groups } = pattern;
    regExp.lastIndex = start;
    const found = regExp.exec(content);
    const match = found && { found, groups };
    // A pattern that matches only at its start position says nothing about other positions.
    const isReusable = !regExp.sticky && !isStrategic(regExp);
    this.#last[index] = isReusable ? { from: start, match } : undefined;
    return match;
  }
}

function isStrategic(pattern: RegExp): boolean {
  return pattern instanceof EmulatedRegExp && Boolean(pattern.rawOptions.strategy);
}

function capturesOf({ found, groups }: Match): IOnigMatch['captureIndices'] {
  // A group that did not take part is undefined here, in spite of the type.
  const places: readonly (readonly [number, number] | undefined)[] = found.indices ?? [];
  if (!groups) return places.map(captureAt);
  const captures = Array.from({ length: (groups.at(-1) ?? 0) + 1 }, () => captureAt(undefined));
  captures[0] = captureAt(places[0]);
  groups.forEach((number, index) => {
    captures[number] = captureAt(places[index + 1]);
  });
  return captures;
}

function captureAt(
  place: readonly [number, number] | undefined,
): IOnigMatch['captureIndices'][number] {
  const [start, end] = place ?? [NOWHERE, NOWHERE];
  return { start, end, length: end - start };
}

/** @param captured texts that the tokenizer escaped, in the order of the pattern's references. */
function makePattern(pattern: TranslatedPattern, captured: readonly string[]): Pattern | undefined {
  if (pattern === null) return undefined;
  const [source, flags, emulation, groups] = pattern;
  const filled = source.replace(capturedText, (_found, index: string) =>
    escapeText((captured[Number(index)] ?? '').replace(/\\(.)/gs, '$1')),
  );
  try {
    const regExp = emulation
      ? new EmulatedRegExp(filled, flags, emulation)
      : new RegExp(filled, flags);
    return { regExp, groups };
  } catch {
    return undefined;
  }
}

function escapeText(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
