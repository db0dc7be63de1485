import {
  INITIAL,
  Registry,
  type IGrammar,
  type IToken,
  type StateStack,
} from '@shikijs/core/textmate';
import type { GrammarName } from './codeLanguages';
import type { ColouredSpan } from './codeText';
import { loadGrammars } from './grammars';
import { OutOfTime, PatternScanners } from './patternScanner';
import type { ScopeClasses } from './scopeClasses';

/** A longer line stays plain: patterns may take time that grows faster than the line. */
const MAX_LINE_LENGTH = 1_000;
/**
 * How often a line is begun anew after its time was over. The first line of a language compiles
 * hundreds of patterns, which the next attempt has already.
 */
const MAX_ATTEMPTS = 40;
/** Each attempt may take longer than the one before, but never as long as would be felt. */
const MORE_PER_ATTEMPT_MS = 1;
/** Code of which so many lines were given up is no code, or made to be slow. */
const MAX_GIVEN_UP = 5;

/** Reads code of all languages, line by line. */
export class LineColourers {
  readonly #scanners = new PatternScanners();
  readonly #registry: Registry;
  readonly #classes: ScopeClasses;
  readonly #raw = new Map<string, Parameters<Registry['addGrammar']>[0]>();
  readonly #grammars = new Map<GrammarName, IGrammar | 'loading' | 'failed'>();

  constructor(classes: ScopeClasses) {
    this.#classes = classes;
    this.#registry = new Registry({
      onigLib: this.#scanners,
      loadGrammar: (scope) => this.#raw.get(scope),
    });
  }

  /** @param onLoaded called once the language can be read, if it cannot yet */
  colourerFor(name: GrammarName, onLoaded: () => void): LineColourer | 'later' | 'never' {
    const grammar = this.#grammars.get(name);
    if (grammar === 'failed') return 'never';
    if (grammar === 'loading') return 'later';
    if (grammar) return new LineColourer(grammar, this.#classes, this.#scanners);
    this.#grammars.set(name, 'loading');
    void this.#load(name).then(onLoaded);
    return 'later';
  }

  async #load(name: GrammarName): Promise<void> {
    try {
      const [main, ...embedded] = await loadGrammars(name);
      for (const loaded of main ? [main, ...embedded] : []) {
        this.#scanners.add(loaded);
        this.#raw.set(loaded.grammar.scopeName, loaded.grammar);
      }
      const grammar = main && this.#registry.loadGrammar(main.grammar.scopeName);
      this.#grammars.set(name, grammar ?? 'failed');
    } catch {
      this.#grammars.set(name, 'failed');
    }
  }
}

/** Reads the lines of one text, each once; it keeps what a line says about the next one. */
export class LineColourer {
  readonly #grammar: IGrammar;
  readonly #classes: ScopeClasses;
  readonly #scanners: PatternScanners;
  #state: StateStack = INITIAL;
  #attempts = 0;
  #givenUp = 0;

  constructor(grammar: IGrammar, classes: ScopeClasses, scanners: PatternScanners) {
    this.#grammar = grammar;
    this.#classes = classes;
    this.#scanners = scanners;
  }

  /**
   * @param isComplete whether this is all of the line; another one follows then
   * @param deadline time of `performance.now()` after which the line is left for later
   * @returns undefined for a line that stays as it is
   */
  colour(
    line: string,
    isComplete: boolean,
    deadline: number,
  ): ColouredSpan[] | 'later' | undefined {
    if (line.length > MAX_LINE_LENGTH || this.#givenUp > MAX_GIVEN_UP) return undefined;
    try {
      this.#scanners.setDeadline(deadline + this.#attempts * MORE_PER_ATTEMPT_MS);
      const { tokens, ruleStack } = this.#grammar.tokenizeLine(
        line.replace(/\n$/, ''),
        this.#state,
      );
      this.#attempts = 0;
      if (isComplete) this.#state = ruleStack;
      return this.#spans(line, tokens);
    } catch (error: unknown) {
      if (error instanceof OutOfTime && ++this.#attempts < MAX_ATTEMPTS) return 'later';
      this.#givenUp++;
      // A pattern that the browser cannot run; the next line may have none of it.
      this.#attempts = 0;
      return undefined;
    }
  }

  #spans(line: string, tokens: readonly IToken[]): ColouredSpan[] {
    const spans: { end: number; className: string | undefined }[] = [];
    for (const { startIndex, endIndex, scopes } of tokens) {
      const last = spans.at(-1);
      const isSpace = line.slice(startIndex, endIndex).trim() === '';
      const className = isSpace ? last?.className : this.#classes.nameFor(scopes);
      if (last && last.className === className) last.end = endIndex;
      else spans.push({ end: endIndex, className });
    }
    return spans;
  }
}
