import { slug as githubSlug } from 'github-slugger';

/** Rules by which sites make a fragment of a heading's text. */
const slugRules = {
  /** GitHub, Docusaurus, GitBook and most others: `build.target` to `buildtarget`. */
  github: githubSlug,
  /** VitePress, by `slugify` of `@mdit-vue/shared`: `build.target` to `build-target`. */
  vitepress: (heading: string) =>
    heading
      .normalize('NFKD')
      .replace(/[\u0300-\u036F\p{Cc}]/gu, '')
      .replace(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .replace(/^(\d)/, '_$1')
      .toLowerCase(),
  /** MkDocs, by the `toc` extension of Python-Markdown. */
  mkdocs: (heading: string) =>
    heading
      .normalize('NFKD')
      .replace(/[^\p{ASCII}]/gu, '')
      .replace(/[^\w\s-]/g, '')
      .trim()
      .toLowerCase()
      .replace(/[-\s]+/g, '-'),
  /** Python-Markdown with a slugger that keeps letters of all scripts, and GitLab. */
  unicode: (heading: string) => githubSlug(heading.trim()).replace(/-{2,}/g, '-'),
  /** Generators that use `@sindresorhus/slugify`: `R&D's` to `r-and-ds`. */
  words: (heading: string) =>
    heading
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .replace(/&/g, ' and ')
      .replace(/(?<=\w)['’](?=[ts](?:\s|$))/g, '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, ''),
} satisfies Record<string, (heading: string) => string>;

export type SlugRule = keyof typeof slugRules;

interface Heading {
  readonly text: string;
  /** ID that the heading itself gives: `{#id}`. */
  readonly id?: string;
}

/** Gives each heading of one page its fragment, numbered where it has been given: `a-b`, then `a-b-1`. */
export class HeadingSlugs {
  readonly #rule: SlugRule;
  readonly #separator: string;
  /** Slugs given so far, with the last number that was tried behind each. */
  readonly #used = new Map<string, number>();

  constructor(rule: SlugRule = 'github') {
    this.#rule = rule;
    this.#separator = rule === 'mkdocs' ? '_' : '-';
  }

  next(heading: Heading): string {
    const base = heading.id ?? slugRules[this.#rule](heading.text);
    let slug = base;
    let count = this.#used.get(base) ?? 0;
    while (this.#used.has(slug)) slug = `${base}${this.#separator}${++count}`;
    this.#used.set(base, count);
    if (slug !== base) this.#used.set(slug, 0);
    return slug;
  }
}

/**
 * Returns the index of the heading for each fragment that some generator would make. If two rules
 * make the same fragment, the first rule wins.
 * @param headings in the order in which the page numbers them.
 */
export function slugAliases(headings: readonly Heading[]): Map<string, number> {
  const aliases = new Map<string, number>();
  const add = (alias: string, index: number): void => {
    if (alias !== '' && !aliases.has(alias)) aliases.set(alias, index);
  };
  for (const rule of ['github', 'vitepress', 'mkdocs', 'unicode', 'words'] as const) {
    const slugs = new HeadingSlugs(rule);
    for (const [index, heading] of headings.entries())
      add(slugs.next(heading).toLowerCase(), index);
  }
  return aliases;
}
