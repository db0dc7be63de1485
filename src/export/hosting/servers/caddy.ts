import type { RedirectRule } from '../redirectRules';
import { encodedPath } from '../siteAddresses';
import {
  comments,
  FOREVER,
  FRESH,
  groupPatterns,
  literalPattern,
  quoted,
  rareTypes,
  securityHeaders,
  unpackingHint,
  type HostingInput,
  type HostingOutput,
} from './common';

/** Returns a Caddyfile for Caddy 2.6 and later. */
export function caddyFiles(input: HostingInput): HostingOutput {
  const { site, policy, remarks, root, host, listen } = input;
  const { basePath, redirects, hasNotFoundPage, extensions, immutable } = site;
  const notFound = literalPattern(`${basePath}/404`, 'code-point');
  const content = `${comments([
    ...remarks,
    '',
    `Put this file into /etc/caddy/Caddyfile or import it there. Put the bundle into ${root}${basePath}/. ` +
      'Then run "caddy validate" and "systemctl reload caddy". Caddy gets the TLS certificate by itself.',
    unpackingHint,
  ])}

${listen === undefined ? `${host} {` : listenText(listen)}
	root * ${quoted(root)}
	encode zstd gzip

	header {
		Cache-Control "${FRESH}"
		Content-Security-Policy "${policy.value}"
${Object.entries(securityHeaders)
  .map(([name, value]) => `\t\t${name} "${value}"`)
  .join('\n')}
	}
${typeTexts(extensions)}
	route {
		# Behind two slashes, a browser expects another host.
		@slashes expression \`{http.request.uri}.matches("^/[/\\\\\\\\]")\`
		error @slashes 404
		@hidden {
			path_regexp /\\.
			not path /.well-known/*
		}
		error @hidden 404
${redirectTexts(redirects.rules)}${
    immutable.length === 0
      ? ''
      : `
		@immutable {
			path_regexp "^(?:${groupPatterns(site, 'code-point').join('|')})$"
			file
		}
		header @immutable Cache-Control "${FOREVER}"
`
  }${
    hasNotFoundPage
      ? `
		@notFoundPage path_regexp "^${notFound}(?:\\.html)?$"
		error @notFoundPage 404
`
      : ''
  }
		# An address with .html leads to the one without.
		@index path_regexp "/index\\.html$"
		route @index {
			@there file
			route @there {
				uri strip_suffix index.html
				redir {uri} 301
			}
			error 404
		}
		@html path_regexp "\\.html$"
		route @html {
			@there file
			route @there {
				uri strip_suffix .html
				redir {uri} 301
			}
		}
${
  basePath === ''
    ? ''
    : `
		@root path_regexp "^/$"
		redir @root "${encodedPath(`${basePath}/`)}" 302
`
}
		# A folder's page has a slash at its end.
		@slash path_regexp slash "^((?:/.*[^/])?)/$"
		route @slash {
			@folder file {re.slash.1}/index.html
			rewrite @folder {re.slash.1}/index.html
			@page {
				file {re.slash.1}.html
				not path *.html
			}
			route @page {
				uri strip_suffix /
				redir {uri} 301
			}
		}

		# Any other page has none.
		@plain path_regexp plain "^(/.*[^/])$"
		route @plain {
			@missing not file
			route @missing {
				@page file {re.plain.1}.html
				rewrite @page {re.plain.1}.html
				@folder {
					file {re.plain.1}/index.html
					not path *.html
				}
				route @folder {
					uri path_regexp "^(.+)$" "$1/"
					redir {uri} 301
				}
			}
		}
		file_server {
			disable_canonical_uris
		}
	}
${
  hasNotFoundPage
    ? `
	handle_errors {
		header Cache-Control "${FRESH}"
		@missing expression {http.error.status_code} == 404
		rewrite @missing ${rewriteTarget(`${basePath}/404.html`)}
		file_server
	}
`
    : ''
}}
`;
  return { files: [{ name: 'Caddyfile', content }], redirectsLeftOut: 0 };
}

/** Returns the start of a site that answers for every host, because proxies pass on different host names. */
function listenText(listen: string): string {
  const [, address = '', port = ''] = /^(.*):(\d+)$/.exec(listen) ?? [];
  return `http://:${port} {\n\tbind ${address}`;
}

/** Returns the media types by extension. A page whose name looks like such a file stays HTML. */
function typeTexts(extensions: readonly string[]): string {
  return extensions
    .map((extension) => {
      const type = rareTypes.get(extension);
      const charset = type?.startsWith('text/') === true ? '; charset=utf-8' : '';
      return type === undefined
        ? ''
        : `\t@${extension} {
\t\tpath *.${extension}
\t\tfile
\t}
\theader @${extension} Content-Type "${type}${charset}"
`;
    })
    .join('');
}

/** Returns tables in which Caddy looks up the redirect for a path. */
function redirectTexts(rules: readonly RedirectRule[]): string {
  return ([301, 302] as const)
    .flatMap((status) => {
      const some = rules.filter((rule) => rule.status === status);
      const isWhole = ({ to }: RedirectRule): boolean => /[?#]/.test(to);
      return [
        // A target with a query or a fragment keeps it. Others get the query of the request.
        redirectTable(`docs_whole_${status}`, status, some.filter(isWhole), false),
        redirectTable(
          `docs_${status}`,
          status,
          some.filter((rule) => !isWhole(rule)),
          true,
        ),
      ];
    })
    .join('');
}

function redirectTable(
  name: string,
  status: number,
  rules: readonly RedirectRule[],
  takesQuery: boolean,
): string {
  if (rules.length === 0) return '';
  const rows = rules.flatMap((rule) =>
    rule.forms.map((form) => `\t\t\t${key(form)} "${rule.to}"\n`),
  );
  const withQuery = takesQuery
    ? `			@query expression \`{http.request.uri.query} != ""\`
			redir @query {${name}}?{http.request.uri.query} ${status}
`
    : '';
  return `
		map {http.request.uri.path} {${name}} {
${rows.join('')}			default ""
		}
		@${name} expression \`{${name}} != ""\`
		route @${name} {
${withQuery}			redir {${name}} ${status}
		}
`;
}

/** Returns the form of a path that Caddy compares as it is. Others become a regular expression. */
function key(path: string): string {
  return /^[A-Za-z0-9/_.-]+$/.test(path)
    ? `"${path}"`
    : `"~^${literalPattern(path, 'code-point')}$"`;
}

/** Returns the target of a rewrite, which Caddy takes as it is, with the signs of a URL and of variables. */
function rewriteTarget(path: string): string {
  return quoted(/[%?#{}]/.test(path) ? encodedPath(path) : path);
}
