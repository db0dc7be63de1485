import * as vscode from 'vscode';
import { requestDocument } from '../../../chat/view/requestDocument';
import { translate } from '../../notifications';
import type { ViewPorts } from './viewPorts';

/** Scheme of the documents that show what will be sent. */
export const REQUEST_SCHEME = 'docs-assistant-request';

/** Shows the request of the next question as a read-only document. Each showing replaces the last. */
export class RequestDocuments {
  readonly #ports: Pick<ViewPorts, 'conversation'>;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  #text = '';
  #isRegistered = false;

  constructor(ports: Pick<ViewPorts, 'conversation'>) {
    this.#ports = ports;
  }

  /**
   * @param text draft of the question.
   * @throws {DocsAssistantError} as `requestDocument`.
   */
  async show(text: string): Promise<void> {
    const { conversation } = this.#ports;
    const request = await conversation.requestFor(text);
    const { items, files = [] } = conversation.pending.view;
    const held = [...items, ...files].flatMap((content) =>
      content.secrets?.state === 'found'
        ? ['label' in content ? content.label : content.filename]
        : [],
    );
    this.#text = requestDocument({ request, held }, translate);
    const path = `/${translate('What Will Be Sent')}.jsonc`;
    const uri = vscode.Uri.from({ scheme: REQUEST_SCHEME, path });
    this.#register();
    this.#changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true });
  }

  #register(): void {
    if (this.#isRegistered) return;
    this.#isRegistered = true;
    vscode.workspace.registerTextDocumentContentProvider(REQUEST_SCHEME, {
      onDidChange: this.#changed.event,
      provideTextDocumentContent: () => this.#text,
    });
    // The content of attached files must not stay in memory longer than the document is shown.
    vscode.workspace.onDidCloseTextDocument((document) => {
      if (document.uri.scheme === REQUEST_SCHEME) this.#text = '';
    });
  }
}
