import { isElsewhere } from '../../shared/links';
import type { ConfigFiles, ConfiguredRedirect } from './configFiles';

/** Maximum number of redirects that one link goes through. */
const MAX_CHAIN = 10;

interface Rule {
  readonly from: readonly string[];
  readonly to: string;
}

/**
 * Follows the redirects of a site. In a pattern, `:name` matches one segment, and `:name*` or `*` matches any
 * number of segments. Patterns are compared segment by segment and never become regular expressions, because
 * the docs folder is not trusted.
 */
export class Redirects {
  readonly #exact = new Map<string, string>();
  readonly #patterns: Rule[] = [];

  constructor(redirects: readonly ConfiguredRedirect[]) {
    for (const { from, to } of redirects) {
      const names = namesOf(from);
      if (names.some((name) => isPlaceholder(name))) this.#patterns.push({ from: names, to });
      else if (!this.#exact.has(names.join('/'))) this.#exact.set(names.join('/'), to);
    }
  }

  get isEmpty(): boolean {
    return this.#exact.size === 0 && this.#patterns.length === 0;
  }

  /**
   * Returns the target of the first rule that matches a path, with its placeholders filled in, or undefined if
   * no rule matches. Does not follow the target.
   */
  step(path: string): string | undefined {
    const names = namesOf(path);
    const exact = this.#exact.get(names.join('/'));
    if (exact !== undefined) return exact;
    for (const { from, to } of this.#patterns) {
      const values = match(from, names);
      if (values) return fill(to, values);
    }
    return undefined;
  }

  /**
   * Follows all redirects from a path.
   * @param isPage returns whether a target is an existing page or file. Rules for such a target are ignored.
   * @returns the last target, `'loop'` after too many redirects, or undefined if no rule matches the path.
   */
  follow(path: string, isPage: (path: string) => boolean): string | undefined {
    let address = this.step(path);
    for (let steps = 1; address !== undefined; steps++) {
      if (isElsewhere(address) || isPage(address)) return address;
      const next = this.step(address);
      if (next === undefined) return address;
      if (steps >= MAX_CHAIN) return 'loop';
      address = next;
    }
    return undefined;
  }
}

function namesOf(path: string): string[] {
  const [plain = ''] = path.split(/[?#]/);
  return plain
    .replace(/(?:\/(?:index|readme))?\.(?:html?|mdx?|markdown)$/i, '')
    .split('/')
    .filter((name) => name !== '');
}

function isPlaceholder(name: string): boolean {
  return name === '*' || /^:[A-Za-z_]\w*(?:\*|\(\.\*\))?$/.test(name);
}

/** Returns the values of a pattern's placeholders, or undefined if the path does not match. */
function match(
  pattern: readonly string[],
  names: readonly string[],
): Map<string, string> | undefined {
  const values = new Map<string, string>();
  for (const [index, wanted] of pattern.entries()) {
    const isRest = wanted.endsWith('*') || wanted.endsWith('(.*)');
    if (isPlaceholder(wanted) && isRest) {
      const behind = pattern.length - index - 1;
      const end = names.length - behind;
      if (end < index) return undefined;
      const rest = names.slice(index, end).join('/');
      values.set(nameOf(wanted), rest);
      const tail = match(pattern.slice(index + 1), names.slice(end));
      if (!tail) return undefined;
      for (const [name, value] of tail) values.set(name, value);
      return values;
    }
    const name = names[index];
    if (name === undefined) return undefined;
    if (isPlaceholder(wanted)) values.set(nameOf(wanted), name);
    else if (wanted !== name) return undefined;
  }
  return pattern.length === names.length ? values : undefined;
}

/** Returns the name of a placeholder. A bare `*` fills `:splat`. */
function nameOf(placeholder: string): string {
  return placeholder === '*' ? 'splat' : placeholder.slice(1).replace(/(?:\*|\(\.\*\))$/, '');
}

function fill(to: string, values: ReadonlyMap<string, string>): string {
  const filled = to.replace(
    /:([A-Za-z_]\w*)(?:\*|\(\.\*\))?|(?<=\/)\*/g,
    (written, name?: string) => values.get(name ?? 'splat') ?? written,
  );
  return isElsewhere(filled) ? filled : filled.replace(/\/{2,}/g, '/');
}

/** Reads the `_redirects` file, which has one rule per line, from the folders in which hosts expect it. */
export async function readNetlifyRedirects(
  files: ConfigFiles,
  publicFolders: readonly string[],
): Promise<ConfiguredRedirect[]> {
  const found = await files.first(
    ['', ...publicFolders].map((folder) => `${folder === '' ? '' : `${folder}/`}_redirects`),
  );
  return (found?.text ?? '').split('\n').flatMap((line) => {
    const [from, to, status = '301', ...conditions] = line
      .replace(/(?:^|\s)#.*$/, '')
      .trim()
      .split(/\s+/);
    // Rules with other statuses, such as 404, are no redirects.
    if (from === undefined || to === undefined || !/^(?:200|30[12378])!?$/.test(status)) return [];
    // A rule for some countries, languages or roles is not for all readers of the exported site.
    if (conditions.length > 0) return [];
    return from.startsWith('/') && (to.startsWith('/') || isElsewhere(to)) ? [{ from, to }] : [];
  });
}
