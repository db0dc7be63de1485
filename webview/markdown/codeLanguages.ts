/** The languages that are known by name after a fence, and which grammar colours each. */

/** Grammars that can be loaded; one file each. */
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

export interface CodeLanguage {
  /** As people read it. */
  readonly name: string;
  readonly grammar?: GrammarName;
  /** Its code is made of commands for a terminal. */
  readonly isShell?: boolean;
}

const languages: readonly (CodeLanguage & { readonly writtenAs: string })[] = [
  { name: 'C', grammar: 'c', writtenAs: 'c h' },
  { name: 'C#', grammar: 'csharp', writtenAs: 'csharp cs c#' },
  // Its own grammar takes 30 times as long to compile, single patterns longer than three frames.
  { name: 'C++', grammar: 'c', writtenAs: 'cpp c++ cc cxx hpp' },
  { name: 'CSS', grammar: 'css', writtenAs: 'css' },
  { name: 'cURL', grammar: 'shellscript', isShell: true, writtenAs: 'curl' },
  { name: 'Diff', grammar: 'diff', writtenAs: 'diff patch' },
  { name: 'Dockerfile', grammar: 'docker', writtenAs: 'dockerfile docker' },
  { name: 'dotenv', grammar: 'ini', writtenAs: 'dotenv env' },
  { name: 'Go', grammar: 'go', writtenAs: 'go golang' },
  { name: 'GraphQL', grammar: 'graphql', writtenAs: 'graphql gql' },
  { name: 'HTML', grammar: 'html', writtenAs: 'html htm' },
  { name: 'HTTP', grammar: 'http', writtenAs: 'http' },
  { name: 'INI', grammar: 'ini', writtenAs: 'ini properties conf' },
  { name: 'Java', grammar: 'java', writtenAs: 'java' },
  { name: 'JavaScript', grammar: 'javascript', writtenAs: 'javascript js mjs cjs node' },
  { name: 'JSON', grammar: 'json', writtenAs: 'json' },
  { name: 'JSON', grammar: 'jsonc', writtenAs: 'jsonc json5' },
  { name: 'JSX', grammar: 'tsx', writtenAs: 'jsx javascriptreact' },
  { name: 'Kotlin', grammar: 'kotlin', writtenAs: 'kotlin kt kts' },
  { name: 'Markdown', grammar: 'markdown', writtenAs: 'markdown md' },
  { name: 'MDX', grammar: 'markdown', writtenAs: 'mdx' },
  { name: 'Mermaid', grammar: 'mermaid', writtenAs: 'mermaid' },
  { name: 'PHP', grammar: 'php', writtenAs: 'php' },
  { name: 'PowerShell', grammar: 'powershell', isShell: true, writtenAs: 'powershell ps1 pwsh' },
  { name: 'Python', grammar: 'python', writtenAs: 'python py python3' },
  { name: 'Ruby', grammar: 'ruby', writtenAs: 'ruby rb' },
  { name: 'Rust', grammar: 'rust', writtenAs: 'rust rs' },
  {
    name: 'Shell',
    grammar: 'shellscript',
    isShell: true,
    writtenAs: 'shell sh bash zsh shellscript',
  },
  {
    name: 'Shell',
    grammar: 'shellsession',
    isShell: true,
    writtenAs: 'console shellsession terminal',
  },
  { name: 'Batch', isShell: true, writtenAs: 'bat cmd batch' },
  { name: 'Fish', isShell: true, writtenAs: 'fish' },
  { name: 'SQL', grammar: 'sql', writtenAs: 'sql' },
  { name: 'Swift', grammar: 'swift', writtenAs: 'swift' },
  { name: 'TOML', grammar: 'toml', writtenAs: 'toml' },
  { name: 'TSX', grammar: 'tsx', writtenAs: 'tsx typescriptreact' },
  { name: 'TypeScript', grammar: 'typescript', writtenAs: 'typescript ts mts cts' },
  { name: 'XML', grammar: 'xml', writtenAs: 'xml svg xsd' },
  { name: 'YAML', grammar: 'yaml', writtenAs: 'yaml yml openapi' },
];

const byName = new Map<string, CodeLanguage>(
  languages.flatMap(({ writtenAs, ...language }) =>
    writtenAs.split(' ').map((name): [string, CodeLanguage] => [name, language]),
  ),
);

/** @param written what stands after the fence */
export function languageOf(written: string): CodeLanguage | undefined {
  return byName.get(written.toLowerCase());
}
