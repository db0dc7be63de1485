// @ts-check
/**
 * Fills in the URLs that only a publisher knows, from `publishing.json`. Each of them can be empty.
 * `files` and `images` are the addresses below which the files of the repository can be read and its
 * pictures shown, such as `https://github.com/<owner>/<name>/blob/main` and
 * `https://raw.githubusercontent.com/<owner>/<name>/main`.
 */

const names = /** @type {const} */ (['repository', 'homepage', 'bugs', 'files', 'images']);

/** @typedef {Partial<Record<typeof names[number], string>>} Addresses without those that are empty */

/**
 * @param {unknown} json content of `publishing.json`
 * @returns {Addresses}
 * @throws {Error} for an unknown name and for what is no https address
 */
export function parseAddresses(json) {
  /** @type {Addresses} */
  const addresses = {};
  for (const [name, value] of Object.entries(/** @type {object} */ (json))) {
    const known = names.find((other) => other === name);
    if (known === undefined) throw new Error(`publishing.json: ${name} is not known`);
    if (value === '') continue;
    if (typeof value !== 'string' || !/^https:\/\/[^\s?#]+$/.test(value)) {
      throw new Error(`publishing.json: ${name} must be empty or an https:// address`);
    }
    addresses[known] = value.replace(/\/+$/, '');
  }
  return addresses;
}

/**
 * Returns the manifest for publishing: with the publisher's URLs, without fields that only the clone needs.
 *
 * @param {Record<string, unknown>} manifest package.json
 * @param {Addresses} addresses
 * @returns {Record<string, unknown>}
 */
export function publishedManifest(manifest, { repository, homepage, bugs }) {
  const own = new Set(['scripts', 'dependencies', 'devDependencies']);
  const rest = Object.entries(manifest).filter(([name]) => !own.has(name));
  const added = Object.entries({
    repository: repository === undefined ? undefined : { type: 'git', url: repository },
    homepage,
    bugs: bugs === undefined ? undefined : { url: bugs },
  });
  return Object.fromEntries([...rest, ...added.filter(([, value]) => value !== undefined)]);
}

/** Matches a picture in two themes, or a single image. */
const pictures = /<picture>[\s\S]*?<\/picture>\n*|!\[[^\]]*\]\([^)]*\)|<img [^>]*>/g;

/**
 * Returns the README for publishing. Links to files of the repository become absolute, or plain text if
 * `publishing.json` has no URL for files. Pictures need a URL and have one theme, because a marketplace
 * ignores `<source>`.
 *
 * @param {string} text
 * @param {Addresses} addresses
 * @returns {string}
 */
export function publishedReadme(text, { files, images }) {
  const isRelative = (/** @type {string} */ target) =>
    !/^(?:[a-z][a-z\d+.-]*:|#|\/\/)/i.test(target);
  return text
    .replace(/^ *<source .*\n/gm, '')
    .replace(pictures, (picture) => (images === undefined ? '' : picture))
    .replace(/(<img [^>]*src=")([^"]+)"/g, (whole, start, target) =>
      isRelative(target) ? `${start}${images}/${target}"` : whole,
    )
    .replace(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (whole, mark, label, target) => {
      if (!isRelative(target)) return whole;
      if (mark === '!') return `![${label}](${images}/${target})`;
      return files === undefined ? label : `[${label}](${files}/${target})`;
    })
    .replace(/\n{3,}/g, '\n\n');
}
