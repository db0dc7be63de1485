/** `docs-assistant ask`: one question, with its reply on stdout. Uses Node's own `fetch`. */
import { randomUUID } from 'node:crypto';
import { systemClock } from '../../common/clock';
import { DocsAssistantError } from '../../common/errors';
import type { Log } from '../../common/ports';
import { type ReplyChange, ReplyFold, type ReplyNews } from '../../shared/reply';
import type { PartOp } from '../../shared/replyOps';
import { createDocsTools, type DocsTarget } from '../../docsTools/docsTools';
import { type QuestionCode, stepText } from '../../docsTools/askStream';
import { plainLine } from '../../shared/characters';
import { CliError, exitCodes, type CliContext } from '../context';
import {
  keysOf,
  namesEndpoint,
  type OpenedTarget,
  openDocsTarget,
  type TargetOptions,
} from '../docsTarget';
import { failureOf, reportFailure } from '../failure';
import { readStdin } from '../namedFile';
import { stderrLog } from '../stderrLog';
import { StatusLine } from '../terminal/statusLine';
import { lookOf } from '../terminal/style';
import { parseCodeArgument, readCode } from './codeArgument';
import { type Asked, replyPrinter, type AskOutcome, replyObject } from './replyPrinter';

/** Options of the command, as the parser of arguments returns them. */
export interface AskOptions extends TargetOptions {
  readonly code?: readonly string[];
  readonly json?: boolean;
  /** Whether further passages of the found pages are printed, which the chat keeps behind *Show more*. */
  readonly more?: boolean;
}

/** Most bytes of a question from stdin. Services accept far less. */
const MAX_STDIN_BYTES = 1_000_000;

/** Matches names that every shell takes as one argument, and no command as an option. */
const plainArgument = /^[\w./:@+][\w./:@+-]*$/;

interface PrintPorts {
  readonly asked: Asked;
  readonly status: StatusLine;
  readonly log: Log;
  readonly options: AskOptions;
  readonly context: CliContext;
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
  const asked: Asked = {
    question: '',
    redacted: [],
    target: undefined,
    reply: { text: '', sources: [] },
  };
  let hint: string | undefined;
  try {
    const { cwd } = context;
    if (words.length === 0 && typeof options.installed === 'string') {
      // The parser takes a question behind the option as its folder.
      throw new CliError(exitCodes.usage, t('Put the question before --installed.'));
    }
    const arguments_ = (options.code ?? []).map((text) => parseCodeArgument(text, t));
    Object.assign(asked, await questionOf(words, context));
    const code = await Promise.all(arguments_.map((argument) => readCode(argument, { cwd, t })));
    const log = stderrLog(options.verbose === true ? stderr : undefined);
    const opened = await openDocsTarget(options, {
      ...context,
      log,
      onProgress: (sentence) => status.show(sentence),
      onNotice: (sentence) => {
        status.clear();
        stderr.line(plainLine(sentence));
      },
    });
    asked.target = opened.target;
    try {
      const looking = lookForModel(opened.target, options, context);
      await printReply(opened, code, { asked, status, log, options, context });
      hint = await looking;
    } finally {
      status.clear();
      await opened.close();
    }
  } catch (error) {
    status.clear();
    return await failed(error, asked, options, context);
  }
  const outcome = outcomeOf(asked);
  if (options.json === true) {
    stdout.json(replyObject({ ...asked, status: outcome.status }));
  } else if (outcome.status === 'incomplete') {
    stderr.line(t('This reply is incomplete: its end is missing.'));
  }
  if (hint !== undefined) stderr.line(hint);
  return outcome.exitCode;
}

/**
 * Returns a line that names a model of a server on this machine and the options that use it, if the reply
 * quotes docs on this machine and no option names an endpoint.
 */
async function lookForModel(
  { local }: DocsTarget,
  options: AskOptions,
  { env, t }: CliContext,
): Promise<string | undefined> {
  if (!local || namesEndpoint(options, env)) return undefined;
  const { findMachineModels, modelServerPorts } = await import('../../service/sets/machineModels');
  const models = await findMachineModels({
    ports: modelServerPorts(env['DOCS_ASSISTANT_MODEL_PORTS']),
    fetch: (url, init) => globalThis.fetch(url, init),
    clock: systemClock,
  });
  const found = models.find(({ model }) => plainArgument.test(model));
  if (!found) return undefined;
  const { model, baseUrl } = found;
  const modelOptions = `--model-endpoint ${baseUrl} --model ${model}`;
  return t('{0} on this machine can write the reply: {1}', model, modelOptions);
}

/** Prints a reply while it arrives, and keeps the part that arrived in `asked`. */
async function printReply(
  { target }: OpenedTarget,
  code: readonly QuestionCode[],
  { asked, status, log, options, context }: PrintPorts,
): Promise<void> {
  const { env, signal, stdout, t, clock = systemClock } = context;
  const look = lookOf(stdout, env);
  const printer = options.json === true ? undefined : replyPrinter(stdout, look, t);
  const tools = createDocsTools({
    clock,
    log,
    newId: randomUUID,
    fetch: (url, init) => globalThis.fetch(url, init),
    target: () => Promise.resolve(target),
    knownSecrets: () => keysOf(env),
  });
  const show = (news: ReplyNews): void => {
    if (news.text !== undefined || news.kept !== undefined) status.clear();
    else if (news.step) status.show(`${stepText(news.step)}…`);
    printer?.update(news);
  };
  const onRedacted = (names: readonly string[]): void => {
    asked.redacted = [...new Set([...asked.redacted, ...names])];
    showRedacted(asked.redacted, status, context);
  };
  if (asked.redacted.length > 0) showRedacted(asked.redacted, status, context);
  status.show(t('Searching the docs…'));
  const reply = new ReplyFold();
  asked.reply = reply;
  const first = options.json === true || options.more === true ? undefined : new FirstAnswer();
  try {
    const { question } = asked;
    for await (const change of tools.askStream({ question, code }, { signal, onRedacted })) {
      show(reply.take(first?.of(change) ?? change));
    }
  } finally {
    status.clear();
    printer?.end();
  }
  if (first?.hasMore === true && look.columns !== undefined) {
    context.stderr.line(t('Add --more for further passages of these pages.'));
  }
}

/** Takes the further passages out of a reply, which the chat keeps behind *Show more*. */
export class FirstAnswer {
  /** Places of the texts with further passages among the parts of the reply. */
  readonly #more = new Set<number>();
  #hasMore = false;

  /** Whether the reply has further passages. */
  get hasMore(): boolean {
    return this.#hasMore;
  }

  /** Returns a change without the words of further passages. Their parts stay, so that the others keep their places. */
  of(change: ReplyChange): ReplyChange {
    if (change.ops === undefined) return change;
    return { ...change, ops: change.ops.flatMap((op) => this.#opOf(op)) };
  }

  #opOf(op: PartOp): PartOp[] {
    const [index, value] = op;
    if (typeof value === 'string') return this.#more.has(index) ? [] : [op];
    if (value.type !== 'text' || value.role !== 'more') {
      this.#more.delete(index);
      return [op];
    }
    this.#more.add(index);
    this.#hasMore = true;
    return [[index, { ...value, text: '' }]];
  }
}

/** Prints on stderr which secrets were replaced before sending. */
function showRedacted(
  names: readonly string[],
  status: StatusLine,
  { stderr, t }: Pick<CliContext, 'stderr' | 't'>,
): void {
  status.clear();
  stderr.line(t('Secrets replaced before sending: {0}.', plainLine(names.join(', '))));
}

/** Returns the question from the arguments, or from stdin if the argument is `-`. */
async function questionOf(
  words: readonly string[],
  context: CliContext,
): Promise<{ readonly question: string; readonly redacted: readonly string[] }> {
  const { env, t } = context;
  const isFromStdin = words.length === 1 && words[0] === '-';
  const tooLong = t('The question is too long. Attach code with --code.');
  const read = isFromStdin ? await readStdin(context, MAX_STDIN_BYTES, tooLong) : words.join(' ');
  const question = read.trim();
  if (question === '') throw new DocsAssistantError('empty-question');
  if (!isFromStdin) return { question, redacted: [] };
  // Nobody has checked a piped log or diff for secrets.
  const { redactSecrets } = await import('../../common/secretScan/scanText');
  const { text, labels } = await redactSecrets(question, { known: keysOf(env) });
  return { question: text, redacted: labels };
}

function outcomeOf({ reply: { text, sources, end }, target }: Asked): {
  readonly status: AskOutcome;
  readonly exitCode: number;
} {
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
  asked: Asked,
  options: AskOptions,
  context: CliContext,
): Promise<number> {
  const { signal, stdout, t } = context;
  const cause: unknown = signal.aborted ? signal.reason : error;
  const failure = await failureOf(cause, t);
  const hasText = asked.reply.text.trim() !== '';
  const isBroken = failure.exitCode === exitCodes.service && hasText;
  const exitCode = isBroken ? exitCodes.incomplete : failure.exitCode;
  // Wrong arguments are told as the parser tells them.
  if (options.json !== true || exitCode === exitCodes.usage) await reportFailure(error, context);
  else {
    const status = exitCode === exitCodes.incomplete ? 'incomplete' : 'error';
    stdout.json(replyObject({ ...asked, status, failure }));
  }
  return exitCode;
}
