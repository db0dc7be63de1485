import { element, visibleText } from './dom';
import { createButton } from './toolkit';

interface NoticeAction {
  readonly label: string;
  readonly onClick: () => void;
}

/** Something that the person should know now, above the box. */
export class ComposerNotice {
  readonly element = element('div', { class: 'composer-notice' });

  constructor() {
    this.element.hidden = true;
  }

  /**
   * @param text one or several sentences, each on a line of its own.
   * @param urgency `quiet` for what changes with every letter, which is not read aloud.
   */
  show(
    text: string | readonly string[],
    urgency: 'urgent' | 'quiet' = 'urgent',
    action?: NoticeAction,
  ): void {
    this.element.setAttribute('role', urgency === 'urgent' ? 'alert' : 'note');
    this.element.hidden = false;
    this.element.replaceChildren(
      element(
        'div',
        { class: 'composer-notice-text' },
        ...[text].flat().map((line) => element('div', { text: visibleText(line) })),
      ),
      ...(action ? [this.#button(action)] : []),
    );
  }

  clear(): void {
    this.element.hidden = true;
    this.element.replaceChildren();
  }

  #button({ label, onClick }: NoticeAction): HTMLElement {
    return createButton({
      label,
      appearance: 'secondary',
      onClick: () => {
        this.clear();
        onClick();
      },
    }).element;
  }
}
