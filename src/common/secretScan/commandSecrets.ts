/** Passwords that commands take without a name: `curl -u ann:…`, `docker login -p …`, `sshpass -p …`. */
import { finding, type Finding } from './finding';
import { isPlaceholder } from './placeholders';
import { isSecretValue } from './secretValues';
import { ValueReader, type Span } from './valueReader';

interface Command {
  /** Words of a command line, as a pattern. */
  readonly words: RegExp;
  /** Option whose argument is the secret. */
  readonly option: string;
  /** Whether the argument is `user:password`. */
  readonly isLogin?: boolean;
  /** Whether the argument can, or must, stand directly behind the option, as in `-psecret`. */
  readonly attached?: 'can' | 'must';
}

const commands: readonly Command[] = [
  { words: /^curl/, option: '-u', isLogin: true, attached: 'can' },
  { words: /^curl/, option: '--user', isLogin: true },
  { words: /^curl/, option: '-U', isLogin: true, attached: 'can' },
  { words: /^curl/, option: '--proxy-user', isLogin: true },
  { words: /^https?ie?/, option: '-a', isLogin: true },
  { words: /^sshpass/, option: '-p', attached: 'can' },
  {
    words: /^(?:docker|podman|nerdctl|buildah|skopeo|oras|helm|crane|az)\b[^\n]{0,60}? login\b/,
    option: '-p',
  },
  { words: /^(?:mysql|mariadb)/, option: '-p', attached: 'must' },
  { words: /^redis-cli/, option: '-a' },
  { words: /^ldap/, option: '-w' },
];

const commandName =
  /\b(?:curl|httpie|https?(?= -)|sshpass|docker|podman|nerdctl|buildah|skopeo|oras|helm|crane|az|mysql(?:dump|admin)?|mariadb(?:-dump|-admin)?|redis-cli|ldap[a-z]{3,9})(?=[ \t])/g;

/** Characters of a command that are read, at most. */
const MAX_COMMAND_LENGTH = 4000;

/**
 * Returns the passwords in the arguments of commands.
 * @param onWork called with the number of characters that were looked at, for tests.
 */
export function findCommandSecrets(
  text: string,
  onWork: (characters: number) => void = () => undefined,
): Finding[] {
  const findings: Finding[] = [];
  const reader = new ValueReader(text, onWork);
  const names = [...text.matchAll(commandName)];
  for (const [number, { index }] of names.entries()) {
    // A command ends before the next one, however many names a line repeats.
    const limit = Math.min(names[number + 1]?.index ?? text.length, index + MAX_COMMAND_LENGTH);
    const line = commandLine(text, index, limit);
    onWork(line.length);
    const options = commands.filter(({ words }) => words.test(line));
    if (options.length > 0) findings.push(...passwordsIn(reader, text, index, line, options));
  }
  return findings;
}

/** Returns a command with the lines that a backslash joins to it. */
function commandLine(text: string, start: number, limit: number): string {
  const rest = text.slice(start, limit);
  const end = /(?<![\\^`])\r?\n/.exec(rest)?.index;
  return rest.slice(0, end);
}

function passwordsIn(
  reader: ValueReader,
  text: string,
  start: number,
  line: string,
  commandsOfLine: readonly Command[],
): Finding[] {
  const findings: Finding[] = [];
  for (const match of line.matchAll(/\s(-{1,2}[A-Za-z][A-Za-z-]{0,20})/g)) {
    const [all, name = ''] = match;
    const command = commandsOfLine.find(
      ({ option, attached }) => name === option || (attached && name.startsWith(option)),
    );
    if (!command) continue;
    const at = start + match.index + all.length - name.length + command.option.length;
    const value = argumentAt(reader, text, at, command);
    if (!value) continue;
    const secret = command.isLogin ? passwordOfLogin(text, value) : value;
    if (!secret) continue;
    const content = text.slice(secret.start, secret.end);
    const isSecret = command.isLogin
      ? content.length >= 4 && !isPlaceholder(content)
      : isSecretValue(content, 'password', 'data');
    if (!isSecret) continue;
    findings.push(
      finding({ rule: 'command-password', kind: 'password' }, secret.start, secret.end),
    );
  }
  return findings;
}

function argumentAt(
  reader: ValueReader,
  text: string,
  at: number,
  { attached }: Command,
): Span | undefined {
  const gap = /^(?:=|[ \t]{1,24}(?:[\\^`]\r?\n[ \t]{0,24})?)/.exec(text.slice(at, at + 60))?.[0];
  if (gap === undefined ? attached === undefined : attached === 'must') return undefined;
  const start = at + (gap?.length ?? 0);
  return reader.argument(start);
}

function passwordOfLogin(text: string, { start, end }: Span): Span | undefined {
  const colon = text.slice(start, end).indexOf(':');
  return colon < 0 || colon > 200 ? undefined : { start: start + colon + 1, end };
}
