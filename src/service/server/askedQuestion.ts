import { codeLanguageOf } from '../../docs/pages/codeLanguages';
import type { DocsQuestion } from '../../common/localDocsApi';
import type { QuestionContextItem, ThreadTurn } from '../../docs/search/query';
import type { MessageRequest, RequestMessage } from './messageSchema';
import { percentDecoded } from '../../shared/links';

/** A turn with the beginning of its reply, which a model gets as history. */
export interface StoredTurn extends ThreadTurn {
  readonly reply?: string;
}

/** Texts of a question's files. The service fetches nothing: it only reads the content of `data:` URLs. */
interface QuestionFiles {
  /** Texts of the files, which the search treats like selected code and text. */
  readonly items: readonly QuestionContextItem[];
  /** Names of files that are not text, such as images. */
  readonly unread: readonly string[];
}

type FilePart = Extract<RequestMessage['parts'][number], { readonly type: 'file' }>;

/**
 * Maximum characters of a question, a file or selected text that the search uses. The beginning is enough to find its
 * topic, and a text of 10 MB kept the process busy for seconds.
 */
const MAX_TEXT_LENGTH = 100_000;
/** Maximum characters of all files and selected texts together. */
const MAX_ITEMS_LENGTH = 2 * MAX_TEXT_LENGTH;

const textTypes =
  /^(?:text\/.*|application\/(?:.*\+)?(?:json|json5|jsonc|yaml|x-yaml|xml|toml|javascript|ecmascript|typescript|graphql|sql|x-sh|x-httpd-php|x-ndjson))$/i;

function questionFiles({ parts }: Pick<RequestMessage, 'parts'>): QuestionFiles {
  const items: QuestionContextItem[] = [];
  const unread: string[] = [];
  for (const part of parts) {
    if (part.type !== 'file') continue;
    const value = fileText(part);
    if (value === undefined) unread.push(part.filename ?? part.mediaType);
    else if (value.trim() !== '') items.push(itemOf(value, part.filename));
  }
  return { items, unread };
}

function itemOf(value: string, path: string | undefined): QuestionContextItem {
  const ending = /\.([\w+]+)$/.exec(path ?? '')?.[1];
  const isCode = ending !== undefined && codeLanguageOf(ending) !== undefined;
  return { type: isCode ? 'code' : 'textSelection', value, path };
}

/** Returns the beginning of a text file, or undefined for other files. */
function fileText({ mediaType, url }: FilePart): string | undefined {
  const type = mediaType.split(';', 1)[0]?.trim() ?? '';
  const comma = url.indexOf(',');
  if (!textTypes.test(type) || comma < 0 || !/^data:/i.test(url)) return undefined;
  const isBase64 = /;\s*base64\s*$/i.test(url.slice(0, comma));
  // Four characters of base64 encode three bytes, and a character can take three bytes.
  const content = url.slice(comma + 1, comma + 1 + 4 * MAX_TEXT_LENGTH);
  const bytes = isBase64 ? Buffer.from(content, 'base64') : Buffer.from(percentDecoded(content));
  const text = bytes.toString('utf8');
  return text.includes('\0') ? undefined : text.slice(0, MAX_TEXT_LENGTH);
}

/**
 * Returns the last question with the earlier turns of the request body, or those of the thread if the body
 * has none. Text files help to find the topic. Other files are `unread`.
 */
export function askedQuestion(request: MessageRequest, turns: readonly StoredTurn[]): DocsQuestion {
  const asked: { readonly message: RequestMessage; text: string; reply: string }[] = [];
  for (const message of request.messages) {
    const text = textOf(message);
    if (message.role === 'user' && text.trim() !== '') asked.push({ message, text, reply: '' });
    const turn = asked.at(-1);
    if (message.role === 'assistant' && turn) turn.reply = `${turn.reply}\n${text.trim()}`.trim();
  }
  const last = asked.at(-1);
  const sent = asked.slice(0, -1).map(({ text, reply }, position) => ({
    question: text,
    reply,
    citedRoutes: turns.at(position - asked.length + 1)?.citedRoutes ?? [],
  }));
  const { items, unread } = last ? questionFiles(last.message) : { items: [], unread: [] };
  return {
    text: last?.text ?? '',
    earlier: sent.length > 0 ? sent : turns,
    contextItems: shortened([...request.context, ...items]),
    currentPath: request.currentPath,
    filter: request.filter,
    pageSize: request.retrievalPageSize,
    unread,
  };
}

/** Returns the items with the beginnings of their texts, and without those for which no room is left. */
function shortened(items: DocsQuestion['contextItems']): DocsQuestion['contextItems'] {
  let left = MAX_ITEMS_LENGTH;
  const kept: DocsQuestion['contextItems'][number][] = [];
  for (const { type, value: whole, path, packages } of items) {
    const value = whole.slice(0, Math.min(left, MAX_TEXT_LENGTH));
    left -= value.length;
    if (value !== '') kept.push({ type, value, path, packages });
  }
  return kept;
}

function textOf(message: RequestMessage): string {
  const texts = message.parts.map((part) => (part.type === 'text' ? part.text : ''));
  return texts.join('\n').slice(0, MAX_TEXT_LENGTH);
}
