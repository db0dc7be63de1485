/** Endings by the names that are written behind fences, where they are not the ending itself. */
const endings: ReadonlyMap<string, string> = new Map(
  Object.entries({
    bash: 'sh',
    batch: 'bat',
    'c#': 'cs',
    'c++': 'cpp',
    console: 'sh',
    csharp: 'cs',
    curl: 'sh',
    elixir: 'ex',
    erlang: 'erl',
    'f#': 'fs',
    golang: 'go',
    graphql: 'graphql',
    haskell: 'hs',
    hcl: 'tf',
    javascript: 'js',
    javascriptreact: 'jsx',
    json5: 'json',
    jsonc: 'json',
    kotlin: 'kt',
    latex: 'tex',
    markdown: 'md',
    'objective-c': 'm',
    perl: 'pl',
    plaintext: 'txt',
    powershell: 'ps1',
    properties: 'properties',
    protobuf: 'proto',
    pwsh: 'ps1',
    python: 'py',
    ruby: 'rb',
    rust: 'rs',
    shell: 'sh',
    shellscript: 'sh',
    shellsession: 'sh',
    terminal: 'sh',
    terraform: 'tf',
    text: 'txt',
    typescript: 'ts',
    typescriptreact: 'tsx',
    yaml: 'yaml',
  }),
);

/** A name for a file of that language, as it is written behind a fence. */
export function codeFileName(language: string): string {
  const name = language.trim().toLowerCase();
  if (name === 'dockerfile' || name === 'docker') return 'Dockerfile';
  if (name === 'makefile' || name === 'make') return 'Makefile';
  const ending = endings.get(name) ?? (/^[a-z][a-z\d]{0,9}$/.test(name) ? name : 'txt');
  return `snippet.${ending}`;
}
