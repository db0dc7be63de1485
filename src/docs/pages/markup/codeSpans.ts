/** Finds the code spans of a Markdown text in one pass over its backticks. */
export class CodeSpans {
  /** Start of each run of backticks by its length, in order. */
  readonly #runs = new Map<number, number[]>();
  /** Index of the first run that no earlier question has passed, by length. */
  readonly #next = new Map<number, number>();

  constructor(text: string) {
    for (const { 0: run, index } of text.matchAll(/`+/g)) {
      const starts = this.#runs.get(run.length);
      if (starts) starts.push(index);
      else this.#runs.set(run.length, [index]);
    }
  }

  /**
   * Returns the end of the code span that begins with this run of backticks, or undefined if the run begins none.
   * Ask for runs in the order of the text, so that all questions together take one pass.
   */
  endOf(start: number, length: number): number | undefined {
    const starts = this.#runs.get(length) ?? [];
    let next = this.#next.get(length) ?? 0;
    while ((starts[next] ?? Infinity) < start + length) next++;
    this.#next.set(length, next);
    const end = starts[next];
    return end === undefined ? undefined : end + length;
  }
}

const ticks = /`+/g;

/** Returns a Markdown text without its code spans. */
export function withoutCodeSpans(text: string): string {
  const spans = new CodeSpans(text);
  let rest = '';
  let at = 0;
  for (const { 0: run, index } of text.matchAll(ticks)) {
    if (index < at) continue;
    const end = spans.endOf(index, run.length);
    if (end === undefined) continue;
    rest += text.slice(at, index);
    at = end;
  }
  return rest + text.slice(at);
}

/** Returns a line with its text changed and its code spans as they are. */
export function withChangedText(line: string, change: (text: string) => string): string {
  const spans = new CodeSpans(line);
  let result = '';
  let at = 0;
  for (const { 0: run, index } of line.matchAll(ticks)) {
    if (index < at) continue;
    const end = spans.endOf(index, run.length);
    if (end === undefined) continue;
    result += change(line.slice(at, index)) + line.slice(index, end);
    at = end;
  }
  return result + change(line.slice(at));
}
