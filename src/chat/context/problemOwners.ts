/** Finds the packages that own a problem by what reports it: the rule's package, or that of a declaration. */

/** The parts of a problem that tell whose it is. */
interface OwnedProblem {
  /** Program that reports the problem, such as `eslint`. */
  readonly source?: string | undefined;
  /** Name of the rule, or number of the error. */
  readonly code?: string | undefined;
  /** Paths of files that declare what the problem is about, with forward slashes. */
  readonly declaredIn?: readonly string[];
}

/** Maximum number of packages that own the problems of one question. */
const MAX_OWNERS = 10;
/** Longest name of a rule or a program. npm's names are shorter. */
const MAX_NAME = 200;

const packageName = /^(?:@[a-z\d-][\w.~-]*\/)?[a-z\d-][\w.~-]*$/i;

/** Languages and their tools, which report problems of code that isn't theirs. */
const languages: ReadonlySet<string> = new Set([
  ...['ts', 'typescript', 'ts-plugin', 'js', 'javascript', 'json', 'jsonc', 'css', 'scss', 'less'],
  ...['html', 'markdown', 'yaml', 'deno-ts', 'vue', 'python', 'pylance', 'go', 'rust-analyzer'],
]);

/** Names of the packages of programs that report under another name. */
const programs: ReadonlyMap<string, string> = new Map([
  ['biome', '@biomejs/biome'],
  ['oxc', 'oxlint'],
]);

/**
 * Returns the names of the packages that may own problems, each once: those that declare what the problems are
 * about, and those of rules, by the naming rules of ESLint and Stylelint. They may not be installed.
 */
export function ownersOfProblems(problems: readonly OwnedProblem[]): readonly string[] {
  const owners = problems.flatMap(({ source, code, declaredIn = [] }) => [
    ...declaredIn.flatMap((path) => packagesOfFile(path)),
    ...packagesOfRule(source?.trim().toLowerCase() ?? '', code?.trim() ?? ''),
  ]);
  return [...new Set(owners)].filter((name) => packageName.test(name)).slice(0, MAX_OWNERS);
}

/** Returns the package of a file below `node_modules`, and the one whose types it has. */
function packagesOfFile(path: string): readonly string[] {
  const [, name] = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//s.exec(path) ?? [];
  // TypeScript's own declarations are those of the language.
  if (name === undefined || name === 'typescript') return [];
  const [, typed] = /^@types\/(.+)$/.exec(name) ?? [];
  if (typed === undefined) return [name];
  const scoped = typed.includes('__') ? `@${typed.replace('__', '/')}` : typed;
  return [scoped, name];
}

function packagesOfRule(source: string, rule: string): readonly string[] {
  if (source === '' || source.length > MAX_NAME || rule.length > MAX_NAME) return [];
  if (languages.has(source)) return [];
  const plugin = rule.includes('/') ? rule.slice(0, rule.lastIndexOf('/')) : undefined;
  if (source === 'eslint') return [plugin === undefined ? source : eslintPlugin(plugin)];
  if (source === 'stylelint') return [plugin === undefined ? source : stylelintPlugin(plugin)];
  return [programs.get(source) ?? source];
}

/** Returns `eslint-plugin-a` for `a`, `@a/eslint-plugin` for `@a`, and `@a/eslint-plugin-b` for `@a/b`. */
function eslintPlugin(plugin: string): string {
  if (!plugin.startsWith('@')) return `eslint-plugin-${plugin.split('/', 1)[0] ?? ''}`;
  const [scope = '', name] = plugin.split('/');
  return name === undefined ? `${scope}/eslint-plugin` : `${scope}/eslint-plugin-${name}`;
}

/** Returns `stylelint-a` for `a`, and `@a/stylelint-plugin` for `@a`. */
function stylelintPlugin(plugin: string): string {
  return plugin.startsWith('@') ? `${plugin}/stylelint-plugin` : `stylelint-${plugin}`;
}
