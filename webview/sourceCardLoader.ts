import { whenIdle } from './markdown/idle';
import type { ViewContext } from './viewContext';

type Telling = PointerEvent | FocusEvent;

/**
 * Loads the card of sources, which has no part in the first paint: when the page has nothing else
 * to do, or when the pointer or the focus comes to something that cites, which then opens it.
 */
export function loadSourceCard(context: ViewContext, root: HTMLElement): void {
  const listeners = new AbortController();
  const { signal } = listeners;
  let last: Telling | undefined;
  let isLoading = false;
  const load = async (): Promise<void> => {
    if (isLoading) return;
    isLoading = true;
    try {
      const { SourceCard } = await import('./sourceCard');
      listeners.abort();
      const card = new SourceCard(context, root);
      // Only what is still so: the pointer may be elsewhere by now.
      if (last) card.catchUp(last);
    } catch (error: unknown) {
      isLoading = false;
      context.reportFailure(error);
    }
  };
  const note = (event: Telling): void => {
    last = event;
    const { target } = event;
    if (target instanceof Element && target.closest('[data-source-id]')) void load();
  };
  const forget = (): void => {
    last = undefined;
  };
  root.addEventListener('pointerover', note, { signal, passive: true });
  root.addEventListener('pointermove', note, { signal, passive: true });
  root.addEventListener('focusin', note, { signal });
  root.addEventListener('pointerleave', forget, { signal });
  root.addEventListener('focusout', forget, { signal });
  whenIdle(() => void load());
}
