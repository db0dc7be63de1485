/** The Markdown document and the JSON of a comparison of packages. */
import type { Translate } from '../../common/errors';
import { cutText } from '../../common/text/strings';
import { visibleProse } from '../../shared/characters';
import { codeSpan } from '../../shared/codeSpan';
import { numberText } from '../../shared/units';
import { escapeMarkdown } from '../pages/markup/markdownWriter';
import {
  type CodeUse,
  isUsed,
  type ModuleChange,
  type NameChange,
  type PackageComparison,
  type PageEntry,
  type SectionEntry,
} from './comparison';
import {
  changeText,
  differencesText,
  nameText,
  noteText,
  usedChanges,
  usesText,
} from './comparisonTexts';
import type { ApiChangeKind } from './diffApi';

/** Limits of the lists in the document. The JSON lists all. */
const MAX_ENTRIES = 300;
const MAX_PLACES = 50;
/** Maximum number of paths of one name. */
const MAX_PATHS = 3;
/** Maximum characters of a signature. */
const MAX_SIGNATURE = 400;

/** A document with the places in code that it names. */
export interface ComparisonDocument {
  readonly text: string;
  readonly links: readonly PlaceLink[];
}

/** A place in code that a line of the document names. Positions are from 0, in UTF-16 units. */
interface PlaceLink {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly use: CodeUse;
}

/**
 * Returns a comparison as a Markdown document: the differences in one line, those that the workspace's code names
 * with their places, then the rest. Texts of the packages are in code, so that they aren't read as Markdown or HTML.
 */
export function comparisonDocument(
  comparison: PackageComparison,
  t: Translate,
): ComparisonDocument {
  return new DocumentWriter(comparison, t).write();
}

/** Returns the whole comparison as indented JSON. */
export function comparisonJson(comparison: PackageComparison): string {
  return `${JSON.stringify(comparison, undefined, 2)}\n`;
}

class DocumentWriter {
  readonly #comparison: PackageComparison;
  readonly #t: Translate;
  readonly #lines: string[] = [];
  readonly #links: PlaceLink[] = [];

  constructor(comparison: PackageComparison, t: Translate) {
    this.#comparison = comparison;
    this.#t = t;
  }

  write(): ComparisonDocument {
    const t = this.#t;
    const { name, older, newer, notes, names, modules, pages, sections } = this.#comparison;
    this.#add(`# ${escapeMarkdown(`${name} ${older.version} → ${newer.version}`)}`);
    this.#add('', differencesText(this.#comparison, t));
    const used = usesText(this.#comparison, t);
    if (used !== undefined) this.#add('', escapeMarkdown(used));
    for (const note of notes) this.#add('', `> ${escapeMarkdown(noteText(note, name, t))}`);
    this.#used();
    this.#modules(t('Removed modules'), modules.removed);
    this.#names(t('Removed names'), 'removed', names.removed);
    this.#names(t('Newly deprecated names'), 'deprecated', names.deprecated);
    this.#names(t('Changed defaults'), 'defaultChanged', names.defaultChanged);
    this.#names(t('Changed signatures'), 'signatureChanged', names.signatureChanged);
    this.#pages(t('Removed pages'), pages.removed);
    this.#sections(t('Removed sections'), sections.removed);
    this.#modules(t('Added modules'), modules.added);
    this.#names(t('Added names'), 'added', names.added);
    this.#pages(t('Added pages'), pages.added);
    this.#sections(t('Added sections'), sections.added);
    return { text: `${this.#lines.join('\n')}\n`, links: this.#links };
  }

  #used(): void {
    const used = usedChanges(this.#comparison);
    const modules = this.#comparison.modules.removed.filter(isUsed);
    this.#heading(this.#t('What your code names'), used.length + modules.length);
    for (const { module, uses } of modules) {
      this.#add(`- ${this.#t('the module {0}: removed', codeSpan(module))}`);
      this.#places(uses);
    }
    for (const { kind, change } of used) {
      this.#add(`- ${this.#nameLine(kind, change)}`);
      if (kind === 'signatureChanged') this.#signatures(change);
      this.#places(change.uses);
    }
  }

  #names(title: string, kind: ApiChangeKind, changes: readonly NameChange[]): void {
    // The names of a module that only one version has are told with the module.
    const { removed, added } = this.#comparison.modules;
    const whole = new Set([...removed, ...added].map(({ module }) => module));
    const listed = changes.filter(({ paths }) => paths.some(({ module }) => !whole.has(module)));
    this.#heading(title, listed.length);
    this.#list(listed, (change) => this.#nameLine(kind, change));
  }

  #nameLine(kind: ApiChangeKind, change: NameChange): string {
    const t = this.#t;
    const quote = (text: string): string => codeSpan(visibleProse(text));
    const told = `${nameText(change, t, quote)}: ${escapeMarkdown(changeText(kind, change, t, quote))}`;
    const others = change.paths.slice(1);
    if (others.length === 0) return told;
    const shown = others
      .slice(0, MAX_PATHS)
      .map((path) => nameText({ paths: [path] }, t, quote))
      .join(', ');
    const more = others.length - MAX_PATHS;
    return more > 0
      ? `${told} (${t('also {0} and {1} more', shown, numberText(more))})`
      : `${told} (${t('also {0}', shown)})`;
  }

  #signatures({ older, newer }: NameChange): void {
    const t = this.#t;
    const spanOf = (signature = ''): string =>
      codeSpan(cutText(visibleProse(oneLine(signature)), MAX_SIGNATURE));
    this.#add(`  - ${t('before: {0}', spanOf(older?.signature))}`);
    this.#add(`  - ${t('now: {0}', spanOf(newer?.signature))}`);
  }

  #modules(title: string, changes: readonly ModuleChange[]): void {
    this.#heading(title, changes.length);
    this.#list(changes, ({ module, names }) =>
      names === 1
        ? this.#t('{0}: 1 name', codeSpan(module))
        : this.#t('{0}: {1} names', codeSpan(module), numberText(names)),
    );
  }

  #pages(title: string, entries: readonly PageEntry[]): void {
    this.#heading(title, entries.length);
    this.#list(entries, ({ path, title: name }) =>
      name === '' ? codeSpan(path) : `${codeSpan(path)}: ${escapeMarkdown(oneLine(name))}`,
    );
  }

  #sections(title: string, entries: readonly SectionEntry[]): void {
    this.#heading(title, entries.length);
    this.#list(
      entries,
      ({ path, section }) => `${codeSpan(path)}: ${escapeMarkdown(oneLine(section))}`,
    );
  }

  #heading(title: string, count: number): void {
    if (count > 0) this.#add('', `## ${title} (${numberText(count)})`, '');
  }

  #list<Entry>(entries: readonly Entry[], lineOf: (entry: Entry) => string): void {
    for (const entry of entries.slice(0, MAX_ENTRIES)) this.#add(`- ${lineOf(entry)}`);
    const more = entries.length - MAX_ENTRIES;
    if (more > 0)
      this.#add(`- ${this.#t('{0} more. The comparison as JSON lists all.', numberText(more))}`);
  }

  #places(uses: readonly CodeUse[]): void {
    for (const use of uses.slice(0, MAX_PLACES)) {
      const place = visibleProse(oneLine(`${use.file}:${use.line}:${use.column}`));
      const text = `  - ${codeSpan(place)}${use.isImport ? ` (${this.#t('import')})` : ''}`;
      const start = text.indexOf(place);
      this.#links.push({ line: this.#lines.length, start, end: start + place.length, use });
      this.#add(text);
    }
    const more = uses.length - MAX_PLACES;
    if (more > 0)
      this.#add(`  - ${this.#t('{0} more. The comparison as JSON lists all.', numberText(more))}`);
  }

  #add(...lines: readonly string[]): void {
    this.#lines.push(...lines.map((line) => visibleProse(line)));
  }
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
