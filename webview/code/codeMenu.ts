/** The menu of a code block's rarer actions. It loads when it is opened first. */
import { element } from '../dom';

/** One action in the menu of a code block. */
export interface CodeMenuItem {
  readonly label: string;
  readonly run: () => void;
}

/** Functions that close the open menus, by their buttons. */
const open = new WeakMap<HTMLElement, () => void>();

/** Opens the menu of a button, or closes it if it is open. */
export function toggleCodeMenu(button: HTMLElement, items: readonly CodeMenuItem[]): void {
  const closeOpen = open.get(button);
  if (closeOpen) closeOpen();
  // The block may have gone while the menu was loading.
  else if (button.isConnected) openMenu(button, items);
}

function openMenu(button: HTMLElement, items: readonly CodeMenuItem[]): void {
  const label = button.getAttribute('aria-label') ?? '';
  const menu = element(
    'div',
    { class: 'code-menu', attributes: { role: 'menu', 'aria-label': label, popover: 'manual' } },
    ...items.map((item) => {
      const entry = element('button', {
        text: item.label,
        attributes: { type: 'button', role: 'menuitem', tabindex: '-1' },
      });
      entry.addEventListener('click', () => {
        close();
        button.focus();
        item.run();
      });
      return entry;
    }),
  );

  function close(): void {
    // The menu must be forgotten first: removing the focused item fires `focusout`, which closes
    // the menu.
    if (!open.delete(button)) return;
    menu.remove();
    button.setAttribute('aria-expanded', 'false');
    document.removeEventListener('scroll', onScroll, { capture: true });
    window.removeEventListener('resize', close);
  }

  // An open menu would stay in place while the page scrolls below it.
  function onScroll({ target }: Event): void {
    if (target !== menu) close();
  }

  function onKey(event: KeyboardEvent): void {
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
        button.focus();
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  open.set(button, close);
  menu.addEventListener('keydown', onKey);
  menu.addEventListener('focusout', ({ relatedTarget }) => {
    const isInside = relatedTarget instanceof Node && menu.contains(relatedTarget);
    // The click on the button closes the menu itself.
    if (!isInside && relatedTarget !== button) close();
  });
  button.after(menu);
  menu.showPopover();
  place(menu, button);
  button.setAttribute('aria-expanded', 'true');
  focusItem(menu, 0);
  document.addEventListener('scroll', onScroll, { capture: true, passive: true });
  window.addEventListener('resize', close);
}

/** @param index wraps around at both ends. */
function focusItem(menu: HTMLElement, index: number): void {
  const count = menu.children.length;
  const entry = menu.children[(index + count) % count];
  if (entry instanceof HTMLElement) entry.focus({ preventScroll: true });
}

/** Places the menu below its button, or above it if there is more room, within the view. */
function place(menu: HTMLElement, button: HTMLElement): void {
  const own = menu.getBoundingClientRect();
  const anchor = button.getBoundingClientRect();
  const isAbove = anchor.bottom + own.height > window.innerHeight && anchor.top > own.height;
  const left = Math.min(anchor.right - own.width, window.innerWidth - own.width);
  menu.style.left = `${Math.max(0, left)}px`;
  menu.style.top = `${isAbove ? anchor.top - own.height : anchor.bottom}px`;
}
