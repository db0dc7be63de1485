/** Programming languages of examples in docs, by their names in the table of code languages. */
import { codeLanguages } from '../../shared/codeLanguages';

interface LanguageNames {
  /** Names in the table of code languages. Sentences use the first one. */
  readonly names: readonly string[];
  /** Further words for the language in questions and fences, such as frameworks. */
  readonly words?: readonly string[];
  /** Everyday words, which mean the language in a question only with a capital letter. */
  readonly everydayWords?: readonly string[];
  /** Whether examples in every language come with this one, such as JSON. No question asks for examples in it. */
  readonly isFormat?: boolean;
  readonly isShell?: boolean;
}

const exampleLanguages = {
  bash: { names: ['Shell', 'cURL'], isShell: true },
  c: { names: ['C'], everydayWords: ['c', 'h'] },
  cpp: { names: ['C++'] },
  csharp: { names: ['C#'], words: ['dotnet', '.net'], everydayWords: ['cs'] },
  dart: { names: ['Dart'], words: ['flutter'], everydayWords: ['dart'] },
  elixir: { names: ['Elixir'], everydayWords: ['ex'] },
  go: { names: ['Go'], everydayWords: ['go'] },
  http: { names: ['HTTP'], isFormat: true },
  java: { names: ['Java'] },
  javascript: { names: ['JavaScript', 'JSX'], everydayWords: ['node'] },
  json: { names: ['JSON'], isFormat: true },
  kotlin: { names: ['Kotlin'] },
  php: { names: ['PHP'], words: ['laravel'] },
  powershell: { names: ['PowerShell'], isShell: true },
  python: { names: ['Python'], words: ['ipynb', 'django', 'flask', 'pycon'] },
  ruby: { names: ['Ruby'], words: ['rails'], everydayWords: ['ruby'] },
  rust: { names: ['Rust'], everydayWords: ['rust'] },
  scala: { names: ['Scala'] },
  sql: { names: ['SQL'], isFormat: true },
  swift: { names: ['Swift'], everydayWords: ['swift'] },
  toml: { names: ['TOML'], isFormat: true },
  typescript: { names: ['TypeScript', 'TSX'] },
  xml: { names: ['XML', 'HTML'], isFormat: true },
  yaml: { names: ['YAML'], isFormat: true },
} satisfies Record<string, LanguageNames>;

/** A language that examples of docs are written in, as the search index names it. */
export type ExampleLanguage = keyof typeof exampleLanguages;

const all: Readonly<Record<ExampleLanguage, LanguageNames>> = exampleLanguages;
const languageByWord = new Map<string, ExampleLanguage>();
const everydayWords = new Set<string>();
for (const [key, example] of Object.entries(all)) {
  // Object.entries loses the type of the keys, which are those of `exampleLanguages`.
  const language = key as ExampleLanguage;
  const written = codeLanguages
    .filter(({ name }) => example.names.includes(name))
    .flatMap(({ writtenAs }) => writtenAs);
  for (const word of [...written, ...(example.words ?? [])]) languageByWord.set(word, language);
  for (const word of example.everydayWords ?? []) everydayWords.add(word);
}

export function isExampleLanguage(name: string): name is ExampleLanguage {
  return Object.hasOwn(all, name);
}

/** Returns the language that a fence, a file extension or a language ID of an editor names. */
export function codeLanguageOf(name: string): ExampleLanguage | undefined {
  return languageByWord.get(name.toLowerCase());
}

/** Returns the name of a language in a sentence. */
export function codeLanguageName(language: ExampleLanguage): string {
  const [name = language] = all[language].names;
  return language === 'bash' ? name.toLowerCase() : name;
}

/** Returns the programming languages that a question names, in its order (`and in Python?`). */
export function codeLanguagesIn(question: string): ExampleLanguage[] {
  const found = new Set<ExampleLanguage>();
  for (const [word] of question.matchAll(/\.?[\p{L}][\p{L}\d]*(?:\+\+|#|\.js)?/gu)) {
    const language = codeLanguageOf(word);
    if (language === undefined || all[language].isFormat === true) continue;
    const isNamed = !everydayWords.has(word.toLowerCase()) || /^\p{Lu}/u.test(word);
    if (isNamed) found.add(language);
  }
  return [...found];
}

/** Returns whether code in one language helps a person who writes the other. */
export function isSameOrKin(one: ExampleLanguage, other: ExampleLanguage): boolean {
  const script: readonly ExampleLanguage[] = ['javascript', 'typescript'];
  return one === other || (script.includes(one) && script.includes(other));
}

/** Returns whether code in the language is a program, rather than a command line or a document. */
export function isProgramming(language: ExampleLanguage): boolean {
  return all[language].isShell !== true && all[language].isFormat !== true;
}
