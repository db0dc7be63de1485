import type { DocsTarget } from '../../docsTools/docsTools';
import type { ReplySoFar } from '../../shared/reply';
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

/** Returns the object that `--json` prints. The help describes it. */
export function replyObject({
  question,
  reply,
  redacted,
  target,
  status,
  failure,
}: {
  readonly question: string;
  readonly reply: ReplySoFar;
  /** Names of secrets that were replaced before anything was sent. */
  readonly redacted: readonly string[];
  readonly target: DocsTarget | undefined;
  readonly status: AskOutcome;
  readonly failure?: Failure | undefined;
}): object {
  const unproven = unprovenStatements(reply.proof);
  return {
    version: FORMAT_VERSION,
    status,
    question,
    answer: reply.text,
    sources: numberedSources(reply.sources),
    unproven: unproven.length > 0 ? unproven : undefined,
    redacted: redacted.length > 0 ? redacted : undefined,
    target: target ? { label: target.label, local: target.local !== undefined } : undefined,
    error: failure ? errorOf(failure) : undefined,
  };
}

function errorOf({
  code,
  message,
  retryAt,
}: Failure): Readonly<Record<string, string | undefined>> {
  return {
    code,
    message,
    retryAt: retryAt === undefined ? undefined : new Date(retryAt).toISOString(),
  };
}
