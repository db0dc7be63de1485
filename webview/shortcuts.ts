/** Shows the list of keyboard shortcuts over the panel. */
import type { ViewStrings } from '../src/shared/viewStrings';
import { element } from './dom';
import { IconButton } from './iconButton';

/** Keys as printed on the keyboard. Several keys are pressed together. */
type Keys = readonly string[];

interface ShortcutGroup {
  readonly title: string;
  readonly rows: readonly { readonly keys: readonly Keys[]; readonly does: string }[];
}

function shortcutGroups(strings: ViewStrings): readonly ShortcutGroup[] {
  const modifier = navigator.platform.startsWith('Mac') ? '⌘' : strings.keyCtrl;
  return [
    {
      title: strings.shortcutsConversation,
      rows: [
        {
          keys: [[strings.keyTab], [strings.keyShift, strings.keyTab]],
          does: strings.shortcutsMessage,
        },
        {
          keys: [['↓'], ['↑'], [strings.keyPageDown], [strings.keyPageUp]],
          does: strings.shortcutsRead,
        },
        { keys: [[strings.keyHome], [strings.keyEnd]], does: strings.shortcutsEnds },
        { keys: [[strings.keyEnter], ['F2']], does: strings.shortcutsInto },
        { keys: [[strings.keyEsc]], does: strings.shortcutsOut },
        {
          keys: [
            [strings.keyAlt, '←'],
            [strings.keyAlt, '→'],
          ],
          does: strings.shortcutsVersions,
        },
      ],
    },
    {
      title: strings.shortcutsQuestion,
      rows: [
        { keys: [[strings.keyEnter]], does: strings.shortcutsSend },
        { keys: [[strings.keyShift, strings.keyEnter]], does: strings.shortcutsBreakLine },
        { keys: [['↑']], does: strings.shortcutsRecall },
        { keys: [['#']], does: strings.shortcutsAttach },
        { keys: [[strings.keyShift, strings.keyTab]], does: strings.shortcutsToMessage },
      ],
    },
    {
      title: strings.shortcutsAnywhere,
      rows: [
        { keys: [[modifier, 'F']], does: strings.find },
        { keys: [['F3']], does: strings.findNext },
        { keys: [[strings.keyShift, 'F3']], does: strings.findPrevious },
        { keys: [[strings.keyCtrl, strings.keyAlt, 'H']], does: strings.shortcutsHistory },
        { keys: [[modifier, '/']], does: strings.shortcutsList },
        { keys: [['?']], does: strings.shortcutsListOutside },
      ],
    },
  ];
}

/** Shows the list. The focus returns to where it was when the list closes. */
export function showShortcuts(strings: ViewStrings): void {
  const title = element('h2', {
    class: 'shortcuts-title',
    text: strings.shortcuts,
    attributes: { id: 'shortcuts-title' },
  });
  // The browser keeps the focus within a modal dialog and closes it on Escape.
  const dialog = element('dialog', {
    class: 'shortcuts',
    attributes: { role: 'dialog', 'aria-labelledby': title.id },
  });
  const close = new IconButton({
    label: strings.closeShortcuts,
    icon: 'close',
    class: 'shortcuts-close',
    onClick: () => dialog.close(),
  });
  // A list higher than the view must be scrollable by keyboard.
  const list = element(
    'div',
    { class: 'shortcuts-list', attributes: { tabindex: '0' } },
    ...shortcutGroups(strings).flatMap((group) => groupElements(group)),
  );
  list.setAttribute('role', 'group');
  list.setAttribute('aria-labelledby', title.id);
  dialog.append(element('div', { class: 'shortcuts-head' }, title, close.element), list);
  dialog.addEventListener('close', () => dialog.remove());
  let isPressedAround = false;
  dialog.addEventListener('pointerdown', ({ target }) => {
    // The dialog itself is only where its content isn't: around it.
    isPressedAround = target === dialog;
  });
  dialog.addEventListener('click', ({ target }) => {
    // Text that is selected up to around the list ends in a click there.
    if (isPressedAround && target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
}

function groupElements({ title, rows }: ShortcutGroup): HTMLElement[] {
  return [
    element('h3', { class: 'shortcuts-group', text: title }),
    element(
      'dl',
      { class: 'shortcuts-rows' },
      ...rows.map(({ keys, does }) =>
        element(
          'div',
          { class: 'shortcuts-row' },
          element('dt', {}, ...keys.map(keyElement)),
          element('dd', { text: does }),
        ),
      ),
    ),
  ];
}

function keyElement(keys: Keys): HTMLElement {
  const caps = keys.flatMap((name, index) => [
    ...(index === 0 ? [] : ['+']),
    element('kbd', { text: name }),
  ]);
  return element('span', { class: 'shortcuts-keys' }, ...caps);
}
