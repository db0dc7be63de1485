/**
 * Gives code its colours, a few lines whenever the view has nothing better to do. Loaded with the
 * first code block of a known language.
 */
import type { CodeThemeView } from '../../src/shared/protocol';
import { writeInFrame } from '../frames';
import type { HighlightTarget } from './codeHighlighting';
import type { CodeLine, ColouredSpan } from './codeText';
import { LineColourers, type LineColourer } from './lineColourer';
import { ScopeClasses } from './scopeClasses';

/** A slice of work. A line that is not read by then is begun anew in the next one. */
const SLICE_MS = 8;
/** Idle time that has not come by then is taken. */
const IDLE_TIMEOUT_MS = 250;
/** Code beyond these stays plain: nobody reads that much in a chat, and each word is a node. */
const MAX_LINES = 5_000;
const MAX_CHARACTERS = 400_000;

interface Progress {
  readonly colourer: LineColourer;
  readonly grammar: string;
  readonly generation: number;
  lines: number;
  characters: number;
  /** Characters that are read and not shown in their colours yet. */
  ahead: number;
}

/** A line that has been read, and how it is to be shown. */
interface ReadLine {
  readonly target: HighlightTarget;
  readonly progress: Progress;
  readonly line: CodeLine;
  readonly spans: readonly ColouredSpan[] | undefined;
}

export class Highlighter {
  readonly #near: ReadonlySet<HighlightTarget>;
  readonly #readTheme: () => Promise<CodeThemeView | undefined>;
  readonly #classes = new ScopeClasses();
  readonly #colourers = new LineColourers(this.#classes);
  readonly #progress = new WeakMap<HighlightTarget, Progress>();
  #read: ReadLine[] = [];
  readonly #showRead = (): void => this.#show();
  /** Asking the document itself would lay it out, line by line. */
  #hasSelection = false;
  #isScheduled = false;
  #isThemeRead: Promise<void>;
  #themeRequests = 0;

  /** @param near the code that is to have colours; it changes while the view scrolls */
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

  /** There may be something to do. */
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
    // An older answer says nothing any more.
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

  /** @returns whether there was a line to read */
  #readLine(target: HighlightTarget, deadline: number): boolean {
    const { text, element } = target;
    if (!element.isConnected || (this.#hasSelection && isSelected(element))) return false;
    const progress = this.#progressOf(target);
    if (!progress || progress.lines >= MAX_LINES || progress.characters >= MAX_CHARACTERS) {
      return false;
    }
    const line = text.nextLine(progress.ahead);
    if (!line) return false;
    const spans = progress.colourer.colour(line.text, line.isComplete, deadline);
    if (spans === 'later') return true;
    this.#read.push({ target, progress, line, spans });
    progress.ahead += line.text.length;
    progress.lines++;
    progress.characters += line.text.length;
    return true;
  }

  /** Shows what was read in its colours. */
  #show(): void {
    const read = this.#read;
    this.#read = [];
    for (const readLine of read) {
      const { target, progress, line, spans } = readLine;
      const { text, element } = target;
      // It is other code by now, which is read anew.
      if (this.#progress.get(target) !== progress || text.generation !== progress.generation) {
        continue;
      }
      if (this.#hasSelection && isSelected(element)) {
        this.#read.push(readLine);
        continue;
      }
      progress.ahead -= line.text.length;
      // A last line may have grown since.
      if (text.nextLine()?.text === line.text) text.colour(line, spans);
      else this.wake();
    }
  }

  #progressOf(target: HighlightTarget): Progress | undefined {
    const { grammar } = target;
    const { generation } = target.text;
    if (grammar === undefined) return undefined;
    const known = this.#progress.get(target);
    if (known?.grammar === grammar && known.generation === generation) return known;
    const colourer = this.#colourers.colourerFor(grammar, () => this.wake());
    if (typeof colourer === 'string') return undefined;
    const fresh = { colourer, grammar, generation, lines: 0, characters: 0, ahead: 0 };
    this.#progress.set(target, fresh);
    return fresh;
  }
}

/** What somebody has selected keeps its nodes, or the selection would be lost. */
function isSelected(element: Element): boolean {
  return document.getSelection()?.containsNode(element, true) === true;
}
