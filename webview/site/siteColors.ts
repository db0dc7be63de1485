/** Takes the colors of the box from the site, so that it is dark or light as the page is. */

interface Color {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly alpha: number;
}

const white: Color = { red: 255, green: 255, blue: 255, alpha: 1 };
const nearlyBlack: Color = { red: 24, green: 24, blue: 27, alpha: 1 };

/** Contrast that text has at least, from WCAG 2.2. */
const TEXT_CONTRAST = 4.5;
/** Contrast of the text in the box. Lighter grays are hard to read in small print. */
const BODY_CONTRAST = 7;

let painter: CanvasRenderingContext2D | null | undefined;

/** Returns a color of a computed style, in whichever form the browser writes it. */
function parseColor(text: string): Color | undefined {
  const numbers = /^rgba?\(([^)]+)\)$/
    .exec(text)?.[1]
    ?.split(/[\s,/]+/)
    .map(Number);
  if (numbers && numbers.length >= 3 && !numbers.some(Number.isNaN)) {
    const [red = 0, green = 0, blue = 0, alpha = 1] = numbers;
    return { red, green, blue, alpha };
  }
  painter ??= document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  if (!painter || !CSS.supports('color', text)) return undefined;
  painter.clearRect(0, 0, 1, 1);
  painter.fillStyle = text;
  painter.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 0] = painter.getImageData(0, 0, 1, 1).data;
  return { red, green, blue, alpha: alpha / 255 };
}

/** Returns the relative luminance, by WCAG. */
function luminance({ red, green, blue }: Color): number {
  const [r = 0, g = 0, b = 0] = [red, green, blue].map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: Color, other: Color): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function mixed(one: Color, other: Color, share: number): Color {
  const mix = (a: number, b: number): number => Math.round(a * (1 - share) + b * share);
  return {
    red: mix(one.red, other.red),
    green: mix(one.green, other.green),
    blue: mix(one.blue, other.blue),
    alpha: 1,
  };
}

const css = ({ red, green, blue }: Color): string => `rgb(${red} ${green} ${blue})`;

/** Returns the color behind the page's text. */
function pageBackground(): Color {
  for (const element of [document.body, document.documentElement]) {
    const color = parseColor(getComputedStyle(element).backgroundColor);
    if (color && color.alpha > 0.5) return { ...color, alpha: 1 };
  }
  const scheme = getComputedStyle(document.documentElement).colorScheme;
  const isDark =
    /dark/.test(scheme) &&
    (!/light/.test(scheme) || matchMedia('(prefers-color-scheme: dark)').matches);
  return isDark ? nearlyBlack : white;
}

/** Returns the first color that can be read on another one, or black or white. */
function readable(on: Color, minimum: number, candidates: readonly (Color | undefined)[]): Color {
  const found = candidates.find((color) => color?.alpha === 1 && contrast(color, on) >= minimum);
  return found ?? (luminance(on) > 0.18 ? nearlyBlack : white);
}

/** Milliseconds after a change at which colors have faded into others. Sites also change their root while it scrolls. */
const SETTLED_MS = 300;

/** Keeps the colors of the box those of the page, whose theme is mostly an attribute of its root. */
export function followSiteColors(host: HTMLElement): void {
  let timer = 0;
  const follow = (): void => {
    clearTimeout(timer);
    timer = window.setTimeout(() => applySiteColors(host), SETTLED_MS);
  };
  const observer = new MutationObserver(follow);
  for (const root of [document.documentElement, document.body])
    observer.observe(root, { attributes: true });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', follow);
  applySiteColors(host);
}

/** Sets the colors of the box by those of the page at this moment. */
export function applySiteColors(host: HTMLElement): void {
  const background = pageBackground();
  const text = readable(background, BODY_CONTRAST, [
    parseColor(getComputedStyle(document.body).color),
  ]);
  // A link of the text, as those around it often have the color of the frame.
  const link = ['main p a[href]', 'article p a[href]', 'main a[href]', 'a[href]']
    .map((selector) => document.querySelector(selector))
    .find((found) => found !== null);
  const raised = mixed(background, text, 0.06);
  const accent = readable(raised, TEXT_CONTRAST, [
    link ? parseColor(getComputedStyle(link).color) : undefined,
    text,
  ]);
  const colors: Readonly<Record<string, Color>> = {
    background,
    text,
    raised,
    accent,
    'on-accent': readable(accent, TEXT_CONTRAST, [background]),
    border: mixed(background, text, 0.45),
    faint: readable(raised, TEXT_CONTRAST, [mixed(background, text, 0.72), text]),
    mark: mixed(background, accent, 0.18),
  };
  for (const [name, color] of Object.entries(colors))
    host.style.setProperty(`--docs-assistant-${name}`, css(color));
  host.style.setProperty('color-scheme', luminance(background) > 0.18 ? 'light' : 'dark');
}
