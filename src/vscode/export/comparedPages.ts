/** The readable texts of compared pages, as documents that VS Code's diff editor shows. */
import * as v from 'valibot';
import * as vscode from 'vscode';
import { COMPARED_PAGE_SCHEME } from '../../common/contributions';
import { errorCodeOrName } from '../../common/errorCode';
import { pageName } from '../../export/compare/comparisonNodes';
import { readablePage } from '../../export/compare/readableText';
import { translate } from '../notifications';
import { fileName } from './checkReports';

/**
 * The query of a document's URI. It says all that is needed, so that an editor can be restored when
 * the window is loaded again.
 */
const querySchema = v.object({
  /** Absolute path of the site's root. */
  root: v.string(),
  /** Path of the page, relative to the root, with `/`. */
  page: v.string(),
  basePath: v.string(),
  /** Number that is new for each comparison, so that no editor shows an older text. */
  round: v.number(),
});

type ComparedPage = v.InferOutput<typeof querySchema>;

/**
 * Returns the URI of a page's text.
 * @param side name of the side, which the title of the editor shows.
 */
export function comparedPageUri(compared: ComparedPage, side: string): vscode.Uri {
  const name = pageName(compared.page);
  return vscode.Uri.from({
    scheme: COMPARED_PAGE_SCHEME,
    path: `/${name === '/' ? 'index' : name} (${fileName(side)}).md`,
    query: JSON.stringify(compared),
  });
}

/** Returns the text of a document, or a sentence that says why there is none. */
export async function comparedPageText(uri: vscode.Uri): Promise<string> {
  try {
    const { root, page, basePath } = v.parse(querySchema, JSON.parse(uri.query));
    return await readablePage(root, page, basePath);
  } catch (error) {
    return translate(
      'This page can’t be read ({0}). Compare the bundles again.',
      errorCodeOrName(error),
    );
  }
}
