import type { Translate } from '../../common/errors';
import { plainLine, visibleProse, visibleText } from '../../shared/characters';
import type { ReplyNews, ReplySoFar } from '../../shared/reply';
import type { Output } from '../output';
import type { Look } from '../terminal/style';
import { TerminalMarkdown } from '../terminal/terminalMarkdown';
import { breakable, wrap } from '../terminal/wrap';
import type { SourcePart } from '../../shared/uiMessage';
import type { DocsTarget } from '../../docsTools/docsTools';
import type { Failure } from '../context';

/** Prints a reply while it is written, and its sources at its end. */
interface ReplyPrinter {
  update(news: ReplyNews): void;
  end(): void;
}

/** Returns the printer for a terminal, or for a pipe or file, which gets plain Markdown. */
export function replyPrinter(stdout: Output, look: Look, t: Translate): ReplyPrinter {
  return look.columns === undefined
    ? new MarkdownPrinter(stdout, t)
    : new TerminalPrinter(stdout, { columns: look.columns, style: look.style }, t);
}

/** Returns the statements of a reply that the cited pages don't support, each on one line. */
function unprovenStatements(proof: ReplyNews['proof']): readonly string[] {
  return (proof?.unproven ?? []).map(({ quote }) => visibleText(plainLine(quote)));
}

/** Prints the reply as Markdown, without characters that a terminal would execute. */
class MarkdownPrinter implements ReplyPrinter {
  readonly #stdout: Output;
  readonly #t: Translate;
  readonly #text = new WholeCharacters();
  #sources: ReplyNews['sources'] = [];
  #proof: ReplyNews['proof'];
  /** The text printed last. It tells how many line ends are missing before the next section. */
  #end = '';

  constructor(stdout: Output, t: Translate) {
    this.#stdout = stdout;
    this.#t = t;
  }

  update({ text, kept, sources, proof }: ReplyNews): void {
    if (sources) this.#sources = sources;
    if (proof) this.#proof = proof;
    if (kept !== undefined && this.#end !== '') this.#write('\n\n---\n\n');
    if (text !== undefined) this.#write(this.#text.push(text));
  }

  end(): void {
    const sources = numberedSources(this.#sources ?? []);
    if (this.#end !== '' && !this.#end.endsWith('\n')) this.#write('\n');
    const unproven = unprovenStatements(this.#proof);
    if (unproven.length > 0) {
      const items = unproven.map((quote) => `- “${quote}”`);
      this.#write(`\n${unprovenText(this.#t)}\n\n${items.join('\n')}\n`);
    }
    if (sources.length === 0) return;
    const lines = sources.map(({ number, title, url }) => {
      return `${number}. [${title.replace(/[[\]\\]/g, '\\$&')}](<${url.replace(/[<>]/g, encodeURIComponent)}>)`;
    });
    this.#write(`\n## ${this.#t('Sources')}\n\n${lines.join('\n')}\n`);
  }

  #write(text: string): void {
    if (text === '') return;
    this.#end = text;
    this.#stdout.text(text);
  }
}

/** Prints the reply laid out for a terminal. */
class TerminalPrinter implements ReplyPrinter {
  readonly #stdout: Output;
  readonly #look: { readonly columns: number; readonly style: Look['style'] };
  readonly #t: Translate;
  readonly #text = new WholeCharacters();
  readonly #numbers = new SourceNumbers();
  #proof: ReplyNews['proof'];
  #markdown: TerminalMarkdown;

  constructor(
    stdout: Output,
    look: { readonly columns: number; readonly style: Look['style'] },
    t: Translate,
  ) {
    this.#stdout = stdout;
    this.#look = look;
    this.#t = t;
    this.#markdown = this.#newMarkdown();
  }

  update({ text, kept, sources, proof }: ReplyNews): void {
    if (proof) this.#proof = proof;
    for (const { url, title = '' } of sources ?? []) {
      if (url !== '') this.#numbers.numberOf(url, title);
    }
    if (kept !== undefined) {
      const rest = this.#markdown.end();
      if (rest !== '') this.#write(`${rest}\n`);
      this.#markdown = this.#newMarkdown();
    }
    if (text !== undefined) this.#write(this.#markdown.push(visibleProse(this.#text.push(text))));
  }

  end(): void {
    this.#write(this.#markdown.end());
    const { style, columns } = this.#look;
    const unproven = unprovenStatements(this.#proof);
    if (unproven.length > 0) {
      const lines = unproven.map((quote) => {
        return `- ${wrap(breakable(`“${quote}”`), columns - 2).join('\n  ')}`;
      });
      this.#write(`\n${style.bold(unprovenText(this.#t))}\n${lines.join('\n')}\n`);
    }
    const { all } = this.#numbers;
    if (all.length === 0) return;
    const lines = all.flatMap(({ number, title, url }) => {
      const mark = `[${number}]`;
      const indent = ' '.repeat(mark.length + 1);
      // A URL stays on one line, so that it can be copied and opened.
      return [
        `${style.dim(mark)} ${title}`,
        ...(url === title ? [] : [`${indent}${style.dim(url)}`]),
      ];
    });
    this.#write(`\n${style.heading(this.#t('Sources'))}\n${lines.join('\n')}\n`);
  }

  #newMarkdown(): TerminalMarkdown {
    return new TerminalMarkdown({
      ...this.#look,
      numberOf: (url, title) => this.#numbers.numberOf(url, title),
    });
  }

  #write(text: string): void {
    if (text !== '') this.#stdout.styled(text);
  }
}

const unprovenText = (t: Translate): string =>
  t('The cited pages don’t say this. Check it before you rely on it:');

/** Joins the two halves of a character that the stream has cut in two. */
class WholeCharacters {
  #half = '';

  push(text: string): string {
    const all = this.#half + text;
    const last = all.charCodeAt(all.length - 1);
    const isHalf = last >= 0xd800 && last <= 0xdbff;
    this.#half = isHalf ? all.slice(-1) : '';
    return isHalf ? all.slice(0, -1) : all;
  }
}

/** A page that a reply cites or links to. */
interface NumberedSource {
  readonly number: number;
  readonly title: string;
  readonly url: string;
}

/** Numbers the pages of a reply in the order in which they first occur. */
export class SourceNumbers {
  readonly #byUrl = new Map<string, NumberedSource>();

  /** Returns the number of a page, and gives a new page the next number. */
  numberOf(url: string, title: string): number {
    const known = this.#byUrl.get(url);
    if (known) return known.number;
    const number = this.#byUrl.size + 1;
    const shownUrl = shown(url);
    this.#byUrl.set(url, { number, title: shown(title) || shownUrl, url: shownUrl });
    return number;
  }

  get all(): readonly NumberedSource[] {
    return [...this.#byUrl.values()];
  }
}

/** Returns a text as one line without invisible characters. */
const shown = (text: string): string => visibleText(plainLine(text));

/** Returns the sources of a reply with their numbers, each page once. */
function numberedSources(sources: readonly SourcePart[]): readonly NumberedSource[] {
  const numbers = new SourceNumbers();
  for (const { url, title = '' } of sources) if (url !== '') numbers.numberOf(url, title);
  return numbers.all;
}

/** A question with the part of its reply that has arrived. */
export interface Asked {
  question: string;
  /** Names of secrets that were replaced before anything was sent. */
  redacted: readonly string[];
  target: DocsTarget | undefined;
  reply: ReplySoFar;
}

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
}: Readonly<Asked> & {
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
