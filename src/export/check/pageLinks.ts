import { Parser } from 'htmlparser2';
import { parsedJson } from '../../common/text/strings';
import { attributeAddresses, isScriptType, paints, type StartTag } from './elementAddresses';
import { own, type FoundAddress } from './findings';
import { scriptAddresses, type ScriptAddresses } from './scriptFetches';
import { styleAddresses } from './styleLinks';

/** Contents of a page or an SVG file that the check needs. */
export interface MarkupContents {
  readonly found: readonly FoundAddress[];
  /** Targets of fragments: IDs, and names of `<a>`. */
  readonly anchors: ReadonlySet<string>;
  /** The first `<base href>`. */
  readonly baseHref?: string;
  /** Address of `<link rel="canonical">`. */
  readonly canonical?: string;
  readonly unreadableScripts: readonly { readonly reason: string; readonly offset: number }[];
}

/** Code that stands in the markup itself, as a content security policy distinguishes it. */
export interface InlineCode {
  /** `handler` is an `on…` attribute, and `javascript-url` an address that runs code. */
  readonly kind: 'script' | 'style' | 'handler' | 'style-attribute' | 'javascript-url';
  /** Text of the element or decoded value of the attribute. */
  readonly text: string;
  /** Whether a script is JavaScript. Import maps and speculation rules are not. */
  readonly isCode: boolean;
}

/** Attributes that may contain addresses, besides event handlers. */
const addressAttributes = new Set([
  'href',
  'xlink:href',
  'src',
  'srcset',
  'imagesrcset',
  'poster',
  'data',
  'background',
  'action',
  'formaction',
  'ping',
  'content',
  'style',
  ...paints,
]);

/** Matches event handlers that may load something. The others are not parsed. */
const loadingHandler = /\/\/|fetch|import|src|open|beacon|worker/i;

/** Caches results by text, because the same styles and scripts are on every page of a site. */
class ReadTexts<Result> {
  static readonly #maxCharacters = 16_000_000;
  readonly #results = new Map<string, Result>();
  #characters = 0;

  constructor(private readonly read: (text: string) => Result) {}

  of(text: string): Result {
    const known = this.#results.get(text);
    if (known !== undefined) return known;
    const result = this.read(text);
    this.#characters += text.length;
    if (this.#characters > ReadTexts.#maxCharacters) {
      this.#results.clear();
      this.#characters = text.length;
    }
    this.#results.set(own(text), result);
    return result;
  }
}

/** A `<script>` or `<style>` whose text is being read. */
interface OpenText {
  readonly reads: 'script' | 'style' | 'import-map' | 'rules';
  readonly start: number;
  text: string;
}

interface Attribute {
  readonly name: string;
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** Reads the pages and SVG files of one site. */
export class MarkupReader {
  readonly #scripts = new ReadTexts<ScriptAddresses>(scriptAddresses);
  readonly #styles = new ReadTexts<readonly FoundAddress[]>(styleAddresses);

  /**
   * Reads a file, `xml` for SVG files. Broken markup is read as a browser would read it.
   *
   * @param onInline called with each script, style and handler in the markup.
   */
  read(
    text: string,
    format: 'html' | 'xml',
    onInline?: (code: InlineCode) => void,
  ): MarkupContents {
    const found: FoundAddress[] = [];
    const anchors = new Set<string>();
    const unreadableScripts: { reason: string; offset: number }[] = [];
    let baseHref: string | undefined;
    let canonical: string | undefined;
    let svgDepth = format === 'xml' ? 1 : 0;
    /** Whether each open `<template>`, from the outside in, is inert. */
    const templates: boolean[] = [];
    let openText: OpenText | undefined;
    let tagName = '';
    let attributes: Attribute[] = [];
    const isInert = (): boolean => templates.includes(true);

    const addText = ({ reads, start, text: inner }: OpenText): void => {
      if (inner !== '') {
        const kind = reads === 'style' ? 'style' : 'script';
        onInline?.({ kind, text: inner, isCode: reads === 'script' });
      }
      if (inner.trim() === '' || reads === 'rules') return;
      const role = isInert() ? ({ role: 'inert' } as const) : {};
      const addAll = (addresses: readonly FoundAddress[]): void => {
        for (const address of addresses) {
          const place = { start: start + address.start, end: start + address.end };
          found.push({ ...address, ...role, ...place });
        }
      };
      if (reads === 'style') {
        addAll(this.#styles.of(inner));
      } else if (reads === 'import-map') {
        addAll(importMapAddresses(inner));
      } else {
        const script = this.#scripts.of(inner);
        if (script.isReadable) addAll(script.found);
        else unreadableScripts.push({ reason: script.reason, offset: start + script.offset });
      }
    };

    const addAttribute = (tag: StartTag, attribute: Attribute): void => {
      const { name, value, start, end } = attribute;
      const place = { start, end, isAttribute: true };
      const inert = isInert() ? ({ role: 'inert' } as const) : {};
      if (name.startsWith('on')) {
        const script = this.#scripts.of(value);
        if (!script.isReadable) return;
        for (const address of script.found) found.push({ ...address, ...place, ...inert });
        return;
      }
      for (const address of attributeAddresses(tag, name)) {
        found.push({ ...address, ...place, ...inert });
      }
    };

    const parser: Parser = new Parser(
      {
        onopentagname: (name) => {
          tagName = name.toLowerCase();
        },
        onattribute: (written, value) => {
          const name = written.toLowerCase();
          if (name === 'id' || name === 'name') {
            if (value !== '' && (name === 'id' || tagName === 'a') && !isInert()) {
              anchors.add(own(value));
            }
            return;
          }
          if (onInline && name.startsWith('on') && name.length > 2) {
            onInline({ kind: 'handler', text: value, isCode: true });
          } else if (onInline && name === 'style') {
            onInline({ kind: 'style-attribute', text: value, isCode: false });
          } else if (onInline && /^\s*javascript:/i.test(value)) {
            onInline({ kind: 'javascript-url', text: value, isCode: true });
          }
          if (
            addressAttributes.has(name) ||
            (name.startsWith('on') && loadingHandler.test(value)) ||
            (name === 'srcdoc' && tagName === 'iframe')
          ) {
            const { startIndex: start, endIndex } = parser;
            attributes.push({ name, value, start, end: endIndex });
          }
        },
        onopentag: (name, values) => {
          if (name === 'svg') svgDepth++;
          if (name !== '') {
            const tag = { name: tagName, isSvg: svgDepth > 0, values };
            if (tagName === 'base') {
              baseHref ??= values['href'];
              attributes = [];
            }
            if (tagName === 'link' && /\bcanonical\b/i.test(values['rel'] ?? '')) {
              canonical ??= values['href'];
            }
            for (const [position, attribute] of attributes.entries()) {
              // A browser uses the first of two attributes with the same name.
              if (attributes.findIndex((other) => other.name === attribute.name) < position) {
                continue;
              }
              if (attribute.name === 'srcdoc') {
                const { start, end, value } = attribute;
                for (const inner of this.read(value, 'html', onInline).found) {
                  // Fragments refer to the frame's own document, which has no URL.
                  if (inner.address.startsWith('#')) continue;
                  found.push({ ...inner, start, end, isAttribute: true });
                }
              } else {
                addAttribute(tag, attribute);
              }
            }
            if (tagName === 'template') templates.push(!('shadowrootmode' in values));
            openText = openTextOf(tag, parser.endIndex + 1);
          }
          attributes = [];
        },
        ontext: (piece) => {
          if (openText) openText.text += piece;
        },
        onclosetag: (name) => {
          if (openText && (name === 'script' || name === 'style')) {
            addText(openText);
            openText = undefined;
          }
          if (name === 'svg') svgDepth--;
          if (name === 'template') templates.pop();
        },
      },
      { xmlMode: format === 'xml', decodeEntities: true },
    );
    parser.end(text);
    return {
      found,
      anchors,
      unreadableScripts,
      baseHref: baseHref === undefined ? undefined : own(baseHref),
      canonical: canonical === undefined ? undefined : own(canonical),
    };
  }
}

function openTextOf({ name, values }: StartTag, start: number): OpenText | undefined {
  if (name === 'style') return { reads: 'style', start, text: '' };
  if (name !== 'script' || 'src' in values) return undefined;
  const type = values['type']?.trim().toLowerCase();
  if (type === 'importmap') return { reads: 'import-map', start, text: '' };
  if (type === 'speculationrules') return { reads: 'rules', start, text: '' };
  return isScriptType(type) ? { reads: 'script', start, text: '' } : undefined;
}

function importMapAddresses(text: string): FoundAddress[] {
  const map = parsedJson(text);
  const found: FoundAddress[] = [];
  const visit = (value: unknown): void => {
    if (typeof value === 'string') {
      // An address with a trailing slash maps a folder.
      if (!value.endsWith('/')) {
        found.push({ kind: 'import', address: value, start: 0, end: text.length });
      }
    } else if (typeof value === 'object' && value !== null) {
      Object.values(value).forEach(visit);
    }
  };
  if (typeof map === 'object' && map !== null) {
    if ('imports' in map) visit(map.imports);
    if ('scopes' in map) visit(map.scopes);
  }
  return found;
}
