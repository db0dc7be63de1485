/** Conversations to show, with real contents. */
import type { ErrorInfo } from '../../../src/shared/errorInfo';
import type { HistoryEntry, ModelOfferView, SiteView } from '../../../src/shared/protocol';
import type {
  ContextItemView,
  MessagePart,
  MessageView,
  QuestionView,
  ReplyView,
  SourcePart,
} from '../../../src/shared/uiMessage';
import type { HostView } from '../fakeHost';

export const aSite = (given: Partial<SiteView> = {}): SiteView => ({
  isConfigured: true,
  label: 'acme · docs.acme.example',
  isLocal: false,
  filter: {},
  ...given,
});

/** An empty thread of a configured site, unless told otherwise. */
export const aView = (given: Partial<HostView> & { messages?: MessageView[] } = {}): HostView => {
  const { messages = [], ...rest } = given;
  return {
    site: aSite(),
    thread: { id: 'thread-1', title: '', messages },
    contextItems: [],
    suggestions: [
      'How do I authenticate a request?',
      'What limits are there on uploads, and what happens when I reach them?',
      'Show me pagination in Python',
    ],
    ...rest,
  };
};

export const aQuestion = (given: Partial<QuestionView> = {}): QuestionView => ({
  role: 'user',
  id: 'question-1',
  createdAt: '2025-06-01T12:00:00.000Z',
  text: 'Why does my upload fail with 413, and how do I send a larger file?',
  contextItems: [],
  ...given,
});

/** Offer of a model of VS Code and of one of this machine. */
export const anOffer: ModelOfferView = {
  text: 'GPT-5 mini or llama3.2 can write the replies: Your questions, your attachments and the sections found then go to copilot or 127.0.0.1:11434 on this machine.',
  choices: [
    { writer: 'vscode', label: 'Answer with GPT-5 mini' },
    { writer: 'endpoint', label: 'Answer with llama3.2' },
    { writer: 'other', label: 'Other Models…' },
    { writer: 'quotes', label: 'Quotes only' },
  ],
};

export const aReply = (given: Partial<ReplyView> = {}): ReplyView => ({
  role: 'assistant',
  id: 'reply-1',
  createdAt: '2025-06-01T12:00:01.000Z',
  parts: [{ type: 'text', text: 'Uploads are limited to **20 MB**.' }],
  status: 'complete',
  ...given,
});

/** A thread of a question and a reply that holds such parts, or just text. */
export const aReplyView = (
  parts: string | MessagePart[],
  given: Partial<Omit<ReplyView, 'parts'>> = {},
): HostView =>
  aView({
    messages: [
      aQuestion(),
      aReply({
        ...given,
        parts: typeof parts === 'string' ? [{ type: 'text', text: parts }] : parts,
      }),
    ],
  });

export const aSource = (number: number, given: Partial<SourcePart> = {}): SourcePart => ({
  type: 'source-url',
  sourceId: `source-${number}`,
  url: `https://docs.acme.example/page-${number}`,
  title: `Page ${number}`,
  ...given,
});

export const anError = (given: Partial<ErrorInfo> = {}): ErrorInfo => ({
  code: 'offline',
  message:
    'Can’t reach docs.acme.example (ECONNREFUSED). Check your network and the base URL, then try again.',
  actions: ['retry', 'open-settings'],
  ...given,
});

export const aContextItem = (given: Partial<ContextItemView> = {}): ContextItemView => ({
  id: 'item-1',
  type: 'code',
  label: 'uploadClient.ts',
  path: 'web/src/uploads/uploadClient.ts',
  startLine: 12,
  endLine: 38,
  length: 812,
  ...given,
});

/** A reply that holds everything that a reply can hold. */
export const richParts: MessagePart[] = [
  { type: 'step-start' },
  {
    type: 'reasoning',
    text: 'The person gets 413, so the **body limit** matters. I should look for *multipart uploads*.',
  },
  {
    type: 'search',
    toolCallId: 'call-1',
    toolName: 'search',
    state: 'done',
    query: 'upload size limit 413 multipart',
    resultCount: 3,
    sourceIds: ['source-1', 'source-2', 'source-3'],
  },
  aSource(1, {
    url: 'https://docs.acme.example/uploads/limits',
    title: 'Upload limits and quotas',
  }),
  aSource(2, {
    url: 'https://docs.acme.example/uploads/multipart#parts',
    title: 'Multipart uploads: send a large file in parts',
  }),
  aSource(3, {
    url: 'https://docs.acme.example/reference/errors',
    title: 'Errors',
  }),
  { type: 'step-start' },
  {
    type: 'text',
    text: `A single request may carry at most **20 MB**; a larger one is refused with \`413 Payload Too Large\` [1](https://docs.acme.example/uploads/limits). Send larger files with [multipart uploads](/uploads/multipart#parts):

## Send a file in parts

1. Create the upload and keep its \`uploadId\`.
2. Send each part with its number:
   - all parts but the last have *at least* 5 MB,
   - parts may arrive in any order.
3. Complete the upload.

\`\`\`ts
import { AcmeClient } from '@acme/sdk';

const client = new AcmeClient({ apiKey: process.env.ACME_API_KEY });
const upload = await client.uploads.create({ name: 'video.mp4', size: file.size });
for (const [index, part] of split(file, 8 * 1024 * 1024).entries()) {
  await client.uploads.sendPart(upload.id, index + 1, part);
}
await client.uploads.complete(upload.id);
\`\`\`

> Parts that are not completed within 24 hours are deleted.

| Plan | Single request | Whole file | Parts |
|:-----|:--------------:|-----------:|------:|
| Free | 20 MB | 1 GB | 100 |
| Team | 20 MB | 50 GB | 10,000 |
| Enterprise | 100 MB | 5 TB | 10,000 |

See also ![the upload flow](https://cdn.acme.example/flow.png) and [the status page](https://status.acme.example/).`,
  },
  {
    type: 'file',
    mediaType: 'application/json',
    url: 'https://docs.acme.example/files/upload-policy.json',
    filename: 'upload-policy.json',
  },
];

/** A written reply with statements and a name that its sources don't have. */
export const provenParts: MessagePart[] = [
  aSource(1, { url: 'https://docs.acme.example/uploads/limits', title: 'Upload limits' }),
  {
    type: 'text',
    text: `A request can have **20 MB** [1](https://docs.acme.example/uploads/limits). On the Team plan, a file can have up to \`512\` GB in *10,000 parts* [1](https://docs.acme.example/uploads/limits).

- Parts are deleted after a day.
- Retry a part with the same number [1](https://docs.acme.example/uploads/limits).

\`\`\`ts
await client.uploads.resumeAll(upload.id);
\`\`\``,
  },
  {
    type: 'proof',
    statements: 4,
    found: 2,
    unproven: [
      {
        quote: 'On the Team plan, a file can have up to 512 GB in 10,000 parts.',
        reason: 'number',
        missing: ['512'],
      },
      { quote: 'Parts are deleted after a day.', reason: 'uncited', missing: [] },
      { quote: 'resumeAll', reason: 'code-name', missing: [] },
    ],
  },
];

/** A thread of so many hours before now. */
export const aHistoryEntry = (
  hoursAgo: number,
  given: Partial<HistoryEntry> = {},
): HistoryEntry => ({
  id: `thread-${hoursAgo}`,
  title: `What was asked ${hoursAgo} hours ago`,
  updatedAt: new Date(Date.now() - hoursAgo * 3_600_000).toISOString(),
  messageCount: 2,
  isShown: false,
  ...given,
});

/** Threads of today, of the days before and of months before, with real questions. */
export const aHistory = (): HistoryEntry[] => [
  aHistoryEntry(0, {
    id: 'thread-1',
    title: 'Why does my upload fail with 413, and how do I send a larger file?',
    isShown: true,
    messageCount: 4,
  }),
  aHistoryEntry(24, { id: 'auth', title: 'How do I rotate a key without downtime?' }),
  aHistoryEntry(75, { id: 'rtl', title: 'كيف أستخدم واجهة رفع الملفات؟' }),
  aHistoryEntry(100, { id: 'paging', title: 'Show me pagination in Python, with a limit' }),
  aHistoryEntry(24 * 45, { id: 'limits', title: 'Rate limits on the free plan' }),
  aHistoryEntry(24 * 400, { id: 'old', title: 'Webhooks: what is the limit on retries?' }),
];
