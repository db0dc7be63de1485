import { isReplyRunning, type ReplyView } from '../src/shared/uiMessage';
import type { ViewStrings } from '../src/shared/viewStrings';
import { visibleText } from './dom';
import { SentenceReader } from './sentences';

/** The least time between two announcements: more would interrupt what is being read. */
const PAUSE_MS = 1_000;

interface ReplySpeakerSettings {
  readonly strings: ViewStrings;
  /** Puts sentences into the live region. */
  readonly speak: (sentences: readonly string[]) => void;
  readonly languageName: (word: string) => string;
}

/** Says the sentences of the running reply as they are finished, and the rest when it ends. */
export class ReplySpeaker {
  readonly #settings: ReplySpeakerSettings;
  /** By the place of the part in the reply. */
  readonly #readers = new Map<number, SentenceReader>();
  #reply: ReplyView | undefined;
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
      if (isOld) this.#skipAll(reply);
    }
    this.#reply = reply;
    if (!isReplyRunning(reply.status)) {
      this.#say();
      this.stop();
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
    clearTimeout(this.#pause);
    this.#isPausing = false;
    this.#readers.clear();
    this.#reply = undefined;
  }

  #say(): void {
    if (!this.#reply) return;
    const sentences = this.#readAll(this.#reply, !isReplyRunning(this.#reply.status));
    if (sentences.length > 0) this.#settings.speak(sentences);
  }

  #readAll({ parts }: ReplyView, isFinished: boolean): string[] {
    const last = parts.length - 1;
    return parts.flatMap((part, index) => {
      if (part.type !== 'text') return [];
      // What stands before another part gets no more text.
      const sentences = this.#reader(index).read(part.text, isFinished || index < last);
      return sentences.map(visibleText);
    });
  }

  #skipAll({ parts }: ReplyView): void {
    for (const [index, part] of parts.entries()) {
      if (part.type === 'text') this.#reader(index).skip(part.text, index < parts.length - 1);
    }
  }

  #reader(index: number): SentenceReader {
    const known = this.#readers.get(index);
    if (known) return known;
    const { strings, languageName } = this.#settings;
    const language = document.documentElement.lang;
    const reader = new SentenceReader({ strings, language, languageName });
    this.#readers.set(index, reader);
    return reader;
  }
}
