import { describeError } from '../../common/describeError';
import { DocsAssistantError, type Translate } from '../../common/errors';
import type { NewId } from '../../common/ports';
import { withoutUndefined } from '../../common/withoutUndefined';
import { MAX_QUESTION_LENGTH } from '../../shared/limits';
import type { ErrorInfo, KeptDocs } from '../../shared/errorInfo';
import type { MessagePart } from '../../shared/uiMessage';
import { ageText } from '../../shared/units';
import { viewStrings } from '../../shared/viewStrings';
import type { AskSettings, ThreadSite } from '../../site/activeSite';
import type { ContextItem } from '../context/contextItem';
import { hasContent, withQuestion, withReply } from '../conversation/branches';
import { noticeAfter } from '../conversation/replyNotices';
import { runInput } from '../conversation/replyRun';
import { ReplyTurn, type TurnPorts } from '../conversation/replyTurn';
import { titleOf, type Question, type Reply, type Thread } from '../conversation/thread';
import { textToMarkdown } from '../history/embeddedMarkdown';
import { replyNotes } from '../history/threadMarkdown';
import { parseTurnMetadata, threadOfTurns, type ChatTurn, type TurnMetadata } from './chatTurns';
import { ChatReplyWriter, type ChatReply } from './chatReplyWriter';

export interface DocsParticipantPorts extends TurnPorts {
  /** Serves the docs on this machine again that this workspace answered from last, if any. */
  readonly resumeDocs: () => Promise<void>;
  readonly settings: () => AskSettings;
  readonly site: () => ThreadSite;
  readonly currentPath: () => string | undefined;
  /** Returns a stored thread, or undefined if it is gone. */
  readonly storedThread: (id: string) => Promise<Thread | undefined>;
  /** Stores a thread, so that the panel can continue it. */
  readonly keepThread: (thread: Thread) => void;
  readonly newId: NewId;
  /** Returns the secrets that the extension holds. */
  readonly knownSecrets: () => readonly string[];
}

/** A question to `@docs`. */
export interface ChatQuestion {
  readonly prompt: string;
  /** Context items that the reader attached. */
  readonly contextItems: readonly ContextItem[];
  /** Sentences about attachments that aren't sent. */
  readonly leftOut: readonly string[];
  /** Earlier questions of the same chat, oldest first. */
  readonly turns: readonly ChatTurn[];
}

/** End of a question to `@docs`. */
export interface ChatOutcome {
  /** Data for later questions of the chat. Absent if no question of the chat was answered. */
  readonly metadata?: TurnMetadata;
  readonly error?: ErrorInfo;
}

/**
 * Answers a question in VS Code's chat: writes the reply as it streams, then its sources. The
 * thread is stored like those of the panel, so that the panel and later questions can continue it.
 * @param signal stops the reply. The text that was received is stored.
 */
export async function answerInChat(
  ports: DocsParticipantPorts,
  asked: ChatQuestion,
  chat: ChatReply,
  signal: AbortSignal,
): Promise<ChatOutcome> {
  const { translate, clock, newId } = ports;
  try {
    await ports.resumeDocs();
  } catch (error) {
    return { error: describeError(error, translate) };
  }
  const site = ports.site();
  const now = (): string => new Date(clock.now()).toISOString();
  const redact = redactor(ports);
  const withoutSecrets = async (text: string): Promise<string> => (await redact(text)).text;
  const earlier = await threadOfTurns(asked.turns, { ...ports, site, now, withoutSecrets });
  const before = metadataBefore(asked.turns, site);
  const refusal = refusalOf(asked.prompt);
  if (refusal) return { ...before, error: describeError(refusal, translate) };
  const prompt = await redact(asked.prompt);
  const sentences = prompt.secrets.map((name) =>
    translate('Your question has a secret, which was redacted: {0}.', name),
  );
  const contextItems: ContextItem[] = [];
  for (const item of asked.contextItems) {
    const { text: value, secrets } = await redact(item.value);
    for (const name of secrets)
      sentences.push(translate('{0} has a secret, which was redacted: {1}.', item.label, name));
    contextItems.push(secrets.length === 0 ? item : { ...item, value, isRedacted: true });
  }

  const question: Question = {
    role: 'user',
    id: newId(),
    createdAt: now(),
    text: prompt.text,
    contextItems,
  };
  const notice = noticeAfter(earlier.messages.at(-1), translate);
  const waiting: Reply = withoutUndefined({
    role: 'assistant' as const,
    id: newId(),
    createdAt: now(),
    parts: [],
    status: 'waiting' as const,
    siteId: site.id,
    notice,
  });
  const title = earlier.title || titleOf(prompt.text);
  const thread = withReply(withQuestion({ ...earlier, title }, question), question.id, waiting);
  const writer = new ChatReplyWriter(chat, translate);
  const leftOut = [...asked.leftOut, ...sentences];
  if (leftOut.length > 0) {
    writer.block(leftOut.map((sentence) => `> ${textToMarkdown(sentence)}`).join('\n>\n'));
  }
  const run = new ChatRun(ports, { thread, question, reply: waiting }, writer);
  const { thread: answered, reply, error } = await run.ended(ports.currentPath(), signal);
  if (!signal.aborted) for (const block of notesOf(reply, translate)) writer.block(block);
  if (error?.keptDocs) writer.block(keptDocsSentence(error.keptDocs, ports));
  const outcome = error ? { error } : {};
  if (!hasContent(reply)) return { ...before, ...outcome };
  const followUps = followUpsOf(reply, translate);
  return {
    metadata: { threadId: answered.id, replyId: reply.id, siteId: site.id, followUps },
    ...outcome,
  };
}

/**
 * Returns a function that redacts the secrets of a text and names them. VS Code's chat, unlike the panel, can't ask what to
 * do with a secret.
 */
function redactor({ knownSecrets, translate }: DocsParticipantPorts) {
  return async (text: string): Promise<{ text: string; secrets: readonly string[] }> => {
    const [{ scanText }, { redactedText, secretName }] = await Promise.all([
      import('../../common/secretScan/scanText'),
      import('../../common/secretScan/finding'),
    ]);
    const findings = await scanText(text, { known: knownSecrets() });
    const secrets = new Set(findings.map((found) => secretName(found, translate)));
    return { text: redactedText(text, findings), secrets: [...secrets] };
  };
}

/** A running reply and its thread. */
class ChatRun {
  readonly #ports: DocsParticipantPorts;
  readonly #question: Question;
  readonly #writer: ChatReplyWriter;
  readonly #turn: ReplyTurn;
  #thread: Thread;
  #reply: Reply;
  #error: ErrorInfo | undefined;
  #isVersionNoted = false;

  constructor(
    ports: DocsParticipantPorts,
    { thread, question, reply }: { thread: Thread; question: Question; reply: Reply },
    writer: ChatReplyWriter,
  ) {
    this.#ports = ports;
    this.#thread = thread;
    this.#question = question;
    this.#reply = reply;
    this.#writer = writer;
    this.#turn = new ReplyTurn(reply, ports, {
      onContent: () => this.#show('streaming'),
      onEnd: (status, error) => {
        this.#error = error;
        this.#show(status);
      },
      onServiceThread: (serviceThread) => {
        const { serviceThread: _before, ...rest } = this.#thread;
        this.#thread = serviceThread ? { ...rest, serviceThread } : rest;
      },
    });
  }

  /** Asks, and resolves when the reply has ended. */
  async ended(
    currentPath: string | undefined,
    signal: AbortSignal,
  ): Promise<{ thread: Thread; reply: Reply; error: ErrorInfo | undefined }> {
    const stop = (): void => {
      this.#show('stopped');
      this.#turn.end();
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      if (signal.aborted) stop();
      else await this.#run(currentPath);
    } finally {
      signal.removeEventListener('abort', stop);
    }
    await this.#keep();
    return { thread: this.#thread, reply: this.#reply, error: this.#error };
  }

  async #run(currentPath: string | undefined): Promise<void> {
    const { settings } = this.#ports;
    const thread = this.#thread;
    const asked = runInput({
      thread,
      messages: thread.messages.slice(0, -1),
      question: this.#question,
      siteId: this.#reply.siteId,
    });
    await this.#turn.run({ ...asked, settings: settings(), currentPath });
  }

  /** Writes the new changes into the reply and into the chat. */
  #show(status: Reply['status']): void {
    const change = this.#turn.take();
    const { notice, versionNote } = this.#turn;
    // Written text can't move, so a later note stands below it.
    const isRunning = status === 'streaming';
    const hasText = this.#writer.fold.parts.some(({ type }) => type === 'text');
    if (isRunning && !hasText) this.#noteVersion(versionNote);
    this.#writer.write(change);
    if (!isRunning) this.#noteVersion(versionNote);
    const { parts, quotes, metadata } = this.#writer.fold;
    this.#reply = {
      ...this.#reply,
      quotes,
      metadata,
      parts,
      status,
      notice,
      versionNote,
      error: this.#error,
    };
  }

  /** Writes the sentence about another version once. */
  #noteVersion(note: string | undefined): void {
    if (note === undefined || this.#isVersionNoted) return;
    this.#isVersionNoted = true;
    this.#writer.block(`> ${textToMarkdown(note)}`);
  }

  /**
   * Stores the thread, without a question that got no reply. If the first question got no reply,
   * nothing is stored and the thread's key is removed.
   */
  async #keep(): Promise<void> {
    const { keepThread, threadKeys, clock, log } = this.#ports;
    const updatedAt = new Date(clock.now()).toISOString();
    const { messages } = this.#thread;
    if (hasContent(this.#reply)) {
      this.#thread = { ...this.#thread, messages: messages.with(-1, this.#reply), updatedAt };
      keepThread(this.#thread);
    } else if (messages.length > 2) {
      // The service can have lost its thread. Later questions must not name the lost thread.
      keepThread({ ...this.#thread, messages: messages.slice(0, -2) });
    } else if (this.#thread.serviceThread?.hasKey === true) {
      await threadKeys
        .forget(this.#thread.id)
        .catch(() => log.warn('The key of a thread without a reply could not be removed'));
    }
  }
}

function refusalOf(prompt: string): DocsAssistantError | undefined {
  if (prompt.trim() === '') return new DocsAssistantError('empty-question');
  if (prompt.length > MAX_QUESTION_LENGTH) return new DocsAssistantError('question-too-long');
  return undefined;
}

/** Returns the data of the chat's last reply, for a question that gets no reply. */
function metadataBefore(
  turns: readonly ChatTurn[],
  site: ThreadSite,
): Pick<ChatOutcome, 'metadata'> {
  const metadata = turns
    .map((turn) => parseTurnMetadata(turn.metadata))
    .findLast((known) => known?.siteId === site.id);
  return metadata ? { metadata: { ...metadata, followUps: [] } } : {};
}

/** Returns the blocks below the text. An error isn't among them, as VS Code shows it itself. */
function notesOf({ error, ...reply }: Reply, translate: Translate): readonly string[] {
  return replyNotes(error ? { ...reply, status: 'complete' } : reply, translate);
}

/** Names the docs on this machine that can answer instead, with their age. */
function keptDocsSentence(
  { label, fetchedAt }: KeptDocs,
  { translate, clock }: Pick<DocsParticipantPorts, 'translate' | 'clock'>,
): string {
  const name = textToMarkdown(label);
  if (fetchedAt === undefined) return translate(viewStrings.keptDocs, name);
  const age = ageText(Math.max(0, clock.now() - fetchedAt), translate);
  return translate(viewStrings.keptDocsSince, name, age);
}

const MAX_FOLLOW_UPS = 2;
/** Longest title of a page that a question repeats. */
const MAX_TITLE_LENGTH = 80;

/**
 * Returns follow-up questions for a reply: one for a code example if the reply has none, and
 * questions about cited pages. No request is sent.
 */
export function followUpsOf({ parts, status }: Reply, translate: Translate): string[] {
  if (status !== 'complete') return [];
  const hasCode = parts.some(
    (part) => part.type === 'text' && /^ {0,3}(?:```|~~~)/m.test(part.text),
  );
  const pages = new Set(parts.flatMap(titleOfPage));
  return [
    ...(hasCode || pages.size === 0 ? [] : [translate('Show a code example.')]),
    ...[...pages].map((title) => translate('What else does “{0}” say about this?', title)),
  ].slice(0, MAX_FOLLOW_UPS);
}

function titleOfPage(part: MessagePart): string[] {
  if (part.type !== 'source-url') return [];
  const title = part.title?.replace(/\s+/gu, ' ').trim() ?? '';
  return title === '' || title.length > MAX_TITLE_LENGTH ? [] : [title];
}
