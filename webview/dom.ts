/** Building DOM without HTML strings. */

interface ElementSettings {
  readonly class?: string;
  /** Set with `textContent`; foreign text goes through {@link visibleText} first. */
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

/** A codicon, hidden from assistive technology: what it means is in the label beside it. */
export function icon(name: string): HTMLElement {
  return element('span', {
    class: `codicon codicon-${name}`,
    attributes: { 'aria-hidden': 'true' },
  });
}

/** Foreign text whose direction is its own and does not reach its neighbours (faults.md G4). */
export function isolatedText(text: string): HTMLElement {
  return element('bdi', { text: visibleText(text) });
}

/**
 * Foreign text for one line of the view: bidirectional overrides, other control characters and
 * line breaks, which could disguise what is shown, are dropped or become spaces.
 */
export function visibleText(text: string): string {
  return visiblePiece(text).trim();
}

/** As {@link visibleText}, for a piece of a text whose spaces part it from its neighbours. */
export function visiblePiece(text: string): string {
  return text
    .replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ')
    .replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, '');
}

/** Sets the attribute, or removes it for undefined, only where that changes something. */
export function setAttribute(target: Element, name: string, value: string | undefined): void {
  if (value === undefined) target.removeAttribute(name);
  else if (target.getAttribute(name) !== value) target.setAttribute(name, value);
}

/** Makes `parent` hold exactly `children`, moving nothing that is in its place already. */
export function setChildren(parent: Element, children: readonly Node[]): void {
  const kept = new Set(children);
  // First, or all that stand behind one that goes would be moved.
  for (const present of [...parent.childNodes]) if (!kept.has(present)) present.remove();
  children.forEach((child, index) => {
    const present = parent.childNodes[index];
    if (present !== child) parent.insertBefore(child, present ?? null);
  });
}
