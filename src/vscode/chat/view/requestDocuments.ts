import * as vscode from 'vscode';
import { requestBody } from '../../../chat/assistant/requestBody';
import { type ModelRequests, requestDocument } from '../../../chat/view/requestDocument';
import { translate } from '../../notifications';
import type { ViewPorts } from './viewPorts';

/** Scheme of the documents that show what will be sent. */
const REQUEST_SCHEME = 'docs-assistant-request';

/** Shows the request of the next question as a read-only document. Each showing replaces the last. */
export class RequestDocuments {
  readonly #ports: Pick<ViewPorts, 'conversation' | 'newId' | 'site'>;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  #text = '';
  #isRegistered = false;

  constructor(ports: Pick<ViewPorts, 'conversation' | 'newId' | 'site'>) {
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
    const model = await this.#modelRequests(request);
    this.#text = requestDocument({ request, held, model }, translate);
    const path = `/${translate('What Will Be Sent')}.jsonc`;
    const uri = vscode.Uri.from({ scheme: REQUEST_SCHEME, path });
    this.#register();
    this.#changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true });
  }

  /** Returns what the local docs service sends to a model, or undefined if no model writes. */
  async #modelRequests(
    request: Parameters<typeof requestDocument>[0]['request'],
  ): Promise<ModelRequests | undefined> {
    const { newId, site } = this.#ports;
    const { answersWith } = site.view;
    if (!answersWith || answersWith.kind === 'quotes') return undefined;
    const { requestPreview } = await import('../../../service/server/requestPreview');
    const placeholder = translate(
      'The best sections for the question, whole as far as they fit. They are found when you send it.',
    );
    const preview = requestPreview(requestBody(request), placeholder, newId);
    return preview && { label: answersWith.label, requests: [preview.queries, preview.reply] };
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
