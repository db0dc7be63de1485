import MarkdownIt, { type Token } from 'markdown-it';
import type { Log } from '../../common/ports';
import { parseUrl } from '../../common/parseUrl';
import { findLinkTarget, type LinkTarget } from '../links';
import { headingText } from '../page';
import type { SiteFiles } from './siteFiles';
import { encodePath, relativeHref } from './sitePaths';
import { printable, type SitePage, type SiteSurvey } from './siteSurvey';

export interface SiteLinksPorts {
  readonly survey: SiteSurvey;
  readonly files: SiteFiles;
  readonly siteHost: string;
  readonly log: Log;
}

/** Links of one page that the log names one by one. */
const MAX_LOGGED = 20;

/**
 * Leads the links of a page to the site's own files, so that none is broken: what leads nowhere
 * becomes text. Images from elsewhere become links, as the site fetches nothing from there.
 */
export class SiteLinks {
  readonly #ports: SiteLinksPorts;

  constructor(ports: SiteLinksPorts) {
    this.#ports = ports;
  }

  /** Changes the tokens of the page at `source`, which becomes `page`. */
  async resolve(page: SitePage, source: string, tokens: readonly Token[]): Promise<void> {
    const links = new PageLinks(this.#ports, page, source);
    for (const token of tokens) {
      if (token.type === 'inline' && token.children)
        token.children = await links.inline(token.children);
    }
    links.logMissing();
  }
}

class PageLinks {
  readonly #ports: SiteLinksPorts;
  readonly #page: SitePage;
  readonly #source: string;
  readonly #missing = new Set<string>();

  constructor(ports: SiteLinksPorts, page: SitePage, source: string) {
    this.#ports = ports;
    this.#page = page;
    this.#source = source;
  }

  async inline(tokens: readonly Token[]): Promise<Token[]> {
    const result: Token[] = [];
    /** Whether each link that is open here is kept. */
    const open: boolean[] = [];
    for (const token of tokens) {
      if (token.type === 'link_open') {
        const href = await this.#href(String(token.attrGet('href') ?? ''));
        open.push(href !== undefined);
        if (href === undefined) continue;
        token.attrSet('href', href);
        if (isElsewhere(href)) token.attrSet('rel', 'noopener noreferrer');
        result.push(token);
      } else if (token.type === 'link_close') {
        if (open.pop() === true) result.push(token);
      } else if (token.type === 'image') {
        result.push(...(await this.#image(token, open.includes(true))));
      } else result.push(token);
    }
    return result;
  }

  logMissing(): void {
    const { log } = this.#ports;
    const missing = [...this.#missing];
    for (const line of missing.slice(0, MAX_LOGGED)) log.warn(`${this.#source}: ${line}`);
    if (missing.length > MAX_LOGGED) {
      log.warn(`${this.#source}: and ${missing.length - MAX_LOGGED} more such links`);
    }
  }

  async #href(href: string): Promise<string | undefined> {
    if (/^(?:mailto|tel):/i.test(href)) return href;
    const url = href.startsWith('//') ? `https:${href}` : href;
    const target = this.#target(url);
    if (!target) {
      if (isElsewhere(url) && parseUrl(url)) return url;
      this.#noteMissing('a link', href);
      return undefined;
    }
    if (target.page) return this.#pageHref(target.page, target.fragment);
    for (const path of target.paths) {
      const file = await this.#ports.files.file(path);
      if (file !== undefined) return relativeHref(this.#page.file, file);
    }
    this.#noteMissing('a link', href);
    return undefined;
  }

  /** Addresses of the site itself lead to its pages, if it has them. */
  #target(href: string): LinkTarget<SitePage> | undefined {
    const { survey, siteHost } = this.#ports;
    const [, host, path = ''] = /^https?:\/\/([^/?#]+)([^]*)$/i.exec(href) ?? [];
    if (host === undefined) return findLinkTarget(survey, this.#source, href);
    if (host.toLowerCase() !== siteHost.toLowerCase()) return undefined;
    const target = findLinkTarget(survey, this.#source, path.startsWith('/') ? path : `/${path}`);
    return target?.page && target;
  }

  #pageHref(to: SitePage, fragment: string): string {
    const id = this.#idOf(to, fragment);
    const anchor = id === '' ? '' : `#${encodePath(id)}`;
    return to === this.#page && anchor !== ''
      ? anchor
      : relativeHref(this.#page.file, to.file) + anchor;
  }

  /** The heading that the fragment means, whatever its case; empty for the page's top. */
  #idOf(page: SitePage, fragment: string): string {
    const wanted = decodeFragment(fragment.slice(1));
    if (wanted === '' || wanted === 'top') return '';
    const ids = [...page.headings.map(({ id }) => id), ...(page.anchors ?? [])].filter(
      (id) => id !== '',
    );
    const found =
      ids.find((id) => id === wanted) ??
      ids.find((id) => id.toLowerCase() === wanted.toLowerCase());
    if (found === undefined) {
      this.#missing.add(
        `links to #${printable(wanted)} of ${page.source ?? page.file}, which has no such heading: leads to its top`,
      );
    }
    return found ?? '';
  }

  async #image(token: Token, isInLink: boolean): Promise<Token[]> {
    const src = String(token.attrGet('src') ?? '');
    if (/^data:image\//i.test(src)) return [token];
    const alt = headingText(token).text;
    const target = this.#target(src);
    for (const path of target?.paths ?? []) {
      const file = await this.#ports.files.image(path);
      if (file === undefined) continue;
      token.attrSet('src', relativeHref(this.#page.file, file));
      return [token];
    }
    const url = src.startsWith('//') ? `https:${src}` : src;
    const label = textToken(alt === '' && isElsewhere(url) ? url : alt);
    if (!isElsewhere(url) || !parseUrl(url)) {
      this.#noteMissing('an image', src);
      return [label];
    }
    return isInLink ? [label] : linkAround(label, url);
  }

  #noteMissing(what: string, href: string): void {
    this.#missing.add(
      `has ${what} to ${printable(href).slice(0, 200)}, which is not there: shown as text`,
    );
  }
}

function isElsewhere(href: string): boolean {
  return /^https?:\/\//i.test(href);
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function textToken(text: string): Token {
  return Object.assign(new MarkdownIt.Token('text', '', 0), { content: text });
}

function linkAround(label: Token, href: string): Token[] {
  const open = new MarkdownIt.Token('link_open', 'a', 1);
  open.attrSet('href', href);
  open.attrSet('rel', 'noopener noreferrer');
  return [open, label, new MarkdownIt.Token('link_close', 'a', -1)];
}
