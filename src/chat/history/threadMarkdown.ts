import type { Translate } from '../../common/errors';
import { isDeviceName } from '../../common/text/deviceNames';
import { parseUrl } from '../../shared/links';
import { codeSpan } from '../../shared/codeSpan';
import { sizeText } from '../../shared/units';
import { viewStrings } from '../../shared/viewStrings';
import type { ContextItem } from '../context/contextItem';
import { branchViews } from '../conversation/branches';
import { embeddedMarkdown, fencedCode, textToMarkdown, typedMarkdown } from './embeddedMarkdown';
import type { Question, Reply, Thread, ThreadMessage } from '../conversation/thread';

interface ThreadMarkdownSettings {
  /** Milliseconds since the epoch. */
  readonly exportedAt: number;
  /** BCP 47 tag of the language for times. */
  readonly language: string;
  readonly translate: Translate;
  /** Time zone for times. The default is the machine's. */
  readonly timeZone?: string;
}

/**
 * Level of the highest heading within a reply. The title of the thread has level 1, a question 2
 * and a reply 3.
 */
const LEVEL_WITHIN_REPLY = 4;

/**
 * Returns the thread as a Markdown document: the shown branch, then the other versions of its
 * messages. It contains neither keys nor the service's thread ID, and nothing in a question or
 * reply can change the document's structure.
 */
export function threadMarkdown(thread: Thread, settings: ThreadMarkdownSettings): string {
  const { translate: t } = settings;
  const writer = new ThreadWriter(thread, settings);
  const others = thread.others ?? [];
  const blocks = [
    `# ${textToMarkdown(thread.title) || t(viewStrings.untitledThread)}`,
    writer.head(),
    ...writer.shown(),
    ...(others.length === 0 ? [] : ['---', `## ${t('Other versions')}`, ...writer.others(others)]),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

const MAX_FILE_NAME = 80;

/** Returns a file name for the thread that every system accepts, with the extension `.md`. */
export function threadFileName(title: string): string {
  const words = title
    .normalize('NFC')
    .replace(/[\p{C}\p{Zl}\p{Zp}<>:"/\\|?*#%]+/gu, ' ')
    .replace(/\s+/gu, ' ');
  const name = Array.from(words)
    .slice(0, MAX_FILE_NAME)
    .join('')
    .replace(/^[. ]+|[. ]+$/g, '');
  if (name === '') return 'thread.md';
  return isDeviceName(name) ? `thread ${name}.md` : `${name}.md`;
}

class ThreadWriter {
  readonly #thread: Thread;
  readonly #settings: ThreadMarkdownSettings;
  readonly #branches: ReturnType<typeof branchViews>;
  /** Numbers of the shown questions, by the ID of the message before them. */
  readonly #numbers = new Map<string | undefined, number>();

  constructor(thread: Thread, settings: ThreadMarkdownSettings) {
    this.#thread = thread;
    this.#settings = settings;
    this.#branches = branchViews(thread);
  }

  head(): string {
    const { translate: t, exportedAt } = this.#settings;
    const { site, createdAt, updatedAt } = this.#thread;
    const times = [
      t('Started: {0}', this.#time(createdAt)),
      t('Last changed: {0}', this.#time(updatedAt)),
      t('Exported: {0}', this.#time(new Date(exportedAt).toISOString())),
    ];
    const about = site ? [t('Docs site: {0}', textToMarkdown(site.label))] : [];
    return [...about, ...times].map((line) => `- ${line}`).join('\n');
  }

  shown(): string[] {
    let number = 0;
    return this.#thread.messages.flatMap((message) => {
      if (message.role === 'user') this.#numbers.set(message.parentId, ++number);
      return this.#message(message, number);
    });
  }

  /** Returns each version with the messages below it, oldest first. */
  others(messages: readonly ThreadMessage[]): string[] {
    const oldestFirst = [...messages].sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
    const ids = new Set(messages.map(({ id }) => id));
    const seen = new Set<string>();
    const blocks: string[] = [];
    const write = (message: ThreadMessage, number: number): void => {
      // In a corrupt record, a message can name one below it as its parent.
      const open = [{ message, number }];
      for (let next = open.pop(); next; next = open.pop()) {
        if (seen.has(next.message.id)) continue;
        seen.add(next.message.id);
        blocks.push(...this.#message(next.message, next.number));
        const { id } = next.message;
        const below = oldestFirst.filter(({ parentId }) => parentId === id).reverse();
        for (const child of below) {
          const step = child.role === 'user' ? 1 : 0;
          open.push({ message: child, number: next.number + step });
        }
      }
    };
    for (const message of oldestFirst) {
      if (message.parentId === undefined || !ids.has(message.parentId)) {
        write(message, this.#numberOf(message));
      }
    }
    for (const message of oldestFirst) write(message, this.#numberOf(message));
    return blocks;
  }

  /** Returns the number of the question that a message replaces or follows. */
  #numberOf({ role, parentId }: ThreadMessage): number {
    if (role === 'user') return this.#numbers.get(parentId) ?? this.#numbers.size + 1;
    const question = this.#thread.messages.find(({ id }) => id === parentId);
    return question ? (this.#numbers.get(question.parentId) ?? 1) : 1;
  }

  #message(message: ThreadMessage, number: number): string[] {
    const branch = this.#branches.get(message.id);
    const { translate: t } = this.#settings;
    const version = branch ? ` (${t(viewStrings.versionOf, branch.index + 1, branch.count)})` : '';
    return message.role === 'user'
      ? [`## ${t('Question {0}', number)}${version}`, ...this.#question(message)]
      : [`### ${t('Reply to question {0}', number)}${version}`, ...this.#reply(message)];
  }

  #question({ text, contextItems, files }: Question): string[] {
    const { translate: t } = this.#settings;
    const context = contextItems.flatMap((item) => [
      `${placeMarkdown(item, t)}:`,
      valueMarkdown(item),
    ]);
    const attached = (files ?? []).map(
      ({ filename, sizeBytes }) => `- ${codeSpan(filename)} (${sizeText(sizeBytes)})`,
    );
    return [
      typedMarkdown(text),
      ...context,
      ...(attached.length === 0 ? [] : [`**${t(viewStrings.attachments)}**`, attached.join('\n')]),
    ];
  }

  #reply(reply: Reply): string[] {
    const { translate: t } = this.#settings;
    const texts = reply.parts.flatMap((part) =>
      part.type === 'text' ? [embeddedMarkdown(part.text, LEVEL_WITHIN_REPLY)] : [],
    );
    const above = reply.versionNote === undefined ? [] : [`> ${textToMarkdown(reply.versionNote)}`];
    return [...above, ...texts, ...replyNotes(reply, t)];
  }

  /** Returns an ISO 8601 time in the reader's format, or unchanged if it isn't a time. */
  #time(iso: string): string {
    const { language, timeZone } = this.#settings;
    const date = new Date(iso);
    if (Number.isNaN(date.getTime())) return textToMarkdown(iso);
    return new Intl.DateTimeFormat(language, {
      dateStyle: 'long',
      timeStyle: 'short',
      timeZone,
    }).format(date);
  }
}

/**
 * Returns the notes below a reply's text as Markdown blocks: how the reply ended, its notice, the
 * result of the comparison with the docs, its sources and its files.
 */
export function replyNotes(reply: Reply, t: Translate): string[] {
  const sources = reply.parts.filter((part) => part.type === 'source-url');
  const files = reply.parts.filter((part) => part.type === 'file');
  return [
    ...[statusOf(reply, t), reply.notice ?? '', proofOf(reply, t)]
      .filter((sentence) => sentence !== '')
      .map((sentence) => `> ${textToMarkdown(sentence)}`),
    ...list(
      t(viewStrings.sources),
      sources.map(({ url, title }, index) => `${index + 1}. ${linkMarkdown(url, title ?? '')}`),
    ),
    ...list(
      t(viewStrings.files),
      files.map(({ url, filename, mediaType }) => `- ${linkMarkdown(url, filename ?? mediaType)}`),
    ),
  ];
}

function list(heading: string, rows: readonly string[]): string[] {
  return rows.length === 0 ? [] : [`**${heading}**`, rows.join('\n')];
}

/** Returns the sentence about an incomplete reply, or empty text for a complete one. */
function statusOf({ status, error }: Reply, t: Translate): string {
  if (error) return error.message;
  switch (status) {
    case 'stopped':
      return t(viewStrings.stopped);
    case 'stopped-by-service':
      return t(viewStrings.stoppedByService);
    case 'incomplete':
    case 'failed':
      return t(viewStrings.incomplete);
    case 'interrupted':
      return t(viewStrings.interrupted);
    case 'waiting':
    case 'streaming':
      return t('This reply was still being written when the thread was exported.');
    case 'complete':
      return '';
  }
}

/**
 * Returns how many statements of the reply are in the docs, or empty text if the service didn't
 * say.
 */
function proofOf({ parts }: Reply, t: Translate): string {
  const proof = parts.find((part) => part.type === 'proof');
  if (!proof || proof.statements === 0) return '';
  return proof.statements === 1
    ? t(viewStrings.proofCountOne, proof.found)
    : t(viewStrings.proofCount, proof.found, proof.statements);
}

/** Returns where a context item is from: its file or label, and its lines. */
export function placeMarkdown(
  { path, label, startLine, endLine }: ContextItem,
  t: Translate,
): string {
  const name = codeSpan(path ?? label);
  if (startLine === undefined) return name;
  const isOneLine = endLine === undefined || endLine === startLine;
  const lines = isOneLine
    ? t(viewStrings.line, startLine)
    : t(viewStrings.lines, startLine, endLine);
  return `${name}, ${lines}`;
}

/** Returns the content of a context item as a code block. */
export function valueMarkdown({ type, value, path, label }: ContextItem): string {
  return fencedCode(value, type === 'code' ? endingOf(path ?? label) : '');
}

/** Returns a link for a web URL, or only the name for any other. */
export function linkMarkdown(address: string, title: string): string {
  const url = parseUrl(address);
  const isOfWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  const name = textToMarkdown(title);
  if (!isOfWeb || url.username !== '' || url.password !== '') {
    return name || codeSpan(address.slice(0, 200));
  }
  return name === '' ? `<${url.href}>` : `[${name}](<${url.href}>)`;
}

/** Returns the extension of a file name, which tells editors how to color the code. */
function endingOf(path: string): string {
  return /\.([\w+#-]+)$/.exec(path)?.[1] ?? '';
}
