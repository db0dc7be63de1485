import * as v from 'valibot';
import type { FoundAddress } from './foundAddress';

const images = v.fallback(v.array(v.fallback(v.object({ src: v.string() }), { src: '' })), []);

const manifestSchema = v.object({
  start_url: v.fallback(v.optional(v.string()), undefined),
  icons: images,
  screenshots: images,
  shortcuts: v.fallback(v.array(v.fallback(v.object({ url: v.string() }), { url: '' })), []),
});

/** The addresses of a web app manifest; none of what is no manifest. */
export function manifestAddresses(text: string): FoundAddress[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return [];
  }
  const manifest = v.safeParse(manifestSchema, json);
  if (!manifest.success) return [];
  const { start_url: startUrl, icons, screenshots, shortcuts } = manifest.output;
  return [
    ...(startUrl === undefined ? [] : [foundIn(text, 'link', startUrl)]),
    ...[...icons, ...screenshots].map(({ src }) => foundIn(text, 'image', src)),
    ...shortcuts.map(({ url }) => foundIn(text, 'link', url)),
  ];
}

/** JSON says nothing of places: the first string that says the same is near enough. */
function foundIn(text: string, kind: FoundAddress['kind'], address: string): FoundAddress {
  const at = Math.max(0, text.indexOf(JSON.stringify(address)));
  return { kind, address, start: at, end: at + address.length + 2 };
}
