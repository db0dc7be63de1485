import type { HostingSite } from '../hostingSite';
import type { RedirectRule } from '../redirectRules';
import { encodedPath } from '../siteAddresses';
import {
  comments,
  compressedTypes,
  FOREVER,
  FRESH,
  groupPatterns,
  quoted,
  rareTypes,
  securityHeaders,
  splitHost,
  unpackingHint,
  type HostingInput,
  type HostingOutput,
} from './common';

/** Maximum length of a word in a configuration. The limit of nginx is 4096 bytes. */
export const MAX_NGINX_WORD = 4000;

/** Returns a server block for nginx 1.18 and later. */
export function nginxFiles(input: HostingInput): HostingOutput {
  const { site, policy, remarks, root, host, listen } = input;
  const { basePath, redirects, hasNotFoundPage, extensions } = site;
  const notFound = `${basePath}/404`;
  const { name, port = '80' } = splitHost(host);
  const content = `${comments([
    ...remarks,
    '',
    `Put this file into /etc/nginx/conf.d/ and the bundle into ${root}${basePath}/. Then ` +
      'run "nginx -t" and "systemctl reload nginx". For TLS, run "certbot --nginx" or put a proxy in front.',
    unpackingHint,
  ])}

map "$status $uri" $docs_cache {
    default "${FRESH}";
${groupPatterns(site, 'byte')
  .map((pattern) => `    "~^(?:200|206|304) ${pattern}$" "${FOREVER}";\n`)
  .join('')}}

# An unchanged page comes without a type (304), and a browser keeps the old policy if it gets none.
map "$status $sent_http_content_type" $docs_policy {
    default "";
    "~(?:^304| text/html)" "${policy.value}";
}

server {
${listen === undefined ? `    listen ${port};\n    listen [::]:${port};` : `    listen ${listen};`}
    server_name ${name};
    root ${quoted(root)};

    # Redirects name no host, so they are right behind a proxy too.
    absolute_redirect off;
    merge_slashes on;
    server_tokens off;

    charset utf-8;
    charset_types text/css text/plain text/xml text/markdown text/javascript application/javascript;
    gzip on;
    gzip_vary on;
    gzip_proxied any;
    gzip_min_length 1024;
    gzip_types ${compressedTypes.join(' ')};

    add_header Cache-Control $docs_cache always;
    add_header Content-Security-Policy $docs_policy always;
${Object.entries(securityHeaders)
  .map(([name, value]) => `    add_header ${name} "${value}" always;`)
  .join('\n')}
${
  hasNotFoundPage
    ? `
    error_page 403 404 =404 ${quoted(`${notFound}.html`)};
    location = ${quoted(`${notFound}.html`)} {
        internal;
    }
    location = ${quoted(notFound)} {
        return 404;
    }
`
    : ''
}${[...redirects.rules, ...questionRules(site)].map(redirectText).join('')}
    location ~ /\\.(?!well-known/) {
        return 404;
    }
${extensions
  .flatMap((extension) => {
    const type = rareTypes.get(extension);
    return type === undefined ? [] : [typeText(extension, type)];
  })
  .join('')}
    # An address with .html leads to the one without.
    location ~ /index\\.html$ {
        if (-f $request_filename) {
            rewrite ^(.*/)index\\.html$ $1 permanent;
        }
        return 404;
    }
    location ~ \\.html$ {
        if (-f $request_filename) {
            rewrite ^(.+)\\.html$ $1 permanent;
        }
        try_files $uri.html =404;
    }

    # A folder's page has a slash at its end.
    location ~ ^(?<docs_page>.+)/$ {
        try_files \${uri}index.html @docs_page;
    }
    location @docs_page {
        if (-f $document_root$docs_page.html) {
            rewrite ^(.+)/$ $1 permanent;
        }
        return 404;
    }
${
  basePath === ''
    ? `
    location = / {
        try_files /index.html =404;
    }
`
    : `
    location = / {
        return 302 ${encodedPath(`${basePath}/`)};
    }
`
}
    # Any other page has none.
    location / {
        try_files $uri @docs_plain;
    }
    location @docs_plain {
        try_files $uri.html @docs_folder;
    }
    location @docs_folder {
        if (-f $document_root$uri/index.html) {
            rewrite ^(.+)$ $1/ permanent;
        }
        return 404;
    }
}
`;
  return { files: [{ name: 'docs-site.nginx.conf', content }], redirectsLeftOut: 0 };
}

/** Returns the redirects to pages with a `?`. The other redirects to pages would write it as it is. */
function questionRules({ basePath, questionPages }: HostingSite): RedirectRule[] {
  const all = new Set(questionPages);
  return questionPages.map((page) => {
    const isFolder = page.endsWith('/');
    const other = isFolder ? page.slice(0, -1) : `${page}/`;
    const forms = [
      isFolder ? `${page}index.html` : `${page}.html`,
      ...(all.has(other) ? [] : [other]),
    ].map((form) => `${basePath}/${form}`);
    return {
      from: `${basePath}/${page}`,
      forms,
      to: encodedPath(`${basePath}/${page}`),
      status: 301,
    };
  });
}

function redirectText(rule: RedirectRule): string {
  // A target with a query keeps it. Others get the query of the request.
  const query = /[?#]/.test(rule.to) ? '' : '$is_args$args';
  return rule.forms
    .map(
      (form) => `\n    location = ${quoted(form)} { return ${rule.status} "${rule.to}${query}"; }`,
    )
    .join('')
    .concat('\n');
}

function typeText(extension: string, type: string): string {
  return `    location ~ \\.${extension}$ {
        types { }
        default_type ${type};
        try_files $uri @docs_plain;
    }
`;
}
