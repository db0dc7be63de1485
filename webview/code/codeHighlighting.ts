import type { CodeThemeView } from '../../src/shared/protocol';
import type { ViewActions } from '../viewActions';
import type { HighlightTarget } from './codeText';
import type { Highlighter } from './highlighter';

/** Distance in pixels from the view within which code is highlighted. */
const NEAR_PX = 600;

const byView = new WeakMap<object, CodeHighlighting>();

/**
 * Returns the highlighting of a view. Call its `themeChanged` on the event `code-theme-changed`.
 */
export function codeHighlighting(actions: Pick<ViewActions, 'codeTheme'>): CodeHighlighting {
  const known = byView.get(actions);
  if (known) return known;
  const created = new CodeHighlighting(() => actions.codeTheme());
  byView.set(actions, created);
  return created;
}

/**
 * Decides which code is highlighted: the code near the view. The highlighter loads with the first
 * such block, and each grammar with the first block of its language.
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

  /** Requests colors for code that is new or has changed. */
  watch(target: HighlightTarget): void {
    if (this.#near.has(target)) {
      this.#wake();
      return;
    }
    if (target.grammar === undefined || this.#targets.has(target.element)) return;
    this.#targets.set(target.element, target);
    this.#observer.observe(target.element);
  }

  /** Applies the new colors of the reader's theme. The code is not tokenized again. */
  themeChanged(): void {
    void this.#highlighter?.then((highlighter) => highlighter.refreshTheme());
  }

  #onMoved(entries: readonly IntersectionObserverEntry[]): void {
    // The last entry of an element is its current state.
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
        // Without the highlighter, code stays plain.
      },
    );
  }
}
