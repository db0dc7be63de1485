import { withoutIcons } from '../../../common/text/headingIcons';
import { CodeSpans } from './codeSpans';
import { codeLines } from './lines';

/** Icons of MkDocs, emoji and keys, with what separates an icon from the text behind it. */
const sign =
  /`+|(?<![\w:]):(?:((?:material|octicons|fontawesome|simple)-[a-z0-9-]+):(?:\{[^{}\n]{0,300}\})?(?:[ \t]|&nbsp;)*|(heavy_check_mark|white_check_mark|x|warning):)|(?<![\w+])\+\+((?:alt|arrow-[a-z]+|backspace|cmd|command|control|ctrl|delete|down|end|enter|esc|escape|f\d+|home|left|meta|option|page-down|page-up|right|shift|space|tab|up|windows|[a-z\d])(?:\+[a-z\d-]+)*)\+\+/g;

const emoji: Partial<Record<string, string>> = {
  heavy_check_mark: '✔️',
  warning: '⚠️',
  white_check_mark: '✅',
  x: '❌',
};

/**
 * Writes icons and keys of MkDocs, such as `:material-check:` and `++ctrl+c++`, and emoji that mean yes or no as text.
 * Removes the language of code in a text, as in `` `#!py run()` ``, and what abbreviations stand for. Keeps the number
 * of lines.
 */
export function signsAsText(source: string): string {
  if (!/:[a-z]|\+\+[a-z]|`#!|^(?:\*\[|#+[ \t].*\{)/m.test(source)) return source;
  const isCode = codeLines();
  return source
    .split('\n')
    .map((line) => {
      if (isCode(line)) return line;
      if (/^#{1,6}[ \t]/.test(line)) return lineWithText(withoutIcons(line));
      return /^\*\[[^\]]+\]:/.test(line) ? '' : lineWithText(line);
    })
    .join('\n');
}

function lineWithText(line: string): string {
  const spans = new CodeSpans(line);
  let result = '';
  let at = 0;
  for (const { 0: whole, 1: icon, 2: name, 3: keys, index } of line.matchAll(sign)) {
    if (index < at) continue;
    result += line.slice(at, index);
    at = index + whole.length;
    if (whole.startsWith('`')) {
      const end = spans.endOf(index, whole.length) ?? at;
      result += line.slice(index, end).replace(/^(`+)#![a-z][\w+-]*[ \t]+(?=\S)/i, '$1');
      at = end;
    } else if (icon !== undefined) result += iconText(icon, line.slice(at));
    else result += keys === undefined ? (emoji[name ?? ''] ?? whole) : `\`${keysText(keys)}\``;
  }
  return result + line.slice(at);
}

/** Returns the meaning of a check mark or a cross. Other icons are decoration. */
function iconText(icon: string, rest: string): string {
  const [, isYes, isNo] =
    /^(?:material|octicons|fontawesome-solid)-(?:(check)|(close|x|xmark))(?:-\d+)?$/.exec(icon) ??
    [];
  const text = isYes === undefined ? (isNo === undefined ? '' : '❌') : '✔️';
  return text === '' || rest === '' ? text : `${text} `;
}

function keysText(keys: string): string {
  const names = keys.split('+').map((key) => key.charAt(0).toUpperCase() + key.slice(1));
  return names.join('+');
}
