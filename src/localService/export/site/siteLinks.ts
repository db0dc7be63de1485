import MarkdownIt, { type Token } from 'markdown-it';
import type { Log } from '../../common/ports';
import { parseUrl } from '../../common/parseUrl';
import { findLinkTarget, followRedirects, type LinkTarget } from '../links';
import { headingText } from '../page';
import { isElsewhere } from '../siteConfig/configFiles';
import type { Redirects } from '../siteConfig/redirects';
import type { SiteConfig } from '../siteConfig/siteConfig';
import { findingLine, LinkFindings, type FindingReason, type LinkReport } from './linkFindings';
import { anchorOf } from './siteAnchors';
import type { SiteFiles } from './siteFiles';
import { encodePath, relativeHref } from './sitePaths';
import type { SitePage, SiteSurvey } from './siteSurvey';

export interface SiteLinksPorts {
  readonly survey: SiteSurvey;
  readonly files: SiteFiles;
  readonly config: Pick<SiteConfig, 'generator' | 'generatedPaths' | 'contentFolder' | 'basePaths'>;
  readonly redirects: Redirects;
  readonly siteHost: string;
  readonly log: Log;
  /** Returns a page's text as it is written; empty if it is gone. */
  sourceOf(path: string): Promise<string>;
}

/** Links of one page that the log names one by one. */
const MAX_LOGGED = 20;

/**
 * Leads the links of a page to the site's own files, so that none is broken: what leads nowhere
 * becomes text. Images from elsewhere become links, as the site fetches nothing from there.
 */
export class SiteLinks {
  readonly #ports: SiteLinksPorts;
  readonly #findings = new LinkFindings();
  /** Base paths that links of the pages are written with. */
  readonly #usedBases = new Set<string>();
  readonly #withComponents = new Map<string, Promise<boolean>>();

  constructor(ports: SiteLinksPorts) {
    this.#ports = ports;
    // Docusaurus serves docs beside its other pages, whatever their links look like.
    if (ports.config.generator === 'docusaurus') {
      for (const base of ports.config.basePaths) this.#usedBases.add(base);
    }
  }

  /** Changes the tokens of the page at `source`, which becomes `page`. */
  async resolve(page: SitePage, source: string, tokens: readonly Token[]): Promise<void> {
    const links = new PageLinks(this.#ports, page, source, {
      add: (href, reason) => this.#findings.add(source, href, reason),
      useBase: (basePath) => this.#usedBases.add(basePath),
      hasComponents: (path) => this.#hasComponents(path),
    });
    for (const token of tokens) {
      if (token.type === 'inline' && token.children)
        token.children = await links.inline(token.children);
    }
  }

  /**
   * Ends a page, and tells the log what became of its links.
   * @param source gives the page as it is written; asked only where there is something to tell.
   */
  async endPage(path: string, source: () => Promise<string>): Promise<void> {
    if (!this.#findings.hasPageFindings) return;
    const { log } = this.#ports;
    const found = this.#findings.endPage(await source());
    for (const finding of found.slice(0, MAX_LOGGED)) log.warn(findingLine(finding));
    if (found.length > MAX_LOGGED) {
      log.warn(`${path}: and ${found.length - MAX_LOGGED} more such links`);
    }
  }

  /** Notes pages that the navigation lists and that are not there. */
  async noteMissing(file: string, paths: readonly string[], text: string): Promise<void> {
    for (const path of paths) {
      const isGenerated = this.#ports.config.generatedPaths.some((folder) =>
        path.startsWith(`${folder}/`),
      );
      this.#findings.add(file, path, isGenerated ? 'made-by-code' : 'listed-page');
    }
    await this.endPage(file, () => Promise.resolve(text));
  }

  /** Returns what became of all links; call it when every page has ended. */
  report(): LinkReport {
    const bases = [...this.#usedBases];
    return this.#findings.report(
      (link) =>
        bases.length > 0 &&
        link.startsWith('/') &&
        !bases.some(
          (base) =>
            link === `/${base}` ||
            (/^[/?#]/.test(link.slice(base.length + 1)) && link.startsWith(`/${base}`)),
        ),
    );
  }

  #hasComponents(path: string): Promise<boolean> {
    const known = this.#withComponents.get(path);
    if (known) return known;
    const checked = this.#ports.sourceOf(path).then(mayMakeSections);
    this.#withComponents.set(path, checked);
    return checked;
  }
}

/** Components that only shape what is written in them. */
const plainComponents = new Set(
  (
    'Note Tip Info Warning Check Danger Caution Callout Admonition Card CardGroup Cards CardBody Columns ' +
    'Column CodeGroup Frame Icon Badge Tooltip Panel Snippet Image Img Link Steps Tabs AccordionGroup'
  ).split(' '),
);

/**
 * Whether a page is made in part by what is not read here: components that are not known, templates
 * and files that it includes. Such parts may have sections.
 */
function mayMakeSections(source: string): boolean {
  const text = source.replace(/^[ \t]*(`{3,}|~{3,})[^]*?^[ \t]*\1/gm, '').replace(/`[^`\n]*`/g, '');
  if (/<!--\s*@include|--8<--|\{\{|\{%|^\s*<<</m.test(text)) return true;
  for (const [, name = ''] of text.matchAll(/<([A-Z][\w.]*)(?=[\s/>])/g)) {
    if (!plainComponents.has(name)) return true;
  }
  return false;
}

/** What a page's links tell the site. */
interface PageNotes {
  add(href: string, reason: FindingReason): void;
  useBase(basePath: string): void;
  hasComponents(path: string): Promise<boolean>;
}

class PageLinks {
  readonly #ports: SiteLinksPorts;
  readonly #page: SitePage;
  readonly #source: string;
  readonly #notes: PageNotes;

  constructor(ports: SiteLinksPorts, page: SitePage, source: string, notes: PageNotes) {
    this.#ports = ports;
    this.#page = page;
    this.#source = source;
    this.#notes = notes;
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
        if (isElsewhere(href) && !href.startsWith('mailto:'))
          token.attrSet('rel', 'noopener noreferrer');
        result.push(token);
      } else if (token.type === 'link_close') {
        if (open.pop() === true) result.push(token);
      } else if (token.type === 'image') {
        result.push(...(await this.#image(token, open.includes(true))));
      } else result.push(token);
    }
    return result;
  }

  async #href(href: string): Promise<string | undefined> {
    if (/^(?:mailto|tel):/i.test(href)) return href;
    const url = href.startsWith('//') ? `https:${href}` : href;
    const target = this.#target(url);
    if (!target) return this.#outside(url, href);
    if (target.page) return this.#pageHref(href, target.page, target.fragment);
    const copied = await this.#copied(target.paths, (path) => this.#ports.files.file(path));
    if (copied.file !== undefined) return relativeHref(this.#page.file, copied.file);
    const led = followRedirects(this.#ports.survey, this.#ports.redirects, this.#source, target);
    if (led === undefined) {
      this.#notes.add(href, copied.refused ?? this.#missingReason(target));
      return undefined;
    }
    if (led === 'loop') {
      this.#notes.add(href, 'redirect-loop');
      return undefined;
    }
    if (typeof led === 'string') return this.#outside(led, href);
    if (led.page) return this.#pageHref(href, led.page, led.fragment);
    const file = await this.#copied(led.paths, (path) => this.#ports.files.file(path));
    if (file.file !== undefined) return relativeHref(this.#page.file, file.file);
    this.#notes.add(href, file.refused ?? this.#missingReason(led));
    return undefined;
  }

  /** Keeps the address of another site, and notes what is none. */
  #outside(url: string, href: string): string | undefined {
    if (isElsewhere(url) && parseUrl(url)) return url;
    this.#notes.add(href, outsideReason(url));
    return undefined;
  }

  #missingReason({ paths }: LinkTarget<SitePage>): FindingReason {
    const { config, survey } = this.#ports;
    const isGenerated = paths.some(
      (path) =>
        config.generatedPaths.some((folder) => `${path}/`.startsWith(`${folder}/`)) ||
        survey.hasDynamicPage(path.split('/').slice(0, -1).join('/')),
    );
    return isGenerated ? 'made-by-code' : 'no-page';
  }

  /** Takes the first of the files that is there. */
  async #copied(
    paths: readonly string[],
    copy: (path: string) => ReturnType<SiteFiles['file']>,
  ): ReturnType<SiteFiles['file']> {
    let refused: FindingReason | undefined;
    for (const path of paths) {
      const copied = await copy(path);
      if (copied.file !== undefined) return copied;
      refused ??= copied.refused;
    }
    return refused === undefined ? {} : { refused };
  }

  /** Addresses of the site itself lead to its pages, if it has them. */
  #target(href: string): LinkTarget<SitePage> | undefined {
    const { survey, siteHost } = this.#ports;
    const [, host, path = ''] = /^https?:\/\/([^/?#]+)([^]*)$/i.exec(href) ?? [];
    if (host === undefined) return this.#found(findLinkTarget(survey, this.#source, href));
    if (host.toLowerCase() !== siteHost.toLowerCase()) return undefined;
    const target = findLinkTarget(survey, this.#source, path.startsWith('/') ? path : `/${path}`);
    return target?.page && target;
  }

  #found(target: LinkTarget<SitePage> | undefined): LinkTarget<SitePage> | undefined {
    if (target?.basePath !== undefined) this.#notes.useBase(target.basePath);
    return target;
  }

  async #pageHref(href: string, to: SitePage, fragment: string): Promise<string> {
    const id = anchorOf(to, fragment);
    if (id === undefined) {
      const isOpen = to.source !== undefined && (await this.#notes.hasComponents(to.source));
      this.#notes.add(href, isOpen ? 'made-by-component' : 'no-heading');
    }
    const anchor = id === undefined || id === '' ? '' : `#${encodePath(id)}`;
    return to === this.#page && anchor !== ''
      ? anchor
      : relativeHref(this.#page.file, to.file) + anchor;
  }

  async #image(token: Token, isInLink: boolean): Promise<Token[]> {
    const src = String(token.attrGet('src') ?? '');
    if (/^data:image\//i.test(src)) return [token];
    const alt = headingText(token).text;
    const target = this.#target(src);
    const copied = await this.#copied(target?.paths ?? [], (path) => this.#ports.files.image(path));
    if (copied.file !== undefined) {
      token.attrSet('src', relativeHref(this.#page.file, copied.file));
      return [token];
    }
    const url = src.startsWith('//') ? `https:${src}` : src;
    const label = textToken(alt === '' && isElsewhere(url) ? url : alt);
    if (!isElsewhere(url) || !parseUrl(url)) {
      this.#notes.add(src, copied.refused ?? (target ? 'no-image' : outsideReason(url)));
      return [label];
    }
    return isInLink ? [label] : linkAround(label, url);
  }
}

/** Why an address that leads to nothing in the docs folder is not kept. */
function outsideReason(url: string): FindingReason {
  if (isElsewhere(url)) return 'not-an-address';
  if (/^[a-z][a-z\d+.-]*:/i.test(url)) return 'scheme';
  try {
    return decodeURIComponent(url) === '' ? 'not-an-address' : 'outside-folder';
  } catch {
    return 'not-an-address';
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
