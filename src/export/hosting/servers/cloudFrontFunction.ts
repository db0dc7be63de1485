import type { HostingSite } from '../hostingSite';

/** The function, and the entries of its key value store if they don't fit into its code. */
interface CloudFrontFunction {
  readonly code: string;
  /** Content of the file that fills the key value store. Undefined if the function needs no store. */
  readonly store?: string;
  readonly redirectsLeftOut: number;
}

/** Maximum size of a function in bytes. AWS accepts 10 KB. */
const MAX_CODE = 10_000;

/**
 * Limits of a key value store.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/kvs-with-functions-create-s3-kvp.html
 */
const MAX_STORE = 5_000_000;
const MAX_KEY = 512;
const MAX_VALUE = 1024;

/**
 * Returns a CloudFront function that finds the file of an address. The function can't ask the bucket
 * whether a file exists, so it contains the folders that have a page of their own, the redirects, and the
 * pages whose names look like files.
 */
export function cloudFrontFunction(site: HostingSite): CloudFrontFunction {
  const entries = entriesOf(site);
  const code = functionCode(site, entries);
  if (new TextEncoder().encode(code).length <= MAX_CODE) return { code, redirectsLeftOut: 0 };
  const data: { key: string; value: string }[] = [];
  let size = 0;
  let redirectsLeftOut = 0;
  for (const [key, value] of entries) {
    size += new TextEncoder().encode(JSON.stringify({ key, value })).length + 2;
    if (size <= MAX_STORE && key.length <= MAX_KEY && value.length <= MAX_VALUE) {
      data.push({ key, value });
    } else if (!fileKinds.has(value)) {
      redirectsLeftOut++;
    }
  }
  const store = `${JSON.stringify({ data }, undefined, 1)}\n`;
  return { code: functionCode(site, undefined), store, redirectsLeftOut };
}

/** Values of entries that aren't redirects. */
const fileKinds = new Set(['folder', 'both', 'page']);

/** Returns what the function knows of decoded paths: redirects as status and target, or a kind. */
function entriesOf(site: HostingSite): [string, string][] {
  const { basePath, folders, doubleFolders, dottedPages, redirects } = site;
  return [
    ...folders.map((path): [string, string] => [`${basePath}/${path}`, 'folder']),
    ...doubleFolders.map((path): [string, string] => [`${basePath}/${path}`, 'both']),
    ...dottedPages
      .filter((path) => !doubleFolders.includes(path))
      .map((path): [string, string] => [`${basePath}/${path}`, 'page']),
    ...redirects.rules.map(({ from, to, status }): [string, string] => [from, `${status} ${to}`]),
  ];
}

/** Returns the code for the runtime `cloudfront-js-2.0`. Without entries it asks a store. */
function functionCode(
  { basePath, extensions }: HostingSite,
  entries: readonly (readonly [string, string])[] | undefined,
): string {
  const lookUp =
    entries === undefined
      ? `import cf from 'cloudfront';
const store = cf.kvs();
async function find(path) {
  try {
    return await store.get(path);
  } catch (error) {
    return undefined; // The store has no such path.
  }
}`
      : `const known = new Map(${asciiJson(entries)});
async function find(path) {
  return known.get(path);
}`;
  return `${lookUp}
const base = ${asciiJson(basePath)};
const files = new Set(${asciiJson(extensions)});

async function handler(event) {
  const request = event.request;
  const uri = request.uri.replace(/^[\\/\\\\]+/, '/');
  let path;
  try {
    path = decodeURIComponent(uri);
  } catch (error) {
    return { statusCode: 400, statusDescription: 'Bad Request' };
  }
  if (base !== '' && path === '/') return redirect(302, base + '/', request);
  const plain = path.replace(/\\/index\\.html$/, '/').replace(/\\.html$/, '').replace(/(.)\\/+$/, '$1');
  // The page for missing pages is no address of its own, and nothing has a name with a leading dot.
  if (plain === base + '/404' || /\\/\\.(?!well-known\\/)/.test(path)) {
    request.uri = base + '/404/';
    return request;
  }
  const exact = path === plain ? undefined : await find(path);
  const found = exact || (await find(plain));
  const moved = /^(\\d{3}) (.+)$/.exec(found || '');
  if (moved) return redirect(Number(moved[1]), moved[2], request);
  if (/\\/index\\.html$/.test(uri)) return redirect(301, uri.replace(/index\\.html$/, ''), request);
  if (/[^\\/]\\.html$/.test(uri)) return redirect(301, uri.replace(/\\.html$/, ''), request);
  if (/\\/$/.test(uri)) {
    const isFolder = found === 'folder' || found === 'both' || uri === '/' || path === base + '/';
    if (!isFolder) return redirect(301, uri.replace(/\\/+$/, ''), request);
    request.uri = uri + 'index.html';
    return request;
  }
  if (found === 'folder' || (base !== '' && path === base)) return redirect(301, uri + '/', request);
  const extension = /[^\\/.][^\\/]*\\.([^.\\/]+)$/.exec(path);
  const isFile = extension !== null && files.has(extension[1].toLowerCase());
  request.uri = isFile && found === undefined ? uri : uri + '.html';
  return request;
}

function redirect(status, to, request) {
  const query = Object.keys(request.querystring).flatMap((name) => {
    const one = request.querystring[name];
    return (one.multiValue || [one]).map((each) => (each.value === '' ? name : name + '=' + each.value));
  });
  const search = query.length === 0 || /[?#]/.test(to) ? '' : '?' + query.join('&');
  return {
    statusCode: status,
    statusDescription: 'Moved',
    headers: { location: { value: to + search }, 'cache-control': { value: 'no-cache' } },
  };
}
`;
}

/** Returns JSON of ASCII only, because paths come from an archive. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^ -~]|[<>]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
