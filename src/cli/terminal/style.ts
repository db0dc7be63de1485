/** Decides whether to use escape sequences, and how wide the output is. */
import type { CliContext } from '../context';
import type { OutputStream } from '../output';

/**
 * Functions that add escape sequences to a word. Without colors, they return the word unchanged.
 */
export interface Style {
  /** Whether there are escape sequences. Without them, the marks of Markdown are kept. */
  readonly isColored: boolean;
  readonly bold: (word: string) => string;
  readonly italic: (word: string) => string;
  readonly underline: (word: string) => string;
  readonly strike: (word: string) => string;
  readonly dim: (word: string) => string;
  readonly code: (word: string) => string;
  readonly heading: (word: string) => string;
}

const sgr =
  (on: number, off: number) =>
  (word: string): string =>
    `\u001b[${on}m${word}\u001b[${off}m`;
const asItIs = (word: string): string => word;

const bold = sgr(1, 22);
const cyan = sgr(36, 39);

const colored: Style = {
  isColored: true,
  bold,
  italic: sgr(3, 23),
  underline: sgr(4, 24),
  strike: sgr(9, 29),
  dim: sgr(2, 22),
  code: cyan,
  heading: (word) => bold(sgr(35, 39)(word)),
};

const plain: Style = {
  isColored: false,
  bold: asItIs,
  italic: asItIs,
  underline: asItIs,
  strike: asItIs,
  dim: asItIs,
  code: asItIs,
  heading: asItIs,
};

/** Layout of a stream: for a terminal, or plain Markdown. */
export interface Look {
  /** Columns of the terminal, or undefined if plain Markdown is written. */
  readonly columns: number | undefined;
  readonly style: Style;
}

/** Most columns of a line of text. Longer lines are hard to read. */
const MAX_COLUMNS = 100;
const DEFAULT_COLUMNS = 80;
const MIN_COLUMNS = 20;

/**
 * Returns the layout for a stream. `FORCE_COLOR` chooses the layout of a terminal even for a pipe,
 * such as for `less -R`. `NO_COLOR` and `TERM=dumb` mean no escape sequences.
 */
export function lookOf(
  stream: Pick<OutputStream, 'isTTY' | 'columns'>,
  env: CliContext['env'],
): Look {
  const forced = env['FORCE_COLOR'];
  const isForced = forced !== undefined && forced !== '0' && forced !== 'false';
  const isDumb = env['TERM'] === 'dumb';
  const isTerminal = stream.isTTY === true && !isDumb;
  const isOff = isForced ? false : forced !== undefined || (env['NO_COLOR'] ?? '') !== '';
  if (!isTerminal && !isForced) return { columns: undefined, style: plain };
  const columns = stream.columns ?? (Number(env['COLUMNS']) || DEFAULT_COLUMNS);
  return {
    columns: Math.max(MIN_COLUMNS, Math.min(columns, MAX_COLUMNS)),
    style: isOff ? plain : colored,
  };
}
