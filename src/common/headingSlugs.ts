/** The fragment that GitHub, and most generators of docs, make of a heading's text. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** Gives each heading of one page its fragment, as GitHub does: `a-b`, then `a-b-1`. */
export class HeadingSlugs {
  /** Every slug given so far, with the last number that was tried behind it. */
  readonly #used = new Map<string, number>();

  next(heading: { text: string; id?: string }): string {
    const base = heading.id ?? slugOf(heading.text);
    let slug = base;
    let count = this.#used.get(base) ?? 0;
    while (this.#used.has(slug)) slug = `${base}-${++count}`;
    this.#used.set(base, count);
    if (slug !== base) this.#used.set(slug, 0);
    return slug;
  }
}
