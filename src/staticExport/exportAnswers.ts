/** True for what can stand as a segment of a path once it is percent-encoded (faults.md C2). */
export function isUsableJobId(text: string): boolean {
  return /^[^\p{Cc}\p{Surrogate}]{1,200}$/u.test(text) && text !== '.' && text !== '..';
}
