/**
 * Texts of others in what a command prints, such as replies, titles and names of files. CI systems look
 * for commands of their own in each line of a log: GitHub Actions for `::name::` at its start and for
 * `##[name]` anywhere in it, Azure Pipelines for `##vso[name]`. One of them stops all further commands,
 * also those that hide secrets.
 * @see https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs
 */

/** Pattern of blanks and styles of a terminal, which can come before the `::` of a command. */
const lead = String.raw`(?:[^\S\n]|\u001b\[[\d;]*m)*`;
const commandAtStart = new RegExp(`((?:^|\\n)${lead}:)(?=:)`, 'g');
const commandInLine = /(##\w*)(?=\[)/g;
const onlyLead = new RegExp(`^${lead}$`);
const leadAndColon = new RegExp(`^${lead}:$`);

/**
 * Breaks the commands of CI systems in a text with a space. The text comes in pieces, each of which is
 * returned at once, so a command that two pieces make up is broken in the second.
 */
export class CiCommandBreaker {
  /** Stands for the current line as far as it was printed: what a command could go on from. */
  #line = '';

  /** Returns the next piece of the text without commands. */
  push(piece: string): string {
    const whole = (this.#line + piece).replace(commandAtStart, '$1 ').replace(commandInLine, '$1 ');
    const added = whole.slice(this.#line.length);
    this.#line = endOf(whole.slice(whole.lastIndexOf('\n') + 1));
    return added;
  }

  /** Starts a new line, or goes on in the middle of one, where `::` is no command. */
  restart(place: 'start' | 'middle'): void {
    this.#line = place === 'start' ? '' : '.';
  }
}

/** Returns a short line that ends as this one as far as commands can tell. */
function endOf(line: string): string {
  if (onlyLead.test(line)) return '';
  if (leadAndColon.test(line)) return ':';
  const [open = ''] = /(?:##\w*|#)$/.exec(line) ?? [];
  return `.${open === '' ? '' : open.slice(0, 2)}`;
}

/** Returns JSON with the same value, no line of which a CI takes for a command of its own. */
export function jsonWithoutCiCommands(json: string): string {
  return json.replace(/##(?=\w*\[)/g, String.raw`#\u0023`);
}
