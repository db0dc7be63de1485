import { element } from '../dom';
import { IconButton } from '../iconButton';

/** One thing that can be done with code. */
export interface CodeMenuItem {
  readonly label: string;
  readonly run: () => void;
}

/** A button that opens a menu; what is in it is asked each time. */
export function createCodeMenu(label: string, items: () => readonly CodeMenuItem[]): HTMLElement {
  let menu: HTMLElement | undefined;
  const button = new IconButton({
    label,
    icon: 'ellipsis',
    class: 'code-more',
    onClick: () => {
      if (menu) close();
      else open();
    },
  });
  button.element.setAttribute('aria-haspopup', 'menu');
  button.element.setAttribute('aria-expanded', 'false');
  // Where the page goes on below it, an open menu would stand in the wrong place.
  const onScroll = (event: Event): void => {
    if (event.target !== menu) close();
  };

  function open(): void {
    const opened = element(
      'div',
      { class: 'code-menu', attributes: { role: 'menu', 'aria-label': label, popover: 'manual' } },
      ...items().map((item) => {
        const entry = element('button', {
          text: item.label,
          attributes: { type: 'button', role: 'menuitem', tabindex: '-1' },
        });
        entry.addEventListener('click', () => {
          close();
          button.element.focus();
          item.run();
        });
        return entry;
      }),
    );
    menu = opened;
    opened.addEventListener('keydown', onKey);
    opened.addEventListener('focusout', ({ relatedTarget }) => {
      const isInside = relatedTarget instanceof Node && opened.contains(relatedTarget);
      // The button closes what it has opened by itself.
      if (!isInside && relatedTarget !== button.element) close();
    });
    button.element.after(opened);
    opened.showPopover();
    place(opened, button.element);
    button.element.setAttribute('aria-expanded', 'true');
    focusItem(opened, 0);
    document.addEventListener('scroll', onScroll, { capture: true, passive: true });
    window.addEventListener('resize', close);
  }

  function close(): void {
    const closed = menu;
    if (!closed) return;
    // First, as removing what has the focus asks to close it again.
    menu = undefined;
    closed.remove();
    button.element.setAttribute('aria-expanded', 'false');
    document.removeEventListener('scroll', onScroll, { capture: true });
    window.removeEventListener('resize', close);
  }

  function onKey(event: KeyboardEvent): void {
    if (!menu) return;
    const entries = [...menu.children];
    const at = entries.findIndex((entry) => entry === document.activeElement);
    switch (event.key) {
      case 'ArrowDown':
        focusItem(menu, at + 1);
        break;
      case 'ArrowUp':
        focusItem(menu, at - 1);
        break;
      case 'Home':
        focusItem(menu, 0);
        break;
      case 'End':
        focusItem(menu, -1);
        break;
      case 'Escape':
      case 'Tab':
        close();
        button.element.focus();
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  return button.element;
}

/** @param index beyond either end, the other end's follows */
function focusItem(menu: HTMLElement, index: number): void {
  const count = menu.children.length;
  const entry = menu.children[(index + count) % count];
  if (entry instanceof HTMLElement) entry.focus({ preventScroll: true });
}

/** Below its button, or above it where there is no room, and within the view. */
function place(menu: HTMLElement, button: HTMLElement): void {
  const own = menu.getBoundingClientRect();
  const anchor = button.getBoundingClientRect();
  const isAbove = anchor.bottom + own.height > window.innerHeight && anchor.top > own.height;
  const left = Math.min(anchor.right - own.width, window.innerWidth - own.width);
  menu.style.left = `${Math.max(0, left)}px`;
  menu.style.top = `${isAbove ? anchor.top - own.height : anchor.bottom}px`;
}
