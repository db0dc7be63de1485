import { cutText } from './cutText';

/** The text without Markdown's links: a space parts the name of each from its address. */
export function withoutLinks(text: string): string {
  return text.replaceAll('](', '] (');
}

/** Nobody reads a longer notification; an address that a service sends may be of any length. */
const MAX_NOTIFICATION_LENGTH = 2_000;

/** Text of anyone's for a notification: without links, controls, and what turns letters round. */
export function notificationText(text: string): string {
  const cut = cutText(text, MAX_NOTIFICATION_LENGTH);
  const seen = withoutControls(cut).replace(/[\u202a-\u202e\u2066-\u2069]/g, '');
  return withoutLinks(cut === text ? seen : `${seen}…`);
}

/** On the lines that it has, with a space for each other control character, ANSI's among them. */
export function withoutControls(text: string): string {
  // eslint-disable-next-line no-control-regex -- escape sequences must not reach a terminal
  return text.replace(/[\0-\x09\x0b-\x1f\x7f-\x9f]/g, ' ');
}
