import { element } from './dom';

/** Sentences that stay for those who look for them; those before have been read long ago. */
const KEPT_SENTENCES = 40;

/** Speaks to screen readers, politely: single events, and what is finished of a reply. */
export class Announcer {
  readonly #events = element('div', { class: 'announcer', attributes: { role: 'status' } });
  readonly #sentences = element('div', {
    class: 'spoken-reply',
    attributes: { 'aria-live': 'polite', 'aria-relevant': 'additions' },
  });
  readonly element = element('div', { class: 'visually-hidden' }, this.#sentences, this.#events);

  /** An event. */
  say(text: string): void {
    // The same text twice is a new event: only a new node is announced again.
    this.#events.replaceChildren(element('p', { text }));
  }

  /** Sentences of a reply: each is read once, after those before it. */
  read(sentences: readonly string[]): void {
    this.#sentences.append(...sentences.map((text) => element('p', { text })));
    const extra = this.#sentences.children.length - KEPT_SENTENCES;
    for (const old of [...this.#sentences.children].slice(0, Math.max(0, extra))) old.remove();
  }

  /** What has been read is not found again behind the panel. */
  clear(): void {
    this.#sentences.replaceChildren();
  }
}
