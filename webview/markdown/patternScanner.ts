/** Finds patterns in lines for the tokeniser, from those that the build translated. */
import type { IOnigMatch, OnigScanner, OnigString } from '@shikijs/core/textmate';
import { createJavaScriptRawEngine } from '@shikijs/engine-javascript/raw';
import { EmulatedRegExp } from 'oniguruma-to-es';
import type { TranslatedGrammar, TranslatedPattern } from './grammars';

/** Stands around the number of a captured text that a pattern refers to. */
const capturedText = /\ue000(\d+)\ue000/g;
/** Patterns that were made for one captured text, such as the end of a here document. */
const MAX_MADE = 500;

const engine = createJavaScriptRawEngine();
const nothing: OnigScanner = { findNextMatchSync: () => null };

/** The patterns of all grammars that were loaded, each compiled when it is first looked for. */
export class PatternScanners {
  readonly #patterns = new Map<string, TranslatedGrammar['patterns']>();
  readonly #compiled = new Map<string, RegExp | undefined>();
  #madeCount = 0;

  add({ grammar, patterns }: TranslatedGrammar): void {
    // The name that the build puts before each index.
    if (grammar.name !== undefined) this.#patterns.set(grammar.name, patterns);
  }

  createOnigScanner(keys: readonly (string | RegExp)[]): OnigScanner {
    const found = keys.map((key) => (typeof key === 'string' ? this.#compile(key) : key));
    if (found.every((pattern) => pattern === undefined)) return nothing;
    return scannerOf(found);
  }

  createOnigString(content: string): OnigString {
    return engine.createString(content);
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

/** A pattern that is missing keeps its place, as places say which rule has matched. */
function scannerOf(patterns: readonly (RegExp | undefined)[]): OnigScanner {
  const places = patterns.flatMap((pattern, index) => (pattern ? [index] : []));
  const scanner = engine.createScanner(patterns.filter((pattern) => pattern !== undefined));
  return {
    findNextMatchSync: (text, start, settings): IOnigMatch | null => {
      const match = scanner.findNextMatchSync(text, start, settings);
      return match && { ...match, index: places[match.index] ?? 0 };
    },
  };
}
