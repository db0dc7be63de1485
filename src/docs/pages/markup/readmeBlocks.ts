import { withChangedText } from './codeSpans';
import { codeLines } from './lines';
import { cellText, escapeMarkdown, fenced, linkTarget } from './markdownWriter';
import { calloutKind } from './meanings';

const firstLine = /^\[block:([\w-]+)\][ \t]*$/;
const lastLine = /^\[\/block\][ \t]*$/;
/** Matches the value of a reader or a term of the glossary, as in `<<apiKey>>`. */
const variable = /<<(?:glossary:)?([\w .-]{1,100})>>/g;
/** Maximum number of columns of a table. */
const MAX_COLUMNS = 50;

type Data = Readonly<Record<string, unknown>>;

/** Writes the blocks of ReadMe, which are JSON between `[block:code]` and `[/block]`, and its variables as Markdown. */
export function readmeBlocksAsMarkdown(source: string): string {
  if (!/^\[block:|<<[\w .:-]+>>/m.test(source)) return source;
  const isCode = codeLines();
  const result: string[] = [];
  /** Place of the first line of the open block in the result. */
  let start = -1;
  for (const line of source.split('\n')) {
    // JSON has no lines of code, as its line breaks are escaped.
    const isText = !isCode(line);
    if (isText && firstLine.test(line)) start = result.length;
    result.push(isText && start < 0 ? withChangedText(line, withoutMarks) : line);
    if (start < 0 || !lastLine.test(line)) continue;
    const block = result.splice(start);
    result.push(...(blockMarkdown(block) ?? block));
    start = -1;
  }
  return result.join('\n');
}

function withoutMarks(text: string): string {
  return text.replace(variable, '$1');
}

/** Returns the Markdown of a block, or undefined if it is none of ReadMe's. */
function blockMarkdown(lines: readonly string[]): readonly string[] | undefined {
  const name = firstLine.exec(lines[0] ?? '')?.[1] ?? '';
  const write = Object.hasOwn(writers, name) ? writers[name] : undefined;
  const data = parsed(lines.slice(1, -1).join('\n'));
  return write && data ? ['', ...write(data), ''] : undefined;
}

function parsed(json: string): Data | undefined {
  try {
    return recordOf(JSON.parse(json));
  } catch {
    return undefined;
  }
}

const writers: Partial<Record<string, (data: Data) => readonly string[]>> = {
  'api-header': ({ title }) => [`## ${textOf(title)}`],
  callout: ({ type, title, body }) => [
    `:::${calloutKind(textOf(type)) ?? 'note'} ${textOf(title)}`,
    '',
    textOf(body),
    '',
    ':::',
  ],
  code: ({ codes }) =>
    recordsOf(codes).flatMap(({ code, language, name }) => {
      const title = textOf(name);
      return [fenced(textOf(code), textOf(language), title === '' ? undefined : title), ''];
    }),
  embed: linkOf,
  html: ({ html }) => [textOf(html)],
  image: ({ images }) =>
    recordsOf(images).flatMap(({ image, caption }) => {
      const [source = ''] = Array.isArray(image) ? image.map(textOf) : [textOf(image)];
      const text = escapeMarkdown(textOf(caption));
      return source === '' ? [] : [`![${text}](${linkTarget(source)})`, ''];
    }),
  parameters: ({ data }) => tableOf(recordOf(data) ?? {}),
};

function linkOf({ title, url }: Data): readonly string[] {
  const target = textOf(url);
  const label = textOf(title);
  return target === '' ? [] : [`[${escapeMarkdown(label || target)}](${linkTarget(target)})`];
}

/** Returns a table of cells such as `h-0` and `2-1`, which name their row and column. */
function tableOf(cells: Data): readonly string[] {
  const rows = new Map<number, (string | undefined)[]>([[-1, []]]);
  for (const [place, text] of Object.entries(cells)) {
    const [, head, number, column = ''] = /^(?:(h)|(\d{1,6}))-(\d{1,2})$/.exec(place) ?? [];
    if (column === '' || Number(column) >= MAX_COLUMNS) continue;
    const key = head === undefined ? Number(number) : -1;
    const row = rows.get(key) ?? [];
    rows.set(key, row);
    row[Number(column)] = cellText(textOf(text).replace(/ {2,}\n/g, '\n\n'));
  }
  const sorted = [...rows].toSorted(([first], [second]) => first - second);
  const lines = sorted.map(([, row]) => `| ${Array.from(row, (cell) => cell ?? '').join(' | ')} |`);
  const width = sorted.reduce((most, [, row]) => Math.max(most, row.length), 0);
  const [head = '', ...body] = lines;
  return [head, `|${' --- |'.repeat(width)}`, ...body];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function recordOf(value: unknown): Data | undefined {
  return typeof value === 'object' && value !== null ? { ...value } : undefined;
}

function recordsOf(value: unknown): readonly Data[] {
  return Array.isArray(value) ? value.map((item) => recordOf(item) ?? {}) : [];
}
