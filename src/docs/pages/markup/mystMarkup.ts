import { titleFromPath } from '../pagePath';
import { CodeSpans } from './codeSpans';
import { codeLines, fenceOf } from './lines';
import { linkTarget } from './markdownWriter';
import { directivesAsMarkdown, isDirective, words } from './mystDirectives';

/** Matches a line that names the place below it, as `(install-linux)=`. */
const target = /^[ \t]*\([^()\n]{1,200}\)=[ \t]*$/;
/** Matches a line that is a comment, or ends a block of a page. */
const mute = /^(?:%(?:[ \t].*)?|\+{3}(?:[ \t].*)?)$/;

/** Roles whose text is code. The last name of `{py:func}` counts. */
const codeRoles = words(
  'attr class cmd code command confval const data envvar exc exception file func function kbd keyword literal mailheader makevar meth method mimetype mod module obj option program property samp type',
);
const textRoles = words(
  'abbr any bdg-primary command dfn doc download eq external guilabel math menuselection numref ref sub sup term',
);
/** Roles that can have only the label or the path of where they lead. */
const leadRoles = words('any doc eq numref ref');
/** Roles that draw an icon. */
const iconRoles = /^(?:octicon|fa[bsr]?|fa-\w+|material-\w+)$/;

/**
 * Writes the markup of MyST, which Sphinx and Jupyter Book read, as Markdown: directives, roles such as
 * `` {ref}`text <label>` ``, links without a text, and lines that only the build reads.
 */
export function mystAsMarkdown(source: string): string {
  if (!/\{[A-Za-z][\w:+.-]*\}|^[ \t]*\(.*\)=[ \t]*$/m.test(source)) return source;
  const lines = source.split('\n');
  if (!isMyst(lines)) return source;
  const result: string[] = [];
  let paragraph: string[] = [];
  const endParagraph = (): void => {
    if (paragraph.length > 0) result.push(inlineMarkdown(paragraph.join('\n')));
    paragraph = [];
  };
  const isCode = codeLines();
  for (const line of directivesAsMarkdown(lines)) {
    if (!isCode(line) && line.trim() !== '') {
      if (!target.test(line) && !mute.test(line)) paragraph.push(...fieldAsItem(line));
      continue;
    }
    endParagraph();
    result.push(line);
  }
  endParagraph();
  return result.join('\n');
}

/** Writes a field, such as `:name: text`, as an item of a list. A field without a text is a setting of the page. */
function fieldAsItem(line: string): string[] {
  const [, name, text] = /^:([A-Za-z][\w .-]*):(?:[ \t]+(\S.*))?$/.exec(line) ?? [];
  if (name === undefined) return [line];
  return text === undefined ? [] : [`- **${name}**: ${text}`];
}

/** Returns whether a page has a directive, a role or a target that nothing but MyST has. */
function isMyst(lines: readonly string[]): boolean {
  let isFenceEnd: ((line: string) => boolean) | undefined;
  return lines.some((line) => {
    if (isFenceEnd) {
      if (isFenceEnd(line)) isFenceEnd = undefined;
      return false;
    }
    if (isDirective(line) || target.test(line)) return true;
    isFenceEnd = fenceOf(line)?.isEnd;
    return [...line.matchAll(/\{([a-z][\w:-]*)\}`/g)].some(([, name = '']) => isRole(name));
  });
}

function isRole(name: string): boolean {
  const last = name.split(':').at(-1) ?? name;
  return codeRoles.has(last) || textRoles.has(last);
}

const inlineMark =
  /(?:\{([A-Za-z][\w:+.-]*)\})?(`+)|(?<!!)\[\]\(<?([^()<>\s]+)>?\)|<(inv|project|path|doc):([^<>\s]+)>/g;

/** Writes the roles and links of a paragraph. */
function inlineMarkdown(text: string): string {
  const spans = new CodeSpans(text);
  let result = '';
  let at = 0;
  for (const match of text.matchAll(inlineMark)) {
    const { 0: whole, 1: role, 2: ticks, 3: href, 4: scheme, 5: place = '', index } = match;
    if (index < at) continue;
    result += text.slice(at, index);
    at = index + whole.length;
    if (href !== undefined) result += namedLink(href);
    else if (scheme !== undefined) result += scheme === 'inv' ? nameOf(place) : namedLink(place);
    if (ticks === undefined) continue;
    const end = spans.endOf(at - ticks.length, ticks.length);
    if (end === undefined || role === undefined) result += text.slice(index, (at = end ?? at));
    else {
      result += roleText(role, text.slice(at, end - ticks.length));
      at = end;
    }
  }
  return result + text.slice(at);
}

/** Returns what a role shows: `text` of `text <target>`, or the name that it leads to. */
function roleText(role: string, written: string): string {
  const name = role.split(':').at(-1) ?? role;
  if (iconRoles.test(name) || name === 'raw') return '';
  const [, shown] = /^([^]*\S)\s*<[^<>]*>$/.exec(written) ?? [];
  const place = written.replace(/^[!~.]+/, '');
  if (name === 'math') return `$${written}$`;
  if (codeRoles.has(name)) {
    const last = written.startsWith('~') ? (place.split('.').at(-1) ?? place) : place;
    return `\`${shown ?? last}\``;
  }
  if (shown !== undefined) return shown;
  return leadRoles.has(name) ? nameOf(place) : written;
}

const pageFile = /\.(?:md|rst|ipynb)$/;

/** Returns a link to a page with its name, or only the name of a label, which can be on any page. */
function namedLink(href: string): string {
  const [page = ''] = href.split('#');
  return pageFile.test(page) ? `[${nameOf(href)}](${linkTarget(href)})` : nameOf(href);
}

/** Returns the name of a page, place or object: `Install linux`, `` `Server.url` `` or `Setup`. */
function nameOf(href: string): string {
  const [page = '', fragment = ''] = href.split('#');
  if (fragment === '' && pageFile.test(page)) return titleFromPath(page.replace(/\.\w+$/, ''));
  const name = (fragment === '' ? page : fragment).split(/[/:]/).at(-1) ?? '';
  const plain = name.replace(/^[*.]+/, '');
  return /[._]|[a-z][A-Z]/.test(plain) ? `\`${plain}\`` : titleFromPath(plain);
}
