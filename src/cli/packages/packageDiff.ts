/** `docs-assistant packages diff`: what differs between two versions of a package, and what code names of it. */
import path from 'node:path';
import { systemClock } from '../../common/clock';
import type { Translate } from '../../common/errors';
import { silentLog } from '../../common/ports';
import { workSlices } from '../../common/workSlices';
import {
  comparePackages,
  isUsed,
  type NameChange,
  type PackageComparison,
} from '../../docs/packages/comparison';
import { comparisonDocument, comparisonJson } from '../../docs/packages/comparisonDocument';
import {
  changeText,
  differencesText,
  nameText,
  noteText,
  usedChanges,
  usesText,
} from '../../docs/packages/comparisonTexts';
import type { ApiChangeKind } from '../../docs/packages/diffApi';
import {
  type PackageDocs,
  type PackagePlace,
  readPackageDocs,
} from '../../docs/packages/packageDocs';
import { workspaceNames } from '../../docs/packages/workspaceNames';
import { parseKinds } from '../bundle/failOn';
import { type CommandReporter, MAX_IN_EVENT, runReported } from '../commandReporter';
import { CliError, type CliContext, exitCodes } from '../context';
import { namedFolder } from '../namedFile';
import { shownPath } from '../places';
import { ReportFiles } from '../reportFile';
import { type NamedPackage, openPackage } from './packageArgument';

/** Options of the command, as the parser of arguments returns them. */
export interface PackageDiffOptions {
  readonly in?: string;
  readonly failOn?: string;
  /** Files for the comparison, as JSON and as Markdown. */
  readonly report?: string;
  readonly markdown?: string;
  readonly json?: boolean;
}

/** Kinds of `--fail-on`, each with the number of differences of the kind. */
const kinds = {
  'removed-names': ({ names, modules }) => names.removed.length + modules.removed.length,
  'deprecated-names': ({ names }) => names.deprecated.length,
  'changed-defaults': ({ names }) => names.defaultChanged.length,
  'changed-signatures': ({ names }) => names.signatureChanged.length,
  'removed-pages': ({ pages }) => pages.removed.length,
  'used-removed-names': ({ names, modules }) =>
    // An import of a module, as `import 'pkg/old'`, can name nothing in it.
    [...names.removed, ...modules.removed].filter(isUsed).length,
  'used-deprecated-names': ({ names }) => names.deprecated.filter(isUsed).length,
  'used-changed-defaults': ({ names }) => names.defaultChanged.filter(isUsed).length,
  'used-changed-signatures': ({ names }) => names.signatureChanged.filter(isUsed).length,
} satisfies Readonly<Record<string, (comparison: PackageComparison) => number>>;

type FailureKind = keyof typeof kinds;

/** Compares two versions of a package. @returns the exit code. Failures have been reported then. */
export async function runPackageDiff(
  older: string,
  newer: string,
  options: PackageDiffOptions,
  context: CliContext,
): Promise<number> {
  const { t } = context;
  return runReported(context, options, async (reporter, atEnd) => {
    const failOn = parseKinds(options.failOn, Object.keys(kinds) as FailureKind[], [], t);
    const folder = await namedFolder(options.in ?? '.', context);
    const files = new ReportFiles(context);
    atEnd(() => files.release());
    const report = await files.reserve(options.report);
    const markdown = await files.reserve(options.markdown);
    const pause = pauses(context.signal);
    const open = async (named: string): Promise<NamedPackage> => {
      const { cwd, env, signal } = context;
      const onProgress = (sentence: string): void => reporter.note(sentence);
      const found = await openPackage(named, { cwd, env, signal, t, folder, pause, onProgress });
      atEnd(found.close);
      return found;
    };
    const before = await open(older);
    const after = await open(newer);
    const importedAs = before.importedAs ?? after.importedAs;
    const comparison = await compare(before.place, after.place, {
      importedAs,
      folder,
      pause,
      reporter,
      named: [older, newer],
      t,
    });
    await report?.write(comparisonJson(comparison));
    await markdown?.write(comparisonDocument(comparison, t).text);
    const { cwd } = context;
    const failed = failOn.filter((kind) => kinds[kind](comparison) > 0);
    const lines = differenceLines(comparison, (file) => shownPath(path.join(folder, file), cwd), t);
    return tell(comparison, lines, failed, reporter, t);
  });
}

/** Returns a function that gives other work a turn from time to time, so that Ctrl+C is heard. It throws the signal's reason. */
function pauses(signal: AbortSignal): () => Promise<void> {
  const takeTurn = workSlices(systemClock);
  return async () => {
    signal.throwIfAborted();
    await takeTurn();
  };
}

async function compare(
  before: PackagePlace,
  after: PackagePlace,
  {
    importedAs,
    folder,
    pause,
    reporter,
    named,
    t,
  }: {
    readonly importedAs: string | undefined;
    readonly folder: string;
    readonly pause: () => Promise<void>;
    readonly reporter: CommandReporter;
    readonly named: readonly [string, string];
    readonly t: Translate;
  },
): Promise<PackageComparison> {
  const read = async (place: PackagePlace, argument: string): Promise<PackageDocs> => {
    reporter.note(t('Reading {0}…', argument));
    const ports = { clock: systemClock, log: silentLog, pause };
    const docs = await readPackageDocs(place, ports);
    if (docs) return docs;
    throw new CliError(
      exitCodes.notFound,
      t('{0} is not a package: it has no package.json with a name.', argument),
    );
  };
  const older = await read(before, named[0]);
  const newer = await read(after, named[1]);
  if (older.name !== newer.name) {
    throw new CliError(
      exitCodes.usage,
      t('{0} and {1} are different packages.', older.name, newer.name),
    );
  }
  reporter.note(t('Searching the code for {0}…', newer.name));
  const imported = importedAs ?? newer.name;
  const code = await workspaceNames(folder, imported, pause);
  return comparePackages(older, newer, code, imported);
}

/** Prints a comparison. @returns the exit code. */
function tell(
  comparison: PackageComparison,
  lines: readonly string[],
  failed: readonly FailureKind[],
  reporter: CommandReporter,
  t: Translate,
): number {
  const { name, older, newer, notes } = comparison;
  const used = usesText(comparison, t);
  return reporter.tellFindings(
    { event: 'packages-compared', failed, comparison: shortened(comparison) },
    lines,
    ...notes.map((note) => noteText(note, name, t)),
    `${name} ${older.version} → ${newer.version}: ${differencesText(comparison, t)}`,
    ...(used === undefined ? [] : [used]),
  );
}

/** Returns the differences, those that code names first. The letters are those of `git status`. */
function differenceLines(
  comparison: PackageComparison,
  shown: (file: string) => string,
  t: Translate,
): string[] {
  const { names, modules, pages, sections } = comparison;
  const quote = (text: string): string => `“${text}”`;
  const whole = new Set([...modules.removed, ...modules.added].map(({ module }) => module));
  const line = (letter: string, kind: ApiChangeKind) => {
    return (change: NameChange): string[] =>
      change.paths.every(({ module }) => whole.has(module))
        ? []
        : [
            `${letter} ${nameText(change, t, (text) => text)} (${changeText(kind, change, t, quote)})`,
          ];
  };
  return [
    ...modules.removed.flatMap(({ module, uses }) =>
      uses.map(
        (use) =>
          `${shown(use.file)}:${use.line}:${use.column}: ${t('the module {0}: removed', quote(module))}`,
      ),
    ),
    ...usedChanges(comparison).flatMap(({ kind, change }) =>
      change.uses.map(
        (use) =>
          `${shown(use.file)}:${use.line}:${use.column}: ${nameText(change, t, quote)}: ${changeText(kind, change, t, quote)}`,
      ),
    ),
    ...modules.removed.map(({ module }) => `D ${module}`),
    ...names.removed.flatMap(line('D', 'removed')),
    ...names.deprecated.flatMap(line('M', 'deprecated')),
    ...names.defaultChanged.flatMap(line('M', 'defaultChanged')),
    ...names.signatureChanged.flatMap(line('M', 'signatureChanged')),
    ...pages.removed.map((page) => `D ${page.path}`),
    ...sections.removed.map(({ path: page, section }) => `D ${page} › ${section}`),
    ...modules.added.map(({ module }) => `A ${module}`),
    ...names.added.flatMap(line('A', 'added')),
    ...pages.added.map((page) => `A ${page.path}`),
    ...sections.added.map(({ path: page, section }) => `A ${page} › ${section}`),
  ];
}

/** Returns a comparison with short lists, so that its event fits into a log. */
function shortened(comparison: PackageComparison): PackageComparison {
  const cut = <Item>(items: readonly Item[]): Item[] => items.slice(0, MAX_IN_EVENT);
  const { names, modules, pages, sections } = comparison;
  return {
    ...comparison,
    names: {
      removed: cut(names.removed),
      deprecated: cut(names.deprecated),
      defaultChanged: cut(names.defaultChanged),
      signatureChanged: cut(names.signatureChanged),
      added: cut(names.added),
    },
    modules: { removed: cut(modules.removed), added: cut(modules.added) },
    pages: { removed: cut(pages.removed), added: cut(pages.added) },
    sections: { removed: cut(sections.removed), added: cut(sections.added) },
  };
}
