import MarkdownIt, { type Token } from 'markdown-it';
import { isElsewhere, parseUrl, percentDecoded } from '../../../shared/links';
import { encodePath } from '../../../common/http/encodePath';
import type { Log } from '../../../common/ports';
import { slugAliases } from '../../../common/text/headingSlugs';
import { findingLine, type FindingReason, LinkFindings, type LinkReport } from './linkFindings';
import type { LinkedFiles } from './linkedFiles';
import { relativeHref } from './sitePaths';
import type { SitePage, SiteSurvey } from './siteSurvey';
import { findLinkTarget, followRedirects, type LinkTarget } from '../../../docs/pages/links';
import { headingText } from '../../../docs/pages/headings';
import type { Redirects } from '../../../docs/siteConfig/redirects';
import type { SiteConfig } from '../../../docs/siteConfig/siteConfig';

const aliasesOf = new WeakMap<SitePage, ReadonlyMap<string, number>>();

/**
 * Returns the ID on a page that a fragment means. Accepts IDs in another case, and IDs that another site generator
 * would give a heading. An empty string means the top of the page.
 * @param fragment with or without `#`.
 * @returns undefined if the page has no such ID.
 */
export function fragmentAnchor(page: SitePage, fragment: string): string | undefined {
  const wanted = percentDecoded(fragment.replace(/^#/, ''));
  if (wanted === '' || wanted === 'top') return '';
  const ids = [...page.headings.map(({ id }) => id), ...(page.anchors ?? [])];
  if (ids.includes(wanted)) return wanted;
  const lower = wanted.toLowerCase();
  const found = ids.find((id) => id.toLowerCase() === lower);
  if (found !== undefined) return found;
  let aliases = aliasesOf.get(page);
  if (!aliases) {
    // Equal IDs get their numbers in this order, in which headings of sections come first.
    const numbered = [...page.headings.entries()].sort(
      ([, one], [, other]) => Number(other.isSection) - Number(one.isSection),
    );
    const found = slugAliases(numbered.map(([, { text }]) => ({ text })));
    aliases = new Map([...found].map(([alias, index]) => [alias, numbered[index]?.[0] ?? 0]));
    aliasesOf.set(page, aliases);
  }
  const index = aliases.get(lower);
  const id = index === undefined ? undefined : page.headings[index]?.id;
  return id === '' ? undefined : id;
}

interface SiteLinksPorts {
  readonly survey: SiteSurvey;
  readonly files: LinkedFiles;
  readonly config: Pick<SiteConfig, 'generator' | 'generatedPaths' | 'contentFolder' | 'basePaths'>;
  readonly redirects: Redirects;
  readonly siteHost: string;
  readonly log: Log;
  /** Returns the text of a page's file, or an empty string if the file no longer exists. */
  sourceOf(path: string): Promise<string>;
}

/** Maximum number of links per page that the log lists. */
const MAX_LOGGED = 20;

/**
 * Changes the links of pages so that they lead to the site's own files and none is broken. Replaces a link without
 * a target with text. Replaces an image from another site with a link, because the pages load nothing from other
 * sites.
 */
export class SiteLinks {
  readonly #ports: SiteLinksPorts;
  readonly #findings = new LinkFindings();
  /** Base paths that links of the pages use. */
  readonly #usedBases = new Set<string>();
  readonly #withComponents = new Map<string, Promise<boolean>>();

  constructor(ports: SiteLinksPorts) {
    this.#ports = ports;
    // A Docusaurus site always has other pages next to the docs.
    if (ports.config.generator === 'docusaurus') {
      for (const base of ports.config.basePaths) this.#usedBases.add(base);
    }
  }

  /** Changes the links in the tokens of the page at `source`. */
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
   * Ends a page and logs the findings about its links.
   * @param source returns the text of the page's file. Only called if there are findings.
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

  /** Records pages that the navigation lists but that don't exist. */
  async noteMissing(file: string, paths: readonly string[], text: string): Promise<void> {
    for (const path of paths) {
      const isGenerated = this.#ports.config.generatedPaths.some((folder) =>
        path.startsWith(`${folder}/`),
      );
      this.#findings.add(file, path, isGenerated ? 'made-by-code' : 'listed-page');
    }
    await this.endPage(file, () => Promise.resolve(text));
  }

  /** Returns the findings about all links. Call it after the last page. */
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

/** Components that only format their content. */
const plainComponents = new Set(
  (
    'Note Tip Info Warning Check Danger Caution Callout Admonition Card CardGroup Cards CardBody Columns ' +
    'Column CodeGroup Frame Icon Badge Tooltip Panel Snippet Image Img Link Steps Tabs AccordionGroup'
  ).split(' '),
);

/**
 * Returns whether parts of a page come from unknown components, templates or included files. Such parts can have
 * sections that the export doesn't know.
 */
function mayMakeSections(source: string): boolean {
  const text = source.replace(/^[ \t]*(`{3,}|~{3,})[^]*?^[ \t]*\1/gm, '').replace(/`[^`\n]*`/g, '');
  if (/<!--\s*@include|--8<--|\{\{|\{%|^\s*<<</m.test(text)) return true;
  for (const [, name = ''] of text.matchAll(/<([A-Z][\w.]*)(?=[\s/>])/g)) {
    if (!plainComponents.has(name)) return true;
  }
  return false;
}

/** Records findings about the links of a page, and answers questions about other pages. */
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
    /** Whether each open link is kept. */
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

  /** Keeps the URL of another site, and records an invalid one. */
  #outside(url: string, href: string): string | undefined {
    if (isElsewhere(url) && parseUrl(url)) return url;
    this.#notes.add(href, outsideReason(url));
    return undefined;
  }

  #missingReason({ paths }: LinkTarget<SitePage>): FindingReason {
    const { config, survey } = this.#ports;
    if (paths.some((path) => survey.isLeftOut(path))) return 'not-in-scope';
    const isGenerated = paths.some(
      (path) =>
        config.generatedPaths.some((folder) => `${path}/`.startsWith(`${folder}/`)) ||
        survey.hasDynamicPage(path.split('/').slice(0, -1).join('/')),
    );
    return isGenerated ? 'made-by-code' : 'no-page';
  }

  /** Returns the first of the files that exists. */
  async #copied(
    paths: readonly string[],
    copy: (path: string) => ReturnType<LinkedFiles['file']>,
  ): ReturnType<LinkedFiles['file']> {
    let refused: FindingReason | undefined;
    for (const path of paths) {
      const copied = await copy(path);
      if (copied.file !== undefined) return copied;
      refused ??= copied.refused;
    }
    return refused === undefined ? {} : { refused };
  }

  /** Returns the target of a link within the docs. This includes URLs of the site itself that lead to its pages. */
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
    const id = fragmentAnchor(to, fragment);
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

/** Returns the reason why a link without a target in the docs folder is not kept. */
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
