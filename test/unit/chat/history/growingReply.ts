/**
 * Returns the first words of a reply that grows, some of them long enough to be seen half written.
 */
export function wordsUpTo(count: number): string {
  return Array.from({ length: count }, (_, index) => `word${index}${'…'.repeat(500)}`).join(' ');
}
