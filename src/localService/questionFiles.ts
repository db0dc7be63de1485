import { codeLanguageOf } from './codeLanguages';
import type { RequestMessage } from './messageSchema';
import type { QuestionContextItem } from './query';

/** What the files of a question come to. Nothing is fetched: only content in `data:` links is read. */
export interface QuestionFiles {
  /** The texts, to be searched for like selected code and text. */
  readonly items: readonly QuestionContextItem[];
  /** Names of files that are no text, such as pictures. */
  readonly unread: readonly string[];
}

type FilePart = Extract<RequestMessage['parts'][number], { readonly type: 'file' }>;

/** Characters of a file that are searched for: its start says what it is about. */
const MAX_TEXT_LENGTH = 100_000;

const textTypes =
  /^(?:text\/.*|application\/(?:.*\+)?(?:json|json5|jsonc|yaml|x-yaml|xml|toml|javascript|ecmascript|typescript|graphql|sql|x-sh|x-httpd-php|x-ndjson))$/i;

/** Reads the files of a question's message. */
export function questionFiles({ parts }: Pick<RequestMessage, 'parts'>): QuestionFiles {
  const items: QuestionContextItem[] = [];
  const unread: string[] = [];
  for (const part of parts) {
    if (part.type !== 'file') continue;
    const value = textOf(part);
    if (value === undefined) unread.push(part.filename ?? part.mediaType);
    else if (value.trim() !== '') items.push(itemOf(value, part.filename));
  }
  return { items, unread };
}

function itemOf(value: string, path: string | undefined): QuestionContextItem {
  const ending = /\.([\w+]+)$/.exec(path ?? '')?.[1];
  const isCode = ending !== undefined && codeLanguageOf(ending) !== undefined;
  return {
    type: isCode ? 'code' : 'textSelection',
    value,
    ...(path === undefined ? {} : { path }),
  };
}

/** The start of a text file; undefined for whatever is none. */
function textOf({ mediaType, url }: FilePart): string | undefined {
  const type = mediaType.split(';', 1)[0]?.trim() ?? '';
  const comma = url.indexOf(',');
  if (!textTypes.test(type) || comma < 0 || !/^data:/i.test(url)) return undefined;
  const isBase64 = /;\s*base64\s*$/i.test(url.slice(0, comma));
  // Four characters of base64 stand for three bytes, and a character may take three of them.
  const content = url.slice(comma + 1, comma + 1 + 4 * MAX_TEXT_LENGTH);
  const bytes = isBase64 ? Buffer.from(content, 'base64') : Buffer.from(unescaped(content));
  const text = bytes.toString('utf8');
  return text.includes('\0') ? undefined : text.slice(0, MAX_TEXT_LENGTH);
}

function unescaped(content: string): string {
  try {
    return decodeURIComponent(content);
  } catch {
    return content;
  }
}
