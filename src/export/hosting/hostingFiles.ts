import { plainTranslate, type Translate } from '../../common/errors';
import { hostingNotes } from './hostingNotes';
import type { HostingFile, HostingServer, HostingSite } from './hostingSite';
import { contentSecurityPolicy } from './policy/contentSecurityPolicy';
import { apacheFiles, MAX_APACHE_LINE } from './servers/apache';
import { caddyFiles } from './servers/caddy';
import { cloudFrontFiles, MAX_CLOUDFRONT_HEADER } from './servers/cloudFront';
import type { HostingInput, HostingOutput, HostingSettings } from './servers/common';
import { MAX_NGINX_WORD, nginxFiles } from './servers/nginx';
import { cloudflareFiles, MAX_CLOUDFLARE_HEADER, netlifyFiles } from './servers/pagesFiles';

export const defaultSettings: HostingSettings = { root: '/srv/docs', host: 'docs.example.com' };

export interface HostingConfiguration {
  readonly server: HostingServer;
  readonly files: readonly HostingFile[];
  /** Content-Security-Policy that the files set. */
  readonly policy: string;
  /** Sentences that the user should read, in the user's language. */
  readonly notes: readonly string[];
}

/** Maximum length of a policy in characters. All common proxies and browsers accept this length. */
const MAX_HEADER = 7500;

const writers: Readonly<
  Record<
    HostingServer,
    {
      readonly title: string;
      readonly write: (input: HostingInput) => HostingOutput;
      readonly maxPolicy: number;
    }
  >
> = {
  nginx: { title: 'nginx', write: nginxFiles, maxPolicy: MAX_NGINX_WORD },
  caddy: { title: 'Caddy', write: caddyFiles, maxPolicy: MAX_HEADER },
  apache: {
    title: 'Apache',
    write: apacheFiles,
    maxPolicy: Math.min(MAX_HEADER, MAX_APACHE_LINE - 100),
  },
  netlify: { title: 'Netlify', write: netlifyFiles, maxPolicy: MAX_HEADER },
  cloudflare: {
    title: 'Cloudflare Pages',
    write: cloudflareFiles,
    maxPolicy: MAX_CLOUDFLARE_HEADER,
  },
  cloudfront: {
    title: 'S3 and CloudFront',
    write: cloudFrontFiles,
    maxPolicy: MAX_CLOUDFRONT_HEADER,
  },
};

/** Returns the display name of a host. */
export function serverTitle(server: HostingServer): string {
  return writers[server].title;
}

export function hostingConfiguration(
  site: HostingSite,
  server: HostingServer,
  settings: HostingSettings,
  t: Translate,
): HostingConfiguration {
  const { title, write, maxPolicy } = writers[server];
  const policy = contentSecurityPolicy(site.needs, maxPolicy);
  const input = { site, policy, ...settings };
  const { redirectsLeftOut } = write({ ...input, remarks: [] });
  // Anyone who runs the server may read the comments of a configuration, so they are in English.
  const pages = site.pages === 1 ? 'one page' : `${site.pages} pages`;
  const remarks = [
    `Serves a documentation site of ${pages} with ${title}. Docs Assistant generated it from the bundle. ` +
      'Generate it again for each release, because the policy lists what the pages use.',
    '',
    ...hostingNotes(site, policy, redirectsLeftOut, plainTranslate).map((note) => `- ${note}`),
    '- The policy covers what the files contain. It may miss what scripts load while they run. ' +
      'If a page is missing something, the browser console names the directive.',
  ];
  const { files } = write({ ...input, remarks });
  return {
    server,
    files,
    policy: policy.value,
    notes: hostingNotes(site, policy, redirectsLeftOut, t),
  };
}

/** Returns whether a text is a host name, with a port or without. */
export function isHostName(text: string): boolean {
  return /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/i.test(text);
}

/** Returns whether a text is the absolute path of a folder and is safe in every configuration. */
export function isServerFolder(text: string): boolean {
  return /^(?:\/|[A-Za-z]:[\\/])[^\p{Cc}"'`$%{}*?<>|[\]]*$/u.test(text) && !/\\$/.test(text);
}

/** Returns whether a text is an address and a port, such as `127.0.0.1:8080`. */
export function isListenAddress(text: string): boolean {
  return /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:]+\]|localhost):\d{1,5}$/i.test(text);
}
