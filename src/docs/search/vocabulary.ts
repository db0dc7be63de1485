/** Length of the beginnings by which words are grouped, so that a search compares few words. */
const BEGINNING = 3;

/** Gives each word of the docs a number, and finds words by their beginning and by likeness. */
export class Vocabulary {
  readonly #numbers = new Map<string, number>();
  readonly #words: string[] = [];
  readonly #byBeginning = new Map<string, number[]>();
  readonly #byLength: number[][] = [];

  /** Returns the number of a word. Gives a new word the next number. */
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

  /** Returns the words that differ from a word in one letter, or in the order of two neighboring letters. */
  misspeltFrom(word: string): number[] {
    const lengths = [word.length - 1, word.length, word.length + 1];
    return lengths
      .flatMap((length) => this.#byLength[length] ?? [])
      .filter((number) => isOneEditApart(word, this.wordOf(number)));
  }
}

/** Returns whether two words differ in one added, missing or changed letter, or in the order of two letters. */
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
  if (left <= 1) return right === 1;
  return (
    left === 2 &&
    right === 2 &&
    short[start] === long[start + 1] &&
    short[start + 1] === long[start]
  );
}
