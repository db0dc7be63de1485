import {
  isReplyRunning,
  type FilePart,
  type MessagePart,
  type ReplyView,
  type SourcePart,
} from '../../src/shared/uiMessage';
import { fill } from '../../src/shared/fill';
import { element, icon, isolatedText, setAttribute, setHidden, visibleLine } from '../dom';
import { IconButton, createCopyButton, createMessageToolbar } from '../iconButton';
import { CitationIndex } from '../markdown/citations';
import { isRelativeLink } from '../markdown/links';
import { BranchSwitcher } from '../thread/branchSwitcher';
import { stepByKey } from '../thread/questionView';
import { createButton } from '../toolkit';
import { copyMarkdown, type ViewContext } from '../viewActions';
import { createPartView, type PartView } from './partViews';
import type { ReplyEvidence } from './replyEvidence';
import { offersRetry, ReplyFooter } from './replyFooter';
import type { PathSources } from './sourceCard';
import { SourceList } from './sourceList';

/**
 * Code that shows evidence, once it is loaded. From then on, a reply is built with its evidence, so
 * that its height doesn't change afterwards.
 */
let evidence: { readonly ReplyEvidence: typeof ReplyEvidence } | undefined;

interface ShownPart {
  part: MessagePart;
  readonly view: PartView | undefined;
}

/** Shows one reply: its parts in order, then its sources and files, then its status. */
export class ReplyElement {
  readonly element: HTMLElement;
  readonly #context: ViewContext;
  readonly #versionText = element('span');
  readonly #version = element(
    'p',
    { class: 'status-line version-note' },
    icon('info'),
    this.#versionText,
  );
  readonly #parts = element('div', { class: 'parts' });
  readonly #sources: SourceList;
  readonly #files: HTMLElement;
  readonly #evidence = element('div', { class: 'reply-evidence' });
  readonly #footer: ReplyFooter;
  readonly #branches: BranchSwitcher;
  readonly #addQuestion: IconButton;
  readonly #regenerate: IconButton;
  readonly #toolbar: HTMLElement;
  readonly #foot: HTMLElement;
  readonly #shown: ShownPart[] = [];
  #reply: ReplyView | undefined;
  #citations = new CitationIndex([]);
  #paths: PathSources | undefined;
  #loadedEvidence: ReplyEvidence | undefined;

  constructor(context: ViewContext, id: string) {
    this.#context = context;
    const { strings, actions } = context;
    this.#sources = new SourceList(strings);
    this.#files = element('section', {
      class: 'files',
      attributes: { 'aria-label': strings.files },
    });
    this.#files.hidden = true;
    this.#evidence.hidden = true;
    this.#footer = new ReplyFooter(context);
    const copy = createCopyButton({
      strings,
      label: strings.copyReply,
      class: 'copy-reply',
      copy: () =>
        copyMarkdown(context, ({ replyMarkdown }) =>
          this.#reply ? replyMarkdown(this.#reply, this.#citations) : '',
        ),
    });
    this.#addQuestion = new IconButton({
      label: strings.addDocsQuestion,
      icon: 'beaker',
      class: 'add-docs-question',
      onClick: () => actions.addDocsQuestion(id),
    });
    this.#regenerate = new IconButton({
      label: strings.regenerate,
      icon: 'refresh',
      class: 'regenerate',
      onClick: () => actions.retry(id),
    });
    this.#branches = new BranchSwitcher({
      strings,
      role: 'assistant',
      onShow: (index) => actions.showBranch(id, index),
    });
    this.#toolbar = createMessageToolbar(copy, this.#addQuestion, this.#regenerate);
    this.#foot = element('div', { class: 'reply-toolbar' }, this.#branches.element, this.#toolbar);
    this.element = element(
      'article',
      { class: 'message reply', attributes: { 'data-message-id': id } },
      element('h2', { class: 'visually-hidden', text: strings.assistant }),
      this.#version,
      this.#parts,
      this.#sources.element,
      this.#files,
      this.#evidence,
      this.#footer.element,
      this.#foot,
    );
    this.element.addEventListener('keydown', (event) => stepByKey(event, this.#branches));
  }

  update(reply: ReplyView, isLast: boolean): void {
    const isRunning = isReplyRunning(reply.status);
    const hadParts = this.#reply?.parts;
    const wasRunning = this.#reply !== undefined && isReplyRunning(this.#reply.status);
    this.#reply = reply;
    this.#updateLists(hadParts ?? [], reply.parts);
    this.#versionText.textContent = visibleLine(reply.versionNote ?? '');
    setHidden(this.#version, reply.versionNote === undefined);
    this.#updateParts(reply.parts, isRunning, isRunning !== wasRunning);
    if (hasEvidence(reply)) this.#showEvidence();
    this.#footer.update(reply, isLast);
    this.#branches.update(reply.branch, this.element);
    setHidden(this.#addQuestion.element, reply.status !== 'complete');
    setHidden(this.#regenerate.element, offersRetry(reply, isLast));
    setHidden(this.#toolbar, isRunning || !reply.parts.some((part) => part.type === 'text'));
    setHidden(this.#foot, this.#toolbar.hidden && reply.branch === undefined);
    this.element.classList.toggle('is-last', isLast);
    // Screen readers can skip what is busy, but an offer waits for its reader.
    setAttribute(this.element, 'aria-busy', String(isRunning && !reply.offer));
  }

  /** Disables asking again and switching versions while a reply runs. */
  setReplyRunning(isRunning: boolean): void {
    this.#regenerate.setEnabled(!isRunning);
    this.#branches.setReplyRunning(isRunning);
  }

  dispose(): void {
    this.#footer.dispose();
    this.#loadedEvidence?.dispose();
  }

  #showEvidence(): void {
    if (!evidence) {
      import('./replyEvidence').then(
        (loaded) => {
          evidence = loaded;
          if (this.#reply && hasEvidence(this.#reply)) this.#showEvidence();
        },
        (error: unknown) => this.#context.reportFailure(error),
      );
      return;
    }
    this.#loadedEvidence ??= new evidence.ReplyEvidence(this.#context, this.#evidence, this.#parts);
    if (this.#reply) this.#loadedEvidence.update(this.#reply);
  }

  #updateParts(parts: readonly MessagePart[], isRunning: boolean, isTurned: boolean): void {
    for (const { view } of this.#shown.splice(parts.length)) view?.element.remove();
    parts.forEach((part, index) => {
      let shown = this.#shown[index];
      const isChanged = shown?.part !== part;
      const added = isChanged ? this.#context.addedTo(part, shown?.part) : '';
      if (shown?.part.type !== part.type) {
        const view = createPartView(part, this.#context);
        view?.setCitations?.(this.#citations);
        shown?.view?.element.remove();
        shown = { part, view };
        this.#shown[index] = shown;
        if (view) this.#parts.insertBefore(view.element, this.#elementAfter(index));
      }
      shown.part = part;
      const isLast = index === parts.length - 1;
      // The part that was the last one may have to stop showing that it runs.
      const isNearEnd = index >= parts.length - 2;
      if (isChanged || isTurned || isNearEnd) {
        shown.view?.update(part, { added, isLast, isReplyRunning: isRunning });
      }
    });
  }

  #elementAfter(index: number): Node | null {
    for (const { view } of this.#shown.slice(index + 1)) if (view) return view.element;
    return null;
  }

  #updateLists(before: readonly MessagePart[], parts: readonly MessagePart[]): void {
    const isListed = (part: MessagePart): boolean =>
      part.type === 'source-url' || part.type === 'file';
    const old = before.filter(isListed);
    const listed = parts.filter(isListed);
    if (old.length === listed.length && old.every((part, index) => part === listed[index])) return;
    const sources = parts.filter((part) => part.type === 'source-url');
    this.#cite(sources);
    if (sources.some(({ url }) => isRelativeLink(url))) {
      this.#findPages(sources).catch((error: unknown) => this.#context.reportFailure(error));
    }
    this.#updateFiles(parts);
  }

  #cite(sources: readonly SourcePart[]): void {
    this.#citations = new CitationIndex(sources, this.#paths?.pages);
    this.#sources.update(this.#citations);
    for (const { view } of this.#shown) view?.setCitations?.(this.#citations);
  }

  /**
   * Asks the host about sources that have only a path. They become links if the host knows their
   * pages.
   */
  async #findPages(sources: readonly SourcePart[]): Promise<void> {
    const { PathSources } = await import('./sourceCard');
    this.#paths ??= new PathSources(this.#context.actions, this.#reply?.id ?? '');
    if (await this.#paths.find(sources)) this.#cite(sources);
  }

  #updateFiles(parts: readonly MessagePart[]): void {
    const rows = parts.flatMap((part, index) =>
      part.type === 'file' ? [this.#fileRow(part, index)] : [],
    );
    this.#files.hidden = rows.length === 0;
    this.#files.replaceChildren(
      element('h3', { class: 'section-title', text: this.#context.strings.files }),
      element('ul', { class: 'file-list' }, ...rows),
    );
  }

  #fileRow(part: FilePart, index: number): HTMLElement {
    const { strings, actions } = this.#context;
    const messageId = this.#reply?.id ?? '';
    const name = visibleLine(part.filename ?? '') || visibleLine(part.mediaType);
    const button = createButton({
      label: fill(strings.openFile, name),
      appearance: 'icon',
      class: 'file',
      onClick: () => actions.openFile(messageId, index),
    });
    button.element.title = `${name}\n${visibleLine(part.mediaType)}`;
    button.element.replaceChildren(
      icon(part.mediaType.startsWith('image/') ? 'file-media' : 'file'),
      isolatedText(name),
    );
    return element('li', {}, button.element);
  }
}

/**
 * Returns whether a reply has evidence to show: a comparison with its sources, or that the complete
 * reply has no source.
 */
function hasEvidence({ parts, status }: ReplyView): boolean {
  const has = (type: MessagePart['type']): boolean => parts.some((part) => part.type === type);
  if (isReplyRunning(status)) return false;
  return has('proof') || (status === 'complete' && has('text') && !has('source-url'));
}
