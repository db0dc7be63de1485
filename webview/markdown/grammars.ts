/** Grammars by name, each in a file of its own that is loaded when its language appears. */
import type { IRawGrammar } from '@shikijs/core/textmate';
import type { GrammarName } from './codeLanguages';

/** See `grammarPlugin.mjs`, which makes them. */
export interface TranslatedGrammar {
  /** With keys in the place of patterns, `<name>:<index>` and what the tokeniser looks for. */
  readonly grammar: IRawGrammar;
  /** By index, then by the anchors that may match: neither, `\G`, `\A`, both. */
  readonly patterns: readonly (readonly TranslatedPattern[])[];
}

/**
 * Null for a pattern that JavaScript does not have. `groups` are the numbers that its groups had
 * before those that nobody asks for were left out; absent where none was.
 */
export type TranslatedPattern =
  | readonly [
      source: string,
      flags: string,
      emulation?: PatternEmulation | null,
      groups?: readonly number[],
    ]
  | null;

/** What a pattern needs beside JavaScript's own means; see `oniguruma-to-es`. */
export interface PatternEmulation {
  readonly hiddenCaptures?: number[];
  readonly strategy?: string | null;
  readonly transfers?: [number, number[]][];
}

type Loader = () => Promise<{ readonly default: TranslatedGrammar }>;

const loaders: Readonly<Record<GrammarName, Loader>> = {
  c: () => import('grammar:c'),
  csharp: () => import('grammar:csharp'),
  css: () => import('grammar:css'),
  diff: () => import('grammar:diff'),
  docker: () => import('grammar:docker'),
  go: () => import('grammar:go'),
  graphql: () => import('grammar:graphql'),
  html: () => import('grammar:html'),
  http: () => import('grammar:http'),
  ini: () => import('grammar:ini'),
  java: () => import('grammar:java'),
  javascript: () => import('grammar:javascript'),
  json: () => import('grammar:json'),
  jsonc: () => import('grammar:jsonc'),
  kotlin: () => import('grammar:kotlin'),
  markdown: () => import('grammar:markdown'),
  mermaid: () => import('grammar:mermaid'),
  php: () => import('grammar:php'),
  powershell: () => import('grammar:powershell'),
  python: () => import('grammar:python'),
  ruby: () => import('grammar:ruby'),
  rust: () => import('grammar:rust'),
  shellscript: () => import('grammar:shellscript'),
  shellsession: () => import('grammar:shellsession'),
  sql: () => import('grammar:sql'),
  swift: () => import('grammar:swift'),
  toml: () => import('grammar:toml'),
  tsx: () => import('grammar:tsx'),
  typescript: () => import('grammar:typescript'),
  xml: () => import('grammar:xml'),
  yaml: () => import('grammar:yaml'),
};

/** Languages within a language that are coloured too. */
const embedded: Partial<Record<GrammarName, readonly GrammarName[]>> = {
  html: ['css', 'javascript'],
  http: ['json'],
  php: ['html', 'css', 'javascript'],
  shellsession: ['shellscript'],
};

/** The grammar first, then those that it embeds. */
export async function loadGrammars(name: GrammarName): Promise<readonly TranslatedGrammar[]> {
  const modules = await Promise.all(
    [name, ...(embedded[name] ?? [])].map((wanted) => loaders[wanted]()),
  );
  return modules.map((loaded) => loaded.default);
}
