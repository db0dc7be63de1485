/** *Show What Will Be Sent*: a question's request as a document that can be read. */
import type { Translate } from '../../common/errors';
import { messageRequest, type AskRequest } from '../assistant/assistantClient';

/** Sign in place of a key and of a thread's key, which are secrets of the reader's site. */
const HIDDEN = '••••';

interface RequestDocumentInput {
  readonly request: Omit<AskRequest, 'key'>;
  /** Names of attached content that waits for a decision about its secrets. */
  readonly held: readonly string[];
}

/**
 * Returns the document: where the request goes in comments, then its body as JSON, nothing cut. The
 * comments make it JSON with comments.
 * @throws {DocsAssistantError} `not-configured`, `unknown-site`.
 */
export function requestDocument({ request, held }: RequestDocumentInput, t: Translate): string {
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
  return `${comment}\n${JSON.stringify(shown, undefined, 2)}\n`;
}
