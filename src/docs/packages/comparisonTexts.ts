/** Sentences about a comparison of packages, shared by the command line and the document. */
import { plainSentence } from '../../common/text/safeText';
import type { Translate } from '../../common/errors';
import { numberText } from '../../shared/units';
import { WHOLE_MODULE } from './apiPaths';
import { type ComparisonNote, isUsed, type NameChange, type PackageComparison } from './comparison';
import { type ApiChangeKind, apiChangeKinds } from './diffApi';

/** Quotes text of a package safely for the place where it is shown. */
type Quote = (text: string) => string;

/** Maximum characters of a package's own sentence, such as that of a deprecation. */
const MAX_SAID = 300;
/** Maximum characters of a default value. */
const MAX_VALUE = 80;

/** Returns the differences in one line, the most important first. */
export function differencesText(comparison: PackageComparison, t: Translate): string {
  const { names, modules, pages, sections } = comparison;
  // The names of other modules count as removed names.
  const withoutNames = modules.removed.filter((module) => module.names === 0).length;
  const part = (count: number, one: string, many: (count: string) => string): string[] =>
    count === 0 ? [] : [count === 1 ? one : many(numberText(count))];
  const parts = [
    ...part(names.removed.length, t('1 removed name'), (many) => t('{0} removed names', many)),
    ...part(withoutNames, t('1 removed module'), (many) => t('{0} removed modules', many)),
    ...part(names.deprecated.length, t('1 newly deprecated name'), (many) =>
      t('{0} newly deprecated names', many),
    ),
    ...part(names.defaultChanged.length, t('1 changed default'), (many) =>
      t('{0} changed defaults', many),
    ),
    ...part(names.signatureChanged.length, t('1 changed signature'), (many) =>
      t('{0} changed signatures', many),
    ),
    ...part(names.added.length, t('1 added name'), (many) => t('{0} added names', many)),
    ...part(pages.removed.length, t('1 removed page'), (many) => t('{0} removed pages', many)),
    ...part(pages.added.length, t('1 added page'), (many) => t('{0} added pages', many)),
    ...part(sections.removed.length, t('1 removed section'), (many) =>
      t('{0} removed sections', many),
    ),
    ...part(sections.added.length, t('1 added section'), (many) => t('{0} added sections', many)),
  ];
  return parts.length === 0 ? t('The names, pages and sections are the same.') : parts.join(', ');
}

/** Returns how much of the differences the workspace's code names, or undefined if no code was searched. */
export function usesText(comparison: PackageComparison, t: Translate): string | undefined {
  const { workspace } = comparison;
  if (!workspace) return undefined;
  if (workspace.files === 0) return t('No file of your code imports {0}.', comparison.name);
  const removed = comparison.modules.removed.filter(isUsed);
  const used = usedChanges(comparison).length + removed.length;
  const files = numberText(workspace.files);
  if (used === 0)
    return workspace.files === 1
      ? t('The file that imports {0} names nothing that differs.', comparison.name)
      : t('The {0} files that import {1} name nothing that differs.', files, comparison.name);
  return used === 1
    ? t('Your code names 1 of the differences. Files that import {0}: {1}', comparison.name, files)
    : t(
        'Your code names {0} of the differences. Files that import {1}: {2}',
        numberText(used),
        comparison.name,
        files,
      );
}

/** Returns the differences that the workspace's code names, the most important first. */
export function usedChanges(
  comparison: PackageComparison,
): readonly { readonly kind: ApiChangeKind; readonly change: NameChange }[] {
  return apiChangeKinds.flatMap((kind) =>
    comparison.names[kind].filter(isUsed).map((change) => ({ kind, change })),
  );
}

/** Returns the name that differs, with the module from which code gets it. */
export function nameText({ paths }: Pick<NameChange, 'paths'>, t: Translate, quote: Quote): string {
  const [{ module, name } = { module: '', name: '' }] = paths;
  if (name === WHOLE_MODULE) return t('the module {0} itself', quote(module));
  if (name === 'default') return t('the default export of {0}', quote(module));
  return t('{0} of {1}', quote(name.replaceAll('.[', '[')), quote(module));
}

/** Returns what differs: `removed` or `default changed from 1 to 2`, with what the package says to use. */
export function changeText(
  kind: ApiChangeKind,
  { older, newer, replacement }: NameChange,
  t: Translate,
  quote: Quote,
): string {
  switch (kind) {
    case 'removed': {
      if (replacement) return t('removed, use {0}', quote(replacement.name));
      const said = saidBy(older?.deprecated);
      return said === '' ? t('removed') : t('removed, was deprecated: {0}', said);
    }
    case 'deprecated': {
      const said = saidBy(newer?.deprecated);
      return said === '' ? t('newly deprecated') : t('newly deprecated: {0}', said);
    }
    case 'defaultChanged': {
      const valueOf = (value = ''): string => quote(plainSentence(value, [], MAX_VALUE));
      const [before, after] = [valueOf(older?.defaultValue), valueOf(newer?.defaultValue)];
      return t('default changed from {0} to {1}', before, after);
    }
    case 'signatureChanged':
      return t('signature changed');
    case 'added':
      return t('added');
  }
}

/** Returns the first paragraph of a package's own words on one line. */
function saidBy(deprecated: string | undefined): string {
  const [paragraph = ''] = (deprecated ?? '').trim().split(/\n\s*\n|```/);
  return plainSentence(paragraph, [], MAX_SAID);
}

/** Returns the sentence of a note. It can have texts of the package, on one line. */
export function noteText(note: ComparisonNote, name: string, t: Translate): string {
  switch (note.code) {
    case 'no-types':
      return t('{0} {1} declares no types, so its names can’t be compared.', name, note.version);
    case 'incomplete':
      return t(
        'In version {0}, {1} also exports everything from a package that isn’t there. Names that only the other version has are not listed for it.',
        note.version,
        note.module,
      );
    case 'unread-code': {
      const [first = ''] = note.files;
      return note.files.length === 1
        ? t('1 file of your code can’t be parsed: {0}', first)
        : t(
            '{0} files of your code can’t be parsed, such as {1}',
            numberText(note.files.length),
            first,
          );
    }
    case 'cut-workspace':
      return t('Your code has more files than the limit. The rest was not searched.');
    case 'problem':
      return t('Version {0}: {1}', note.version, plainSentence(note.problem, [], MAX_SAID));
  }
}
