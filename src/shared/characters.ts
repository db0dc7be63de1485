/** Control characters, invisible characters and text direction marks, and text without them. */

const control = /\p{Cc}/u;
const controlOrSeparator = /[\p{Cc}\u2028\u2029]/u;
const controlsAndSeparators = /[\p{Cc}\u2028\u2029]+/gu;
const tabsAndLineBreaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
/** Controls other than a line feed and a tab. */
const unusualControls = /[^\P{Cc}\n\t]/gu;
/** Characters that change in which direction text is shown, so that it can look like another. */
const directionMark = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
/** Direction marks that force the order of all letters after them. */
const directionOverride = /[\u202d\u202e]/;
const directionMarks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;
/** Soft hyphen, zero width space, word joiner and byte order mark. */
const breakHints = /[\u00ad\u200b\u2060\ufeff]/g;
const invisible = /[\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu;
/** Invisible characters except the joiners of letters and emoji, and the emoji selector. */
const invisibleButJoiners = /(?!\u200c|\u200d|\ufe0f)\p{Default_Ignorable_Code_Point}/gu;

/** Returns whether the text has a control character. */
export function hasControls(text: string): boolean {
  return control.test(text);
}

/** Returns whether the text has a control character or a line separator. */
export function hasControlsOrSeparators(text: string): boolean {
  return controlOrSeparator.test(text);
}

/** Returns whether the text has a character that changes its direction. */
export function hasDirectionMarks(text: string): boolean {
  return directionMark.test(text);
}

/** Returns whether the text has a character that shows the letters after it in a forced order. */
export function hasDirectionOverrides(text: string): boolean {
  return directionOverride.test(text);
}

/** Returns the text with a space in place of each run of tabs and line breaks. */
export function withoutTabsAndLineBreaks(text: string): string {
  return text.replace(tabsAndLineBreaks, ' ');
}

/** Returns the text with a space in place of each run of controls and line separators. */
export function withoutLineBreaks(text: string): string {
  return text.replace(controlsAndSeparators, ' ');
}

/** Returns the text without control characters, except line feeds and tabs. */
export function withoutControls(text: string): string {
  return text.replace(unusualControls, '');
}

/** Returns the text without direction marks and byte order marks. */
export function withoutDirectionMarks(text: string): string {
  return text.replace(directionMarks, '');
}

/** Returns the text as one line that looks like what it says. */
export function plainLine(text: string): string {
  return withoutLineBreaks(withoutDirectionMarks(text)).replace(/\s+/g, ' ').trim();
}

/**
 * Returns the text without the invisible characters that only say where a line may break. The
 * characters that join letters and emoji stay.
 */
export function withoutBreakHints(text: string): string {
  return text.replace(breakHints, '');
}

/** Returns the text without controls (except line feeds and tabs) and invisible characters. */
export function visibleText(text: string): string {
  return withoutControls(text).replace(invisible, '');
}

/** Returns the text as {@link visibleText} does, with the characters that join letters and emoji. */
export function visibleProse(text: string): string {
  return withoutControls(text).replace(invisibleButJoiners, '');
}

export function withoutByteOrderMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/**
 * Returns text that services and databases accept: lone surrogates become U+FFFD, and NUL
 * characters are left out.
 */
export function sendableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}
