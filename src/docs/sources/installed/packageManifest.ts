/** The `package.json` of packages and projects, which anyone can write. */
import * as v from 'valibot';
import { plainSentence } from '../../../common/text/safeText';
import { isJsonObject, parsedJson } from '../../../common/text/strings';
import { parseUrl } from '../../../shared/links';
import { decodeText } from '../../pages/textEncoding';

/** A package that a project asks for. */
export interface Dependency {
  /** Range, tag or place, as it is written: `^1.2.0`, `npm:other@1`, `workspace:*`. */
  readonly wanted: string;
  /** Whether the project can do without it. */
  readonly isOptional: boolean;
}

export interface PackageManifest {
  readonly name: string;
  /** Empty if the manifest has none. */
  readonly version: string;
  readonly description: string;
  readonly homepage: string | undefined;
  readonly repository: string | undefined;
  readonly webFolder: string | undefined;
  readonly types: string | undefined;
  /** Dependencies by name. The first kind wins in the order of npm. */
  readonly dependencies: ReadonlyMap<string, Dependency>;
  /** Files and folders that the manifest names as docs, as it writes them. */
  readonly docs: readonly string[];
}

/** Name of the manifest in the folder of a project or package. */
export const MANIFEST = 'package.json';
/** Maximum bytes of a manifest. The largest of real packages have 300 KB. */
export const MAX_MANIFEST_BYTES = 2 * 1024 * 1024;

/** Matches versions of npm. Others aren't shown and can't be part of an ID. */
const version = /^v?(\d[\w.+-]{0,99})$/;

const text = v.fallback(v.string(), '');
const unknown = v.optional(v.unknown());

/** Fields that are wrong count as absent, because npm publishes packages with any content. */
const manifestSchema = v.object({
  name: text,
  version: text,
  description: text,
  homepage: text,
  repository: unknown,
  types: text,
  typings: text,
  exports: unknown,
  directories: unknown,
  docs: text,
  llms: text,
  dependencies: unknown,
  devDependencies: unknown,
  optionalDependencies: unknown,
  peerDependencies: unknown,
});

/** Reads a manifest. Returns undefined if it isn't a JSON object. */
export function readManifest(bytes: Uint8Array): PackageManifest | undefined {
  const value = parsedJson(decodeText(bytes));
  const parsed = v.safeParse(manifestSchema, value);
  if (!parsed.success || Array.isArray(value)) return undefined;
  const { output } = parsed;
  const directories = fieldsOf(output.directories);
  return {
    name: output.name,
    version: version.exec(output.version)?.[1] ?? '',
    description: plainSentence(output.description, [], 300),
    homepage: webUrl(output.homepage),
    repository: repositoryUrl(output.repository),
    webFolder: webFolder(output.repository),
    types: typesOf(output),
    dependencies: dependenciesOf(output),
    docs: [directories.get('doc'), directories.get('docs'), output.docs, output.llms].flatMap(
      (place) => (typeof place === 'string' && place !== '' && !parseUrl(place) ? [place] : []),
    ),
  };
}

/** Returns the fields of an object, also those whose names mean something in JavaScript. */
function fieldsOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(isJsonObject(value) ? Object.entries(value) : []);
}

function dependenciesOf(
  manifest: v.InferOutput<typeof manifestSchema>,
): ReadonlyMap<string, Dependency> {
  const found = new Map<string, Dependency>();
  const add = (field: unknown, isOptional: boolean): void => {
    for (const [name, wanted] of fieldsOf(field)) {
      if (found.has(name)) continue;
      found.set(name, { wanted: typeof wanted === 'string' ? wanted : '', isOptional });
    }
  };
  // npm takes an optional dependency out of the others.
  add(manifest.optionalDependencies, true);
  add(manifest.dependencies, false);
  add(manifest.devDependencies, false);
  add(manifest.peerDependencies, true);
  return found;
}

function webUrl(written: string): string | undefined {
  const url = parseUrl(written.trim());
  const isWeb = url !== undefined && /^https?:$/.test(url.protocol);
  return isWeb && url.username === '' && url.password === '' && written.length <= 2000
    ? url.href
    : undefined;
}

const hosts: Readonly<Partial<Record<string, string>>> = {
  '': 'github.com',
  github: 'github.com',
  gitlab: 'gitlab.com',
  bitbucket: 'bitbucket.org',
};

/** Returns the URL of a repository's page. npm allows a URL of git, `git@host:path` and `github:owner/name`. */
function repositoryUrl(field: unknown): string | undefined {
  const written = typeof field === 'string' ? field : fieldsOf(field).get('url');
  if (typeof written !== 'string' || written.length > 500) return undefined;
  const [, host = '', short] =
    /^(?:(github|gitlab|bitbucket):)?([\w.-]+\/[\w.-]+)$/.exec(written) ?? [];
  if (short !== undefined) return webUrl(`https://${hosts[host] ?? ''}/${short}`);
  const url = written
    .trim()
    .replace(/^git\+/, '')
    .replace(/^(?:ssh:\/\/)?git@([^:/]+)[:/]/, 'https://$1/')
    .replace(/^(?:git|ssh):\/\//, 'https://')
    .replace(/\.git(?=$|#)/, '');
  return webUrl(url);
}

/** Path at which a host shows the files of a repository in their newest version, below the repository's page. */
const filePaths: Readonly<Partial<Record<string, string>>> = {
  'github.com': 'blob/HEAD/',
  'gitlab.com': '-/blob/HEAD/',
};

/** Returns the URL of the package's folder in its repository. Undefined for hosts whose URLs of files aren't known. */
function webFolder(field: unknown): string | undefined {
  const { host = '', pathname = '' } = parseUrl(repositoryUrl(field) ?? '') ?? {};
  const files = filePaths[host];
  // A URL such as that of `/tree/main/packages/sdk` names a folder in its own way.
  if (files === undefined || pathname.includes('/tree/')) return undefined;
  const directory = fieldsOf(field).get('directory');
  const names = typeof directory === 'string' ? directory.split(/[\\/]/) : [];
  const folder = names.filter((name) => name !== '' && name !== '.');
  if (folder.includes('..')) return undefined;
  const below = folder.map((name) => `${encodeURIComponent(name)}/`).join('');
  return `https://${host}${pathname.replace(/\/+$/, '')}/${files}${below}`;
}

/** Hosts of homepages that publish no site of a package, or one below a path that links may leave out. */
const noSite = /(?:^|\.)(?:bitbucket\.org|git(?:hub|lab)\.(?:com|io)|npmjs\.(?:com|org))$/;

/** Returns the origin of the site that a homepage belongs to. Links of docs from the root are meant from there. */
export function siteOf(homepage: string | undefined): string | undefined {
  const { hostname = '', origin } = parseUrl(homepage ?? '') ?? {};
  return noSite.test(hostname) ? undefined : origin;
}

/** Maximum depth of conditions in one another. */
const MAX_DEPTH = 10;

/** Returns the path of the main types: that of the root in `exports`, or else `types` or `typings`. */
function typesOf({
  exports,
  types,
  typings,
}: v.InferOutput<typeof manifestSchema>): string | undefined {
  const root = fieldsOf(exports);
  const written =
    conditionalTypes(root.has('.') ? root.get('.') : exports, 0) ?? (types || typings);
  const path = written.replace(/^(?:\.\/)+/, '');
  return path === '' || path.startsWith('/') || /(?:^|[\\/])\.\.(?:[\\/]|$)/.test(path)
    ? undefined
    : path;
}

function conditionalTypes(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return /\.d\.[cm]?ts$/.test(value) ? value : undefined;
  if (depth > MAX_DEPTH) return undefined;
  const conditions = fieldsOf(value);
  const types = conditions.get('types');
  if (typeof types === 'string') return types;
  for (const [name, inner] of conditions) {
    // Subpaths aren't conditions.
    if (name.startsWith('.')) continue;
    const found = conditionalTypes(inner, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
