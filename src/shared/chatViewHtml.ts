/**
 * HTML page of the chat view. It is a pure function of its values, so that the extension and the
 * browser tests serve the same page under the same policy.
 */

/** Values of the page. URIs are those of `asWebviewUri`. */
export interface ChatViewPage {
  /** Fresh for each load, from a cryptographic source; at least 16 base64 or hex characters. */
  readonly nonce: string;
  /** `webview.cspSource`. */
  readonly cspSource: string;
  readonly scriptUri: string;
  readonly styleUri: string;
  /** BCP 47, as `vscode.env.language` gives it. */
  readonly language: string;
  readonly title: string;
  /** Shown until the view draws. */
  readonly loading: string;
  /** Shown in its place if the view can't read what the host sends. */
  readonly unreadable: string;
}

/**
 * Hash of an empty inline style, the only one allowed. The toolkit adds it to test whether the
 * browser supports `:focus-visible`, and without it shows a focus ring on every click.
 */
const emptyStyleHash = 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';

/**
 * Returns the page's content security policy. Scripts run by nonce only. Images, frames and
 * connections have no source at all, so that nothing in a reply can reach the network.
 */
function chatViewPolicy({ nonce, cspSource }: Pick<ChatViewPage, 'nonce' | 'cspSource'>): string {
  return [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource} '${emptyStyleHash}'`,
    `font-src ${cspSource}`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
}

/**
 * Returns the HTML document.
 * @throws RangeError for a nonce that is too short or has invalid characters.
 */
export function chatViewHtml(page: ChatViewPage): string {
  if (!/^[\w+/=-]{16,}$/.test(page.nonce)) throw new RangeError('Not a usable nonce');
  return `<!DOCTYPE html>
<html lang="${escapeAttribute(page.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeAttribute(chatViewPolicy(page))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeAttribute(page.title)}</title>
<link rel="stylesheet" href="${escapeAttribute(page.styleUri)}">
</head>
<body>
<p class="loading" data-unreadable="${escapeAttribute(page.unreadable)}">${escapeAttribute(page.loading)}</p>
<script type="module" nonce="${page.nonce}" src="${escapeAttribute(page.scriptUri)}"></script>
</body>
</html>
`;
}

function escapeAttribute(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
