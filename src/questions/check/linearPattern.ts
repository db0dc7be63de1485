/**
 * Regular expressions that search a text in linear time. JavaScript's own expressions backtrack, so
 * `(a+)+$` can take years for a line of text. This search follows all paths through the expression
 * at once (Thompson's construction). It doesn't support back references and lookaround, which need
 * backtracking. JavaScript still tests sets of characters, because testing one character can't
 * hang.
 *
 * @see https://swtch.com/~rsc/regexp/regexp1.html
 */

/** Maximum number of steps after repeats such as `{50}` are written out. Each step costs time per character. */
const MAX_STEPS = 500;
/** Maximum nesting of groups. It limits the recursion of the parser. */
const MAX_DEPTH = 50;

/** Reason why an expression can't be used. */
export type PatternProblem =
  | { readonly kind: 'invalid'; readonly detail: string }
  | { readonly kind: 'unsupported'; readonly detail: string }
  | { readonly kind: 'flags'; readonly detail: string }
  | { readonly kind: 'too-large' };

/** Error for an expression that can't be used. */
export class PatternError extends Error {
  override readonly name = 'PatternError';

  constructor(readonly problem: PatternProblem) {
    super(problem.kind);
  }
}

type Assertion = 'start' | 'end' | 'boundary' | 'no-boundary';

type Node =
  | { readonly kind: 'character'; readonly source: string }
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  | { readonly kind: 'sequence'; readonly items: readonly Node[] }
  | { readonly kind: 'choice'; readonly items: readonly Node[] }
  | { readonly kind: 'repeat'; readonly item: Node; readonly min: number; readonly max: number };

/** A step of the search. A step without a test leads directly to the next step. */
type Step =
  | { kind: 'character'; test: CharacterTest }
  | { kind: 'assertion'; assertion: Assertion }
  | { kind: 'split'; first: number; second: number }
  | { kind: 'jump'; to: number }
  | { kind: 'found' };

type CharacterTest = (character: string) => boolean;

/** A regular expression that can't hang. */
export class LinearPattern {
  readonly #steps: readonly Step[];
  readonly #isMultiline: boolean;

  /**
   * @param source the expression, as between the slashes of JavaScript.
   * @param flags `i`, `m` and `s` as in JavaScript. Characters are code points, as with `u`.
   * @throws {PatternError}
   */
  constructor(source: string, flags = '') {
    const known = [...new Set(flags)].filter((flag) => 'imsu'.includes(flag));
    if (known.length < flags.length) {
      throw new PatternError({ kind: 'flags', detail: flags });
    }
    checkSyntax(source);
    const node = new PatternParser(source).parse();
    this.#isMultiline = flags.includes('m');
    const own = ['i', 's'].filter((flag) => flags.includes(flag)).join('');
    this.#steps = compile(node, own);
  }

  /** Returns the end of the first match, or undefined if there is none. */
  search(text: string): number | undefined {
    const steps = this.#steps;
    // The position at which each step was last added to the next list, so that no step is in it twice.
    const added = new Int32Array(steps.length).fill(-1);
    let current: number[] = [];
    let previous = '';
    for (let position = 0; ;) {
      const code = text.codePointAt(position);
      const character = code === undefined ? '' : String.fromCodePoint(code);
      // Each position can be the start of a match.
      const followed = this.#follow([...current, 0], { previous, character, position, added });
      if (followed === 'found') return position;
      if (character === '') return undefined;
      current = [];
      for (const index of followed) {
        const step = steps[index];
        if (step?.kind === 'character' && step.test(character)) current.push(index + 1);
      }
      previous = character;
      position += character.length;
    }
  }

  /**
   * Returns the steps that test the next character, or says that the end of the expression is
   * reached.
   */
  #follow(
    from: readonly number[],
    { previous, character, position, added }: Place,
  ): readonly number[] | 'found' {
    const waiting: number[] = [];
    const stack = from.toReversed();
    for (let index = stack.pop(); index !== undefined; index = stack.pop()) {
      if (added[index] === position) continue;
      added[index] = position;
      const step = this.#steps[index];
      if (!step || step.kind === 'found') return 'found';
      if (step.kind === 'character') waiting.push(index);
      else if (step.kind === 'jump') stack.push(step.to);
      else if (step.kind === 'split') stack.push(step.second, step.first);
      else if (this.#holds(step.assertion, previous, character)) stack.push(index + 1);
    }
    return waiting;
  }

  #holds(assertion: Assertion, previous: string, character: string): boolean {
    switch (assertion) {
      case 'start':
        return previous === '' || (this.#isMultiline && isLineEnd(previous));
      case 'end':
        return character === '' || (this.#isMultiline && isLineEnd(character));
      case 'boundary':
        return isWord(previous) !== isWord(character);
      case 'no-boundary':
        return isWord(previous) === isWord(character);
    }
  }
}

/** A position of a text, and the characters on both sides of it. Empty at the ends of the text. */
interface Place {
  readonly previous: string;
  readonly character: string;
  readonly position: number;
  readonly added: Int32Array;
}

const isWord = (character: string): boolean => /^\w$/.test(character);
const isLineEnd = (character: string): boolean => /^[\n\r\u2028\u2029]$/.test(character);

/** @throws {PatternError} for text that isn't a valid expression in JavaScript. */
function checkSyntax(source: string): void {
  try {
    new RegExp(source, 'u');
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    // The message repeats the expression, which can be long.
    const detail = /: ([^:]+)$/.exec(message)?.[1] ?? message;
    throw new PatternError({ kind: 'invalid', detail });
  }
}

/** Parses an expression whose syntax is valid. */
class PatternParser {
  readonly #source: string;
  #position = 0;
  #depth = 0;

  constructor(source: string) {
    this.#source = source;
  }

  parse(): Node {
    const node = this.#choice();
    if (this.#position < this.#source.length) throw unsupported(this.#rest());
    return node;
  }

  #choice(): Node {
    if (++this.#depth > MAX_DEPTH) throw new PatternError({ kind: 'too-large' });
    const items = [this.#sequence()];
    while (this.#take('|')) items.push(this.#sequence());
    this.#depth -= 1;
    const [only] = items;
    return items.length === 1 && only ? only : { kind: 'choice', items };
  }

  #sequence(): Node {
    const items: Node[] = [];
    while (this.#position < this.#source.length && !/^[|)]/.test(this.#rest())) {
      items.push(this.#repeated(this.#term()));
    }
    return { kind: 'sequence', items };
  }

  #term(): Node {
    if (this.#take('^')) return { kind: 'assertion', assertion: 'start' };
    if (this.#take('$')) return { kind: 'assertion', assertion: 'end' };
    if (this.#take('\\b')) return { kind: 'assertion', assertion: 'boundary' };
    if (this.#take('\\B')) return { kind: 'assertion', assertion: 'no-boundary' };
    if (this.#take('(')) return this.#group();
    const source = this.#match(oneCharacter);
    if (source === undefined || /^\\(?:[1-9]|k)/.test(source)) throw unsupported(this.#rest());
    return { kind: 'character', source };
  }

  #group(): Node {
    const opening = this.#match(/\?(?:<[=!]|[=!]|:|<[^>]*>|[^:]*:)/y);
    if (opening !== undefined && !/^\?(?::|<[^=!])/.test(opening)) throw unsupported(`(${opening}`);
    const node = this.#choice();
    this.#take(')');
    return node;
  }

  #repeated(item: Node): Node {
    const quantifier = this.#match(/(?:[*+?]|\{\d+(?:,\d*)?\})\??/y);
    if (quantifier === undefined) return item;
    const [, low, comma, high] = /^\{(\d+)(,?)(\d*)\}/.exec(quantifier) ?? [];
    if (low === undefined) {
      const [sign] = quantifier;
      return {
        ...{ kind: 'repeat', item, min: sign === '+' ? 1 : 0 },
        max: sign === '?' ? 1 : Infinity,
      };
    }
    const min = Number(low);
    const max = comma === '' ? min : high ? Number(high) : Infinity;
    return { kind: 'repeat', item, min, max };
  }

  #rest(): string {
    return this.#source.slice(this.#position, this.#position + 20);
  }

  #take(text: string): boolean {
    if (!this.#source.startsWith(text, this.#position)) return false;
    this.#position += text.length;
    return true;
  }

  /** @param pattern a sticky expression. */
  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#position;
    const text = pattern.exec(this.#source)?.[0];
    if (text !== undefined) this.#position += text.length;
    return text;
  }
}

/** Matches the source of one character: a set, an escape, or the character itself. */
const oneCharacter =
  /\[(?:\\[^]|[^\\\]])*\]|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-f]{4}(?:\\u[\da-f]{4})?|x[\da-f]{2}|c[a-z]|[^])|[^]/iuy;

function unsupported(detail: string): PatternError {
  return new PatternError({ kind: 'unsupported', detail });
}

/** @throws {PatternError} `too-large`. */
function compile(node: Node, flags: string): readonly Step[] {
  const steps: Step[] = [];
  const tests = new Map<string, CharacterTest>();
  const add = <Added extends Step>(step: Added): Added => {
    if (steps.push(step) > MAX_STEPS) throw new PatternError({ kind: 'too-large' });
    return step;
  };
  const testOf = (source: string): CharacterTest => {
    const test = tests.get(source) ?? characterTest(source, flags);
    tests.set(source, test);
    return test;
  };
  const write = (part: Node): void => {
    switch (part.kind) {
      case 'character':
        add({ kind: 'character', test: testOf(part.source) });
        break;
      case 'assertion':
        add({ kind: 'assertion', assertion: part.assertion });
        break;
      case 'sequence':
        part.items.forEach(write);
        break;
      case 'choice':
        writeChoice(part.items);
        break;
      case 'repeat':
        writeRepeat(part);
        break;
    }
  };
  const writeChoice = (items: readonly Node[]): void => {
    const jumps = items.map((item, index) => {
      if (index === items.length - 1) {
        write(item);
        return undefined;
      }
      const split = add({ kind: 'split', first: steps.length + 1, second: 0 });
      write(item);
      const jump = add({ kind: 'jump', to: 0 });
      split.second = steps.length;
      return jump;
    });
    for (const jump of jumps) if (jump) jump.to = steps.length;
  };
  const writeRepeat = ({ item, min, max }: Node & { kind: 'repeat' }): void => {
    // Steps are counted even if there are none, so that `(){1000000000}` ends soon.
    for (let count = 0; count < min; count++) writeCounted(item);
    if (max === Infinity) {
      const loop = steps.length;
      const split = add({ kind: 'split', first: loop + 1, second: 0 });
      write(item);
      add({ kind: 'jump', to: loop });
      split.second = steps.length;
      return;
    }
    const splits: (Step & { kind: 'split' })[] = [];
    for (let count = min; count < max; count++) {
      splits.push(add({ kind: 'split', first: steps.length + 1, second: 0 }));
      write(item);
    }
    for (const split of splits) split.second = steps.length;
  };
  const writeCounted = (item: Node): void => {
    add({ kind: 'jump', to: steps.length + 1 });
    write(item);
  };
  write(node);
  add({ kind: 'found' });
  return steps;
}

/** Returns a function that tests one character and caches its results. */
function characterTest(source: string, flags: string): CharacterTest {
  const pattern = new RegExp(`^(?:${source})$`, `u${flags}`);
  const known = new Map<string, boolean>();
  return (tested) => {
    let isMatch = known.get(tested);
    if (isMatch === undefined) {
      isMatch = pattern.test(tested);
      known.set(tested, isMatch);
    }
    return isMatch;
  };
}
