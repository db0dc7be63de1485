import type { ElementState, PageCommand, PageReply, PageSurface, PageTarget } from './pageProtocol';
import { suiteEnvironment } from './suiteEnvironment';

/** Narrows a selector to one element: see {@link PageTarget}. */
export type Narrowing = Pick<PageTarget, 'hasText' | 'nth'>;

async function perform(command: PageCommand): Promise<unknown> {
  const { driverUrl, hasPage } = suiteEnvironment();
  if (!hasPage) throw new Error('This host has no page to drive: the test belongs in suite/ui.');
  const response = await fetch(`${driverUrl}/page`, {
    method: 'POST',
    body: JSON.stringify(command),
  });
  // Written by pageActions.mjs, its only writer.
  const reply = (await response.json()) as PageReply;
  if (!reply.ok) throw new Error(reply.error);
  return reply.value;
}

/**
 * One document of the window. Actions wait until the element is there and takes input, and fail with
 * Playwright's own account of what they waited for.
 */
export class Surface {
  readonly #surface: PageSurface;

  constructor(surface: PageSurface) {
    this.#surface = surface;
  }

  #target(selector: string, narrowing: Narrowing = {}): PageTarget {
    return { surface: this.#surface, selector, ...narrowing };
  }

  async click(selector: string, narrowing?: Narrowing): Promise<void> {
    await perform({ action: 'click', target: this.#target(selector, narrowing) });
  }

  async hover(selector: string, narrowing?: Narrowing): Promise<void> {
    await perform({ action: 'hover', target: this.#target(selector, narrowing) });
  }

  async focus(selector: string, narrowing?: Narrowing): Promise<void> {
    await perform({ action: 'focus', target: this.#target(selector, narrowing) });
  }

  /** Replaces what a field holds. */
  async fill(selector: string, value: string, narrowing?: Narrowing): Promise<void> {
    await perform({ action: 'fill', target: this.#target(selector, narrowing), value });
  }

  /** Presses a key in an element, by Playwright's names: `Enter`, `Shift+Enter`, `Control+KeyA`. */
  async press(selector: string, key: string, narrowing?: Narrowing): Promise<void> {
    await perform({ action: 'press', target: this.#target(selector, narrowing), key });
  }

  async waitFor(
    selector: string,
    narrowing?: Narrowing,
    state: ElementState = 'visible',
  ): Promise<void> {
    await perform({ action: 'waitFor', target: this.#target(selector, narrowing), state });
  }

  /** Returns the rendered texts of all elements that match now, in document order. */
  async texts(selector: string, narrowing?: Narrowing): Promise<string[]> {
    const value = await perform({ action: 'texts', target: this.#target(selector, narrowing) });
    if (!Array.isArray(value)) throw new TypeError('texts: not a list');
    return value.map(String);
  }

  /** Returns the rendered text of the first match, and waits for it to be there. */
  async text(selector: string, narrowing?: Narrowing): Promise<string> {
    await this.waitFor(selector, { nth: 0, ...narrowing }, 'attached');
    const [first = ''] = await this.texts(selector, narrowing);
    return first;
  }

  async count(selector: string, narrowing?: Narrowing): Promise<number> {
    return (await this.texts(selector, narrowing)).length;
  }

  async inputValue(selector: string, narrowing?: Narrowing): Promise<string> {
    return String(
      await perform({ action: 'inputValue', target: this.#target(selector, narrowing) }),
    );
  }

  /** Returns the attribute, or `null` where the element doesn't have it. */
  async attribute(selector: string, name: string, narrowing?: Narrowing): Promise<string | null> {
    const target = this.#target(selector, narrowing);
    const value = await perform({ action: 'attribute', target, name });
    return typeof value === 'string' ? value : null;
  }

  /** Evaluates JavaScript in the document; the result must be JSON. */
  evaluate(expression: string): Promise<unknown> {
    return perform({ action: 'evaluate', surface: this.#surface, expression });
  }
}

/** The window: menus, editors, quick input, notifications. */
export const workbench = new Surface('workbench');

/** The document inside the chat's webview. */
export const chat = new Surface('chat');

/** A tab beside the window, for pages that the extension serves. */
export const tab = new Surface('tab');

/** A second window of the same folder, with an extension host of its own, in which no suite runs. */
export const otherWorkbench = new Surface('otherWorkbench');

/** The document inside the chat's webview of the second window. */
export const otherChat = new Surface('otherChat');

/** Opens the second window; resolves before it has started. */
export async function openWindow(): Promise<void> {
  await perform({ action: 'openWindow' });
}

/** Closes the second window, as a person does. */
export async function closeWindow(): Promise<void> {
  await perform({ action: 'closeWindow' });
}

/** Opens an address in the tab; resolves with the status of its document. */
export async function openTab(url: string): Promise<number> {
  return Number(await perform({ action: 'openTab', url }));
}

/** Closes the tab; resolves with every address that it asked for. */
export async function closeTab(): Promise<string[]> {
  const requests = await perform({ action: 'closeTab' });
  return Array.isArray(requests) ? requests.map(String) : [];
}

/** Types into whatever has the focus. */
export async function typeText(text: string): Promise<void> {
  await perform({ action: 'type', text });
}

/** Presses a key in whatever has the focus. */
export async function pressKey(key: string): Promise<void> {
  await perform({ action: 'press', key });
}

/**
 * Keeps what the window, the tab or the other window shows as `out/workbench/<host>/<name>.png`, where
 * `SCREENSHOTS=1` asks for pictures.
 */
export async function takeScreenshot(
  name: string,
  surface?: 'tab' | 'otherWorkbench',
): Promise<void> {
  await perform({ action: 'screenshot', name, surface });
}
