import type { AskRequest } from '../../src/chat/assistant/assistantClient';
import type { AskSettings } from '../../src/site/activeSite';
import type { Attachment, Question, Reply, Thread } from '../../src/chat/conversation/thread';
import type { ContextItem } from '../../src/chat/context/contextItem';

const createdAt = '2025-01-02T03:04:05.000Z';

export const aKey = 'qed_dsc_0123456789abcdef';

export function someSettings(settings: Partial<AskSettings> = {}): AskSettings {
  return {
    baseUrl: 'https://api.example.com/prefix',
    assistantDomain: 'acme',
    fp: 'anonymous',
    retrievalPageSize: 5,
    filter: {},
    idleTimeoutMs: 60_000,
    headersTimeoutMs: 30_000,
    ...settings,
  };
}

export function aQuestion(question: Partial<Question> = {}): Question {
  return { role: 'user', id: 'q1', createdAt, text: 'How?', contextItems: [], ...question };
}

export function aReply(reply: Partial<Reply> = {}): Reply {
  return {
    role: 'assistant',
    id: 'r1',
    createdAt,
    parts: [{ type: 'text', text: 'So.' }],
    status: 'complete',
    ...reply,
  };
}

export function aThread(thread: Partial<Thread> = {}): Thread {
  return {
    id: 't1',
    title: 'How?',
    createdAt,
    updatedAt: createdAt,
    messages: [aQuestion(), aReply({ parentId: 'q1' })],
    ...thread,
  };
}

export function aContextItem(item: Partial<ContextItem> = {}): ContextItem {
  return { id: 'c1', type: 'code', value: 'let a = 1;', label: 'a.ts', path: 'src/a.ts', ...item };
}

export function aFile(file: Partial<Attachment> = {}): Attachment {
  return {
    id: 'f1',
    filename: 'notes.txt',
    mediaType: 'text/plain',
    sizeBytes: 5,
    url: 'data:text/plain;base64,aGVsbG8=',
    ...file,
  };
}

export function anAskRequest(request: Partial<AskRequest> = {}): AskRequest {
  return {
    settings: someSettings(),
    key: aKey,
    messages: [aQuestion()],
    contextItems: [],
    ...request,
  };
}
