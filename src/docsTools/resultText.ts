/** Texts from docs and services, made ready for a model to read. */
import { redactExactly } from '../common/http/redact';
import type { SearchResponse } from '../common/localDocsApi';
import { plainLine, visibleProse } from '../shared/characters';
import { codeSpan } from '../shared/codeSpan';
import { parseUrl } from '../shared/links';
import type { DocsTarget } from './toolCall';

/**
 * Returns a function that takes keys and invisible characters out of a text. A page can hide
 * instructions in characters that a person doesn't see.
 */
export function textCleaner(target: DocsTarget): (text: string) => string {
  const { key, local } = target;
  const keys = [key, local && 'key' in local ? local.key : undefined];
  const secrets = keys.filter((each) => each !== undefined);
  return (text) => visibleProse(redactExactly(text, secrets));
}

/** Returns a title on one line that can stand between brackets. */
function titleText(title: string): string {
  return plainLine(title).replace(/[\\[\]<>`]/g, '\\$&');
}

/** Returns a web URL that can stand in a Markdown link, or undefined for any other address. */
function webUrl(address: string): string | undefined {
  const url = parseUrl(address);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    return undefined;
  }
  return url.href.replace(/[()]/g, (bracket) => (bracket === '(' ? '%28' : '%29'));
}

/** Returns a Markdown link, or the title alone for an address that isn't on the web. */
export function linkText(title: string, address: string): string {
  const url = webUrl(address);
  return url === undefined ? titleText(title) : `[${titleText(title)}](${url})`;
}

/** Returns the name of a section: its page and its heading. */
export function sectionName({
  title,
  heading,
}: {
  readonly title: string;
  readonly heading?: string | undefined;
}): string {
  return heading === undefined ? title : `${title} › ${heading}`;
}

/** Returns the name of the docs in a sentence. */
export function siteText(label: string): string {
  return plainLine(label) === '' ? 'the docs' : plainLine(label);
}

/** Returns a sentence, and a space behind it, for each package that a query names in vain. */
export function notInstalledText({
  notInstalled = [],
}: Pick<SearchResponse, 'notInstalled'>): string {
  return notInstalled
    .map(({ name, otherVersion }) => {
      const instead = otherVersion === undefined ? '' : `: version ${plainLine(otherVersion)} is`;
      return `“${plainLine(name)}” is not installed here${instead}. `;
    })
    .join('');
}

/** Returns a path as code. */
export function pathText(path: string): string {
  return codeSpan(plainLine(path));
}
