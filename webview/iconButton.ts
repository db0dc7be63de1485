import { element, icon } from './dom';

export interface IconButtonSettings {
  /** Its name for assistive technology, and its tooltip. */
  readonly label: string;
  readonly icon: string;
  readonly class?: string;
  readonly onClick: () => void;
}

/** A button that is an icon alone. A plain element, as a list may hold hundreds of them. */
export class IconButton {
  readonly element: HTMLButtonElement;
  #isEnabled = true;

  constructor(settings: IconButtonSettings) {
    this.element = element('button', {
      class: settings.class === undefined ? 'icon-button' : `icon-button ${settings.class}`,
      attributes: { type: 'button' },
    });
    this.element.addEventListener('click', () => {
      if (this.#isEnabled) settings.onClick();
    });
    this.setLabel(settings.label, settings.icon);
  }

  setLabel(label: string, iconName: string): void {
    this.element.setAttribute('aria-label', label);
    this.element.title = label;
    this.element.replaceChildren(icon(iconName));
  }

  /** It keeps the focus when it is turned off, and stays where the keyboard finds it. */
  setEnabled(isEnabled: boolean): void {
    this.#isEnabled = isEnabled;
    if (isEnabled) this.element.removeAttribute('aria-disabled');
    else this.element.setAttribute('aria-disabled', 'true');
  }
}
