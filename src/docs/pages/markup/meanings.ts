import { trimmedCode } from '../../../common/text/blankEnds';
import { HeadingSlugs } from '../../../common/text/headingSlugs';
import {
  type ElementWriter,
  endLink,
  hidden,
  hrefOf,
  isSet,
  type JsxObject,
  type JsxValue,
  labelled,
  type Meaning,
  shownAttributes,
  type Tag,
  textOf,
} from './elementWriter';
import { htmlMeanings } from './htmlMeanings';
import { codeSpan, escapeMarkdown, fenced, linkTarget } from './markdownWriter';

const calloutKinds = ['note', 'tip', 'important', 'warning', 'caution'] as const;

export type CalloutKind = (typeof calloutKinds)[number];

const kindByName = new Map<string, CalloutKind>([
  ['abstract', 'note'],
  ['admonition', 'note'],
  ['alert', 'warning'],
  ['aside', 'note'],
  ['attention', 'warning'],
  ['bug', 'caution'],
  ['callout', 'note'],
  ['check', 'tip'],
  ['danger', 'caution'],
  ['error', 'caution'],
  ['failure', 'caution'],
  ['hint', 'tip'],
  ['info', 'note'],
  ['success', 'tip'],
  ...calloutKinds.map((kind) => [kind, kind] as const),
]);

/** Returns the kind of callout of a component or container, or undefined if it is no callout. */
export function calloutKind(name: string): CalloutKind | undefined {
  return kindByName.get(name.toLowerCase());
}

/**
 * Begins a callout.
 * @returns a function that ends it.
 */
export function openCallout(
  page: ElementWriter,
  kind: CalloutKind,
  title: string | undefined,
): () => void {
  page.markdown.block(`<aside class="${kind}">`);
  if (title !== undefined) page.markdown.block(inBold(title));
  return () => page.markdown.block('</aside>');
}

/** Returns Markdown in bold, unless some of it already is. */
export function inBold(text: string): string {
  return text.includes('**') ? text : `**${text}**`;
}

const callout: Meaning = (tag, page) => {
  if (!page.isBlock(tag)) return unknown(tag, page);
  const wished = textOf(tag, 'type', 'kind', 'variant', 'status', 'intent') ?? '';
  const own = tag.name.split('.').at(-1) ?? '';
  const title = textOf(tag, 'title', 'label', 'heading');
  const kind = calloutKind(wished) ?? calloutKind(own) ?? 'note';
  return openCallout(page, kind, title === undefined ? undefined : escapeMarkdown(title));
};

/** Writes an element beside the text as a callout: without attributes, or with a class such as Slate's `notice`. */
const aside: Meaning = (tag, page) => {
  const names = (textOf(tag, 'class', 'className') ?? '').split(/\s+/);
  const kinds = names.map((name) => (name === 'notice' ? 'note' : calloutKind(name)));
  const kind = kinds.find((known) => known !== undefined);
  if (kind === undefined && tag.attributes.size > 0) return htmlMeanings['div']?.(tag, page);
  return openCallout(page, kind ?? 'note', undefined);
};

/** Writes tabs, steps and the like as a label with an anchor, above the content. */
const titled: Meaning = (tag, page) => {
  const { label, rest } = shownAttributes(tag);
  const listed = listedLabel(tag, page);
  const title = label ?? listed ?? textOf(tag, 'value', 'tab');
  if (!page.isBlock(tag)) {
    if (title !== undefined) page.markdown.raw(`**${escapeMarkdown(title)}** `);
    if (rest.length > 0) page.markdown.raw(`${rest.join(' ')} `);
    return undefined;
  }
  page.markdown.break();
  const id = textOf(tag, 'id') ?? (title === undefined ? '' : slug(title));
  if (id !== '') page.anchor(id, true);
  if (title !== undefined) page.markdown.block(labelled(title, hrefOf(tag)));
  for (const text of rest) page.markdown.block(text);
  return () => page.markdown.break();
};

/** Lists of labels of the open groups of tabs, with the number of their tabs so far. */
const tabLists = new WeakMap<
  ElementWriter,
  { readonly items: readonly JsxValue[]; seen: number }[]
>();

/** Writes a group of tabs. Its tabs take their labels from its list, as in `<Tabs items={['npm', 'pnpm']}>`. */
const tabs: Meaning = (tag, page) => {
  const items = tag.attributes.get('items') ?? tag.attributes.get('values');
  const open = tabLists.get(page) ?? [];
  tabLists.set(page, open);
  const own = { items: Array.isArray(items) ? items : [], seen: 0 };
  open.push(own);
  const attributes = new Map(tag.attributes);
  attributes.delete('items');
  attributes.delete('values');
  const end = unknown({ ...tag, attributes }, page);
  return () => {
    end?.();
    open.pop();
    if (own.seen > 0 || !page.isBlock(tag)) return;
    for (const text of shownAttributes(tag).rest) page.markdown.block(text);
  };
};

/** Returns the label of a tab in the list of its group: that of its value, or that at its place. */
function listedLabel(tag: Tag, page: ElementWriter): string | undefined {
  const group = tabLists.get(page)?.at(-1);
  if (!group || !/(?:^|\.)Tab(?:Item)?$/.test(tag.name)) return undefined;
  const place = group.seen++;
  const value = textOf(tag, 'value');
  const own = group.items.find((item) => isRecord(item) && item['value'] === value);
  const item = value === undefined ? group.items[place] : own;
  const label = isRecord(item) ? item['label'] : item;
  return typeof label === 'string' ? label : undefined;
}

function isRecord(value: JsxValue | undefined): value is JsxObject {
  return typeof value === 'object' && !Array.isArray(value);
}

function slug(title: string): string {
  return new HeadingSlugs().next({ text: title });
}

/**
 * Adds the anchor that generators make from a title.
 * @param title plain text.
 */
export function slugAnchor(page: ElementWriter, title: string): void {
  const id = slug(title);
  if (id !== '') page.anchor(id, true);
}

const fieldPlaces = ['query', 'path', 'body', 'header', 'cookie', 'form'];

/**
 * Writes a parameter of an API: its name, type and whether it is required, above its description.
 */
const field: Meaning = (tag, page) => {
  const place = fieldPlaces.find((name) => textOf(tag, name) !== undefined);
  const name = textOf(tag, ...(place === undefined ? [] : [place]), 'name', 'title', 'param');
  const type = textOf(tag, 'type');
  const initial = tag.attributes.get('default') ?? tag.attributes.get('defaultValue');
  const shown =
    initial === undefined || typeof initial === 'object' ? '' : codeSpan(String(initial));
  const facts = [
    ...(type === undefined ? [] : [codeSpan(type)]),
    ...(place === undefined ? [] : [place]),
    ...['required', 'optional', 'deprecated', 'nullable'].filter((fact) => isSet(tag, fact)),
    ...(shown === '' ? [] : [`default ${shown}`]),
  ];
  const { rest } = shownAttributes(tag, ['name', 'title', 'param', 'default', ...fieldPlaces]);
  const line = [...(name === undefined ? [] : [`**${codeSpan(name)}**`]), ...facts].join(' · ');
  if (!page.isBlock(tag)) {
    page.markdown.raw(`${[line, ...rest].join(' ')} `);
    return undefined;
  }
  page.markdown.break();
  const id = textOf(tag, 'id');
  if (id !== undefined) page.anchor(id, true);
  for (const text of [line, ...rest]) if (text !== '') page.markdown.block(text);
  return () => page.markdown.break();
};

const tooltip: Meaning = (tag, page) => {
  const { label, rest } = shownAttributes(tag, ['cta']);
  const tip = [...(label === undefined ? [] : [escapeMarkdown(label)]), ...rest].join(': ');
  const href = hrefOf(tag);
  return () => {
    if (tip !== '') page.markdown.raw(` (${tip})`);
    if (href !== undefined)
      page.markdown.raw(` [${escapeMarkdown(textOf(tag, 'cta') ?? href)}](${linkTarget(href)})`);
  };
};

/** Writes a frame around an image, with its caption below. */
const frame: Meaning = (tag, page) => {
  page.markdown.break();
  const { label, rest } = shownAttributes(tag);
  return () => {
    page.markdown.break();
    const texts = [...(label === undefined ? [] : [escapeMarkdown(label)]), ...rest];
    for (const text of texts) page.markdown.block(text);
  };
};

/** Lines of the file tree that is being read. */
const trees = new WeakMap<ElementWriter, { lines: string[]; depth: number }>();

const tree: Meaning = (_tag, page) => {
  const before = trees.get(page);
  const own = { lines: [], depth: 0 };
  trees.set(page, own);
  page.markdown.begin();
  return () => {
    const inner = page.markdown.end().trim();
    if (before) trees.set(page, before);
    else trees.delete(page);
    if (own.lines.length > 0) page.markdown.block(own.lines.join('\n'));
    if (inner !== '') page.markdown.block(inner);
  };
};

const treeEntry: Meaning = (tag, page) => {
  const open = trees.get(page);
  if (!open) return unknown(tag, page);
  const { label = '', rest } = shownAttributes(tag);
  const text = [escapeMarkdown(label), ...rest].filter((part) => part !== '').join(' · ');
  open.lines.push(`${'  '.repeat(open.depth)}- ${text}`);
  open.depth++;
  return () => {
    open.depth--;
  };
};

const codeBlock: Meaning = (tag, page) => {
  const title = textOf(tag, 'title', 'filename');
  const language = textOf(tag, 'language', 'lang') ?? '';
  page.markdown.begin();
  page.codeDepth++;
  const written = textOf(tag, 'code');
  return () => {
    page.codeDepth--;
    const content = written ?? trimmedCode(page.markdown.end());
    if (written !== undefined) page.markdown.end();
    // Markdown inside is already a fence.
    if (/^(?:`{3,}|~{3,})/.test(content)) page.markdown.block(content);
    else if (content !== '') page.markdown.block(fenced(content, language, title));
  };
};

/** Writes code that an element has in its attribute. Other elements of this name are text. */
const codeOrText: Meaning = (tag, page) =>
  (textOf(tag, 'code') === undefined ? unknown : codeBlock)(tag, page);

/** Writes a table whose rows are elements. Its other attributes, such as `align`, are for its looks. */
const tableOfRows: Meaning = (tag, page) => {
  const hasData = ['columns', 'data', 'headers', 'items', 'rows'].some((name) =>
    tag.attributes.has(name),
  );
  return (hasData ? unknown : (htmlMeanings['table'] ?? unknown))(tag, page);
};

/** Writes the properties of a type, as in `<TypeTable type={{ size: { type: 'number', required: true } }} />`. */
const typeTable: Meaning = (tag, page) => {
  const type = tag.attributes.get('type');
  const lines = Object.entries(isRecord(type) ? type : {}).map(([name, facts]) => {
    const texts = [`**${codeSpan(name)}**`];
    if (!isRecord(facts)) return `- ${texts.join('')}`;
    const { type: own, description, default: initial } = facts;
    if (typeof own === 'string') texts.push(codeSpan(own));
    if (facts['required'] === true) texts.push('required');
    if (initial !== undefined && typeof initial !== 'object')
      texts.push(`default ${codeSpan(String(initial))}`);
    if (typeof description === 'string') texts.push(escapeMarkdown(description));
    return `- ${texts.join(' · ')}`;
  });
  if (lines.length > 0) page.markdown.block(lines.join('\n'));
  return undefined;
};

/** Writes a link whose label ReadMe writes a second time, as an attribute. */
const labelledLink: Meaning = (tag, page) => {
  const href = hrefOf(tag);
  const label = textOf(tag, 'label');
  if (href === undefined || label === undefined) return unknown(tag, page);
  page.markdown.begin();
  return () => {
    const content = page.markdown.end();
    page.markdown.begin();
    page.markdown.raw(content.trim() === '' ? escapeMarkdown(label) : content);
    endLink(page, href);
  };
};

/** Writes an unknown element: its text, and the text of its attributes. */
const unknown: Meaning = (tag, page) => {
  const { label, rest } = shownAttributes(tag);
  const href = hrefOf(tag);
  const id = textOf(tag, 'id');
  if (page.isBlock(tag)) {
    page.markdown.break();
    if (id !== undefined) page.anchor(id, true);
    if (label !== undefined) page.markdown.block(labelled(label, href));
    for (const text of rest) page.markdown.block(text);
    if (label !== undefined || href === undefined) return () => page.markdown.break();
    page.markdown.begin();
    return () => {
      endLink(page, href);
      page.markdown.break();
    };
  }
  if (id !== undefined) page.anchor(id, false);
  if (label !== undefined) page.markdown.raw(`${labelled(label, href)} `);
  if (rest.length > 0) page.markdown.raw(`${rest.join(' ')} `);
  if (label !== undefined || href === undefined) return undefined;
  page.markdown.begin();
  return () => endLink(page, href);
};

const meanings: Partial<Record<string, Meaning>> = {
  ...htmlMeanings,
  Accordion: titled,
  AccordionItem: titled,
  Anchor: labelledLink,
  aside,
  Card: titled,
  Code: codeOrText,
  CodeBlock: codeBlock,
  Details: titled,
  Expandable: titled,
  Field: field,
  File: treeEntry,
  FileTree: tree,
  Files: tree,
  Folder: treeEntry,
  Frame: frame,
  Icon: () => undefined,
  ParamField: field,
  Property: field,
  ResponseField: field,
  Step: titled,
  Tab: titled,
  TabItem: titled,
  Table: tableOfRows,
  Tabs: tabs,
  Td: htmlMeanings['td'],
  Th: htmlMeanings['th'],
  Tr: htmlMeanings['tr'],
  Tooltip: tooltip,
  Tree: tree,
  TypeTable: typeTable,
  Update: titled,
};

/** Returns the meaning of an element. `Tabs.Tab` means the same as `Tab`. */
export function meaningOf(name: string): Meaning {
  const last = name.split('.').at(-1) ?? name;
  const isComponent = /^[A-Z]/.test(last);
  return (tag, page) => {
    if (isComponent && textOf(tag, 'for')?.toLowerCase() === 'agents') return hidden(tag, page);
    const known = Object.hasOwn(meanings, last) ? meanings[last] : undefined;
    if (known) return known(tag, page);
    return isComponent && calloutKind(last) ? callout(tag, page) : unknown(tag, page);
  };
}
