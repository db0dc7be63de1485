/** `_redirects` and `_headers`, which Netlify and Cloudflare read from the folder that they publish. */
import type { HostingSite } from '../hostingSite';
import type { RedirectRule } from '../redirectRules';
import { encodedPath } from '../siteAddresses';
import {
  comments,
  FOREVER,
  immutablePaths,
  securityHeaders,
  type HostingInput,
  type HostingOutput,
} from './common';

/**
 * Limits of a host.
 *
 * @see https://developers.cloudflare.com/pages/configuration/redirects/ and `…/headers/`
 * @see https://docs.netlify.com/manage/routing/redirects/overview/
 */
interface PagesLimits {
  readonly redirects: number;
  readonly redirectLength: number;
  readonly headerRules: number;
  /** Whether a rule for `/old` also answers `/old/`. */
  readonly ignoresSlash: boolean;
  /** Whether a rule can end in `*.js`. Otherwise `*` stands for all that follows. */
  readonly hasInnerStars: boolean;
}

const cloudflare: PagesLimits = {
  redirects: 2000,
  redirectLength: 1000,
  headerRules: 100,
  ignoresSlash: false,
  hasInnerStars: true,
};

const netlify: PagesLimits = {
  // Netlify documents no limit, but says that a deploy can fail with 10,000 rules.
  redirects: 10_000,
  redirectLength: Infinity,
  headerRules: Infinity,
  ignoresSlash: true,
  hasInnerStars: false,
};

/** Characters that a header's value may have in Cloudflare's `_headers`, where a line has a limit. */
export const MAX_CLOUDFLARE_HEADER = 1900;

export function netlifyFiles(input: HostingInput): HostingOutput {
  return pagesFiles(input, netlify, [
    'Put _redirects and _headers into the folder that Netlify publishes. Netlify serves ' +
      'pages without .html, keeps them fresh, compresses them and shows 404.html by itself. ' +
      'Turn on "Pretty URLs" in the post processing of the site, so that Netlify redirects ' +
      'URLs with .html to URLs without it.',
  ]);
}

export function cloudflareFiles(input: HostingInput): HostingOutput {
  return pagesFiles(input, cloudflare, [
    'Put _redirects and _headers into the folder that Cloudflare Pages publishes. ' +
      'Cloudflare serves pages without .html, redirects URLs with .html to them, keeps pages ' +
      'fresh, compresses them and shows 404.html by itself.',
  ]);
}

function pagesFiles(
  input: HostingInput,
  limits: PagesLimits,
  instructions: readonly string[],
): HostingOutput {
  const { site, remarks } = input;
  const { lines, leftOut } = redirectLines(site, limits);
  const place =
    site.basePath === ''
      ? []
      : [`Put the bundle into the folder ${site.basePath.slice(1)} inside that folder.`];
  const top = comments([...remarks, '', ...instructions, ...place]);
  return {
    files: [
      { name: '_redirects', content: `${top}\n\n${lines.map((line) => `${line}\n`).join('')}` },
      { name: '_headers', content: `${top}\n\n${headerText(input, limits)}` },
    ],
    redirectsLeftOut: leftOut,
  };
}

function redirectLines(
  { redirects, basePath }: HostingSite,
  limits: PagesLimits,
): { readonly lines: readonly string[]; readonly leftOut: number } {
  const room = limits.redirects - (basePath === '' ? 0 : 1);
  const linesOf = (rule: RedirectRule): string[] => {
    return rule.forms
      .filter((form) => !limits.ignoresSlash || !form.endsWith('/'))
      .map((form) => `${ruleAddress(form)} ${rule.to} ${rule.status}`)
      .filter((line) => line.length <= limits.redirectLength);
  };
  const all = redirects.rules.map(linesOf);
  const fitting = all.filter((lines) => lines.length > 0);
  // The address without .html comes first, because readers and search engines know that one.
  const most = Math.max(0, ...fitting.map((lines) => lines.length));
  const ordered = Array.from({ length: most }, (_, position) =>
    fitting.flatMap((lines) => lines[position] ?? []),
  ).flat();
  const lines = ordered.slice(0, room);
  const leftOut = all.length - Math.min(fitting.length, room);
  return {
    lines: [...(basePath === '' ? [] : [`/ ${encodedPath(`${basePath}/`)} 302`]), ...lines],
    leftOut,
  };
}

/**
 * Returns a path as browsers ask for it, because these hosts compare the text of addresses. Stars and
 * the starts of placeholders such as `:name` are encoded.
 */
function ruleAddress(path: string): string {
  return path.replace(/[^!$&'()+,;=@:]+|:(?=\w)/g, encodedPath);
}

function headerText({ site, policy }: HostingInput, limits: PagesLimits): string {
  const all = { ...securityHeaders, 'Content-Security-Policy': policy.value };
  const rules = [rule('/*', all)];
  for (const path of immutablePaths(site, limits.hasInnerStars)) {
    if (rules.length >= limits.headerRules) break;
    rules.push(rule(path, { 'Cache-Control': FOREVER }));
  }
  return rules.join('\n');
}

function rule(path: string, headers: Readonly<Record<string, string>>): string {
  return `${path}\n${Object.entries(headers)
    .map(([name, value]) => `  ${name}: ${value}\n`)
    .join('')}`;
}
