/** Numbers, sizes, durations and ages as people read them, in their language. */

let numberLanguage = 'en';
/** Made when the first number is shown, as a formatter takes a millisecond to make. */
let numbers: Intl.NumberFormat | undefined;

/**
 * Sets the language of all numbers: whether a reader sees `4.3 MB` or `4,3 MB`. Each process and the
 * panel call it once, before they show anything. English until then, and for unknown languages.
 */
export function setNumberLanguage(language: string): void {
  numberLanguage = knownLocale(language) ?? 'en';
  numbers = undefined;
}

/** Returns the language if the platform supports it, or undefined, which stands for its own language. */
export function knownLocale(language: string): string | undefined {
  try {
    return Intl.NumberFormat.supportedLocalesOf(language)[0];
  } catch {
    return undefined;
  }
}

/** Returns a number with the separators of the reader's language and at most one decimal. */
export function numberText(value: number): string {
  numbers ??= new Intl.NumberFormat(numberLanguage, { maximumFractionDigits: 1 });
  return numbers.format(value);
}

/** Returns a count with its noun. */
export function counted(count: number, one: string, many: (count: string) => string): string {
  return count === 1 ? one : many(numberText(count));
}

const sizeUnits = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/**
 * Returns a size in units of 1000 bytes, such as `4.3 MB`. It is rounded up, so that what exceeds a
 * limit never reads as the limit itself.
 */
export function sizeText(bytes: number): string {
  let value = Math.max(0, bytes);
  let unit = 0;
  while (roundedUp(value) >= 1000 && unit < sizeUnits.length - 1) {
    value /= 1000;
    unit++;
  }
  // The formatter would write the sign of a negative zero.
  return `${numberText(Math.max(0, roundedUp(value)))} ${sizeUnits[unit] ?? ''}`;
}

function roundedUp(value: number): number {
  return value < 100 ? Math.ceil(value * 10 - 1e-9) / 10 : Math.ceil(value - 1e-9);
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Translates a message, as `vscode.l10n.t` does. */
type Translate = (message: string, ...args: (string | number)[]) => string;

/** Returns a number of pages: `1 page`, `2,431 pages`. */
export function pageCountText(pages: number, t: Translate): string {
  return pages === 1 ? t('1 page') : t('{0} pages', numberText(pages));
}

/** Returns a short duration in seconds with at most one decimal: `1.2 s`. */
export function secondsText(ms: number, t: Translate): string {
  return t('{0} s', numberText(ms / SECOND_MS));
}

/** Returns an age in one unit: `3 d ago`. Below a minute, it is `just now`. */
export function ageText(ms: number, t: Translate): string {
  if (ms < MINUTE_MS) return t('just now');
  const unit = ms < HOUR_MS ? MINUTE_MS : ms < DAY_MS ? HOUR_MS : DAY_MS;
  return t('{0} ago', durationText(Math.floor(ms / unit) * unit, t));
}

/** Returns a duration with at most two units: `45 s`, `3 min`, `1 h 5 min`, `2 d 3 h`. */
export function durationText(ms: number, t: Translate): string {
  const rest = Math.max(0, ms);
  if (rest < MINUTE_MS) return t('{0} s', Math.floor(rest / SECOND_MS));
  if (rest < HOUR_MS) return t('{0} min', Math.floor(rest / MINUTE_MS));
  if (rest < DAY_MS) {
    const minutes = Math.floor((rest % HOUR_MS) / MINUTE_MS);
    const hours = Math.floor(rest / HOUR_MS);
    return minutes === 0 ? t('{0} h', hours) : t('{0} h {1} min', hours, minutes);
  }
  const hours = Math.floor((rest % DAY_MS) / HOUR_MS);
  const days = Math.floor(rest / DAY_MS);
  return hours === 0 ? t('{0} d', days) : t('{0} d {1} h', days, hours);
}
