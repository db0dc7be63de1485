import type { RedirectRule } from '../redirectRules';
import { encodedPath } from '../siteAddresses';
import {
  comments,
  compressedTypes,
  FOREVER,
  FRESH,
  groupPatterns,
  literalPattern,
  quoted,
  rareTypes,
  securityHeaders,
  splitHost,
  unpackingHint,
  type HostingInput,
  type HostingOutput,
} from './common';

/** Apache refuses a line of its configuration above 8190 bytes. */
export const MAX_APACHE_LINE = 8000;

/** Returns a virtual host for Apache 2.4. */
export function apacheFiles(input: HostingInput): HostingOutput {
  const { site, policy, remarks, root, host, listen } = input;
  const { basePath, redirects, hasNotFoundPage, extensions } = site;
  const notFound = `${literalPattern(`${basePath}/404`, 'byte')}(?:\\.html)?`;
  const { port = '80' } = splitHost(host);
  const address = listen ?? `*:${port}`;
  const isThere = (path: string, sign = ''): string =>
    `    RewriteCond "%{DOCUMENT_ROOT}${path}" ${sign}-f`;
  const content = `${comments([
    ...remarks,
    '',
    `Put this file into /etc/apache2/sites-available/ and the bundle into ${root}${basePath}/. Then ` +
      'run "a2enmod rewrite headers deflate", "a2ensite docs-site.apache" and "apachectl configtest". For TLS, ' +
      'run "certbot --apache". Apache puts its own host name into redirects. Behind a proxy with TLS, ' +
      `set "ServerName https://${host}" and "UseCanonicalName On".`,
    unpackingHint,
    ...(address === '*:80'
      ? []
      : [`Add "Listen ${address.replace('*:', '')}" to ports.conf, so that Apache listens there.`]),
  ])}

<VirtualHost ${address}>
    ServerName ${host}
    DocumentRoot ${quoted(root)}

    <Directory ${quoted(root)}>
        Require all granted
        AllowOverride None
        Options -Indexes -MultiViews +FollowSymLinks
        <IfModule mod_dir.c>
            DirectoryIndex disabled
            DirectorySlash Off
        </IfModule>
    </Directory>

    AddDefaultCharset utf-8
    AddCharset utf-8 .css .js .mjs .md .txt .xml
${extensions
  .flatMap((extension) => {
    const type = rareTypes.get(extension);
    return type === undefined ? [] : [`    AddType ${type} .${extension}\n`];
  })
  .join('')}
    <IfModule mod_deflate.c>
        AddOutputFilterByType DEFLATE text/html ${compressedTypes.join(' ')}
    </IfModule>
    # With a compressed file, Apache 2.4 sends an ETag that it doesn't know again, so it goes by the date.
    FileETag None

    Header always set Content-Security-Policy "${policy.value}"
    Header always set Cache-Control "${FRESH}"
${groupPatterns(site, 'byte')
  .map(
    (pattern) => `    <LocationMatch "^${pattern}$">
        Header always set Cache-Control "${FOREVER}" "expr=%{REQUEST_STATUS} in {'200','206','304'}"
    </LocationMatch>
`,
  )
  .join('')}${Object.entries(securityHeaders)
    .map(([name, value]) => `    Header always set ${name} "${value}"`)
    .join('\n')}
${hasNotFoundPage ? `    ErrorDocument 404 ${encodedPath(`${basePath}/404.html`)}\n` : ''}
    RewriteEngine On
    RewriteRule "/\\.(?!well-known/)" "-" [R=404,L]
${
  hasNotFoundPage
    ? `    # The page itself is no address, but Apache asks for it here when another one is missing.
    RewriteCond "%{ENV:REDIRECT_STATUS}" "!^$"
    RewriteRule "^${notFound}$" "-" [L]
    RewriteRule "^${notFound}$" "-" [R=404,L]
`
    : ''
}${redirects.rules.map(redirectText).join('')}${
    basePath === ''
      ? ''
      : `    RewriteRule "^/$" "${escapedTarget(encodedPath(`${basePath}/`))}" [R=302,L,NE]\n`
  }
    # An address with .html leads to the one without.
${isThere('%{REQUEST_URI}')}
    RewriteRule "^/(.*/|)index\\.html$" "/$1" [R=301,L]
${isThere('%{REQUEST_URI}')}
    RewriteRule "^/(.+)\\.html$" "/$1" [R=301,L]

    # A folder's page has a slash at its end.
${isThere('/$1index.html')}
    RewriteRule "^/(.*/|)$" "/$1index.html" [PT,L]
${isThere('/$1.html')}
    RewriteRule "^/(.*[^/])/$" "/$1" [R=301,L]

    # Any other page has none.
${isThere('%{REQUEST_URI}', '!')}
${isThere('/$1.html')}
    RewriteRule "^/(.*[^/])$" "/$1.html" [PT,L]
${isThere('%{REQUEST_URI}', '!')}
${isThere('/$1/index.html')}
    RewriteRule "^/(.*[^/])$" "/$1/" [R=301,L]

    # A folder without a page has nothing to show.
    RewriteCond "%{DOCUMENT_ROOT}%{REQUEST_URI}" -d
    RewriteRule "^" "-" [R=404,L]
</VirtualHost>
`;
  return { files: [{ name: 'docs-site.apache.conf', content }], redirectsLeftOut: 0 };
}

/** Returns the rule of a redirect. The path is escaped, so it adds no special characters to the pattern. */
function redirectText({ from, forms, to, status }: RedirectRule): string {
  const ends = forms.slice(1).map((form) => literalPattern(form.slice(from.length), 'byte'));
  const end = ends.length === 0 ? '' : `(?:${ends.join('|')})?`;
  const pattern = `^${literalPattern(from, 'byte')}${end}$`;
  return `    RewriteRule "${pattern}" "${escapedTarget(to)}" [R=${status},L,NE]\n`;
}

/** Returns an encoded address for a rule, where `%20` would be the second group of a condition. */
function escapedTarget(address: string): string {
  return address.replaceAll('%', '\\%');
}
