/** `docs-assistant ask`: one question, with its reply on stdout. Uses Node's own `fetch`. */
import { randomUUID } from 'node:crypto';
import { systemClock } from '../../common/clock';
import { DocsAssistantError } from '../../common/errors';
import type { Log } from '../../common/ports';
import type { ReplyEnd } from '../../chat/assistant/replyReader';
import { createDocsTools, type DocsTarget } from '../../docsTools/docsTools';
import type { AskUpdate, QuestionCode } from '../../docsTools/askStream';
import { plainLine } from '../../shared/characters';
import type { ProofPart, SourcePart } from '../../shared/uiMessage';
import { CliError, exitCodes, Interrupted, type CliContext } from '../context';
import { keysOf, type OpenedTarget, openDocsTarget, type TargetOptions } from '../docsTarget';
import { failureOf, reportFailure } from '../failure';
import { stderrLog } from '../stderrLog';
import { StatusLine } from '../terminal/statusLine';
import { lookOf } from '../terminal/style';
import { parseCodeArgument, readCode } from './codeArgument';
import { PageAddresses } from '../../docsTools/pageAddresses';
import { type AskOutcome, replyJson } from './replyJson';
import { replyPrinter } from './replyPrinter';

/** Options of the command, as the parser of arguments returns them. */
export interface AskOptions extends TargetOptions {
  readonly code?: readonly string[];
  readonly json?: boolean;
}

/** Most bytes of a question from stdin. Services accept far less. */
const MAX_STDIN_BYTES = 1_000_000;

interface PrintPorts {
  readonly reply: Reply;
  readonly status: StatusLine;
  readonly log: Log;
  readonly options: AskOptions;
  readonly context: CliContext;
}

/** The part of a reply that has arrived. */
interface Reply {
  text: string;
  sources: readonly SourcePart[];
  /** Names of secrets that were replaced before anything was sent. */
  redacted: readonly string[];
  proof?: ProofPart;
  end?: ReplyEnd;
}

/**
 * Asks a question and prints the reply.
 * @returns the exit code. Failures have been reported then.
 */
export async function runAsk(
  words: readonly string[],
  options: AskOptions,
  context: CliContext,
): Promise<number> {
  const { stderr, stdout, t } = context;
  const status = new StatusLine(stderr, context.env);
  const reply: Reply = { text: '', sources: [], redacted: [] };
  let question = '';
  let target: DocsTarget | undefined;
  try {
    const { cwd } = context;
    const arguments_ = (options.code ?? []).map((text) => parseCodeArgument(text, t));
    const asked = await questionOf(words, context);
    question = asked.question;
    reply.redacted = asked.redacted;
    const code = await Promise.all(arguments_.map((argument) => readCode(argument, { cwd, t })));
    const log = stderrLog(options.verbose === true ? stderr : undefined);
    const opened = await openDocsTarget(options, {
      ...{ ...context, log },
      onProgress: (sentence) => status.show(sentence),
      onNotice: (sentence) => {
        status.clear();
        stderr.write(`${plainLine(sentence)}\n`);
      },
    });
    ({ target } = opened);
    try {
      await printReply(opened, { question, code }, { reply, status, log, options, context });
    } finally {
      status.clear();
      await opened.close();
    }
  } catch (error) {
    status.clear();
    return await failed(error, { question, reply, target }, options, context);
  }
  const outcome = outcomeOf(reply, target);
  if (options.json === true) {
    stdout.write(replyJson({ question, reply, target, status: outcome.status }));
  } else if (outcome.status === 'incomplete') {
    stderr.write(`${t('This reply is incomplete: the stream ended early.')}\n`);
  }
  return outcome.exitCode;
}

/** Prints a reply while it arrives. @returns the part that arrived. */
async function printReply(
  { target, fileOf }: OpenedTarget,
  asked: { readonly question: string; readonly code: readonly QuestionCode[] },
  { reply, status, log, options, context }: PrintPorts,
): Promise<void> {
  const { env, signal, stdout, t, clock = systemClock } = context;
  const printer = options.json === true ? undefined : replyPrinter(stdout, lookOf(stdout, env), t);
  const addresses = fileOf && new PageAddresses(target.settings.baseUrl ?? '', fileOf);
  const tools = createDocsTools({
    ...{ clock, log, newId: randomUUID },
    fetch: (url, init) => globalThis.fetch(url, init),
    target: () => Promise.resolve(target),
    knownSecrets: () => keysOf(env),
  });
  const show = (update: AskUpdate): void => {
    take(reply, update);
    if (update.redacted) showRedacted(reply.redacted, status, context);
    if (update.text !== undefined || update.isReset) status.clear();
    else if (update.status !== undefined) status.show(`${update.status}…`);
    printer?.update(update);
  };
  if (reply.redacted.length > 0) showRedacted(reply.redacted, status, context);
  status.show(t('Searching the docs…'));
  try {
    for await (const update of tools.askStream(asked, { signal })) {
      show(addresses?.update(update) ?? update);
    }
  } finally {
    const rest = addresses?.rest() ?? '';
    if (rest !== '') show({ text: rest });
    status.clear();
    printer?.end();
  }
}

/** Prints on stderr which secrets were replaced before sending. */
function showRedacted(
  names: readonly string[],
  status: StatusLine,
  { stderr, t }: Pick<CliContext, 'stderr' | 't'>,
): void {
  status.clear();
  stderr.write(`${t('Secrets replaced before sending: {0}.', plainLine(names.join(', ')))}\n`);
}

function take(reply: Reply, update: AskUpdate): void {
  const { text, isReset, sources, redacted, proof, end } = update;
  if (redacted) reply.redacted = [...new Set([...reply.redacted, ...redacted])];
  if (isReset) reply.text = '';
  if (text !== undefined) reply.text += text;
  if (sources) reply.sources = sources;
  if (proof) reply.proof = proof;
  if (end) reply.end = end;
}

/** Returns the question from the arguments, or from stdin if the argument is `-`. */
async function questionOf(
  words: readonly string[],
  context: CliContext,
): Promise<{ readonly question: string; readonly redacted: readonly string[] }> {
  const { env, stdin, t } = context;
  const isFromStdin = words.length === 1 && words[0] === '-';
  const question = (isFromStdin ? await readAll(stdin, t) : words.join(' ')).trim();
  if (question === '') throw new DocsAssistantError('empty-question');
  if (!isFromStdin) return { question, redacted: [] };
  // Nobody has checked a piped log or diff for secrets.
  const { redactSecrets } = await import('../../common/secretScan/scanText');
  const { text, labels } = await redactSecrets(question, { known: keysOf(env) });
  return { question: text, redacted: labels };
}

async function readAll(stream: CliContext['stdin'], t: CliContext['t']): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > MAX_STDIN_BYTES) {
      throw new CliError(exitCodes.usage, t('The question is too long. Attach code with --code.'));
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function outcomeOf(
  { text, sources, end }: Reply,
  target: DocsTarget | undefined,
): { readonly status: AskOutcome; readonly exitCode: number } {
  if (end?.status !== 'complete') return { status: 'incomplete', exitCode: exitCodes.incomplete };
  // Every answer of the local docs service cites sections. Other services can answer without
  // sources.
  const isAnswered = target?.local === undefined || sources.length > 0 || text.trim() === '';
  return isAnswered
    ? { status: 'complete', exitCode: exitCodes.ok }
    : { status: 'no-answer', exitCode: exitCodes.noAnswer };
}

async function failed(
  error: unknown,
  asked: {
    readonly question: string;
    readonly reply: Reply;
    readonly target: DocsTarget | undefined;
  },
  options: AskOptions,
  context: CliContext,
): Promise<number> {
  const { signal, stdout, t } = context;
  const cause: unknown = signal.aborted ? signal.reason : error;
  const failure = await failureOf(cause, t);
  const hasText = asked.reply.text.trim() !== '';
  const isBroken = failure.exitCode === exitCodes.service && hasText;
  const exitCode = isBroken ? exitCodes.incomplete : failure.exitCode;
  const isUnheard = cause instanceof Interrupted && cause.exitCode === 0;
  if (options.json !== true) await reportFailure(error, context);
  else if (!isUnheard) {
    const status = exitCode === exitCodes.incomplete ? 'incomplete' : 'error';
    stdout.write(replyJson({ ...asked, status, failure }));
  }
  return exitCode;
}
