import type { BranchView, MessageView } from '../../src/shared/uiMessage';
import { fill } from '../../src/shared/fill';
import type { ViewStrings } from '../../src/shared/viewStrings';
import { element } from '../dom';
import { IconButton } from '../iconButton';

interface BranchSwitcherSettings {
  readonly strings: ViewStrings;
  readonly role: MessageView['role'];
  /** @returns whether the host shows that version. */
  readonly onShow: (index: number) => Promise<boolean>;
}

/** The focus to set when the wanted version of a message is there. */
interface AwaitedFocus {
  readonly role: MessageView['role'];
  readonly index: number;
  readonly place: 'previous' | 'next' | 'message';
}

/**
 * The version that is waited for. There is at most one, because a person switches one message at a
 * time.
 */
let awaited: AwaitedFocus | undefined;

/**
 * Moves the focus to the next version of a message when it is shown. The new version replaces the
 * message that had the focus, and its element with it.
 */
export function awaitVersion(wanted: AwaitedFocus): void {
  awaited = wanted;
}

/** Shows `‹ 2 / 3 ›`: the version of the message, and buttons to the others. */
export class BranchSwitcher {
  readonly element: HTMLElement;
  readonly #settings: BranchSwitcherSettings;
  readonly #previous: IconButton;
  readonly #next: IconButton;
  readonly #count = element('span', {
    class: 'branch-count',
    attributes: { 'aria-hidden': 'true' },
  });
  #branch: BranchView | undefined;
  #isReplyRunning = false;

  constructor(settings: BranchSwitcherSettings) {
    this.#settings = settings;
    const { strings } = settings;
    this.#previous = new IconButton({
      label: strings.previousVersion,
      icon: 'chevron-left',
      onClick: () => this.step(-1),
    });
    this.#next = new IconButton({
      label: strings.nextVersion,
      icon: 'chevron-right',
      onClick: () => this.step(1),
    });
    // Screen readers announce the name of the group when the focus enters it in the other version.
    this.element = element(
      'div',
      { class: 'branch-switcher', attributes: { role: 'group' } },
      this.#previous.element,
      this.#count,
      this.#next.element,
    );
    this.element.hidden = true;
  }

  /** @param message takes the focus if the whole message had it. */
  update(branch: BranchView | undefined, message: HTMLElement): void {
    if (branch === this.#branch) return;
    const isNew = this.#branch === undefined;
    this.#branch = branch;
    this.element.hidden = branch === undefined;
    if (!branch) return;
    const { strings, role } = this.#settings;
    this.element.setAttribute(
      'aria-label',
      fill(strings.versionOf, branch.index + 1, branch.count),
    );
    this.#count.textContent = `${branch.index + 1} / ${branch.count}`;
    this.#refresh();
    if (isNew && awaited?.role === role && awaited.index === branch.index) {
      const { place } = awaited;
      awaited = undefined;
      // The element is inserted into the document after this.
      queueMicrotask(() => this.#takeFocus(place, message));
    }
  }

  /** Disables switching while a reply runs. */
  setReplyRunning(isRunning: boolean): void {
    this.#isReplyRunning = isRunning;
    this.#refresh();
  }

  /** Shows the previous or next version, if there is one. */
  step(step: -1 | 1, isFromMessage = false): boolean {
    const wanted = this.#wanted(step);
    if (wanted === undefined) return false;
    const button = step < 0 ? 'previous' : 'next';
    const { role } = this.#settings;
    const focus: AwaitedFocus = { role, index: wanted, place: isFromMessage ? 'message' : button };
    awaitVersion(focus);
    void this.#settings.onShow(wanted).then((isShown) => {
      if (!isShown && awaited === focus) awaited = undefined;
    });
    return true;
  }

  #wanted(step: -1 | 1): number | undefined {
    if (!this.#branch || this.#isReplyRunning) return undefined;
    const wanted = this.#branch.index + step;
    return wanted < 0 || wanted >= this.#branch.count ? undefined : wanted;
  }

  #refresh(): void {
    this.#previous.setEnabled(this.#wanted(-1) !== undefined);
    this.#next.setEnabled(this.#wanted(1) !== undefined);
  }

  #takeFocus(place: AwaitedFocus['place'], message: HTMLElement): void {
    if (place === 'message') focusMessage(message);
    else (place === 'previous' ? this.#previous : this.#next).element.focus();
  }
}

/** Focuses a message, even if the Tab key does not reach it. */
export function focusMessage(message: HTMLElement): void {
  if (!message.hasAttribute('tabindex')) message.tabIndex = -1;
  message.focus();
}
