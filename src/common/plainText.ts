/** The text without Markdown's links: a space parts the name of each from its address. */
export function withoutLinks(text: string): string {
  return text.replaceAll('](', '] (');
}

/** On the lines that it has, with a space for each other control character, ANSI's among them. */
export function withoutControls(text: string): string {
  // eslint-disable-next-line no-control-regex -- escape sequences must not reach a terminal
  return text.replace(/[\0-\x09\x0b-\x1f\x7f-\x9f]/g, ' ');
}
