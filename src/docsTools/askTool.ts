/** `ask_docs`: a whole answer with its sources, cut to the space of the caller. */
import { DocsAssistantError } from '../common/errors';
import { cutText } from '../common/text/strings';
import { localPageAddress } from '../chat/sources/sourceAddress';
import { plainLine } from '../shared/characters';
import { type ReplyChange, ReplyFold, type ReplySoFar } from '../shared/reply';
import type { SourcePart } from '../shared/uiMessage';
import { stepText } from './askStream';
import { cutMarkdown } from './markdownCut';
import { fitResult } from './resultBudget';
import { linkText, pathText, sectionName, siteText, textCleaner } from './resultText';
import type { SentQuestion } from './sentQuestion';
import type { DocsTarget, ToolCall, ToolResult } from './toolCall';
import type { AskToolResult, AskToolSource } from './toolDefinitions';
import type { DocsToolError } from './toolErrors';
import { percentDecoded } from '../shared/links';

/** Characters of an answer with its sources: about 8,000 tokens. */
export const MAX_ANSWER_LENGTH = 32_000;
/** Share of the space that sources get if the answer doesn't fit beside them. */
const SOURCES_SHARE = 0.35;
/** Share of the space that statements without proof get. */
const UNPROVEN_SHARE = 0.2;
/** Statements without proof that are listed. A few are enough to distrust an answer. */
const MAX_UNPROVEN = 10;
const MAX_TITLE_LENGTH = 300;
/** Longest URL of a source, which browsers open too. A longer one would take all the space. */
const MAX_URL_LENGTH = 2000;

/** A reply, and what became of it. */
interface AskedReply {
  readonly reply: ReplySoFar;
  /** Error that ended the reply after it had begun. */
  readonly failure?: DocsToolError;
}

/**
 * Reads a reply to its end. An error after the first text ends the reply and is kept with it,
 * because the text has been paid for.
 * @param wordError words an error for a model.
 * @throws {DocsAssistantError} before there was any text.
 * @throws the signal's reason when stopped.
 */
export async function collectReply(
  changes: AsyncIterable<ReplyChange>,
  call: ToolCall,
  wordError: (error: unknown) => DocsToolError,
): Promise<AskedReply> {
  const reply = new ReplyFold();
  let failure: DocsToolError | undefined;
  try {
    for await (const change of changes) {
      const { step } = reply.take(change);
      if (step) call.onProgress?.(stepText(step));
    }
  } catch (error) {
    call.signal.throwIfAborted();
    if (!(error instanceof DocsAssistantError) || reply.text.trim() === '') throw error;
    failure = wordError(error);
  }
  if (reply.text.trim() === '') throw new DocsAssistantError('empty-reply');
  return { reply, failure };
}

/** Returns a reply as the result of the tool. */
export async function answerResult(
  { reply, failure, redacted }: AskedReply & Pick<SentQuestion, 'redacted'>,
  target: DocsTarget,
  { budget }: ToolCall,
): Promise<ToolResult<AskToolResult>> {
  const clean = textCleaner(target);
  const text = clean(reply.text).trim();
  const sources = sourcesOf(reply.sources, target, clean);
  const unproven = (reply.proof?.unproven ?? [])
    .map(({ quote }) => plainLine(clean(quote)))
    .filter((quote) => quote !== '')
    .slice(0, MAX_UNPROVEN);
  const site = siteText(clean(target.label));
  const broken = failure ? `The answer broke off. ${failure.message}` : problemOf(reply);
  const make = (maxLength: number): ToolResult<AskToolResult> => {
    const warnings = [unprovenText(unproven, maxLength * UNPROVEN_SHARE), redactedText(redacted)];
    const rest = [broken, ...warnings].filter((part) => part !== '').join('\n\n');
    const room = Math.max(0, maxLength - rest.length - 4);
    const listed = fittingSources(
      sources,
      Math.max(room * SOURCES_SHARE, room - text.length),
      site,
    );
    const space = room - listed.text.length - CUT_NOTE_LENGTH;
    const piece = space > 0 ? cutMarkdown(text, 0, space) : { text: '', end: 0 };
    const fits = text.length <= room - listed.text.length;
    const answer = fits ? text : piece.text;
    const cutNote = fits
      ? ''
      : `The answer was cut to fit: ${text.length - piece.end} of its ${text.length} characters are left out. Ask a narrower question to get the rest.`;
    const problem = [broken, cutNote].filter((part) => part !== '').join(' ');
    return {
      text: [answer, problem === '' ? '' : `**Incomplete:** ${problem}`, ...warnings, listed.text]
        .filter((part) => part !== '')
        .join('\n\n'),
      data: {
        answer,
        site,
        isComplete: problem === '',
        problem: problem === '' ? undefined : problem,
        sources: listed.sources,
        omittedSources: sources.length - listed.sources.length,
        unproven,
        redacted: [...redacted],
      },
    };
  };
  return fitResult(make, MAX_ANSWER_LENGTH, budget);
}

/** Characters that the note about a cut can take. */
const CUT_NOTE_LENGTH = 180;

/** Returns why a reply is incomplete, or an empty string. */
function problemOf({ end }: ReplySoFar): string {
  if (end?.isTooLong) return 'The answer is longer than can be read, and its end is missing.';
  if (end?.isUnfinished) return 'The answer was not written to its end.';
  if (end?.status === 'incomplete' || end === undefined) {
    return 'The connection ended before the answer did. Its end may be missing.';
  }
  if (end.status === 'stopped-by-service') {
    return 'The docs service stopped the answer. Its end may be missing.';
  }
  return end.isDegraded ? 'Parts of the answer could not be read and may be missing.' : '';
}

/** Returns the warning about statements without proof, with as many of them as fit. */
function unprovenText(unproven: readonly string[], room: number): string {
  if (unproven.length === 0) return '';
  const lines = [
    `The sources do not support ${unproven.length} of the answer's statements. Check them before you rely on them.`,
  ];
  for (const quote of unproven) {
    const line = `- “${quote}”`;
    if ([...lines, line].join('\n').length > room) break;
    lines.push(line);
  }
  return lines.join('\n');
}

export function redactedText(redacted: readonly string[]): string {
  if (redacted.length === 0) return '';
  return `Secrets in the question or its code were replaced before they were sent: ${redacted.join(', ')}. Leave secrets out of questions.`;
}

function sourcesOf(
  parts: readonly SourcePart[],
  { local }: DocsTarget,
  clean: (text: string) => string,
): AskToolSource[] {
  const byUrl = new Map<string, SourcePart>();
  for (const part of parts) {
    const isUsable = part.url !== '' && part.url.length <= MAX_URL_LENGTH;
    if (isUsable && !byUrl.has(part.url)) byUrl.set(part.url, part);
  }
  return [...byUrl.values()].map(({ url, title = '' }, index) => {
    const name = cutText(plainLine(clean(title)), MAX_TITLE_LENGTH);
    // The local docs service writes the title as `Page › Heading`.
    const split = local ? name.lastIndexOf(' › ') : -1;
    const path = local && ('engine' in local ? local.engine.pathOf(url) : localPageAddress(url));
    return {
      number: index + 1,
      title: (split < 0 ? name : name.slice(0, split)) || clean(url),
      url: clean(url),
      path: path === undefined ? undefined : percentDecoded(clean(path)),
      heading: split < 0 ? undefined : name.slice(split + 3),
    };
  });
}

/** Returns the list of the first sources that fit. */
function fittingSources(
  sources: readonly AskToolSource[],
  room: number,
  site: string,
): { readonly text: string; readonly sources: AskToolSource[] } {
  const lines = [`Sources in ${site}:`];
  let length = lines.join('').length;
  for (const source of sources) {
    const { number, url, path } = source;
    const line = `${number}. ${linkText(sectionName(source), url)}${path === undefined ? '' : ` (path: ${pathText(path)})`}`;
    if (length + line.length + OMITTED_LENGTH > room) break;
    length += line.length + 1;
    lines.push(line);
  }
  const listed = sources.slice(0, lines.length - 1);
  const omitted = sources.length - listed.length;
  if (omitted > 0)
    lines.push(`${omitted} more ${omitted === 1 ? 'source is' : 'sources are'} left out to fit.`);
  return { text: sources.length === 0 ? '' : lines.join('\n'), sources: listed };
}

/** Characters of the line about sources that are left out. */
const OMITTED_LENGTH = 50;
