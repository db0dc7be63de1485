/** Finds patterns in lines for the tokeniser, from those that the build translated. */
import type { IOnigMatch, OnigScanner, OnigString } from '@shikijs/core/textmate';
import { EmulatedRegExp } from 'oniguruma-to-es';
import type { TranslatedGrammar, TranslatedPattern } from './grammars';

/** Stands around the number of a captured text that a pattern refers to. */
const capturedText = /\ue000(\d+)\ue000/g;
/** Patterns that were made for one captured text, such as the end of a here document. */
const MAX_MADE = 500;
/** Where a group that took no part in a match begins and ends. */
const NOWHERE = 0xffffffff;

/** Thrown where the time for a line is over. */
export class OutOfTime extends Error {}

/**
 * The patterns of all grammars that were loaded. Each is compiled when it is first looked for,
 * which takes longer than looking: the time is asked after each of them.
 */
export class PatternScanners {
  readonly #patterns = new Map<string, TranslatedGrammar['patterns']>();
  readonly #compiled = new Map<string, Pattern | undefined>();
  #madeCount = 0;
  #deadline = Infinity;

  add({ grammar, patterns }: TranslatedGrammar): void {
    // The name that the build puts before each index.
    if (grammar.name !== undefined) this.#patterns.set(grammar.name, patterns);
  }

  /** @throws {OutOfTime} later, while a line is read after that time of `performance.now()`. */
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
  /** The number that each of its groups has for the grammar; absent where it is the same. */
  readonly groups?: readonly number[] | undefined;
}

interface Match {
  readonly found: RegExpExecArray;
  readonly groups: readonly number[] | undefined;
}

/** What a pattern found last in a text, which says what it finds further on. */
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

  /** The pattern that matches first in the text, the earlier one of several. */
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
    // What matches only where it begins to look says nothing of other places.
    const isReusable = !regExp.sticky && !isStrategic(regExp);
    this.#last[index] = isReusable ? { from: start, match } : undefined;
    return match;
  }
}

function isStrategic(pattern: RegExp): boolean {
  return pattern instanceof EmulatedRegExp && Boolean(pattern.rawOptions.strategy);
}

function capturesOf({ found, groups }: Match): IOnigMatch['captureIndices'] {
  // A group without a match is undefined here, whatever the types of the language say.
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

/** @param captured what the tokeniser escaped, in the order in which the pattern refers to it */
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
