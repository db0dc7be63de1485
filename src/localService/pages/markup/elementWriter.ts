import type { JsxObject, JsxValue } from './jsxValues';
import { escapeMarkdown, linkTarget } from './markdownWriter';
import type { Tag } from './elementWriter';

/** Attributes that name an element, the likeliest first. */
const labelNames = [
  'title',
  'label',
  'heading',
  'header',
  'question',
  'name',
  'term',
  'parameter',
  'summary',
  'text',
];
/** Attributes whose text is shown, whatever it looks like. */
const textNames = new Set([
  ...labelNames,
  'alt',
  'answer',
  'caption',
  'content',
  'cta',
  'description',
  'desc',
  'eyebrow',
  'footer',
  'subtitle',
  'tip',
  'tooltip',
]);
const linkNames = ['href', 'to', 'link', 'url'];
/** Attributes for machines. */
const silentNames = new Set(
  (
    'allow as class className color d data default-value fill font groupId height icon iconType id ' +
    'key lang language media points queryString rel role sandbox size sizes slot src srcSet srcset ' +
    'stroke style target theme transform type value variant viewBox width xmlns ' +
    linkNames.join(' ')
  ).split(' '),
);

/** An attribute's text; `undefined` if it has none. */
export function textOf({ attributes }: Tag, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = attributes.get(name);
    if (typeof value === 'number') return String(value);
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
  }
  return undefined;
}

/** Whether an attribute is set, as `required` is alone and in `required={true}`. */
export function isSet({ attributes }: Tag, name: string): boolean {
  const value = attributes.get(name);
  return value === true || value === '' || value === 'true' || value === name;
}

export function hrefOf(tag: Tag): string | undefined {
  return textOf(tag, ...linkNames);
}

/** A label in bold, or as a link. */
export function labelled(label: string, href?: string): string {
  const text = escapeMarkdown(label);
  return href === undefined ? `**${text}**` : `[${text}](${linkTarget(href)})`;
}

export interface ShownAttributes {
  readonly label: string | undefined;
  /** Further texts and lists as Markdown, a block each. */
  readonly rest: readonly string[];
}

/** What a reader is meant to see of an element's attributes. */
export function shownAttributes(tag: Tag, but: readonly string[] = []): ShownAttributes {
  const labelName = labelNames.find((name) => textOf(tag, name) !== undefined);
  const rest: string[] = [];
  for (const [name, value] of tag.attributes) {
    if (name === labelName || but.includes(name)) continue;
    if (typeof value === 'object') {
      if (!silentNames.has(name)) rest.push(...listed(value));
    } else if (typeof value === 'string' && isShown(name, value)) rest.push(escapeMarkdown(value));
  }
  return { label: labelName === undefined ? undefined : textOf(tag, labelName), rest };
}

function isShown(name: string, value: string): boolean {
  if (value.trim() === '') return false;
  if (textNames.has(name)) return true;
  if (silentNames.has(name) || /^(?:on[A-Z]|data-|aria-)/.test(name)) return false;
  return /\p{L}\S*\s+\S*\p{L}/u.test(value);
}

/** Data in an attribute as a list. */
function listed(value: JsxValue): string[] {
  const lines = listLines(value, '');
  return lines.length === 0 ? [] : [lines.join('\n')];
}

function listLines(value: JsxValue, indent: string): string[] {
  if (typeof value === 'string') {
    return value.trim() === '' ? [] : [`${indent}- ${escapeMarkdown(value)}`];
  }
  if (typeof value === 'number') return [`${indent}- ${value}`];
  if (typeof value === 'boolean') return [];
  if (isList(value)) return value.flatMap((item) => listLines(item, indent));
  const href = linkNames.map((name) => value[name]).find((link) => typeof link === 'string');
  const labelName = labelNames.find((name) => typeof value[name] === 'string');
  const texts: string[] = [];
  const nested: string[] = [];
  for (const [name, item] of Object.entries(value)) {
    if (typeof item === 'object') nested.push(...listLines(item, `${indent}  `));
    else if (typeof item !== 'string' || item.trim() === '') continue;
    else if (name === labelName) texts.unshift(labelled(item, href));
    else if (name === 'type') texts.push(`\`${item.replaceAll('`', "'").replace(/\s+/g, ' ')}\``);
    else if (!silentNames.has(name)) texts.push(escapeMarkdown(item));
  }
  if (texts.length === 0) return nested.map((line) => line.slice(2));
  return [`${indent}- ${texts.join(' · ')}`, ...nested];
}

/** `Array.isArray` knows no arrays that are read only. */
function isList(value: readonly JsxValue[] | JsxObject): value is readonly JsxValue[] {
  return Array.isArray(value);
}
