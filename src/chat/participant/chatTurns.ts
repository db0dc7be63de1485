import * as v from 'valibot';
import { parsedAs } from '../../shared/schemas';
import type { ThreadSite } from '../../site/activeSite';
import { withBranchTo } from '../conversation/branches';
import { titleOf, type Question, type Reply, type Thread } from '../conversation/thread';
import { withoutUndefined } from '../../common/withoutUndefined';

/** An earlier question of the same chat, and its reply as VS Code shows it. */
export interface ChatTurn {
  readonly prompt: string;
  /** The reply's text. */
  readonly reply: string;
  /** Data that the reply carries, stored by VS Code. */
  readonly metadata: unknown;
}

const id = v.pipe(v.string(), v.minLength(1), v.maxLength(200));

const turnMetadataSchema = v.object({
  /** ID of our thread with the question and the reply. */
  threadId: id,
  /** ID of the chat's last reply in the thread. */
  replyId: id,
  /** `ThreadSite.id` of the site that was asked. */
  siteId: v.string(),
  followUps: v.fallback(v.array(v.string()), []),
});

/** Data that a reply in VS Code's chat carries for the questions that follow. Nothing in it is secret. */
export type TurnMetadata = v.InferOutput<typeof turnMetadataSchema>;

/** Parses the data of a reply. Returns undefined for anything that isn't ours. */
export function parseTurnMetadata(metadata: unknown): TurnMetadata | undefined {
  return parsedAs(turnMetadataSchema, metadata);
}

/** Most earlier questions that are taken from the chat if their thread is gone. */
const MAX_REBUILT_TURNS = 50;

interface ChatTurnsPorts {
  readonly site: ThreadSite;
  /** Returns a stored thread, or undefined if it is gone. */
  readonly storedThread: (id: string) => Promise<Thread | undefined>;
  readonly newId: () => string;
  /** ISO 8601. */
  readonly now: () => string;
  /** Redacts the secrets of a text. */
  readonly withoutSecrets: (text: string) => Promise<string>;
}

/**
 * Returns the thread that a chat's next question continues. This is the stored thread, up to the
 * chat's last reply, because the reader can undo questions. If that thread is gone, it is rebuilt
 * from what VS Code shows. Questions to another site aren't a part of the thread, because no site
 * must see them but their own.
 */
export async function threadOfTurns(
  turns: readonly ChatTurn[],
  ports: ChatTurnsPorts,
): Promise<Thread> {
  const { site, storedThread } = ports;
  const own = turns.flatMap((turn) => {
    const metadata = parseTurnMetadata(turn.metadata);
    return metadata?.siteId === site.id ? [{ ...turn, metadata }] : [];
  });
  const last = own.at(-1);
  if (!last) return emptyThread(ports);
  const { threadId, replyId } = last.metadata;
  const stored = await storedThread(threadId);
  return (stored && withBranchTo(stored, replyId)) ?? (await rebuilt(own, ports));
}

function emptyThread({ site, newId, now }: Omit<ChatTurnsPorts, 'withoutSecrets'>): Thread {
  const createdAt = now();
  return { id: newId(), title: '', createdAt, updatedAt: createdAt, site, messages: [] };
}

async function rebuilt(turns: readonly ChatTurn[], ports: ChatTurnsPorts): Promise<Thread> {
  const { site, newId, now, withoutSecrets } = ports;
  const messages: (Question | Reply)[] = [];
  for (const { prompt, reply } of turns.slice(-MAX_REBUILT_TURNS)) {
    if (prompt.trim() === '' || reply.trim() === '') continue;
    const parentId = messages.at(-1)?.id;
    const question: Question = withoutUndefined({
      role: 'user' as const,
      id: newId(),
      createdAt: now(),
      text: await withoutSecrets(prompt),
      contextItems: [],
      parentId,
    });
    messages.push(question, {
      role: 'assistant',
      id: newId(),
      parentId: question.id,
      createdAt: now(),
      parts: [{ type: 'text', text: reply }],
      status: 'complete',
      siteId: site.id,
    });
  }
  return {
    ...emptyThread(ports),
    title: titleOf(messages[0]?.role === 'user' ? messages[0].text : ''),
    messages,
  };
}
