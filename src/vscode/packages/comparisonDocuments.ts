import path from 'node:path';
import * as vscode from 'vscode';
import { PACKAGE_COMPARISON_SCHEME } from '../../common/contributions';
import { DisposableStore, type Disposable } from '../../common/disposable';
import type { PackageComparison } from '../../docs/packages/comparison';
import {
  comparisonDocument,
  type ComparisonDocument,
} from '../../docs/packages/comparisonDocument';
import { translate } from '../notifications';

/** Number of documents that are kept for their editors. */
const MAX_KEPT = 20;

interface KeptDocument extends ComparisonDocument {
  /** Absolute path of the folder with the code. */
  readonly code: string;
}

/** Comparisons of packages as read-only documents, whose places in the code are links. */
export class ComparisonDocuments implements Disposable {
  readonly #store = new DisposableStore();
  readonly #kept = new Map<string, KeptDocument>();
  #count = 0;

  constructor() {
    this.#store.add(
      vscode.workspace.registerTextDocumentContentProvider(PACKAGE_COMPARISON_SCHEME, {
        provideTextDocumentContent: ({ query }) =>
          this.#kept.get(query)?.text ??
          translate('This comparison is no longer available. Compare the versions again.'),
      }),
    );
    this.#store.add(
      vscode.languages.registerDocumentLinkProvider(
        { scheme: PACKAGE_COMPARISON_SCHEME },
        { provideDocumentLinks: ({ uri }) => this.#links(uri.query) },
      ),
    );
  }

  /** @param code absolute path of the folder with the code. */
  async show(comparison: PackageComparison, code: string): Promise<void> {
    const query = String(++this.#count);
    const { text, links } = comparisonDocument(comparison, translate);
    this.#kept.set(query, { text, links, code });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    const { name, older, newer } = comparison;
    // The path is the title of the tab.
    const title = `${name} ${older.version} → ${newer.version}`.replaceAll('/', '∕');
    const uri = vscode.Uri.from({ scheme: PACKAGE_COMPARISON_SCHEME, path: `/${title}.md`, query });
    await vscode.window.showTextDocument(uri);
  }

  dispose(): void {
    this.#store.dispose();
  }

  #links(query: string): vscode.DocumentLink[] {
    const kept = this.#kept.get(query);
    if (!kept) return [];
    return kept.links.map(({ line, start, end, use }) => {
      const file = vscode.Uri.file(path.join(kept.code, use.file));
      return new vscode.DocumentLink(
        new vscode.Range(line, start, line, end),
        file.with({ fragment: `L${use.line},${use.column}` }),
      );
    });
  }
}
