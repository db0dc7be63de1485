/** Replaces `{0}`, `{1}` and so on in a text by the given values. */
export function fill(text: string, ...values: (string | number)[]): string {
  return text.replace(/\{(\d+)\}/g, (hole, index: string) => String(values[Number(index)] ?? hole));
}
