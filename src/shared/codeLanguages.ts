/**
 * The one table of code languages: the names that people, fences, files and VS Code give them, how
 * they are shown, which grammar colors them, and which ones a terminal can run.
 */

/** Grammars that the chat view can load, one file each. */
export type GrammarName =
  | 'c'
  | 'csharp'
  | 'css'
  | 'diff'
  | 'docker'
  | 'go'
  | 'graphql'
  | 'html'
  | 'http'
  | 'ini'
  | 'java'
  | 'javascript'
  | 'json'
  | 'jsonc'
  | 'kotlin'
  | 'markdown'
  | 'mermaid'
  | 'php'
  | 'powershell'
  | 'python'
  | 'ruby'
  | 'rust'
  | 'shellscript'
  | 'shellsession'
  | 'sql'
  | 'swift'
  | 'toml'
  | 'tsx'
  | 'typescript'
  | 'xml'
  | 'yaml';

/** Family of a shell, by how it separates and continues commands. */
export type ShellKind = 'posix' | 'fish' | 'powershell' | 'cmd';

/** A language whose code is commands for a terminal. */
export interface ShellLanguage {
  /** Kind of shell, or undefined if any shell may be meant. */
  readonly kind: ShellKind | undefined;
  /** Whether the code is a session: commands behind their prompts, and their output. */
  readonly isSession: boolean;
}

export interface CodeLanguage {
  /** Name as people read it. */
  readonly name: string;
  /** Names in lower case: behind a fence, as a file's extension, as VS Code's language ID. */
  readonly writtenAs: readonly string[];
  /** Extensions that its files can have, the usual one first. */
  readonly extensions: readonly string[];
  /** Name of a file that has no extension, such as `Makefile`. */
  readonly fileName?: string;
  readonly grammar?: GrammarName;
  readonly shell?: ShellLanguage;
}

interface Row extends Omit<CodeLanguage, 'writtenAs' | 'extensions'> {
  /** Separated by spaces; every extension is a name of the language too. */
  readonly extensions: string;
  /** Further names, separated by spaces. */
  readonly names?: string;
}

const posix: ShellLanguage = { kind: 'posix', isSession: false };

const rows: readonly Row[] = [
  { name: 'Batch', extensions: 'bat cmd', names: 'batch', shell: { ...posix, kind: 'cmd' } },
  { name: 'C', extensions: 'c h', grammar: 'c' },
  { name: 'C#', extensions: 'cs', names: 'csharp c#', grammar: 'csharp' },
  // C++'s own grammar takes 30 times as long to compile, and single patterns longer than three
  // frames.
  { name: 'C++', extensions: 'cpp cc cxx hpp', names: 'c++', grammar: 'c' },
  { name: 'CSS', extensions: 'css', grammar: 'css' },
  { name: 'Dart', extensions: 'dart' },
  { name: 'Diff', extensions: 'diff patch', grammar: 'diff' },
  {
    name: 'Dockerfile',
    extensions: '',
    fileName: 'Dockerfile',
    names: 'dockerfile docker',
    grammar: 'docker',
  },
  { name: 'dotenv', extensions: 'env', names: 'dotenv', grammar: 'ini' },
  { name: 'Elixir', extensions: 'ex exs', names: 'elixir' },
  { name: 'Erlang', extensions: 'erl', names: 'erlang' },
  { name: 'F#', extensions: 'fs', names: 'f# fsharp' },
  { name: 'Fish', extensions: 'fish', shell: { ...posix, kind: 'fish' } },
  { name: 'Go', extensions: 'go', names: 'golang', grammar: 'go' },
  { name: 'GraphQL', extensions: 'graphql gql', grammar: 'graphql' },
  { name: 'Haskell', extensions: 'hs', names: 'haskell' },
  { name: 'HTML', extensions: 'html htm', grammar: 'html' },
  { name: 'HTTP', extensions: 'http', grammar: 'http' },
  { name: 'INI', extensions: 'ini properties conf', grammar: 'ini' },
  { name: 'Java', extensions: 'java', grammar: 'java' },
  {
    name: 'JavaScript',
    extensions: 'js mjs cjs',
    names: 'javascript node nodejs node.js',
    grammar: 'javascript',
  },
  { name: 'JSON', extensions: 'json', grammar: 'json' },
  { name: 'JSON', extensions: 'json', names: 'jsonc json5', grammar: 'jsonc' },
  { name: 'JSX', extensions: 'jsx', names: 'javascriptreact', grammar: 'tsx' },
  { name: 'Kotlin', extensions: 'kt kts', names: 'kotlin', grammar: 'kotlin' },
  { name: 'LaTeX', extensions: 'tex', names: 'latex' },
  { name: 'Makefile', extensions: '', fileName: 'Makefile', names: 'makefile make' },
  { name: 'Markdown', extensions: 'md', names: 'markdown', grammar: 'markdown' },
  { name: 'MDX', extensions: 'mdx', grammar: 'markdown' },
  { name: 'Mermaid', extensions: 'mermaid', grammar: 'mermaid' },
  { name: 'Objective-C', extensions: 'm', names: 'objective-c objc' },
  { name: 'Perl', extensions: 'pl', names: 'perl' },
  { name: 'PHP', extensions: 'php', grammar: 'php' },
  {
    name: 'PowerShell',
    extensions: 'ps1',
    names: 'powershell pwsh',
    grammar: 'powershell',
    shell: { ...posix, kind: 'powershell' },
  },
  { name: 'Protobuf', extensions: 'proto', names: 'protobuf' },
  { name: 'Python', extensions: 'py', names: 'python python3', grammar: 'python' },
  { name: 'Ruby', extensions: 'rb', names: 'ruby', grammar: 'ruby' },
  { name: 'Rust', extensions: 'rs', names: 'rust', grammar: 'rust' },
  { name: 'Scala', extensions: 'scala' },
  {
    name: 'Shell',
    extensions: 'sh',
    names: 'shell bash zsh ksh shellscript',
    grammar: 'shellscript',
    shell: posix,
  },
  {
    name: 'Shell',
    extensions: 'sh',
    names: 'console shellsession shell-session sh-session terminal',
    grammar: 'shellsession',
    shell: { kind: undefined, isSession: true },
  },
  // Behind the shell, which `sh` belongs to.
  {
    name: 'cURL',
    extensions: 'sh',
    names: 'curl',
    grammar: 'shellscript',
    shell: { ...posix, kind: undefined },
  },
  { name: 'SQL', extensions: 'sql', grammar: 'sql' },
  { name: 'Swift', extensions: 'swift', grammar: 'swift' },
  { name: 'Terraform', extensions: 'tf', names: 'terraform hcl' },
  { name: 'Text', extensions: 'txt', names: 'text plaintext' },
  { name: 'TOML', extensions: 'toml', grammar: 'toml' },
  { name: 'TSX', extensions: 'tsx', names: 'typescriptreact', grammar: 'tsx' },
  { name: 'TypeScript', extensions: 'ts mts cts', names: 'typescript', grammar: 'typescript' },
  { name: 'XML', extensions: 'xml svg xsd', grammar: 'xml' },
  { name: 'YAML', extensions: 'yaml yml', names: 'openapi', grammar: 'yaml' },
];

/** All languages. Several entries can share a name, such as a shell's scripts and its sessions. */
export const codeLanguages: readonly CodeLanguage[] = rows.map(
  ({ names = '', extensions, ...row }) => ({
    ...row,
    extensions: words(extensions),
    writtenAs: [...words(names), ...words(extensions)],
  }),
);

/** Languages by name. If two share a name, such as `sh`, the first one wins. */
const byName = new Map<string, CodeLanguage>();
for (const language of codeLanguages) {
  for (const written of language.writtenAs) {
    if (!byName.has(written)) byName.set(written, language);
  }
}

/**
 * Returns the language that a name stands for, in any case.
 * @param written a fence's first word, a file's extension or a language ID of VS Code.
 */
export function languageOf(written: string): CodeLanguage | undefined {
  return byName.get(written.trim().toLowerCase());
}

/** Returns a name for a file with code of a language, such as `snippet.py` or `Dockerfile`. */
export function codeFileName(written: string): string {
  const name = written.trim().toLowerCase();
  const language = byName.get(name);
  if (language?.fileName !== undefined) return language.fileName;
  const isExtension = language === undefined && /^[a-z][a-z\d]{0,9}$/.test(name);
  const extension = language?.extensions.includes(name) === true || isExtension ? name : undefined;
  return `snippet.${extension ?? language?.extensions[0] ?? 'txt'}`;
}

function words(list: string): string[] {
  return list.split(' ').filter((word) => word !== '');
}
