/**
 * Highlights code, a few lines at a time while the page is idle. Loaded with the first code block
 * in a known language.
 */
import {
  INITIAL,
  Registry,
  type IGrammar,
  type IToken,
  type StateStack,
} from '@shikijs/core/textmate';
import type { CodeThemeView } from '../../src/shared/protocol';
import { writeInFrame } from '../frames';
import { ScopeClasses } from './codeColors';
import type { GrammarName } from '../../src/shared/codeLanguages';
import type { CodeLine, ColoredSpan, HighlightTarget } from './codeText';
import { loadGrammars, OutOfTime, PatternScanners } from './grammars';

/** Time of one slice of work. A line that takes longer is started again in the next slice. */
const SLICE_MS = 8;
/** Maximum time to wait for an idle period. */
const IDLE_TIMEOUT_MS = 250;
/**
 * Limits of highlighted code. Longer code stays plain: nobody reads that much in a chat, and each
 * word is a node.
 */
const MAX_LINES = 5_000;
const MAX_CHARACTERS = 400_000;

interface Progress {
  readonly colorer: LineColorer;
  readonly grammar: string;
  readonly generation: number;
  lines: number;
  characters: number;
  /** Number of characters that are tokenized but not yet shown in color. */
  ahead: number;
}

/** A tokenized line with its colors. */
interface ReadLine {
  readonly target: HighlightTarget;
  readonly progress: Progress;
  readonly line: CodeLine;
  readonly spans: readonly ColoredSpan[] | undefined;
}

export class Highlighter {
  readonly #near: ReadonlySet<HighlightTarget>;
  readonly #readTheme: () => Promise<CodeThemeView | undefined>;
  readonly #classes = new ScopeClasses();
  readonly #colorers = new LineColorers(this.#classes);
  readonly #progress = new WeakMap<HighlightTarget, Progress>();
  #read: ReadLine[] = [];
  readonly #showRead = (): void => this.#show();
  /**
   * Whether the document has a selection. Asking the document itself would force a layout for each
   * line.
   */
  #hasSelection = false;
  #isScheduled = false;
  #isThemeRead: Promise<void>;
  #themeRequests = 0;

  /** @param near code that needs colors. The set changes while the view scrolls. */
  constructor(
    near: ReadonlySet<HighlightTarget>,
    readTheme: () => Promise<CodeThemeView | undefined>,
  ) {
    this.#near = near;
    this.#readTheme = readTheme;
    this.#isThemeRead = this.refreshTheme();
    document.addEventListener('selectionchange', () => {
      this.#hasSelection = document.getSelection()?.isCollapsed === false;
      if (!this.#hasSelection) this.wake();
    });
  }

  /** Schedules work, if there may be some. */
  wake(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    void this.#isThemeRead.then(() => {
      requestIdleCallback(() => this.#work(), { timeout: IDLE_TIMEOUT_MS });
    });
  }

  async refreshTheme(): Promise<void> {
    const request = ++this.#themeRequests;
    const theme = await this.#readTheme();
    // An older answer is outdated.
    if (request === this.#themeRequests) this.#classes.setTheme(theme);
  }

  #work(): void {
    this.#isScheduled = false;
    this.#readLines();
    if (this.#read.length > 0) writeInFrame(this.#showRead);
  }

  #readLines(): void {
    const end = performance.now() + SLICE_MS;
    for (const target of this.#near) {
      while (this.#readLine(target, end)) {
        if (performance.now() < end) continue;
        this.wake();
        return;
      }
    }
  }

  /** @returns whether there was a line to tokenize. */
  #readLine(target: HighlightTarget, deadline: number): boolean {
    const { text, element } = target;
    if (!element.isConnected || (this.#hasSelection && isSelected(element))) return false;
    const progress = this.#progressOf(target);
    if (!progress || progress.lines >= MAX_LINES || progress.characters >= MAX_CHARACTERS) {
      return false;
    }
    const line = text.nextLine(progress.ahead);
    if (!line) return false;
    const spans = progress.colorer.color(line.text, line.isComplete, deadline);
    if (spans === 'later') return true;
    this.#read.push({ target, progress, line, spans });
    progress.ahead += line.text.length;
    progress.lines++;
    progress.characters += line.text.length;
    return true;
  }

  /** Shows the tokenized lines in color. */
  #show(): void {
    const read = this.#read;
    this.#read = [];
    this.#classes.write();
    for (const readLine of read) {
      const { target, progress, line, spans } = readLine;
      const { text, element } = target;
      // The code was replaced meanwhile and will be tokenized again.
      if (this.#progress.get(target) !== progress || text.generation !== progress.generation) {
        continue;
      }
      if (this.#hasSelection && isSelected(element)) {
        this.#read.push(readLine);
        continue;
      }
      progress.ahead -= line.text.length;
      // A last line may have grown meanwhile.
      if (text.nextLine()?.text === line.text) text.color(line, spans);
      else this.wake();
    }
  }

  #progressOf(target: HighlightTarget): Progress | undefined {
    const { grammar } = target;
    const { generation } = target.text;
    if (grammar === undefined) return undefined;
    const known = this.#progress.get(target);
    if (known?.grammar === grammar && known.generation === generation) return known;
    const colorer = this.#colorers.colorerFor(grammar, () => this.wake());
    if (!colorer) return undefined;
    const fresh = { colorer, grammar, generation, lines: 0, characters: 0, ahead: 0 };
    this.#progress.set(target, fresh);
    return fresh;
  }
}

/**
 * Returns whether the element holds a selection. Its nodes must stay, or the selection would be
 * lost.
 */
function isSelected(element: Element): boolean {
  return document.getSelection()?.containsNode(element, true) === true;
}

/** Maximum length of a highlighted line. Patterns may take time that grows faster than the line. */
const MAX_LINE_LENGTH = 1_000;
/**
 * Maximum number of attempts to tokenize a line. The first line of a language compiles hundreds of
 * patterns, which later attempts reuse.
 */
const MAX_ATTEMPTS = 40;
/** Extra time for each further attempt. It stays too short to be noticed. */
const MORE_PER_ATTEMPT_MS = 1;
/** Number of failed lines after which a block stays plain. */
const MAX_GIVEN_UP = 5;

/** Tokenizes code of all languages, line by line. */
class LineColorers {
  readonly #scanners = new PatternScanners();
  readonly #registry: Registry;
  readonly #classes: ScopeClasses;
  readonly #raw = new Map<string, Parameters<Registry['addGrammar']>[0]>();
  /** Grammars that were asked for. Undefined while one loads, and if it can't be loaded. */
  readonly #grammars = new Map<GrammarName, IGrammar | undefined>();

  constructor(classes: ScopeClasses) {
    this.#classes = classes;
    this.#registry = new Registry({
      onigLib: this.#scanners,
      loadGrammar: (scope) => this.#raw.get(scope),
    });
  }

  /** @param onLoaded called when the grammar has loaded, if it was not there yet. */
  colorerFor(name: GrammarName, onLoaded: () => void): LineColorer | undefined {
    const grammar = this.#grammars.get(name);
    if (grammar) return new LineColorer(grammar, this.#classes, this.#scanners);
    if (!this.#grammars.has(name)) {
      this.#grammars.set(name, undefined);
      void this.#load(name).then(onLoaded);
    }
    return undefined;
  }

  async #load(name: GrammarName): Promise<void> {
    try {
      const [main, ...embedded] = await loadGrammars(name);
      for (const loaded of main ? [main, ...embedded] : []) {
        this.#scanners.add(loaded);
        this.#raw.set(loaded.grammar.scopeName, loaded.grammar);
      }
      const grammar = main && this.#registry.loadGrammar(main.grammar.scopeName);
      this.#grammars.set(name, grammar ?? undefined);
    } catch {
      // Without its grammar, code stays plain.
    }
  }
}

/** Tokenizes the lines of one text, each once. It keeps the state between lines. */
class LineColorer {
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
   * @param isComplete whether the line ends with a line break.
   * @param deadline time of `performance.now()` after which the line is left for later.
   * @returns undefined for a line that stays plain.
   */
  color(line: string, isComplete: boolean, deadline: number): ColoredSpan[] | 'later' | undefined {
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
      // The browser may not support a pattern. The next line may not need it.
      this.#attempts = 0;
      return undefined;
    }
  }

  #spans(line: string, tokens: readonly IToken[]): ColoredSpan[] {
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
