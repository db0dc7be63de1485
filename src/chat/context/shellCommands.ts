/** Turns a code block into commands that can be typed into a terminal. */
import { visibleText } from '../../shared/characters';
import type { ShellKind, ShellLanguage } from '../../shared/codeLanguages';

export interface ShellCommands {
  /** Commands to review before they run: one per line, or a script as it is. */
  readonly text: string;
  /**
   * The commands as a single line, which can be typed without running them. Undefined if lines
   * belong together, such as those of a loop or a here-document.
   */
  readonly line: string | undefined;
}

const posixPrompt =
  /^\s*(?:\([\w.-]+\)\s)?(?:\[?[\w.-]+@[\w.-][^\s$#%]*(?:\s[^\s$#%]*)?[$#%]|[$❯➜])(?:\s+(.*))?$/;
const powershellPrompt = /^\s*PS(?:\s[^>]*)?>(.*)$/;
const cmdPrompt = /^\s*[A-Za-z]:\\[^>]*>(.*)$/;
const percentPrompt = /^\s*%\s+(.*)$/;
const barePrompt = /^\s*>\s+(.*)$/;

/**
 * Returns the commands of a code block. The prompts and output of a session are left out. Comments
 * are left out too if the commands fit on one line.
 * @param kind of the shell that runs them.
 * @returns undefined if there is nothing to run.
 */
export function shellCommands(
  code: string,
  language: ShellLanguage,
  kind: ShellKind,
): ShellCommands | undefined {
  const lines = withoutTabs(
    // Invisible characters must not reach the terminal, because the reader can't review them.
    visibleText(code.replace(/\r\n?/g, '\n')).replaceAll('\u00a0', ' '),
  )
    .split('\n')
    .map((line) => line.trimEnd());
  const typed = withoutPrompts(lines, language.isSession, language.kind ?? kind);
  const commands = separateCommands(typed, language.kind ?? kind);
  if (commands) {
    if (commands.length === 0) return undefined;
    const separator = kind === 'powershell' ? '; ' : ' && ';
    return { text: commands.join('\n'), line: commands.join(separator) };
  }
  const text = typed.join('\n').replace(/^\n+/, '').trimEnd();
  return text === '' ? undefined : { text, line: undefined };
}

/**
 * Returns the code without tabs, because a typed tab makes a shell complete names. Tabs at the
 * start of lines after `<<-` are removed, as the shell would do.
 */
function withoutTabs(code: string): string {
  return (code.includes('<<-') ? code.replace(/^\t+/gm, '') : code).replaceAll('\t', '    ');
}

function withoutPrompts(lines: readonly string[], isSession: boolean, kind: ShellKind): string[] {
  const always = [posixPrompt, powershellPrompt, cmdPrompt];
  const isPrompted = (prompts: readonly RegExp[]): boolean =>
    lines.some((line) => prompts.some((prompt) => prompt.test(line)));
  let prompts = isSession ? [...always, percentPrompt] : always;
  if (!isPrompted(prompts)) {
    // `>` is a prompt only in a session that begins with it. Elsewhere it is a redirection or a
    // quote.
    const first = lines.find((line) => line !== '') ?? '';
    if (!isSession || !barePrompt.test(first)) return [...lines];
    prompts = [barePrompt];
  }
  const typed: string[] = [];
  /** Lines of the command since the last prompt. */
  let command: string[] = [];
  let isOpen = false;
  /** Whether continued lines begin with `>`. A line without the mark is output then. */
  let isMarked = false;
  for (const line of lines) {
    const match = prompts.map((prompt) => prompt.exec(line)).find((found) => found);
    const goesOn = /^\s*>\s?(.*)$/.exec(line);
    if (!match && (!isOpen || (isMarked && !goesOn))) {
      isOpen = false;
      continue;
    }
    if (match) command = [];
    isMarked = !match && goesOn !== null;
    const text = match ? (match[1] ?? '').trim() : (goesOn?.[1] ?? line);
    command.push(text);
    typed.push(text);
    isOpen = isUnfinished(command, kind);
  }
  return typed;
}

/** Returns whether the shell would wait for another line. */
function isUnfinished(lines: readonly string[], kind: ShellKind): boolean {
  const last = lines.at(-1) ?? '';
  if (last.endsWith(continuation[kind]) || /(?:\|\||&&|\|)$/.test(last)) return true;
  return separateCommands(lines, kind) === undefined;
}

const continuation: Readonly<Record<ShellKind, string>> = {
  posix: '\\',
  fish: '\\',
  powershell: '`',
  cmd: '^',
};

/** Returns the lines as separate commands, or undefined if only a shell could separate them. */
function separateCommands(lines: readonly string[], kind: ShellKind): string[] | undefined {
  const commands: string[] = [];
  let command = '';
  for (const line of lines) {
    const read = readLine(line, kind);
    if (read === undefined) return undefined;
    const isContinued = read.endsWith(continuation[kind]);
    const text = (isContinued ? read.slice(0, -1) : read).trim();
    command = command === '' || text === '' ? command + text : `${command} ${text}`;
    if (isContinued || (command !== '' && /(?:\|\||&&|\|)$/.test(command))) continue;
    if (!isWhole(command, kind)) return undefined;
    if (command !== '') commands.push(command.replace(/;+$/, ''));
    command = '';
  }
  // The code ends inside a command. Typed as lines, the shell's prompt shows what is missing.
  return command === '' ? commands : undefined;
}

/**
 * Returns the line without its comment, or undefined if a quote or a here-document continues on the
 * next line.
 */
function readLine(line: string, kind: ShellKind): string | undefined {
  if (kind === 'cmd') return /^\s*(?:@?rem\b|::)/i.test(line) ? '' : line;
  const escape = kind === 'powershell' ? '`' : '\\';
  let quote = '';
  for (let index = 0; index < line.length; index++) {
    const character = line.charAt(index);
    if (character === escape && quote !== "'") index++;
    else if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '#' && /^$|[\s;]/.test(line.charAt(index - 1))) {
      return line.slice(0, index).trimEnd();
    } else if (line.startsWith('<<', index)) {
      if (line.charAt(index + 2) !== '<') return undefined;
      index += 2;
    } else if (kind === 'powershell' && /^@["']$/.test(line.slice(index))) return undefined;
  }
  return quote === '' ? line : undefined;
}

const blockStart =
  /^(?:if|for|foreach|while|until|case|select|function|begin|switch|try|do|class|param)\b|^[({]|^[\w-]+\s*\(\)/i;

/**
 * Returns whether the command stands alone: it doesn't run in the background and isn't a part of a
 * loop, a function or another block.
 */
function isWhole(command: string, kind: ShellKind): boolean {
  if (/(?:^|[^&>|])&$/.test(command)) return false;
  if (/^(?:do|done|then|else|elif|fi|esac|end|[)}\]])(?:\b|;|$)/.test(command)) return false;
  if (/(?:[({]|\b(?:do|then|else|in))$/.test(command)) return false;
  if (!blockStart.test(command)) return true;
  return kind === 'posix' || kind === 'fish'
    ? /(?:[)};]|\b(?:done|fi|esac|end))$/.test(command)
    : /[)}]$/.test(command);
}

/**
 * Returns the kind of a shell.
 * @param shell a path or a name, such as `/bin/zsh`, `pwsh.exe` or `gitbash`.
 */
export function shellKindOf(shell: string): ShellKind {
  const name = shell
    .split(/[\\/]/)
    .at(-1)
    ?.replace(/\.exe$/i, '')
    .toLowerCase();
  if (name === 'fish' || name === 'cmd') return name;
  // Like PowerShell, Nushell separates commands with a semicolon and has no `&&`.
  return name === 'pwsh' || name === 'powershell' || name === 'nu' ? 'powershell' : 'posix';
}

/** Returns whether a shell of that kind understands most commands of the language. */
export function isUnderstoodBy(language: ShellLanguage, kind: ShellKind): boolean {
  const family = (of: ShellKind): string => (of === 'fish' ? 'posix' : of);
  return language.kind === undefined || family(language.kind) === family(kind);
}
