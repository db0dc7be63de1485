/** Makes links that fill in a question. This file is small because pages of exported sites load it. */

import { MAX_CURRENT_PATH_LENGTH } from './documentPaths';

/** Returns whether the path stays within a site, and has only characters that a link may have. */
export function isSitePath(path: string): boolean {
  return (
    !path.startsWith('//') &&
    !/[\\\p{Cc}\p{Cf}\p{Surrogate}\s<>"`{}|^?#%:@]/u.test(path) &&
    !path.split('/').some((segment) => segment === '..' || segment === '.')
  );
}

/** Characters that no program and no decoding changes. */
const plain = /^[A-Za-z0-9._~/-]*$/;

/**
 * Returns a link that `parseAskLink` reads as the same question and page.
 * @param extension scheme of links to VS Code and ID of the extension.
 * @param page path of a page at the docs site, such as `/guides/start`. A path that a link can't have is left out.
 */
export function askLinkText(
  extension: { readonly scheme: string; readonly id: string },
  { question, page = '' }: { readonly question: string; readonly page?: string | undefined },
): string {
  const values = [
    ['q', question.toWellFormed()],
    ['path', isSitePath(page) && page.length <= MAX_CURRENT_PATH_LENGTH ? page : ''],
  ] as const;
  const query = values
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${encoded(value)}`)
    .join('&');
  return `${extension.scheme}://${extension.id}/ask?${query}`;
}

/** Returns the value, encoded twice if needed, as VS Code decodes the query before its parameters are told apart. */
function encoded(value: string): string {
  return plain.test(value) ? value : encodeURIComponent(encodeURIComponent(value));
}
