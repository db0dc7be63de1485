import type { ViewStrings } from '../src/shared/viewStrings';
import { element } from './dom';
import { IconButton } from './iconButton';

/** For how long a button says that it has copied. */
const COPIED_MS = 2_000;

interface CopyButtonSettings {
  readonly strings: ViewStrings;
  readonly label: string;
  readonly class: string;
  /** @returns whether it is in the clipboard now. */
  readonly copy: () => Promise<boolean>;
}

/** Copies, and says so for a while. */
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

/** The row of a message's buttons. It takes its room whether it is seen or not. */
export function createMessageToolbar(...buttons: readonly IconButton[]): HTMLElement {
  return element(
    'div',
    { class: 'message-toolbar' },
    ...buttons.map(({ element: button }) => button),
  );
}
