import type { CodeThemeView } from '../../src/shared/protocol';
import type { ViewActions } from '../viewActions';
import type { GrammarName } from './codeLanguages';
import type { CodeText } from './codeText';
import type { Highlighter } from './highlighter';

/** Pixels beyond the edges of the view within which code gets its colours. */
const NEAR_PX = 600;

const byView = new WeakMap<object, CodeHighlighting>();

/** The one of a view. Call its `themeChanged` on the event `code-theme-changed`. */
export function codeHighlighting(actions: Pick<ViewActions, 'codeTheme'>): CodeHighlighting {
  const known = byView.get(actions);
  if (known) return known;
  const created = new CodeHighlighting(() => actions.codeTheme());
  byView.set(actions, created);
  return created;
}

/** Code that wants colours. */
export interface HighlightTarget {
  readonly element: Element;
  readonly text: CodeText;
  /** Undefined for a language that is not known. */
  readonly grammar: GrammarName | undefined;
}

/**
 * Decides which code gets colours: what is near the view. What does the work is loaded with the
 * first such block, each grammar with the first block of its language.
 */
export class CodeHighlighting {
  readonly #readTheme: () => Promise<CodeThemeView | undefined>;
  readonly #targets = new WeakMap<Element, HighlightTarget>();
  readonly #near = new Set<HighlightTarget>();
  readonly #observer = new IntersectionObserver((entries) => this.#onMoved(entries), {
    rootMargin: `${NEAR_PX}px`,
    scrollMargin: `${NEAR_PX}px`,
  });
  #highlighter: Promise<Highlighter> | undefined;

  constructor(readTheme: () => Promise<CodeThemeView | undefined>) {
    this.#readTheme = readTheme;
  }

  /** Call when the code is new or has changed. */
  watch(target: HighlightTarget): void {
    if (this.#near.has(target)) {
      this.#wake();
      return;
    }
    if (target.grammar === undefined || this.#targets.has(target.element)) return;
    this.#targets.set(target.element, target);
    this.#observer.observe(target.element);
  }

  /** Call when the reader's theme has other colours now. Code is not read again for it. */
  themeChanged(): void {
    void this.#highlighter?.then((highlighter) => highlighter.refreshTheme());
  }

  #onMoved(entries: readonly IntersectionObserverEntry[]): void {
    // The last entry of an element says how it is now.
    for (const { target, isIntersecting } of entries) {
      const found = this.#targets.get(target);
      if (!found) continue;
      if (isIntersecting) this.#near.add(found);
      else this.#near.delete(found);
    }
    if (this.#near.size > 0) this.#wake();
  }

  #wake(): void {
    this.#highlighter ??= import('./highlighter').then(
      (loaded) => new loaded.Highlighter(this.#near, this.#readTheme),
    );
    this.#highlighter.then(
      (highlighter) => highlighter.wake(),
      () => {
        // It could not be loaded: code stays as it is, without colours.
      },
    );
  }
}
