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

  /** @param urgency `quiet` for what changes with every letter, which is not read aloud. */
  show(text: string, urgency: 'urgent' | 'quiet' = 'urgent', action?: NoticeAction): void {
    this.element.setAttribute('role', urgency === 'urgent' ? 'alert' : 'note');
    this.element.hidden = false;
    this.element.replaceChildren(
      element('span', { class: 'composer-notice-text', text: visibleText(text) }),
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
