/**
 * A URL; undefined for what is none.
 *
 * Not by `URL.canParse`: Node 20 answers false for letters such as “ü” once V8 has optimised the
 * code that asks.
 */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
