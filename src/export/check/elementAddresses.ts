import { parseSrcset } from 'srcset';
import type { FoundAddress } from './findings';
import type { AddressKind } from './reportTypes';
import { styleAddresses } from './styleLinks';

export interface StartTag {
  /** Name in lower case. */
  readonly name: string;
  readonly isSvg: boolean;
  /** Decoded values by name. */
  readonly values: Readonly<Record<string, string>>;
}

/** One address of an attribute, which may contain several. */
type AttributeAddress = Pick<FoundAddress, 'kind' | 'address' | 'role'>;

/** Kinds of `<link rel>` values. The first match wins. */
const relKinds: readonly (readonly [string, AddressKind])[] = [
  ['stylesheet', 'style'],
  ['icon', 'image'],
  ['apple-touch-icon', 'image'],
  ['apple-touch-icon-precomposed', 'image'],
  ['apple-touch-startup-image', 'image'],
  ['mask-icon', 'image'],
  ['fluid-icon', 'image'],
  ['manifest', 'manifest'],
  ['modulepreload', 'script'],
  ['prefetch', 'hint'],
  ['prerender', 'hint'],
];

const preloadKinds: Readonly<Record<string, AddressKind>> = {
  script: 'script',
  style: 'style',
  font: 'font',
  image: 'image',
  audio: 'media',
  video: 'media',
  track: 'media',
  document: 'frame',
  worker: 'worker',
};

/** Relations that only describe the page, often with its public URL. */
const mentioning = ['canonical', 'alternate', 'shortlink', 'amphtml', 'me', 'author', 'license'];

const pageMentions = new Set(['og:url', 'twitter:url']);

/** Elements that load their `src`. */
const srcKinds: Readonly<Record<string, AddressKind>> = {
  img: 'image',
  iframe: 'frame',
  frame: 'frame',
  embed: 'object',
  video: 'media',
  audio: 'media',
  source: 'media',
  track: 'media',
};

/** Presentation attributes of SVG that can contain `url()`. */
export const paints = new Set([
  'fill',
  'stroke',
  'filter',
  'mask',
  'clip-path',
  'cursor',
  'marker',
  'marker-start',
  'marker-mid',
  'marker-end',
]);

/** Maximum length of a `srcset`, because the parser is not made for hostile input. */
const MAX_SRCSET = 100_000;

const MAX_CONTENT = 5000;

const scriptTypes = new Set([
  '',
  'module',
  'text/javascript',
  'application/javascript',
  'text/ecmascript',
  'application/ecmascript',
  'application/x-javascript',
  'text/x-javascript',
]);

/** Returns whether a browser runs a script of this type as JavaScript. */
export function isScriptType(type: string | undefined): boolean {
  return scriptTypes.has((type ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '');
}

/** Returns the addresses in an attribute of an element. */
export function attributeAddresses(tag: StartTag, attribute: string): AttributeAddress[] {
  const { name, values } = tag;
  const address = values[attribute] ?? '';
  switch (attribute) {
    case 'href':
    case 'xlink:href':
      return hrefAddresses(tag, attribute, address);
    case 'src':
      return srcAddresses(tag, address);
    case 'srcset':
      return name === 'img' || name === 'source' ? imageList(address) : [];
    case 'imagesrcset':
      return name === 'link' ? imageList(address) : [];
    case 'poster':
      return name === 'video' ? [{ kind: 'image', address }] : [];
    case 'data':
      return name === 'object' ? [{ kind: 'object', address }] : [];
    case 'background':
      return [{ kind: 'image', address }];
    case 'action':
      return name === 'form' ? [formAddress(address, values['method'])] : [];
    case 'formaction':
      return [formAddress(address, values['formmethod'])];
    case 'ping':
      return words(address).map((ping) => ({ kind: 'beacon', address: ping }));
    case 'content':
      return name === 'meta' ? metaAddresses(values) : [];
    case 'style':
      return styleAddresses(address);
    default:
      return tag.isSvg && paints.has(attribute) ? paintAddresses(address) : [];
  }
}

function hrefAddresses(tag: StartTag, attribute: string, address: string): AttributeAddress[] {
  const { name, isSvg, values } = tag;
  if (name === 'a' || name === 'area') {
    return attribute === 'href' || isSvg ? [{ kind: 'link', address }] : [];
  }
  if (name === 'link' && attribute === 'href') return linkAddresses(values, address);
  // SVG prefers `href` where an element has both.
  if (!isSvg || (attribute === 'xlink:href' && 'href' in values)) return [];
  return [{ kind: name === 'script' ? 'script' : 'image', address }];
}

function linkAddresses(values: StartTag['values'], address: string): AttributeAddress[] {
  const relations = words((values['rel'] ?? '').toLowerCase());
  if (relations.includes('preconnect') || relations.includes('dns-prefetch')) {
    return [{ kind: 'hint', address, role: 'origin' }];
  }
  if (relations.includes('preload')) {
    const kind = preloadKinds[(values['as'] ?? '').toLowerCase()] ?? 'fetch';
    return [{ kind, address }];
  }
  const loaded = relKinds.find(([relation]) => relations.includes(relation));
  if (loaded) return [{ kind: loaded[1], address }];
  if (mentioning.some((relation) => relations.includes(relation))) {
    return [{ kind: 'link', address, role: 'mention' }];
  }
  return relations.length > 0 ? [{ kind: 'link', address }] : [];
}

function srcAddresses({ name, values }: StartTag, address: string): AttributeAddress[] {
  if (name === 'script') return isScriptType(values['type']) ? [{ kind: 'script', address }] : [];
  if (name === 'input') {
    return values['type']?.toLowerCase() === 'image' ? [{ kind: 'image', address }] : [];
  }
  const kind = Object.hasOwn(srcKinds, name) ? srcKinds[name] : undefined;
  return kind === undefined ? [] : [{ kind, address }];
}

function imageList(value: string): AttributeAddress[] {
  const list = value.trim();
  // The library requires addresses of at least two characters.
  if (list.length > MAX_SRCSET || /^\S?$/.test(list)) return [];
  return parseSrcset(list.replace(/\s+/g, ' ')).map(({ url }) => ({ kind: 'image', address: url }));
}

function formAddress(address: string, method: string | undefined): AttributeAddress {
  return method?.toLowerCase() === 'post'
    ? { kind: 'form', address, role: 'posted' }
    : { kind: 'form', address };
}

function metaAddresses(values: StartTag['values']): AttributeAddress[] {
  // Descriptions can be long, but no address is longer than this.
  const content = (values['content'] ?? '').slice(0, MAX_CONTENT);
  if (values['http-equiv']?.toLowerCase() === 'refresh') {
    const address = /^\s*[\d.]+\s*[;,\s]\s*(?:url\s*=\s*)?["']?([^"']+)/i.exec(content)?.[1];
    return address === undefined ? [] : [{ kind: 'redirect', address: address.trim() }];
  }
  const property = values['property'] ?? values['name'];
  return property !== undefined && pageMentions.has(property.toLowerCase())
    ? [{ kind: 'link', address: content, role: 'mention' }]
    : [];
}

/** Returns the addresses of a paint, including `url(#gradient)`, an element of the same document. */
function paintAddresses(value: string): AttributeAddress[] {
  const local = /^\s*url\(\s*["']?(#[^"')]+)["']?\s*\)/i.exec(value)?.[1];
  return local === undefined ? styleAddresses(value) : [{ kind: 'image', address: local }];
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
