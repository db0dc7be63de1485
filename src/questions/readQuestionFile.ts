/** Reads `docs-questions.yaml`, with the lines of its questions and problems. */
import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Scalar,
  visit,
  type YAMLMap,
} from 'yaml';
import * as v from 'valibot';
import { plainTranslate, type Translate } from '../common/errors';
import { parseYaml, UnreasonableYaml, type YamlDocument } from '../common/text/yamlDocuments';
import { cutText } from '../common/text/strings';
import { withoutUndefined } from '../common/withoutUndefined';
import { plainLine, withoutByteOrderMark } from '../shared/characters';
import { sizeText } from '../shared/units';
import type { AskFilter } from '../shared/askFilter';
import { wordProblem } from './check/wordRule';
import type { DocsQuestion, QuestionFile, QuestionProblem } from './docsQuestion';
import {
  DEFAULT_FIRST,
  type FileSettings,
  fileSettingsSchema,
  MAX_FIRST,
  MAX_QUESTIONS,
  type WrittenQuestion,
  writtenQuestionSchema,
} from './questionSchema';

/** Maximum number of characters of a file: ten thousand questions of typical length. */
const MAX_LENGTH = 4_000_000;
/** Number of nested levels to read: the question, its filters, their groups, and a wrong value in those. */
const MAX_VALUE_DEPTH = 4;
/** Maximum number of items to read of a list or a map. No valid list has more. */
const MAX_VALUES = 200;
/** Maximum number of reported problems. Nobody reads more before fixing some. */
const MAX_PROBLEMS = 100;

/** Key whose value adds the keys of other maps. */
const MERGE_KEY = '<<';

const filterKeys = ['version', 'language', 'groups'] as const;

/**
 * Reads the text of a questions file. It never throws. Errors of the text become problems, and
 * questions without errors are returned even if others have errors.
 */
export function readQuestionFile(file: string, t: Translate = plainTranslate): QuestionFile {
  // The byte order mark is removed, because the library counts it as a column and editors don't.
  const text = withoutByteOrderMark(file);
  const lines = new LineCounter();
  const reader = new FileReader(text, lines, t);
  try {
    // The `failsafe` schema reads every value as text, so that the version 1.10 keeps its zero.
    reader.read(parseYaml(text, { maxLength: MAX_LENGTH, lines, schema: 'failsafe' }));
  } catch (error) {
    if (!(error instanceof UnreasonableYaml)) throw error;
    reader.addError(
      [0, 0],
      error.problem === 'too-large'
        ? t(
            'The file is {0}. Question files can be up to {1}. Split it into several files.',
            sizeText(text.length),
            sizeText(MAX_LENGTH),
          )
        : t('The file is nested too deeply. A question has only simple keys and lists of words.'),
    );
  }
  return reader.result();
}

type Pair = YAMLMap['items'][number];

type Offsets = readonly [start: number, end: number];

class FileReader {
  readonly #text: string;
  readonly #lines: LineCounter;
  readonly #t: Translate;
  readonly #questions: DocsQuestion[] = [];
  readonly #problems: QuestionProblem[] = [];
  /** Places and messages of the problems. */
  readonly #known = new Set<string>();
  /** Number of errors, also of those that were known. */
  #errors = 0;
  /** The node of each alias. The library would search the whole file for each alias. */
  #targets: ReadonlyMap<unknown, Node> = new Map();
  /** First line of each question, by its ID in lower case. */
  readonly #linesById = new Map<string, number>();

  constructor(text: string, lines: LineCounter, t: Translate) {
    this.#text = text;
    this.#lines = lines;
    this.#t = t;
  }

  result(): QuestionFile {
    const problems = this.#problems
      .toSorted((a, b) => a.range.line - b.range.line || a.range.column - b.range.column)
      .slice(0, MAX_PROBLEMS);
    return { questions: this.#questions, problems };
  }

  read(documents: readonly YamlDocument[]): void {
    const t = this.#t;
    for (const { errors } of documents) {
      for (const { code, message, pos } of errors) {
        this.addError(pos, this.#syntaxSentence(code, message, pos[0]));
      }
    }
    if (this.#errors > 0) return;
    const [document, second] = documents;
    if (second) {
      const start = second.range[0];
      this.addError(
        [start, start],
        t('The file has several YAML documents. Put all questions into the first one.'),
      );
      return;
    }
    if (!document || isEmpty(this.#valueOf(document.contents))) {
      this.addError([0, 0], t('The file has no questions. Add one: “- question: …”.'));
      return;
    }
    this.#targets = this.#aliasTargets(document);
    if (this.#errors > 0) return;
    this.#readRoot(document.contents);
  }

  /**
   * Returns a node as plain values. The library's own conversion searches the whole file for each
   * alias, and follows nested aliases without a limit.
   * @param depth number of nested maps and lists to convert. Deeper ones become empty.
   */
  #valueOf(node: unknown, depth = MAX_VALUE_DEPTH): unknown {
    const target = this.#resolved(node);
    if (isScalar(target)) return isNull(target) ? null : target.value;
    if (isSeq(target)) {
      const items = depth > 0 ? target.items.slice(0, MAX_VALUES) : [];
      return items.map((item) => {
        const value = this.#resolved(item);
        // In a list, even “null” is a word.
        return isScalar(value) ? value.value : this.#valueOf(value, depth - 1);
      });
    }
    if (!isMap(target)) return undefined;
    const pairs = depth > 0 ? this.#pairsOf(target) : [];
    return Object.fromEntries(
      // A key can occur again in a merged map. The first one counts.
      pairs
        .toReversed()
        .map(({ key, value }) => [
          isScalar(key) ? String(key.value) : '',
          this.#valueOf(value, depth - 1),
        ]),
    );
  }

  #readRoot(contents: unknown): void {
    const t = this.#t;
    const root = this.#resolved(contents);
    const place = offsetsOf(contents) ?? [0, 0];
    if (isSeq(root)) {
      this.#readQuestions(root.items, {});
      return;
    }
    const questions = isMap(root) ? this.#pairOf(root, 'questions') : undefined;
    if (!isMap(root) || !questions) {
      this.addError(
        place,
        t('The file has no list of questions. Write “questions:” and below it “- question: …”.'),
      );
      return;
    }
    this.#checkKeys(root, ['$schema', ...Object.keys(fileSettingsSchema.entries), 'questions']);
    const settings = v.safeParse(fileSettingsSchema, normalized(this.#valueOf(root)));
    for (const issue of settings.issues ?? []) this.#addIssue(issue, root);
    const listed = this.#resolved(questions.value);
    if (isSeq(listed)) {
      this.#readQuestions(listed.items, settings.success ? settings.output : {});
    } else {
      this.addError(
        offsetsOf(questions.key) ?? place,
        t('“questions” must be a list. Begin each question with “- question: …”.'),
      );
    }
  }

  #readQuestions(items: readonly unknown[], settings: FileSettings): void {
    const t = this.#t;
    const over = items[MAX_QUESTIONS];
    if (items.length === 0) {
      this.addError([0, 0], t('The file has no questions. Add one: “- question: …”.'));
    }
    if (over !== undefined) {
      this.addError(
        offsetsOf(over) ?? [0, 0],
        t(
          'A file can have up to {0} questions. Move the questions from this line on into another file.',
          MAX_QUESTIONS,
        ),
      );
    }
    for (const item of items.slice(0, MAX_QUESTIONS)) {
      // A file with this many problems isn't a questions file.
      if (this.#problems.length > MAX_PROBLEMS * 10) break;
      this.#readQuestion(item, settings);
    }
  }

  #readQuestion(item: unknown, settings: FileSettings): void {
    const t = this.#t;
    const place = offsetsOf(item) ?? [0, 0];
    const node = this.#resolved(item);
    const before = this.#errors;
    const value = this.#valueOf(item);
    const fields = isScalar(node) ? { question: value } : value;
    if (isMap(node)) {
      this.#checkKeys(node, Object.keys(writtenQuestionSchema.entries));
      const filters = this.#resolved(this.#pairOf(node, 'filters')?.value);
      if (isMap(filters)) this.#checkKeys(filters, filterKeys);
    } else if (!isScalar(node)) {
      this.addError(place, t('An entry must be a question. Begin it with “- question: …”.'));
      return;
    }
    const parsed = v.safeParse(writtenQuestionSchema, normalized(fields));
    for (const issue of parsed.issues ?? []) this.#addIssue(issue, node, place);
    if (!parsed.success || this.#errors > before) return;
    this.#checkWords(parsed.output, node);
    this.#checkEmptyLists(parsed.output, node);
    if (parsed.output.refuses === true && (parsed.output.pages ?? parsed.output.anyPage)) {
      this.addError(
        this.#offsetsAt(node, ['refuses']) ?? place,
        t('A question with “refuses” can’t have pages. Remove “refuses” or the pages.'),
      );
    }
    if (this.#errors > before) return;
    this.#add(parsed.output, settings, this.#linesOf(place), place);
  }

  #add(
    written: WrittenQuestion,
    settings: FileSettings,
    lines: DocsQuestion['lines'],
    place: Offsets,
  ): void {
    const t = this.#t;
    const filters = filterOf(written.filters);
    const question = written.question.trim();
    const id = written.id?.trim() ?? derivedId(question, filters);
    const earlier = this.#linesById.get(id.toLowerCase());
    if (earlier !== undefined) {
      this.addError(
        place,
        written.id === undefined
          ? t(
              'Line {0} asks the same question. Remove one of them, or give this one its own “id”.',
              earlier,
            )
          : t('Line {0} has the same “id”. Give this question its own “id”.', earlier),
      );
      return;
    }
    this.#linesById.set(id.toLowerCase(), lines.first);
    const base = settings.base?.trim();
    this.#questions.push({
      id,
      question,
      name: plainLine(written.name ?? question),
      lines,
      pages: list(written.pages),
      anyPage: list(written.anyPage),
      first: written.first ?? settings.first ?? DEFAULT_FIRST,
      contains: list(written.contains),
      excludes: list(written.excludes),
      filters: { ...filterOf(settings.filters), ...filters },
      refuses: written.refuses ?? false,
      base,
    });
  }

  #checkWords({ contains, excludes }: WrittenQuestion, node: unknown): void {
    for (const [key, rules] of Object.entries({ contains, excludes })) {
      for (const [index, rule] of list(rules).entries()) {
        const problem = wordProblem(rule, this.#t);
        if (problem === undefined) continue;
        this.addError(this.#offsetsAt(node, [key, index]) ?? [0, 0], problem);
      }
    }
  }

  #checkEmptyLists({ pages, anyPage, contains, excludes }: WrittenQuestion, node: unknown): void {
    for (const [key, rules] of Object.entries({ pages, anyPage, contains, excludes })) {
      if (rules?.length !== 0) continue;
      const place = this.#offsetsAt(node, [key]) ?? [0, 0];
      this.#addProblem('warning', place, this.#t('“{0}” is empty, so it checks nothing.', key));
    }
  }

  /** Adds problems for keys of a map, and of those that it merges. */
  #checkKeys(merging: YAMLMap, known: readonly string[]): void {
    const t = this.#t;
    for (const map of this.#mapsOf(merging)) {
      const met = new Set<string>();
      for (const pair of map.items.slice(0, MAX_VALUES)) {
        const name = isScalar(pair.key) ? String(pair.key.value) : '';
        if (met.has(name)) {
          this.addError(
            offsetsOf(pair.key) ?? [0, 0],
            t('“{0}” occurs twice here. Merge both into one.', shownKey(name)),
          );
        } else if (name === MERGE_KEY) {
          this.#checkMerged(pair);
        } else if (!known.includes(name)) {
          this.#addUnknownKey(pair, name, known);
        }
        met.add(name);
      }
    }
  }

  #checkMerged({ key, value }: Pair): void {
    if (this.#mergedBy(value).every((each) => isMap(this.#resolved(each)))) return;
    const t = this.#t;
    this.addError(
      offsetsOf(value) ?? offsetsOf(key) ?? [0, 0],
      t('“<<” needs the alias of a map, such as “*shared”.'),
    );
  }

  /** Adds a problem for an unknown key, which can be misspelled, or can hold values that questions share. */
  #addUnknownKey({ key, value }: Pair, name: string, known: readonly string[]): void {
    const t = this.#t;
    const shown = shownKey(name);
    const similar = known.find((each) => isSimilar(each, name));
    if (similar === undefined && hasAnchor(value)) return;
    this.#addProblem(
      'warning',
      offsetsOf(key) ?? [0, 0],
      similar === undefined
        ? t('The key “{0}” is unknown, so it is ignored. Use one of: {1}.', shown, known.join(', '))
        : t('The key “{0}” is unknown, so it is ignored. Did you mean “{1}”?', shown, similar),
    );
  }

  #addIssue(
    { path, received }: v.BaseIssue<unknown>,
    node: unknown,
    place: Offsets = [0, 0],
  ): void {
    const keys = (path ?? []).map(({ key }) => key as string | number);
    const field = keys.findLast((key) => typeof key === 'string');
    const t = this.#t;
    // Only the question is required.
    const isMissing = received === 'undefined';
    this.addError(
      this.#offsetsAt(node, keys) ?? place,
      isMissing
        ? t('This entry has no question. Add “question: …”, and put text with a colon in quotes.')
        : fieldSentence(field, t),
    );
  }

  /**
   * Returns the place of a value. If the value is absent, returns the place of the nearest value
   * around it.
   */
  #offsetsAt(node: unknown, [key, ...rest]: readonly (string | number)[]): Offsets | undefined {
    const target = this.#resolved(node);
    if (key === undefined) return offsetsOf(node);
    const next = isMap(target)
      ? this.#pairOf(target, String(key))?.value
      : isSeq(target)
        ? target.items[Number(key)]
        : undefined;
    return (next ? this.#offsetsAt(next, rest) : undefined) ?? offsetsOf(node);
  }

  #pairOf(map: YAMLMap, name: string): Pair | undefined {
    return this.#pairsOf(map).find(({ key }) => isScalar(key) && key.value === name);
  }

  /** Returns the keys and values of a map, and then those that it merges. */
  #pairsOf(map: YAMLMap): Pair[] {
    return this.#mapsOf(map)
      .flatMap(({ items }) => items.slice(0, MAX_VALUES))
      .filter((pair) => !isMerge(pair));
  }

  /** Returns a map and all that it merges with `<<`. The values of an earlier one count first. */
  #mapsOf(map: YAMLMap): YAMLMap[] {
    // A set, because maps can merge each other.
    const maps = new Set<YAMLMap>();
    const left: unknown[] = [map];
    while (left.length > 0 && maps.size < MAX_VALUES) {
      const next = this.#resolved(left.pop());
      if (!isMap(next) || maps.has(next)) continue;
      maps.add(next);
      const merged = next.items.slice(0, MAX_VALUES).filter(isMerge);
      left.push(...merged.flatMap(({ value }) => this.#mergedBy(value)).toReversed());
    }
    return [...maps];
  }

  /** Returns the values of a merge key, which are a map or a list of maps. */
  #mergedBy(value: unknown): readonly unknown[] {
    const merged = this.#resolved(value);
    return isSeq(merged) ? merged.items.slice(0, MAX_VALUES) : [merged];
  }

  /**
   * Returns the node that each alias stands for: the last one before it with its name. Without
   * such a node, the value of the alias would be missing, so that is an error.
   */
  #aliasTargets(document: YamlDocument): ReadonlyMap<unknown, Node> {
    const named = new Map<string, Node>();
    const targets = new Map<unknown, Node>();
    const t = this.#t;
    visit(document, {
      Node: (_key, node) => {
        if (!isAlias(node)) {
          if (node.anchor !== undefined) named.set(node.anchor, node);
          return;
        }
        const target = named.get(node.source);
        if (target) targets.set(node, target);
        else {
          this.addError(
            offsetsOf(node) ?? [0, 0],
            t(
              'No value above has the anchor “&{0}”. Correct the name after “*”, or write the value here.',
              shownKey(node.source),
            ),
          );
        }
      },
    });
    return targets;
  }

  /** Returns the node, or the one that an alias stands for. */
  #resolved(node: unknown): unknown {
    return this.#targets.get(node) ?? node;
  }

  #syntaxSentence(code: string, message: string, offset: number): string {
    const t = this.#t;
    const { line } = this.#lines.linePos(offset);
    const start = this.#lines.lineStarts[line - 1] ?? 0;
    const [indent = ''] = /^\s*(?:-\s*)?/.exec(this.#text.slice(start, start + 200)) ?? [];
    if (code === 'TAB_AS_INDENT' || indent.includes('\t')) {
      return t('This line is indented with a tab, which YAML doesn’t allow. Use spaces.');
    }
    if (code === 'BLOCK_AS_IMPLICIT_KEY' || code === 'MULTILINE_IMPLICIT_KEY') {
      return t('Text with a colon must be in quotes: "…".');
    }
    // This uses only the first part of the library's sentence. The second part is the place.
    return t('This isn’t valid YAML: {0}', plainLine(cutText(message, 200)));
  }

  addError(place: Offsets, message: string): void {
    this.#errors += 1;
    this.#addProblem('error', place, message);
  }

  #addProblem(severity: QuestionProblem['severity'], [start, end]: Offsets, message: string): void {
    // A value that several questions share has its problem once.
    const known = `${start} ${message}`;
    if (this.#known.has(known)) return;
    this.#known.add(known);
    const from = this.#position(start);
    const to = this.#position(Math.max(start, end));
    this.#problems.push({
      severity,
      message,
      range: { ...from, endLine: to.line, endColumn: to.column },
    });
  }

  #linesOf([start, end]: Offsets): DocsQuestion['lines'] {
    const last = start + this.#text.slice(start, end).trimEnd().length;
    return { first: this.#position(start).line, last: this.#position(last).line };
  }

  #position(offset: number): { readonly line: number; readonly column: number } {
    const { line, col } = this.#lines.linePos(Math.min(offset, this.#text.length));
    return { line: Math.max(1, line), column: Math.max(1, col) };
  }
}

/** Returns a sentence about the valid values of a field. */
function fieldSentence(field: string | undefined, t: Translate): string {
  switch (field) {
    case 'question':
      return t('“question” must be a text of up to 100,000 characters.');
    case 'id':
      return t('“id” must be a text of up to 200 characters.');
    case 'name':
      return t('“name” must be a text of up to 200 characters.');
    case 'pages':
      return t('“pages” must be a list of up to 100 paths or URLs.');
    case 'anyPage':
      return t('“anyPage” must be a list of up to 100 paths or URLs.');
    case 'contains':
      return t('“contains” must be a list of up to 100 words, phrases or patterns.');
    case 'excludes':
      return t('“excludes” must be a list of up to 100 words, phrases or patterns.');
    case 'first':
      return t('“first” must be a whole number from 1 to {0}.', MAX_FIRST);
    case 'refuses':
      return t('“refuses” must be true or false.');
    case 'filters':
      return t('“filters” must have “version”, “language” or “groups” below it.');
    case 'version':
      return t('“version” must be a text of up to 100 characters.');
    case 'language':
      return t('“language” must be a text of up to 100 characters.');
    case 'groups':
      return t('“groups” must be a list of up to 20 names.');
    case 'base':
      return t('“base” must be a URL or a path, such as https://acme.com/handbook.');
    default:
      return t('An entry must be a question. Begin it with “- question: …”.');
  }
}

/**
 * Converts the texts of fields into numbers and booleans where the schema expects them. Empty
 * fields are left out, because somebody is probably still typing them.
 */
function normalized(fields: unknown): unknown {
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return fields;
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => !isEmpty(value))
      .map(([key, value]: [string, unknown]) => {
        if (key === 'filters') return [key, normalized(value)];
        if (key === 'first' && isText(value, /^\d+$/)) return [key, Number(value)];
        if (key === 'refuses' && isText(value, /^(?:true|false|yes|no)$/i)) {
          return [key, /^[ty]/i.test(value)];
        }
        return [key, value];
      }),
  );
}

function isText(value: unknown, form: RegExp): value is string {
  return typeof value === 'string' && form.test(value);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** Returns whether a scalar means “no value”. A quoted scalar is always a word. */
function isNull({ type, value }: Scalar): boolean {
  return type === 'PLAIN' && (value === '~' || value === 'null');
}

function list(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return [];
  return (typeof value === 'string' ? [value] : value).map((item) => item.trim());
}

function filterOf(filters: WrittenQuestion['filters']): AskFilter {
  const { version, language, groups } = filters ?? {};
  return withoutUndefined({
    version: version?.trim(),
    language: language?.trim(),
    groups: groups === undefined ? undefined : list(groups),
  });
}

/** Returns the ID of a question that names none. White space doesn't change the ID. */
function derivedId(question: string, { version, language, groups = [] }: AskFilter): string {
  const filters = [version, language, ...groups].filter((filter) => filter !== undefined);
  const words = plainLine(question);
  return filters.length === 0 ? words : `${words} [${filters.join(', ')}]`;
}

/**
 * Returns whether a name can be a misspelled key: different case, or one letter added, missing or
 * changed.
 */
function isSimilar(key: string, name: string): boolean {
  const [a, b] = [key.toLowerCase(), name.toLowerCase().replace(/[-_\s]/g, '')];
  if (a === b) return true;
  if (Math.abs(a.length - b.length) > 1 || b.length < 3) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  const skips = [
    [1, 1],
    [1, 0],
    [0, 1],
  ] as const;
  return skips.some(([ofKey, ofName]) => a.slice(start + ofKey) === b.slice(start + ofName));
}

function isMerge({ key }: Pair): boolean {
  return isScalar(key) && key.value === MERGE_KEY;
}

/** Returns whether aliases can refer to the value, or to a part of it. */
function hasAnchor(value: unknown): boolean {
  let found = false;
  if (isNode(value)) {
    visit(value, {
      Node: (_key, node) => {
        if (isAlias(node) || node.anchor === undefined) return undefined;
        found = true;
        return visit.BREAK;
      },
    });
  }
  return found;
}

function shownKey(name: string): string {
  return cutText(plainLine(name), 60);
}

function offsetsOf(node: unknown): Offsets | undefined {
  const range = (node as { readonly range?: readonly number[] | null } | null | undefined)?.range;
  return range ? [range[0] ?? 0, range[1] ?? 0] : undefined;
}
