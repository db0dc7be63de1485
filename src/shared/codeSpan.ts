import { withoutLineBreaks } from './characters';

/** Returns the text as a Markdown code span on one line. */
export function codeSpan(text: string): string {
  const line = withoutLineBreaks(text).trim();
  const fence = '`'.repeat(longestRun(line) + 1);
  const pad = line === '' || line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** Returns the length of the longest run of backticks in the text. */
export function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
