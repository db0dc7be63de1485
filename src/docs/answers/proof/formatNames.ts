/** Finds the names in command lines and data formats that the docs should have. */
import type { DocsNames } from './docsNames';

/** Names of a code block to look for in the docs, in the order of the block. */
export interface NamesToFind {
  readonly names: readonly string[];
  readonly flags: readonly string[];
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

/** Commands of operating systems and common tools. The docs need not explain their flags. */
const commonCommands = words(`
  apt apt-get awk aws az base64 bash brew bun bundle cargo cat cd chmod chown composer cp curl cut date deno diff
  docker docker-compose dotnet echo env export find gcloud gem git go gradle grep gunzip gzip head helm http
  jq java kill kubectl less ln ls make mkdir mv mvn nano node nohup npm npx openssl pip pip3 pipx pnpm
  poetry printf ps python python3 rm rsync ruby rustup scp sed set sh sleep sort source ssh sudo systemctl tail
  tar tee terraform time touch tr uv uvx unzip vi vim wc wget which xargs yarn zip
`);
/** Commands that run another command, which is the one to check. */
const runners = words('sudo npx bunx uvx pipx time nohup env exec');
/** Flags that most commands have. The docs need not mention them. */
const flagsOfAll = words(
  '--help --version -h -v --verbose --quiet -q -y --yes -g --global -D --save-dev',
);

const envName = /^(?:export\s+|set\s+|\$env:)?([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\s*=/;

/**
 * Returns the environment variables that command lines set, and the subcommands and flags of those commands
 * that the docs know.
 */
export function shellNames(code: string, docs: DocsNames): NamesToFind {
  const names: string[] = [];
  const flags: string[] = [];
  const lines = code
    .replace(/[\\`^]\n\s*/g, ' ')
    .replace(/'[^'\n]*'|"[^"\n]*"/g, '""')
    .split('\n');
  for (const line of lines) {
    const plain = line.replace(/^\s*(?:[$>%]|PS>)\s+/, '').replace(/(?:^|\s)#.*$/, '');
    for (const command of plain.split(/\||&&|;/)) readCommand(command.trim(), docs, names, flags);
  }
  return { names, flags };
}

function readCommand(command: string, docs: DocsNames, names: string[], flags: string[]): void {
  let rest = command;
  for (let match = envName.exec(rest); match; match = envName.exec(rest)) {
    names.push(match[1] ?? '');
    rest = rest.slice(match[0].length).replace(/^\S*\s*/, '');
  }
  const parts = rest.split(/\s+/).filter(Boolean);
  while (runners.has(parts[0] ?? '')) parts.shift();
  const [name = '', ...args] = parts;
  if (!/^[a-z][\w-]*$/.test(name) || commonCommands.has(name) || !docs.hasName(name)) return;
  let isSubcommand = true;
  for (const arg of args) {
    const flag = /^(--?[A-Za-z][\w-]*)/.exec(arg)?.[1];
    if (flag !== undefined) {
      isSubcommand = false;
      if (!flagsOfAll.has(flag)) flags.push(flag);
    } else if (isSubcommand && /^[a-z]+(?:-[a-z]+)*$/.test(arg)) names.push(arg);
    else isSubcommand = false;
  }
}

/** Matches keys whose values have names that the reader chooses. */
export const ownData =
  /^(?:metadata|headers?|data|body|payload|params|query|tags|labels|annotations|attributes|env|environment|context|extra\w*|custom\w*|fields|properties|variables|vars|values|secrets|volumes|services|scripts|dependencies|devDependencies)$/i;

/** Share of a block's names that the docs must know. Otherwise the format is another product's. */
const MIN_KNOWN = 0.5;

/** Returns the keys of data that the docs don't have. Returns none if the docs don't have the format. */
export function dataNames(code: string, language: string, docs: DocsNames): string[] {
  const keys = language.startsWith('json')
    ? jsonKeys(code)
    : language === 'http'
      ? headerNames(code)
      : lineKeys(code);
  const known = keys.filter((key) => docs.hasName(key));
  return known.length >= keys.length * MIN_KNOWN ? keys.filter((key) => !known.includes(key)) : [];
}

function jsonKeys(code: string): string[] {
  const keys: string[] = [];
  /** Whether the reader chose the names in each open bracket, outermost first. */
  const own: boolean[] = [];
  let key = '';
  for (const [token, name] of code.matchAll(
    /"((?:[^"\\\n]|\\.)*)"\s*:|"(?:[^"\\\n]|\\.)*"|[{}[\]]/g,
  )) {
    if (token === '{' || token === '[') own.push(own.at(-1) === true || ownData.test(key));
    else if (token === '}' || token === ']') own.pop();
    else if (name !== undefined) {
      key = name;
      if (own.at(-1) !== true && /^[\w-]+$/.test(name)) keys.push(name);
    } else continue;
    if (token === '{' || token === '[') key = '';
  }
  return keys;
}

/** Returns the keys of YAML, TOML, INI or `.env`, without those that the reader chose. */
function lineKeys(code: string): string[] {
  const keys: string[] = [];
  let ownIndent = Infinity;
  for (const line of code.split('\n')) {
    const match = /^(\s*)(?:-\s+)?["']?([\w.-]+)["']?\s*(?::(?=\s|$)|=)/.exec(line);
    if (!match) continue;
    const indent = match[1]?.length ?? 0;
    const key = match[2] ?? '';
    if (indent > ownIndent) continue;
    ownIndent = ownData.test(key) ? indent : Infinity;
    if (ownIndent === Infinity) keys.push(key);
  }
  return keys;
}

const commonHeaders = words(`
  accept accept-encoding accept-language authorization cache-control connection content-disposition
  content-encoding content-length content-type cookie date etag host if-match if-modified-since if-none-match
  location origin range referer server set-cookie transfer-encoding upgrade user-agent vary
`);

function headerNames(code: string): string[] {
  return [...code.matchAll(/^([A-Za-z][\w-]*):\s/gm)]
    .map(([, name = '']) => name)
    .filter((name) => !commonHeaders.has(name.toLowerCase()));
}
