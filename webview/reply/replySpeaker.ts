import { isReplyRunning, type ReplyView } from '../src/shared/uiMessage';
import type { ViewStrings } from '../src/shared/viewStrings';
import { visibleText } from './dom';
import type { SentenceReader } from './sentences';

/** The least time between two announcements: more would interrupt what is being read. */
const PAUSE_MS = 1_000;

interface ReplySpeakerSettings {
  readonly strings: ViewStrings;
  /** Puts sentences into the live region. */
  readonly speak: (sentences: readonly string[]) => void;
  readonly languageName: (word: string) => string;
  readonly reportFailure: (error: unknown) => void;
}

/**
 * Says the sentences of the running reply as they are finished, and the rest when it ends. What
 * finds sentences has no part in the first paint: it is loaded when a reply runs.
 */
export class ReplySpeaker {
  readonly #settings: ReplySpeakerSettings;
  /** By the place of the part in the reply. */
  readonly #readers = new Map<number, SentenceReader>();
  #reply: ReplyView | undefined;
  /** What the reply held when it was first seen and need not be read: passed over before the rest. */
  #old: ReplyView | undefined;
  #Reader: typeof SentenceReader | undefined;
  #isLoading = false;
  #pause: ReturnType<typeof setTimeout> | undefined;
  #isPausing = false;

  constructor(settings: ReplySpeakerSettings) {
    this.#settings = settings;
  }

  /** The reply that is being said, if one is. */
  get replyId(): string | undefined {
    return this.#reply?.id;
  }

  /** Its state now. What it holds when it is first seen is read only if it began just now. */
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
      this.#pause = setTimeout(() => {
        this.#isPausing = false;
        this.#say();
      }, PAUSE_MS);
    }
  }

  /** Forgets the reply; what was not said of it stays unsaid. */
  stop(): void {
    this.#endPause();
    this.#readers.clear();
    this.#reply = this.#old = undefined;
  }

  #endPause(): void {
    clearTimeout(this.#pause);
    this.#isPausing = false;
  }

  /** Loaded once; where that fails, each further reply tries again. */
  async #load(): Promise<void> {
    if (this.#Reader || this.#isLoading) return;
    this.#isLoading = true;
    try {
      ({ SentenceReader: this.#Reader } = await import('./sentences'));
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
      // What stands before another part gets no more text.
      const reader = this.#reader(index, Reader);
      return reader.read(part.text, isFinished || index < last).map(visibleText);
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
