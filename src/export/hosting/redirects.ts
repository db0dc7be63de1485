/** Redirects of a site, and the file format that passes them from one command to another. */
import * as v from 'valibot';

/** After two slashes at the start, a browser expects a host. */
const sitePath = /^\/(?![/\\])/;

/**
 * Paths start with `/`, have the base path of the site, and are percent-encoded as in a URL. `from` has no
 * `.html`, no `index.html` and no slash at its end, and stands for all of these forms of the address,
 * unless it ends in `.html` or a slash, which stands for itself. `to` is the form that the new site serves,
 * without a further redirect.
 *
 * `301` is for a page whose new address is certain. `302` is for the nearest page there is, so that
 * browsers don't keep it.
 */
export const redirectSchema = v.object({
  from: v.pipe(v.string(), v.regex(sitePath)),
  to: v.pipe(v.string(), v.regex(sitePath)),
  status: v.picklist([301, 302]),
});

export type Redirect = v.InferOutput<typeof redirectSchema>;

/** Schema of the file that `bundle diff --redirects` writes and `bundle hosting --redirects` reads. */
export const redirectFileSchema = v.object({
  version: v.literal(1),
  redirects: v.array(redirectSchema),
});

/** Returns the file of redirects as indented JSON. */
export function redirectsJson(redirects: readonly Redirect[]): string {
  return `${JSON.stringify({ version: 1, redirects }, undefined, 2)}\n`;
}
