import { trimmedCode } from '../../../common/text/blankEnds';
import { type ElementWriter, endLink, hidden, hrefOf, type Meaning, textOf } from './elementWriter';
import { cellText, escapeMarkdown, fenced, inlineCode, linkTarget } from './markdownWriter';

/** Meanings of HTML elements in Markdown. */

const block: Meaning = (tag, page) => {
  page.markdown.break();
  const id = textOf(tag, 'id', 'name');
  if (id !== undefined) page.anchor(id, true);
  return () => page.markdown.break();
};

const inline: Meaning = (tag, page) => {
  const id = textOf(tag, 'id');
  if (id !== undefined) page.anchor(id, false);
  return undefined;
};

/** Keeps tags that this service's renderers allow. */
const kept: Meaning = ({ name }, page) => {
  page.markdown.raw(`<${name}>`);
  return () => page.markdown.raw(`</${name}>`);
};

/**
 * Returns the meaning of an element whose text goes between two equal marks, such as `**`. Markdown
 * allows no space inside of the marks.
 */
function between(mark: string): Meaning {
  return (_tag, page) => {
    page.markdown.begin();
    return () => {
      const content = page.markdown.end();
      const inner = content.trim();
      const isBlocks = /\n\s*\n/.test(inner) || inner.includes(mark);
      page.markdown.raw(
        inner === '' || isBlocks ? content : content.replace(inner, () => mark + inner + mark),
      );
    };
  };
}

const code: Meaning = (_tag, page) => {
  // Within `<pre>`, the fence is enough.
  if (page.codeDepth > 0) return undefined;
  page.markdown.begin();
  page.codeDepth++;
  return () => {
    page.codeDepth--;
    const content = page.markdown.end().replace(/\s+/g, ' ').trim();
    if (content !== '') page.markdown.raw(inlineCode(content));
  };
};

const preformatted: Meaning = (tag, page) => {
  page.markdown.begin();
  page.codeDepth++;
  return () => {
    page.codeDepth--;
    const content = trimmedCode(page.markdown.end());
    if (/^(?:`{3,}|~{3,})/.test(content)) page.markdown.block(content);
    else if (content !== '') page.markdown.block(fenced(content, textOf(tag, 'lang') ?? ''));
  };
};

function heading(level: number): Meaning {
  return (tag, page) => {
    page.markdown.break();
    page.markdown.begin();
    return () => {
      const content = page.markdown.end().replace(/\s+/g, ' ').trim();
      const id = textOf(tag, 'id');
      if (content !== '') {
        page.markdown.block(
          `${'#'.repeat(level)} ${content}${id === undefined ? '' : ` {#${id.replace(/[\s{}]/g, '-')}}`}`,
        );
      } else if (id !== undefined) page.anchor(id, true);
    };
  };
}

const lists = new WeakMap<ElementWriter, { next: number | undefined }[]>();

function list(isOrdered: boolean): Meaning {
  return (tag, page) => {
    const open = lists.get(page) ?? [];
    lists.set(page, open);
    const start = textOf(tag, 'start') ?? '';
    // Markdown has no longer numbers, and none below zero.
    const first = /^\d{1,9}$/.test(start) ? Number(start) : 1;
    open.push({ next: isOrdered ? first : undefined });
    page.markdown.break();
    return () => {
      open.pop();
      page.markdown.break();
    };
  };
}

const item: Meaning = (tag, page) => {
  const open = lists.get(page)?.at(-1);
  const mark = open?.next === undefined ? '- ' : `${open.next++}. `;
  page.markdown.break();
  page.markdown.begin();
  const id = textOf(tag, 'id');
  if (id !== undefined) page.anchor(id, false);
  return () => {
    const content = page.markdown.end().trim();
    if (content === '') return;
    const room = ' '.repeat(mark.length);
    page.markdown.block(mark + content.replace(/\n(?=[^\n])/g, `\n${room}`));
  };
};

const quote: Meaning = (_tag, page) => {
  page.markdown.break();
  page.markdown.begin();
  return () => {
    const content = page.markdown.end().trim();
    if (content !== '') page.markdown.block(content.replace(/^/gm, '> '));
  };
};

interface Table {
  readonly rows: { readonly cells: string[]; isHead: boolean }[];
  caption: string;
}

const tables = new WeakMap<ElementWriter, Table[]>();

const table: Meaning = (tag, page) => {
  const open = tables.get(page) ?? [];
  tables.set(page, open);
  const own: Table = { rows: [], caption: '' };
  open.push(own);
  page.markdown.break();
  const id = textOf(tag, 'id');
  if (id !== undefined) page.anchor(id, true);
  page.markdown.begin();
  return () => {
    const stray = page.markdown.end().trim();
    open.pop();
    if (own.caption !== '') page.markdown.block(own.caption);
    if (page.markdown.isInRow)
      for (const { cells } of own.rows) page.markdown.block(cells.join(' · '));
    else if (own.rows.length > 0) page.markdown.block(tableMarkdown(own));
    if (stray !== '') page.markdown.block(stray);
  };
};

/** Maximum number of columns of a table whose short rows get empty cells. */
const MAX_FILLED = 50;

function tableMarkdown({ rows }: Table): string {
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const line = (cells: readonly string[], length = cells.length): string =>
    `| ${Array.from({ length }, (_none, index) => cells[index] ?? '').join(' | ')} |`;
  // Markdown fills up short rows by itself. Filling all rows of a wide table could take far more space than the page.
  const filled = width <= MAX_FILLED ? width : undefined;
  const [first, ...others] = rows;
  const head = first?.isHead === true ? first.cells : [];
  const body = first?.isHead === true ? others : rows;
  return [
    line(head, width),
    `|${' --- |'.repeat(width)}`,
    ...body.map(({ cells }) => line(cells, filled)),
  ].join('\n');
}

const row: Meaning = (_tag, page) => {
  tables.get(page)?.at(-1)?.rows.push({ cells: [], isHead: false });
  return undefined;
};

function cell(isHead: boolean): Meaning {
  return (_tag, page) => {
    const open = tables.get(page)?.at(-1);
    if (!open) return undefined;
    page.markdown.begin();
    return () => {
      const content = page.markdown.end();
      if (open.rows.length === 0) open.rows.push({ cells: [], isHead: false });
      const last = open.rows.at(-1);
      if (!last) return;
      if (isHead) last.isHead = true;
      last.cells.push(cellText(content));
    };
  };
}

const caption: Meaning = (_tag, page) => {
  const open = tables.get(page)?.at(-1);
  if (!open) return undefined;
  page.markdown.begin();
  return () => {
    open.caption = page.markdown.end().replace(/\s+/g, ' ').trim();
  };
};

const anchor: Meaning = (tag, page) => {
  const id = textOf(tag, 'id', 'name');
  const href = hrefOf(tag);
  if (id !== undefined) page.anchor(id, false);
  if (href === undefined) return undefined;
  page.markdown.begin();
  return () => {
    // Generators put such links next to headings.
    const isEmpty = href.startsWith('#');
    const content = page.markdown.end();
    if (content.trim() === '' && isEmpty) return;
    page.markdown.begin();
    page.markdown.raw(content);
    endLink(page, href);
  };
};

const image: Meaning = (tag, page) => {
  const src = textOf(tag, 'src', 'data-src');
  const alt = escapeMarkdown(textOf(tag, 'alt', 'title') ?? '');
  if (src === undefined) page.markdown.raw(alt);
  else if (tag.isFlow) page.markdown.block(`![${alt}](${linkTarget(src)})`);
  else page.markdown.raw(`![${alt}](${linkTarget(src)})`);
  return undefined;
};

/** Writes an embedded frame or video as a link. */
const embedded: Meaning = (tag, page) => {
  const src = textOf(tag, 'src', 'data');
  const title = textOf(tag, 'title', 'alt', 'aria-label');
  const isBlock = page.isBlock(tag);
  if (src !== undefined) {
    const link = `[${escapeMarkdown(title ?? src)}](${linkTarget(src)})`;
    if (isBlock) page.markdown.block(link);
    else page.markdown.raw(link);
  }
  return isBlock ? () => page.markdown.break() : undefined;
};

const summary: Meaning = (_tag, page) => {
  page.markdown.break();
  page.markdown.begin();
  return () => {
    const content = page.markdown.end().replace(/\s+/g, ' ').trim();
    if (content !== '') page.markdown.block(content.includes('**') ? content : `**${content}**`);
  };
};

const abbreviation: Meaning = (tag, page) => {
  const title = textOf(tag, 'title');
  return () => {
    if (title !== undefined) page.markdown.raw(` (${escapeMarkdown(title)})`);
  };
};

const newLine: Meaning = (_tag, page) => {
  page.markdown.raw('<br>');
  return undefined;
};

const rule: Meaning = (_tag, page) => {
  page.markdown.block('---');
  return undefined;
};

const named = (names: string, meaning: Meaning): Record<string, Meaning> =>
  Object.fromEntries(names.split(' ').map((name) => [name, meaning]));

export const htmlMeanings: Readonly<Record<string, Meaning>> = {
  ...named(
    'address article aside center dd details div dl dt fieldset figcaption figure footer form header hgroup legend main menu nav p picture section',
    block,
  ),
  ...named(
    'bdi bdo big button cite data dfn font input ins label mark nobr option output q s small span strike template time tt u var wbr object tbody tfoot thead colgroup col',
    inline,
  ),
  ...named('kbd sub sup', kept),
  ...named('b strong', between('**')),
  ...named('em i', between('*')),
  ...named('del', between('~~')),
  ...named('script style noscript svg math head title canvas map link meta', hidden),
  ...named('audio embed iframe source track video', embedded),
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, heading(level)])),
  a: anchor,
  abbr: abbreviation,
  blockquote: quote,
  br: newLine,
  caption,
  code,
  hr: rule,
  img: image,
  li: item,
  ol: list(true),
  pre: preformatted,
  samp: code,
  summary,
  table,
  td: cell(false),
  th: cell(true),
  tr: row,
  ul: list(false),
};
