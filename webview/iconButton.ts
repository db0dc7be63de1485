import type { ViewStrings } from '../src/shared/viewStrings';
import { element, icon } from './dom';

interface IconButtonSettings {
  /** Name for assistive technology, also shown as the tooltip. */
  readonly label: string;
  readonly icon: string;
  readonly class?: string;
  readonly onClick: () => void;
}

/** A button with only an icon. It is a plain element, because a list may hold hundreds of them. */
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

  /**
   * Enables or disables the button. A disabled button keeps the focus and stays reachable by
   * keyboard.
   */
  setEnabled(isEnabled: boolean): void {
    this.#isEnabled = isEnabled;
    if (isEnabled) this.element.removeAttribute('aria-disabled');
    else this.element.setAttribute('aria-disabled', 'true');
  }
}

/** Time in milliseconds for which a button shows that it has copied. */
const COPIED_MS = 2_000;

interface CopyButtonSettings {
  readonly strings: ViewStrings;
  readonly label: string;
  readonly class: string;
  /** @returns whether the text is in the clipboard now. */
  readonly copy: () => Promise<boolean>;
}

/** Returns a button that copies, and that shows so for a moment. */
export function createCopyButton(settings: CopyButtonSettings): IconButton {
  const { strings, label } = settings;
  const button: IconButton = new IconButton({
    label,
    icon: 'copy',
    class: settings.class,
    onClick: () => {
      void settings.copy().then((isCopied) => {
        if (!isCopied) return;
        button.setLabel(strings.copied, 'check');
        setTimeout(() => button.setLabel(label, 'copy'), COPIED_MS);
      });
    },
  });
  return button;
}

/** Returns the row of a message's buttons. It takes up space even while it is invisible. */
export function createMessageToolbar(...buttons: readonly IconButton[]): HTMLElement {
  return element(
    'div',
    { class: 'message-toolbar' },
    ...buttons.map(({ element: button }) => button),
  );
}
