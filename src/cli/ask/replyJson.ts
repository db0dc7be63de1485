import type { DocsTarget } from '../../docsTools/docsTools';
import type { ProofPart, SourcePart } from '../../shared/uiMessage';
import { unprovenStatements } from './replyPrinter';
import { numberedSources } from './replySources';
import type { Failure } from '../context';

/** Outcome of a question. */
export type AskOutcome = 'complete' | 'incomplete' | 'no-answer' | 'error';

/**
 * Version of the object. It changes when a field changes its meaning or is removed, but not when a
 * field is added.
 */
const FORMAT_VERSION = 1;

/** Control characters, which a terminal executes, and characters that a reader can't see. */
const unseen = /[\u007f-\u009f\u2028\u2029]|\p{Default_Ignorable_Code_Point}/gu;

/**
 * Returns the object that `--json` prints, on one line of visible characters. The help describes
 * it.
 */
export function replyJson({
  question,
  reply,
  target,
  status,
  failure,
}: {
  readonly question: string;
  readonly reply: {
    readonly text: string;
    readonly sources: readonly SourcePart[];
    readonly redacted: readonly string[];
    readonly proof?: ProofPart;
  };
  readonly target: DocsTarget | undefined;
  readonly status: AskOutcome;
  readonly failure?: Failure | undefined;
}): string {
  const unproven = unprovenStatements(reply.proof);
  const value = {
    version: FORMAT_VERSION,
    status,
    question,
    answer: reply.text,
    sources: numberedSources(reply.sources),
    ...(unproven.length > 0 ? { unproven } : {}),
    ...(reply.redacted.length > 0 ? { redacted: reply.redacted } : {}),
    ...(target ? { target: { label: target.label, local: target.local !== undefined } } : {}),
    ...(failure ? { error: errorOf(failure) } : {}),
  };
  return `${JSON.stringify(value).replace(unseen, escaped)}\n`;
}

function errorOf({ code, message, retryAt }: Failure): Readonly<Record<string, string>> {
  return {
    ...{ code, message },
    ...(retryAt === undefined ? {} : { retryAt: new Date(retryAt).toISOString() }),
  };
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    return `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
  }).join('');
}
