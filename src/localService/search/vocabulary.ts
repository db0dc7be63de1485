/** Words that share a beginning, so that few are compared with a word of a question. */
const BEGINNING = 3;

/** Numbers of all words of the docs, with a search by beginning and by likeness. */
export class Vocabulary {
  readonly #numbers = new Map<string, number>();
  readonly #words: string[] = [];
  readonly #byBeginning = new Map<string, number[]>();
  readonly #byLength: number[][] = [];

  /** Returns the number of a word, and gives it one if it has none. */
  add(word: string): number {
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    const number = this.#words.length;
    this.#numbers.set(word, number);
    this.#words.push(word);
    (this.#byLength[word.length] ??= []).push(number);
    if (word.length >= BEGINNING) {
      const beginning = word.slice(0, BEGINNING);
      const alike = this.#byBeginning.get(beginning);
      if (alike) alike.push(number);
      else this.#byBeginning.set(beginning, [number]);
    }
    return number;
  }

  numberOf(word: string): number | undefined {
    return this.#numbers.get(word);
  }

  wordOf(number: number): string {
    return this.#words[number] ?? '';
  }

  /** Returns the words that begin with a text of three letters or more, itself included. */
  beginningWith(beginning: string): number[] {
    const alike = this.#byBeginning.get(beginning.slice(0, BEGINNING)) ?? [];
    return alike.filter((number) => this.wordOf(number).startsWith(beginning));
  }

  /** Returns the words that have a text within them. Looks at every word. */
  containing(text: string): number[] {
    return [...this.#words.keys()].filter((number) => this.wordOf(number).includes(text));
  }

  /** Returns the words that differ in one letter, or in two neighbors that changed places. */
  misspeltFrom(word: string): number[] {
    const lengths = [word.length - 1, word.length, word.length + 1];
    return lengths
      .flatMap((length) => this.#byLength[length] ?? [])
      .filter((number) => isOneEditApart(word, this.wordOf(number)));
  }
}

/** Returns whether one letter was added, left out or changed, or two neighbors changed places. */
export function isOneEditApart(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  let start = 0;
  while (start < short.length && short[start] === long[start]) start++;
  let end = 0;
  while (
    end < short.length - start &&
    short[short.length - 1 - end] === long[long.length - 1 - end]
  ) {
    end++;
  }
  const [left, right] = [short.length - start - end, long.length - start - end];
  if (left === 0) return right === 1;
  if (left === 1) return right === 1;
  return (
    left === 2 &&
    right === 2 &&
    short[start] === long[start + 1] &&
    short[start + 1] === long[start]
  );
}
