/**
 * The page that the chat view loads: a pure function of addresses, so that the extension and the
 * browser tests serve the very same page under the very same policy.
 */

/** What the page is made of. Addresses are those of `asWebviewUri`. */
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
}

/**
 * Hash of an empty inline style, the only one allowed: the toolkit makes it to find out whether
 * the browser knows `:focus-visible`, and falls back to a focus ring on every click without it.
 */
const emptyStyleHash = 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';

/**
 * The page's content security policy. Scripts run by nonce only; there is no source for images,
 * frames or connections at all, so nothing that a reply holds can reach the network.
 */
export function chatViewPolicy({
  nonce,
  cspSource,
}: Pick<ChatViewPage, 'nonce' | 'cspSource'>): string {
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
 * The whole HTML document.
 * @throws RangeError for a nonce that is too short or holds characters that a nonce cannot.
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
