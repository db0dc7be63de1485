/** Makes a tool's result fit the space that its caller has for it. */
import { cutText } from '../common/text/strings';
import type { TokenBudget } from './toolCall';

/** Most characters of a token. It limits the length of the first try. */
const MAX_CHARACTERS_OF_TOKEN = 6;
/** Most times that tokens are counted. Counting can be slow, because another process may do it. */
const MAX_COUNTS = 8;
/** Share of the space to aim at. It is below 1, because tokens are not spread evenly. */
const AIM = 0.97;

/**
 * Returns a result that takes at most `maxLength` characters and fits the budget.
 * @param make returns the result with about that many characters. The result may be longer than a
 * small number, because some parts can't be left out.
 */
export async function fitResult<Result extends { readonly text: string }>(
  make: (maxLength: number) => Result,
  maxLength: number,
  budget: TokenBudget | undefined,
): Promise<Result> {
  if (!budget) return make(maxLength);
  const tokens = Math.max(0, Math.floor(budget.tokens)) || 0;
  let length = Math.min(maxLength, tokens * MAX_CHARACTERS_OF_TOKEN);
  let result = make(length);
  for (let counts = 0; counts < MAX_COUNTS; counts++) {
    const counted = await countOf(result.text, budget);
    if (counted <= tokens) return result;
    const share = (tokens / counted) * AIM;
    // A result can be longer than requested, because some parts can't be left out.
    const next = Math.floor(Math.min(length, result.text.length) * share);
    if (next <= 0) break;
    length = next;
    result = make(length);
  }
  const least = make(0);
  return { ...least, text: await cutToTokens(least.text, tokens, budget) };
}

/** Returns the start of a text that fits: the last resort, for a budget of a few words. */
async function cutToTokens(text: string, tokens: number, budget: TokenBudget): Promise<string> {
  let rest = text;
  while (rest !== '' && (await countOf(rest, budget)) > tokens) {
    rest = cutText(rest, Math.floor(rest.length / 2));
  }
  return rest;
}

/** Returns the tokens of a text. A counter that fails or answers nonsense is replaced by an estimate. */
async function countOf(text: string, { count }: TokenBudget): Promise<number> {
  try {
    const counted = await count(text);
    if (Number.isFinite(counted) && counted >= 0) return counted;
  } catch {
    // The estimate has to do.
  }
  return Math.ceil(text.length / 3);
}
