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
  readonly #compiled = new Map<string, RegExp | undefined>();
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
      return typeof key === 'string' ? this.#compile(key) : key;
    });
  }

  createOnigString(content: string): OnigString {
    return { content };
  }

  #compile(key: string): RegExp | undefined {
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

/** What a pattern found last in a text, which says what it finds further on. */
interface LastSearch {
  readonly from: number;
  readonly match: RegExpExecArray | null;
}

class PatternScanner implements OnigScanner {
  readonly #keys: readonly (string | RegExp)[];
  readonly #patternFor: (key: string | RegExp) => RegExp | undefined;
  readonly #last: (LastSearch | undefined)[] = [];
  #searched: string | OnigString = '';

  constructor(
    keys: readonly (string | RegExp)[],
    patternFor: (key: string | RegExp) => RegExp | undefined,
  ) {
    this.#keys = keys;
    this.#patternFor = patternFor;
  }

  /** The pattern that matches first in the text, the earlier one of several. */
  findNextMatchSync(text: string | OnigString, start: number): IOnigMatch | null {
    if (text !== this.#searched || typeof text === 'string') this.#last.length = 0;
    this.#searched = text;
    const content = typeof text === 'string' ? text : text.content;
    let best: RegExpExecArray | undefined;
    let bestIndex = 0;
    for (const [index, key] of this.#keys.entries()) {
      const match = this.#search(index, key, content, start);
      if (!match || (best && match.index >= best.index)) continue;
      best = match;
      bestIndex = index;
      if (match.index === start) break;
    }
    return best ? { index: bestIndex, captureIndices: capturesOf(best) } : null;
  }

  #search(
    index: number,
    key: string | RegExp,
    content: string,
    start: number,
  ): RegExpExecArray | null {
    const last = this.#last[index];
    if (last && last.from <= start && (!last.match || last.match.index >= start)) return last.match;
    const pattern = this.#patternFor(key);
    if (!pattern) return null;
    pattern.lastIndex = start;
    const match = pattern.exec(content);
    // What matches only where it begins to look says nothing of other places.
    const isReusable = !pattern.sticky && !isStrategic(pattern);
    this.#last[index] = isReusable ? { from: start, match } : undefined;
    return match;
  }
}

function isStrategic(pattern: RegExp): boolean {
  return pattern instanceof EmulatedRegExp && Boolean(pattern.rawOptions.strategy);
}

function capturesOf({ indices = [] }: RegExpExecArray): IOnigMatch['captureIndices'] {
  // A group without a match is undefined here, whatever the types of the language say.
  return (indices as readonly (readonly [number, number] | undefined)[]).map((place) => ({
    start: place?.[0] ?? NOWHERE,
    end: place?.[1] ?? NOWHERE,
    length: place ? place[1] - place[0] : 0,
  }));
}

/** @param captured what the tokeniser escaped, in the order in which the pattern refers to it */
function makePattern(pattern: TranslatedPattern, captured: readonly string[]): RegExp | undefined {
  if (pattern === null) return undefined;
  const [source, flags, emulation] = pattern;
  const filled = source.replace(capturedText, (_found, index: string) =>
    escapeText((captured[Number(index)] ?? '').replace(/\\(.)/gs, '$1')),
  );
  try {
    return emulation === undefined
      ? new RegExp(filled, flags)
      : new EmulatedRegExp(filled, flags, emulation);
  } catch {
    return undefined;
  }
}

function escapeText(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
