/** Programming languages by the names that people, fences and files give them. */
const namesOf = {
  bash: [
    'bash',
    'sh',
    'shell',
    'zsh',
    'console',
    'terminal',
    'curl',
    'shell-session',
    'shellscript',
  ],
  c: ['c', 'h'],
  cpp: ['cpp', 'c++', 'cc', 'cxx', 'hpp'],
  csharp: ['csharp', 'c#', 'cs', 'dotnet', '.net'],
  dart: ['dart', 'flutter'],
  elixir: ['elixir', 'ex', 'exs'],
  go: ['go', 'golang'],
  http: ['http'],
  java: ['java'],
  javascript: [
    'javascript',
    'js',
    'jsx',
    'mjs',
    'cjs',
    'node',
    'nodejs',
    'node.js',
    'javascriptreact',
  ],
  json: ['json', 'jsonc', 'json5'],
  kotlin: ['kotlin', 'kt', 'kts'],
  php: ['php', 'laravel'],
  powershell: ['powershell', 'ps1', 'pwsh'],
  python: ['python', 'py', 'python3', 'ipynb', 'django', 'flask', 'pycon'],
  ruby: ['ruby', 'rb', 'rails'],
  rust: ['rust', 'rs'],
  scala: ['scala'],
  sql: ['sql'],
  swift: ['swift'],
  toml: ['toml'],
  typescript: ['typescript', 'ts', 'tsx', 'mts', 'cts', 'typescriptreact'],
  xml: ['xml', 'html', 'svg'],
  yaml: ['yaml', 'yml'],
} as const;

export type CodeLanguage = keyof typeof namesOf;

const displayNames: Partial<Record<CodeLanguage, string>> = {
  bash: 'shell',
  c: 'C',
  cpp: 'C++',
  csharp: 'C#',
  http: 'HTTP',
  javascript: 'JavaScript',
  json: 'JSON',
  php: 'PHP',
  powershell: 'PowerShell',
  sql: 'SQL',
  toml: 'TOML',
  typescript: 'TypeScript',
  xml: 'XML',
  yaml: 'YAML',
};

const languageByName = new Map<string, CodeLanguage>();
for (const [language, names] of Object.entries(namesOf)) {
  // Object.entries forgets the keys' type; they are those of `namesOf`.
  for (const name of names) languageByName.set(name, language as CodeLanguage);
}

/** Everyday words, so that only a capital letter makes them a language in a question. */
const ambiguousNames = new Set([
  'go',
  'c',
  'h',
  'node',
  'swift',
  'rust',
  'ruby',
  'dart',
  'cs',
  'ex',
]);
/** Found beside examples in every language: commands and formats. Not what somebody wants an example "in". */
const formats: ReadonlySet<CodeLanguage> = new Set(['http', 'json', 'sql', 'toml', 'xml', 'yaml']);

/** The language that a fence's info string, a file ending or an editor's language id names. */
export function codeLanguageOf(name: string): CodeLanguage | undefined {
  return languageByName.get(name.toLowerCase());
}

/** How the language is written in a sentence. */
export function codeLanguageName(language: CodeLanguage): string {
  return displayNames[language] ?? language.charAt(0).toUpperCase() + language.slice(1);
}

/** The programming languages that a question names, in its order (`and in Python?`). */
export function codeLanguagesIn(question: string): CodeLanguage[] {
  const found = new Set<CodeLanguage>();
  for (const [word] of question.matchAll(/\.?[\p{L}][\p{L}\d]*(?:\+\+|#|\.js)?/gu)) {
    const language = codeLanguageOf(word);
    if (language === undefined || formats.has(language)) continue;
    const isNamed = !ambiguousNames.has(word.toLowerCase()) || /^\p{Lu}/u.test(word);
    if (isNamed) found.add(language);
  }
  return [...found];
}

/** Whether code in one language serves somebody who writes the other. */
export function isSameOrKin(one: CodeLanguage, other: CodeLanguage): boolean {
  const script: readonly CodeLanguage[] = ['javascript', 'typescript'];
  return one === other || (script.includes(one) && script.includes(other));
}

/** Whether code in it is a program rather than a command line or a document. */
export function isProgramming(language: CodeLanguage): boolean {
  return language !== 'bash' && language !== 'powershell' && !formats.has(language);
}
