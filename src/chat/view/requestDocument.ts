/** Writes a question's request as a readable document, for *Show What Will Be Sent*. */
import type { Translate } from '../../common/errors';
import { messageRequest, type AskRequest } from '../assistant/assistantClient';

/** Characters that stand for the assistant key and the thread's key, which are secrets. */
const HIDDEN = '••••';

interface RequestDocumentInput {
  readonly request: Omit<AskRequest, 'key'>;
  /** Names of attached content with secrets that the reader hasn't decided about. */
  readonly held: readonly string[];
  /** Requests of a local docs service to the model that writes its reply. Absent without a model. */
  readonly model?: ModelRequests | undefined;
}

export interface ModelRequests {
  /** Name of the model, with the host of an endpoint. */
  readonly label: string;
  readonly requests: readonly (readonly { readonly role: string; readonly text: string }[])[];
}

/**
 * Returns the document as JSON with comments. The comments say where the request goes, and the JSON
 * is the whole body.
 * @throws {DocsAssistantError} `not-configured`, `unknown-site`.
 */
export function requestDocument(
  { request, held, model }: RequestDocumentInput,
  t: Translate,
): string {
  const { method, url, headers, body } = messageRequest({ ...request, key: HIDDEN });
  const shown = body.threadKey === undefined ? body : { ...body, threadKey: HIDDEN };
  const notes = [
    `${method} ${url}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    t('Nothing has been sent. The question gets its time when you send it.'),
    ...(held.length === 0
      ? []
      : [
          t(
            'Possible secrets in {0}. You choose what to do with them when you send.',
            held.join(', '),
          ),
        ]),
  ];
  const comment = notes.map((note) => `// ${note.replace(/\s+/g, ' ')}`.trimEnd()).join('\n');
  return `${comment}\n${JSON.stringify(shown, undefined, 2)}\n${model ? modelText(model, t) : ''}`;
}

/** Returns the requests to a model as comments, line by line. */
function modelText({ label, requests }: ModelRequests, t: Translate): string {
  const lines = [
    t(
      'The docs service then sends this to {0}. A model with a small window gets less of it.',
      label,
    ),
    ...requests.flatMap((messages, place) => [
      '',
      t('Request {0} of {1}', place + 1, requests.length),
      ...messages.flatMap(({ role, text }) => [
        '',
        `${role}:`,
        ...text.split(/\r\n|[\r\n\u2028\u2029]/),
      ]),
    ]),
  ];
  return `\n${lines.map((line) => `// ${line}`.trimEnd()).join('\n')}\n`;
}
