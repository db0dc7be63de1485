/**
 * The script that each page of an enhanced site loads: a button, and the keys that open the box. Everything else loads
 * when somebody opens it.
 */
import { boxGlobals, type BoxPlaces, loadScript } from './boxScripts';
import { applySiteColors, followSiteColors } from './siteColors';
import { buttonTexts } from './buttonTexts';
import { styleSheetOf } from './styleSheet';
import buttonStyles from './button.css';

const ELEMENT = 'docs-assistant-box';

/** Returns the sign of the button: a magnifying glass. */
function magnifier(): SVGElement {
  const drawing = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  drawing.setAttribute('viewBox', '0 0 24 24');
  drawing.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS(drawing.namespaceURI, 'path');
  line.setAttribute('d', 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zm4.8 11.3L20 20');
  drawing.append(line);
  return drawing;
}

class AssistantBox extends HTMLElement {
  readonly #root = this.attachShadow({ mode: 'open' });
  #places: BoxPlaces | undefined;
  #isOpening = false;
  /** Text that the reader types before the field is there. */
  #typed = '';
  #message: HTMLElement | undefined;

  /** Shows the button. Call it once. */
  begin(places: BoxPlaces): void {
    this.#places = places;
    const texts = buttonTexts();
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'open';
    button.title = `${texts.open} (/)`;
    button.setAttribute('aria-label', texts.open);
    button.setAttribute('aria-haspopup', 'dialog');
    button.append(magnifier());
    button.addEventListener('click', () => this.open());
    this.#root.adoptedStyleSheets = [styleSheetOf(buttonStyles)];
    this.#root.append(button);
    followSiteColors(this);
  }

  /** Opens the box. Its script loads with the first time. */
  open(): void {
    if (this.#isOpening) return;
    this.#isOpening = true;
    this.#typed = '';
    void this.#open().finally(() => (this.#isOpening = false));
  }

  /** Keeps a key for the field, if the box is about to open. @returns whether it does. */
  keepsKey(event: KeyboardEvent): boolean {
    const { key, ctrlKey, metaKey, altKey } = event;
    if (!this.#isOpening || ctrlKey || metaKey || altKey || key.length !== 1) return false;
    if (isTyping(event)) return false;
    this.#typed += key;
    return true;
  }

  async #open(): Promise<void> {
    const places = this.#places;
    const scripts = boxGlobals().docsAssistantScripts;
    if (!places || !scripts) return;
    this.#message?.remove();
    try {
      if (!boxGlobals().docsAssistantSearch) await loadScript(places.folder + scripts.search);
      // A style sheet can have come since.
      applySiteColors(this);
      boxGlobals().docsAssistantSearch?.(this.#root, places, scripts, this.#typed);
    } catch {
      const message = document.createElement('p');
      message.className = 'failure';
      message.setAttribute('role', 'alert');
      message.textContent = buttonTexts().failed;
      this.#message = message;
      this.#root.append(message);
    }
  }
}

/** Returns whether a key belongs to what the reader types into. */
function isTyping(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:input|textarea|select)$/i.test(target.localName))
  );
}

function opensBox(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (event.isComposing || altKey) return false;
  if (ctrlKey || metaKey) return key.toLowerCase() === 'k' && ctrlKey !== metaKey && !shiftKey;
  return key === '/' && !isTyping(event);
}

function start(script: HTMLScriptElement): void {
  const { src } = script;
  const index = script.getAttribute('data-docs-assistant') ?? '';
  // A page within another one has no box of its own, and a page has one, also after a site's own navigation.
  if (window.top !== window || customElements.get(ELEMENT) || src === '' || index === '') return;
  customElements.define(ELEMENT, AssistantBox);
  const box = document.createElement(ELEMENT);
  if (!(box instanceof AssistantBox)) return;
  const places = { folder: new URL('.', src).href, root: new URL('..', src).href, index };
  const show = (): void => {
    // Some sites draw their whole page anew.
    if (!box.isConnected) document.body.append(box);
  };
  box.begin(places);
  window.addEventListener(
    'keydown',
    (event) => {
      const isKept = box.keepsKey(event);
      if (!isKept && !opensBox(event)) return;
      // The site's own search would open beside the box.
      event.preventDefault();
      event.stopImmediatePropagation();
      if (isKept) return;
      show();
      box.open();
    },
    { capture: true },
  );
  // Behind the site's own scripts, which may compare the page with what they expect.
  if (document.readyState === 'complete') show();
  else window.addEventListener('load', show, { once: true });
}

if (document.currentScript instanceof HTMLScriptElement) start(document.currentScript);
