/** The sample bundle with files whose names and contents are hard for a host. */
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { HostingSite } from '../../src/export/hosting/hostingSite';
import type { Redirect } from '../../src/export/hosting/redirects';
import { surveySite } from '../../src/export/hosting/surveySite';
import { renderSite } from '../../src/service/export/site/siteRenderer';
import { RecordingLog } from '../fakes/recordingLog';

export interface HostedSite {
  /** Folder of the pages. */
  readonly folder: string;
  /** Folder that a server has as its root: the folder of the pages, or one above its base path. */
  readonly root: string;
  readonly site: HostingSite;
  /** Redirects that the survey got. */
  readonly redirects: readonly Redirect[];
  /** Pages as paths of their files. */
  readonly pages: readonly string[];
  readonly remove: () => Promise<void>;
}

const page = (title: string, body = ''): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><h1>${title}</h1>${body}</body></html>\n`;

/** A name with every character that means something in a configuration. */
export const oddName = `it's "odd" $HOME {path} ;# 100% grüße ~^(.*)$`;

/** Files beside the sample's. */
const extras: Readonly<Record<string, string>> = {
  'guides.html': page('Guides', '<a href="guides/start.html">Start</a>'),
  'guides/index.html': page('Guides, the folder'),
  'guides/start.html': page('Start'),
  'only/index.html': page('Only a folder', '<a href="inside.html">Inside</a>'),
  'only/inside.html': page('Inside'),
  'node.js.html': page('Node.js'),
  'config/package.json.html': page('The file package.json'),
  'config/app.webmanifest.html': page('The manifest'),
  'config/README.md.html': page('The file README.md'),
  'config/options.json': '{}\n',
  'releases/v1.2.html': page('Release 1.2'),
  [`odd/${oddName}.html`]: page('Odd'),
  'etc/hosts.html': page('Hosts', 'A page whose folder exists at the root of the disk.'),
  'bundle/app.4f2a9c1b.js': 'document.title;\n',
  'bundle/style.9d8e7f6a.css': 'h1 { color: teal }\n',
  'mixed/logo-20240115.js': 'document.title;\n',
  'mixed/app.0a1b2c3d.css': 'h1 { color: teal }\n',
  'module.mjs': 'export const answer = 42;\n',
  'page.md': '# Grüße\n',
  'app.webmanifest': '{"name":"Docs"}\n',
  '.env': 'TOKEN=outside\n',
  'guides/.git/config': 'outside\n',
  '.well-known/security.txt': 'Contact: mailto:us@example.com\n',
};

/** Pages with a `?` in their names, which not every server can serve. */
export const questionPages: Readonly<Record<string, string>> = {
  'odd/why?.html': page('Why?'),
  'odd/what?/index.html': page('What?', '<a href="a%3Fb">Inside</a>'),
  'odd/what?/a?b.html': page('A?b'),
  'odd/both?.html': page('Both?'),
  'odd/both?/index.html': page('Both?, the folder'),
};

/** Redirects from addresses that are gone. */
export const redirects: readonly Redirect[] = [
  { from: '/old/page', to: '/guides/start', status: 301 },
  { from: '/nearest', to: '/only/', status: 302 },
  { from: '/older', to: '/old/page', status: 301 },
  {
    from: `/gone/${encodeURIComponent(oddName)}`,
    to: `/odd/${encodeURIComponent(oddName)}`,
    status: 301,
  },
  // Forms of the first of each two are the address of the second.
  { from: '/tour', to: '/only/', status: 301 },
  { from: '/tour.html', to: '/only/inside', status: 301 },
  { from: '/walk', to: '/only/', status: 301 },
  { from: '/walk/index', to: '/only/inside', status: 301 },
  { from: '/404', to: '/only/', status: 301 },
  { from: '/with-anchor', to: '/guides/start#install', status: 301 },
];

/** Renders the sample docs into a folder, with the files above, and surveys it. */
export async function hostedSite(
  more: Readonly<Record<string, string>> = {},
  given: readonly Redirect[] = redirects,
): Promise<HostedSite> {
  const root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'hosted-site-')));
  const pages: string[] = [];
  const write = async (name: string, content: string | Uint8Array): Promise<void> => {
    const target = path.join(root, name);
    await mkdir(path.dirname(target), { recursive: true, mode: 0o755 });
    await writeFile(target, content);
    if (name.endsWith('.html') && name !== '404.html') pages.push(name);
  };
  await renderSite({
    root: await realpath('src/service/sample/docs'),
    siteHost: 'sample.localhost',
    signal: new AbortController().signal,
    log: new RecordingLog(),
    write: ({ path: name, content }) => write(name, content),
    onProgress: () => undefined,
  });
  for (const [name, content] of Object.entries({ ...extras, ...more })) await write(name, content);
  return {
    folder: root,
    root,
    pages,
    site: await survey(root, given),
    redirects: given,
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Makes a small site for a base path, in the folder of that name below the root of a server. */
export async function siteBelow(basePath: string): Promise<HostedSite> {
  const root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'hosted-docs-')));
  const folder = path.join(root, decodeURIComponent(basePath));
  const given = [
    { from: `${basePath}/old`, to: `${basePath}/start`, status: 301 },
  ] as const satisfies readonly Redirect[];
  const links = `<a href="${basePath}/start">Start</a><a href="${basePath}/guides/">Guides</a>`;
  const files = {
    'index.html': page('Home', links),
    'start.html': page('Start', links),
    'guides/index.html': page('Guides', links),
    'app.4f2a9c1b.js': 'document.title;\n',
    '404.html': page('Not found', links),
  };
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), content);
  }
  return {
    folder,
    root,
    pages: Object.keys(files).filter((name) => name.endsWith('.html') && name !== '404.html'),
    site: await survey(folder, given),
    redirects: given,
    remove: () => rm(root, { recursive: true, force: true }),
  };
}

export function survey(root: string, given: readonly Redirect[] = []): Promise<HostingSite> {
  return surveySite({
    root,
    redirects: given,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
}

/** Returns the paths in the sitemap of a site, as the site writes them. */
export async function sitemapPaths(folder: string): Promise<string[]> {
  const text = await readFile(path.join(folder, 'sitemap.xml'), 'utf8');
  return [...text.matchAll(/<loc>https?:\/\/[^/<]+([^<]*)<\/loc>/g)].map(([, found = '']) =>
    found === '' ? '/' : found,
  );
}
