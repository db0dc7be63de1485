/** Shows questions and their answers: of the docs service of the site, or from its files. Loaded with the first question. */
import { composeAnswer } from '../../src/docs/answers/answer';
import type { PartIndex } from '../../src/docs/parts/partIndex';
import { askLinkText } from '../../src/chat/context/askLinkText';
import type { AskFilter } from '../../src/shared/askFilter';
import type { PartOp } from '../../src/shared/replyOps';
import type { ReplyChange, ReplyThread } from '../../src/shared/reply';
import { element, visibleLine } from '../dom';
import { BoxReply } from './boxReply';
import { loadScript, opensBeside, type SiteService } from './boxScripts';
import { type BoxTexts, boxTexts } from './boxTexts';
import { buttonTexts } from './buttonTexts';
import {
  answerGlobals,
  type Answers,
  type AnswersPorts,
  SITE_ORIGIN,
  type SiteIndex,
  SitePages,
} from './siteIndex';
import { type AskedTurn, serviceGlobals, type ServiceTrouble } from './siteService';

/** ID of the extension, which the build takes from its manifest. */
declare const EXTENSION_ID: string;

/** Sections that an answer cites at most, as in the local docs service. */
const CITED = 5;

const addresses = {
  write: (href: string): string => SITE_ORIGIN + href,
  read: (): undefined => undefined,
};

const troubles = {
  away: 'serviceAway',
  busy: 'serviceBusy',
  refused: 'serviceRefused',
  failed: 'serviceFailed',
} as const satisfies Record<ServiceTrouble, keyof BoxTexts>;

/** One question with its answer, or with those of the service and of the files. */
class Turn {
  readonly element = element('article', { class: 'turn' });
  readonly question: string;

  constructor(question: string) {
    this.question = question;
    this.element.append(
      element('h2', {
        class: 'question',
        text: visibleLine(question),
        attributes: { dir: 'auto' },
      }),
    );
  }

  addReply(pages: SitePages): BoxReply {
    const reply = new BoxReply(pages);
    this.element.append(reply.element);
    return reply;
  }

  note(text: string): void {
    this.element.append(element('p', { class: 'notice', text }));
  }
}

/** The answers in the box. */
class Conversation implements Answers {
  readonly element: HTMLElement;
  readonly #ports: AnswersPorts;
  readonly #texts = boxTexts();
  readonly #turns = element('div', { class: 'turns' });
  readonly #vsCode = element('a', { class: 'vscode', text: this.#texts.openInVsCode });
  readonly followUp: HTMLFormElement | undefined;
  readonly #field: HTMLInputElement;
  readonly #send: HTMLButtonElement;
  readonly #stop: HTMLButtonElement;
  #earlier: readonly AskedTurn[] = [];
  #thread: ReplyThread | undefined;
  #running = new AbortController();
  #filter: AskFilter | undefined;

  constructor(ports: AnswersPorts) {
    this.#ports = ports;
    const texts = this.#texts;
    this.#field = element('input', {
      class: 'field',
      attributes: {
        type: 'text',
        'aria-label': texts.followUp,
        placeholder: texts.followUp,
        autocomplete: 'off',
        enterkeyhint: 'send',
        maxlength: '1000',
        dir: 'auto',
      },
    });
    this.#send = element('button', { text: texts.askButton, attributes: { type: 'submit' } });
    this.#stop = element('button', { text: texts.stop, attributes: { type: 'button' } });
    this.#stop.addEventListener('click', () => this.stop());
    const form = element('form', { class: 'follow-up' }, this.#field, this.#send, this.#stop);
    this.followUp = ports.service && form;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const question = this.#field.value.trim();
      if (question === '') return;
      this.#field.value = '';
      void this.#ask(question);
    });
    this.element = element(
      'div',
      { class: ports.service ? 'conversation' : 'conversation is-single' },
      this.#turns,
      element('p', { class: 'foot' }, this.#vsCode),
    );
    this.element.addEventListener('click', (event) => {
      const { target } = event;
      const link = target instanceof Element ? target.closest('a[href]') : null;
      if (opensBeside(event)) return;
      if (link instanceof HTMLAnchorElement && link.target === '' && link !== this.#vsCode)
        ports.onLeave();
    });
    this.#setRunning(false);
  }

  begin(question: string, filter: AskFilter | undefined): Promise<void> {
    this.stop();
    this.#turns.replaceChildren();
    this.#earlier = [];
    this.#thread = undefined;
    this.#filter = filter;
    return this.#ask(question);
  }

  stop(): void {
    this.#running.abort();
  }

  async #ask(question: string): Promise<void> {
    this.stop();
    const running = (this.#running = new AbortController());
    const { site, service, onStatus } = this.#ports;
    const turn = new Turn(question);
    this.#turns.append(turn.element);
    this.#vsCode.href = askLinkText(
      { scheme: 'vscode', id: EXTENSION_ID },
      { question, page: `/${site.currentPath}` },
    );
    this.#setRunning(true);
    onStatus(this.#texts.answering);
    if (service) turn.element.scrollIntoView({ block: 'start' });
    let status: string;
    try {
      const isAnswered = service ? await this.#askService(service, turn, running.signal) : false;
      if (!isAnswered) await this.#askFiles(turn);
      status = this.#texts.answered;
    } catch {
      status = running.signal.aborted ? this.#texts.stopped : buttonTexts().failed;
      if (running.signal.aborted) turn.note(status);
    }
    if (running !== this.#running) return;
    this.#setRunning(false);
    onStatus(status);
  }

  /** @returns whether the service has answered, or the reader stopped it. If not, the turn says why. */
  async #askService(service: SiteService, turn: Turn, signal: AbortSignal): Promise<boolean> {
    const { site, folder } = this.#ports;
    const pages = await site
      .run('', (index) => new SitePages(site, index, service))
      .catch(() => new SitePages(site, undefined, service));
    const reply = turn.addReply(pages);
    const { fold } = reply;
    let trouble: ServiceTrouble = 'away';
    try {
      if (!serviceGlobals().docsAssistantService) await loadScript(folder + service.script);
      const client = serviceGlobals().docsAssistantService;
      signal.throwIfAborted();
      const changes = client?.ask(
        service,
        {
          question: turn.question,
          earlier: this.#earlier,
          filter: this.#filter,
          currentPath: `/${site.currentPath}`,
          thread: this.#thread,
        },
        signal,
      );
      for await (const change of changes ?? []) {
        if (change.serviceThread) this.#thread = { ...this.#thread, ...change.serviceThread };
        reply.take(change);
      }
    } catch (error) {
      if (signal.aborted) {
        reply.finish();
        throw error;
      }
      trouble = serviceGlobals().docsAssistantService?.troubleOf(error) ?? 'away';
    }
    reply.finish();
    if (fold.end === undefined || fold.text === '') {
      turn.note(this.#texts[troubles[trouble]]);
      return false;
    }
    if (fold.end.status !== 'complete') turn.note(this.#texts.incomplete);
    const { parts, metadata } = fold;
    this.#earlier = [...this.#earlier, { question: turn.question, parts, metadata }];
    return true;
  }

  async #askFiles(turn: Turn): Promise<void> {
    const { site } = this.#ports;
    const { change, pages } = await fileReply(site, turn.question, this.#filter);
    const reply = turn.addReply(pages);
    reply.take(change);
    reply.finish();
  }

  #setRunning(isRunning: boolean): void {
    // The button that has the focus may be hidden below, and the focus must not be lost with it.
    const hasFocus = this.followUp?.matches(':focus-within') === true;
    this.#turns.setAttribute('aria-busy', String(isRunning));
    this.#stop.hidden = !isRunning;
    this.#send.hidden = isRunning;
    if (hasFocus) this.#field.focus();
  }
}

/** Answers a question from the files of the site. @throws if a part of the index can't be loaded. */
async function fileReply(
  site: SiteIndex,
  question: string,
  filter: AskFilter | undefined,
): Promise<{ readonly change: ReplyChange; readonly pages: SitePages }> {
  // Apart, because a search runs again for each part that it lacks, and an answer takes as long as the search.
  const retrieval = await site.run(question, (index) =>
    site.retrieve(index, question, filter, { pages: CITED, isOpen: false }),
  );
  return site.run(question, (index: PartIndex) => {
    const { text, more, sources } = composeAnswer({
      question,
      retrieval,
      index,
      filter,
      addresses,
      isIndexed: true,
    });
    const cited = sources.map(
      ({ sourceId, url, title }) => ({ type: 'source-url', sourceId, url, title }) as const,
    );
    const parts = [
      ...cited,
      { type: 'text', text } as const,
      ...(more === '' ? [] : [{ type: 'text', text: more, role: 'more' } as const]),
    ];
    const ops = parts.map((part, at): PartOp => [at, part]);
    const end = { status: 'complete', isDegraded: false } as const;
    return { change: { ops, end }, pages: new SitePages(site, index, undefined) };
  });
}

answerGlobals().docsAssistantAnswers = (ports) => new Conversation(ports);
