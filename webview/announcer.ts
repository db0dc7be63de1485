import { element } from './dom';

/** Says single events to screen readers; never the letters of a reply as they come. */
export class Announcer {
  readonly element = element('div', {
    class: 'visually-hidden',
    attributes: { role: 'status', 'aria-live': 'polite' },
  });

  say(text: string): void {
    // The same text twice is a new event: only a new node is announced again.
    this.element.replaceChildren(element('p', { text }));
  }
}
