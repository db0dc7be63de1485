import { isReplyRunning, type ReplyView } from '../../src/shared/uiMessage';
import type { ViewStrings } from '../../src/shared/viewStrings';
import { visibleLine, element } from '../dom';
import { writeInFrame } from '../frames';
import type { SentenceReader } from './speech';

/**
 * Shortest time in milliseconds between two announcements. More would interrupt the screen reader.
 */
const PAUSE_MS = 1_000;

interface ReplySpeakerSettings {
  readonly strings: ViewStrings;
  /** Puts sentences into the live region. */
  readonly speak: (sentences: readonly string[]) => void;
  readonly languageName: (word: string) => string;
  readonly reportFailure: (error: unknown) => void;
}

/**
 * Announces the sentences of the running reply when they are finished, and the rest when the reply
 * ends. The code that finds sentences loads when a reply runs.
 */
export class ReplySpeaker {
  readonly #settings: ReplySpeakerSettings;
  /** Readers by the index of their part in the reply. */
  readonly #readers = new Map<number, SentenceReader>();
  #reply: ReplyView | undefined;
  /** State of the reply when it was first seen. Its text is skipped and not announced. */
  #old: ReplyView | undefined;
  #Reader: typeof SentenceReader | undefined;
  #isLoading = false;
  #pause: ReturnType<typeof setTimeout> | undefined;
  #isPausing = false;
  readonly #sayAfterPause = (): void => {
    if (!this.#isPausing) return;
    this.#isPausing = false;
    this.#say();
  };

  constructor(settings: ReplySpeakerSettings) {
    this.#settings = settings;
  }

  /** ID of the reply that is being announced, if there is one. */
  get replyId(): string | undefined {
    return this.#reply?.id;
  }

  /**
   * Takes the current state of a reply. Text that was there when the reply was first seen is
   * announced only if the reply began just now.
   */
  update(reply: ReplyView, isOld: boolean): void {
    if (reply.id !== this.#reply?.id) {
      this.stop();
      if (isOld) this.#old = reply;
      void this.#load();
    }
    this.#reply = reply;
    if (!isReplyRunning(reply.status)) {
      this.#endPause();
      this.#say();
    } else if (!this.#isPausing) {
      this.#isPausing = true;
      this.#pause = setTimeout(() => writeInFrame(this.#sayAfterPause), PAUSE_MS);
    }
  }

  /** Forgets the reply. The rest of it is not announced. */
  stop(): void {
    this.#endPause();
    this.#readers.clear();
    this.#reply = this.#old = undefined;
  }

  #endPause(): void {
    clearTimeout(this.#pause);
    this.#isPausing = false;
  }

  /** Loads the code that finds sentences, once. If that fails, each further reply tries again. */
  async #load(): Promise<void> {
    if (this.#Reader || this.#isLoading) return;
    this.#isLoading = true;
    try {
      ({ SentenceReader: this.#Reader } = await import('./speech'));
      // A short reply may have ended meanwhile.
      if (!this.#isPausing) this.#say();
    } catch (error: unknown) {
      this.#settings.reportFailure(error);
    }
    this.#isLoading = false;
  }

  #say(): void {
    const reply = this.#reply;
    const Reader = this.#Reader;
    if (!reply || !Reader) return;
    if (this.#old) this.#skipAll(this.#old, Reader);
    this.#old = undefined;
    const isFinished = !isReplyRunning(reply.status);
    const sentences = this.#readAll(reply, isFinished, Reader);
    if (sentences.length > 0) this.#settings.speak(sentences);
    if (isFinished) this.stop();
  }

  #readAll({ parts }: ReplyView, isFinished: boolean, Reader: typeof SentenceReader): string[] {
    const last = parts.length - 1;
    return parts.flatMap((part, index) => {
      if (part.type !== 'text') return [];
      // A part that is followed by another one gets no more text.
      const reader = this.#reader(index, Reader);
      return reader.read(part.text, isFinished || index < last).map(visibleLine);
    });
  }

  #skipAll({ parts }: ReplyView, Reader: typeof SentenceReader): void {
    for (const [index, part] of parts.entries()) {
      if (part.type !== 'text') continue;
      this.#reader(index, Reader).skip(part.text, index < parts.length - 1);
    }
  }

  #reader(index: number, Reader: typeof SentenceReader): SentenceReader {
    const known = this.#readers.get(index);
    if (known) return known;
    const { strings, languageName } = this.#settings;
    const language = document.documentElement.lang;
    const reader = new Reader({ strings, language, languageName });
    this.#readers.set(index, reader);
    return reader;
  }
}

/**
 * Maximum number of sentences that stay in the live region. Older ones have been read out long ago.
 */
const KEPT_SENTENCES = 40;

/** Announces events and finished sentences of a reply to screen readers, politely. */
export class Announcer {
  readonly #events = element('div', { class: 'announcer', attributes: { role: 'status' } });
  readonly #sentences = element('div', {
    class: 'spoken-reply',
    attributes: { 'aria-live': 'polite', 'aria-relevant': 'additions' },
  });
  readonly element = element('div', { class: 'visually-hidden' }, this.#sentences, this.#events);

  /** Announces an event. */
  say(text: string): void {
    // A screen reader announces the same text again only if it is in a new node.
    this.#events.replaceChildren(element('p', { text }));
  }

  /** Announces sentences of a reply. Each is read out once, after the ones before it. */
  read(sentences: readonly string[]): void {
    this.#sentences.append(...sentences.map((text) => element('p', { text })));
    const extra = this.#sentences.children.length - KEPT_SENTENCES;
    for (const old of [...this.#sentences.children].slice(0, Math.max(0, extra))) old.remove();
  }

  /**
   * Removes sentences that have been read out, so that readers don't find them behind the panel.
   */
  clear(): void {
    this.#sentences.replaceChildren();
  }
}
