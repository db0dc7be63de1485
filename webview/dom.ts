/** Builds DOM without HTML strings. */
import {
  withoutControls,
  withoutDirectionMarks,
  withoutTabsAndLineBreaks,
} from '../src/shared/characters';

interface ElementSettings {
  readonly class?: string;
  /** Text set with `textContent`. Pass foreign text through {@link visibleLine} first. */
  readonly text?: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  settings: ElementSettings = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const created = document.createElement(tag);
  if (settings.class !== undefined) created.className = settings.class;
  if (settings.text !== undefined) created.textContent = settings.text;
  for (const [name, value] of Object.entries(settings.attributes ?? {})) {
    created.setAttribute(name, value);
  }
  created.append(...children);
  return created;
}

/**
 * Returns a codicon. Assistive technology doesn't see it: the label beside it says what it means.
 */
export function icon(name: string): HTMLElement {
  return element('span', {
    class: `codicon codicon-${name}`,
    attributes: { 'aria-hidden': 'true' },
  });
}

/**
 * Returns foreign text in an element that isolates its direction from its neighbors (faults.md G4).
 */
export function isolatedText(text: string): HTMLElement {
  return element('bdi', { text: visibleLine(text) });
}

/**
 * Returns foreign text as one line that shows what it is. Bidirectional overrides, other control
 * characters and line breaks are removed or become spaces.
 */
export function visibleLine(text: string): string {
  return visiblePiece(text).trim();
}

/** Returns a piece of a text like {@link visibleLine}, but keeps the spaces at its ends. */
export function visiblePiece(text: string): string {
  return withoutDirectionMarks(withoutControls(withoutTabsAndLineBreaks(text)));
}

/** Returns whether a key belongs to the input method, such as an Enter that ends a composition. */
export function isComposing(event: KeyboardEvent): boolean {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- Safari says so by 229 only
  return event.isComposing || event.keyCode === 229;
}

/** Sets an attribute, or removes it for undefined, if that changes anything. */
export function setAttribute(target: Element, name: string, value: string | undefined): void {
  if (value === undefined) target.removeAttribute(name);
  else if (target.getAttribute(name) !== value) target.setAttribute(name, value);
}

/**
 * Shows or hides an element, if that changes anything. Setting the attribute again would make the
 * browser compute styles anew.
 */
export function setHidden(target: HTMLElement, isHidden: boolean): void {
  if (target.hidden !== isHidden) target.hidden = isHidden;
}

/** Makes `parent` hold exactly `children`. Nodes that are already in place don't move. */
export function setChildren(parent: Element, children: readonly Node[]): void {
  const kept = new Set(children);
  // Removals come first, or every node after a removed one would move.
  for (const present of [...parent.childNodes]) if (!kept.has(present)) present.remove();
  children.forEach((child, index) => {
    const present = parent.childNodes[index];
    if (present !== child) parent.insertBefore(child, present ?? null);
  });
}
