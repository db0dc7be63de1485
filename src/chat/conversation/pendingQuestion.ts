import * as v from 'valibot';
import { DocsAssistantError, type Translate } from '../common/errors';
import type { Log } from '../common/ports';
import { MAX_CURRENT_PATH_LENGTH, pagePath } from '../context/currentPath';
import { contextItemView, isSameContextItem, type ContextItem } from '../context/contextItem';
import { MAX_FILE_BYTES, MAX_FILES, MAX_FILES_BYTES, type HostEvents } from '../shared/protocol';
import { readableSize } from '../shared/readableSize';
import { attachmentSchema, attachmentView, contextItemSchema, type Attachment } from './thread';

/** What waits for the next question, apart from its text, which the view keeps. */
export interface Draft {
  readonly contextItems: readonly ContextItem[];
  readonly files: readonly Attachment[];
  /** Path of the docs page that the question is about, where a link named one. */
  readonly page?: string;
}

/** Where a draft outlives the window; undefined stands for one with nothing in it. */
export interface DraftStore {
  read(): Promise<Draft | undefined>;
  write(draft: Draft | undefined): Promise<void>;
}

const DRAFT_VERSION = 1;

/** The draft as it is stored: plain JSON. */
export function storedDraft(draft: Draft): unknown {
  return { schemaVersion: DRAFT_VERSION, ...draft };
}

/**
 * Reads what {@link storedDraft} made, within the limits of a question.
 * @returns undefined for another `schemaVersion` and for anything corrupt.
 */
export function parseStoredDraft(record: unknown): Draft | undefined {
  const parsed = v.safeParse(draftSchema, record);
  if (!parsed.success) return undefined;
  const { schemaVersion: _schemaVersion, ...draft } = parsed.output;
  return draft;
}

const draftSchema = v.object({
  schemaVersion: v.literal(DRAFT_VERSION),
  contextItems: v.array(contextItemSchema),
  files: v.pipe(v.array(attachmentSchema), v.maxLength(MAX_FILES)),
  page: v.exactOptional(v.pipe(v.string(), v.minLength(1), v.maxLength(MAX_CURRENT_PATH_LENGTH))),
});

interface PendingQuestionPorts {
  readonly store: DraftStore;
  readonly translate: Translate;
  readonly log: Log;
}

/** What goes along with the next question: context items, files and the page it is about. */
export class PendingQuestion {
  readonly #ports: PendingQuestionPorts;
  readonly #onDidChange: (view: HostEvents['context-items']) => void;
  #draft: Draft = nothing;
  #writes: Promise<void> = Promise.resolve();
  #isWriting = false;
  /** A question was asked since the window opened, so that what is stored is of the past. */
  #isTaken = false;

  constructor(
    ports: PendingQuestionPorts,
    onDidChange: (view: HostEvents['context-items']) => void,
  ) {
    this.#ports = ports;
    this.#onDidChange = onDidChange;
  }

  get draft(): Draft {
    return this.#draft;
  }

  /** What a view shows of it. */
  get view(): HostEvents['context-items'] {
    const { contextItems, files, page } = this.#draft;
    return {
      items: contextItems.map(contextItemView),
      ...(files.length > 0 ? { files: files.map(attachmentView) } : {}),
      ...(page === undefined ? {} : { page }),
    };
  }

  /** Brings back what waited when the window closed, beside what was added since then. */
  async restore(): Promise<void> {
    const { store, log } = this.#ports;
    try {
      const stored = await store.read();
      if (!stored) return;
      if (this.#isTaken) {
        this.#write();
        return;
      }
      const added = this.#draft;
      this.#draft = isEmpty(added) ? stored : joined(stored, added);
      this.#onDidChange(this.view);
      if (!isEmpty(added)) this.#write();
    } catch (error) {
      log.error('What waited for the next question could not be read', error);
    }
  }

  /** Adds items; one that is there already is not added again. */
  addContextItems(items: readonly ContextItem[]): void {
    const contextItems = withItems(this.#draft.contextItems, items);
    if (contextItems.length > this.#draft.contextItems.length) this.#change({ contextItems });
  }

  removeContextItem(id: string): void {
    const { contextItems } = this.#draft;
    const rest = contextItems.filter((item) => item.id !== id);
    if (rest.length < contextItems.length) this.#change({ contextItems: rest });
  }

  /**
   * Adds a file, unless it is there already.
   * @throws {DocsAssistantError} `too-many-files`, `file-refused` for one that is too large.
   */
  addFile(file: Attachment): void {
    const { files } = this.#draft;
    if (files.some((other) => isSameFile(other, file))) return;
    const refusal = fileRefusal(file, files);
    if (refusal) {
      const { code, sentence, values } = refusal;
      const serviceMessage = this.#ports.translate(sentence, ...values);
      throw new DocsAssistantError(code, { serviceMessage });
    }
    this.#change({ files: [...files, file] });
  }

  removeFile(id: string): void {
    const { files } = this.#draft;
    const rest = files.filter((file) => file.id !== id);
    if (rest.length < files.length) this.#change({ files: rest });
  }

  /** A path over {@link MAX_CURRENT_PATH_LENGTH} is not taken: no service would. */
  setPage(path: string | undefined): void {
    const given = path ? pagePath(path) : undefined;
    const page = given && given.length <= MAX_CURRENT_PATH_LENGTH ? given : undefined;
    if (page === this.#draft.page) return;
    const { page: _page, ...rest } = this.#draft;
    this.#set(page === undefined ? rest : { ...rest, page });
  }

  /** What waits, which waits no longer. */
  take(): Draft {
    const draft = this.#draft;
    this.#isTaken = true;
    if (!isEmpty(draft)) this.#set(nothing);
    return draft;
  }

  /** Resolves when everything up to now is in the store, or has failed and is in the log. */
  async flush(): Promise<void> {
    await this.#writes;
  }

  #change(change: Partial<Draft>): void {
    this.#set({ ...this.#draft, ...change });
  }

  #set(draft: Draft): void {
    this.#draft = draft;
    this.#onDidChange(this.view);
    this.#write();
  }

  /** One write at a time, and only the last state of those that came meanwhile. */
  #write(): void {
    if (this.#isWriting) return;
    this.#isWriting = true;
    this.#writes = this.#writes.then(async () => {
      let written: Draft | undefined;
      while (written !== this.#draft) {
        written = this.#draft;
        await this.#store(written);
      }
      this.#isWriting = false;
    });
  }

  async #store(draft: Draft): Promise<void> {
    const { store, log } = this.#ports;
    try {
      await store.write(isEmpty(draft) ? undefined : draft);
    } catch (error) {
      log.error('What waits for the next question could not be stored', error);
    }
  }
}

/** What was stored with what was added since; files that do not fit beside are left out. */
function joined(stored: Draft, added: Draft): Draft {
  const files = [...stored.files];
  for (const file of added.files) {
    const isThere = files.some((other) => isSameFile(other, file));
    if (!isThere && !fileRefusal(file, files)) files.push(file);
  }
  return {
    ...stored,
    ...added,
    contextItems: withItems(stored.contextItems, added.contextItems),
    files,
  };
}

function withItems(
  items: readonly ContextItem[],
  added: readonly ContextItem[],
): readonly ContextItem[] {
  const all = [...items];
  for (const item of added) {
    if (!all.some((other) => isSameContextItem(other, item))) all.push(item);
  }
  return all;
}

interface FileRefusal {
  readonly code: 'file-refused' | 'too-many-files';
  /** With places for the values, to be translated. */
  readonly sentence: string;
  readonly values: readonly (string | number)[];
}

/** Why a file cannot go along with those that are there; undefined if it can. */
function fileRefusal(file: Attachment, files: readonly Attachment[]): FileRefusal | undefined {
  const { filename, sizeBytes } = file;
  if (sizeBytes > MAX_FILE_BYTES) {
    const values = [filename, readableSize(sizeBytes), readableSize(MAX_FILE_BYTES)];
    return { code: 'file-refused', sentence: '{0} has {1}. A file may have at most {2}.', values };
  }
  if (files.length >= MAX_FILES) {
    const values = [filename, MAX_FILES];
    return {
      code: 'too-many-files',
      sentence: 'A question may have {1}, and {0} would be one more.',
      values,
    };
  }
  const totalBytes = files.reduce((sum, other) => sum + other.sizeBytes, sizeBytes);
  if (totalBytes <= MAX_FILES_BYTES) return undefined;
  const sizes = [sizeBytes, totalBytes, MAX_FILES_BYTES].map(readableSize);
  return {
    code: 'too-many-files',
    sentence: 'With {0} of {1} they would have {2}. All together may have at most {3}.',
    values: [filename, ...sizes],
  };
}

function isSameFile(a: Attachment, b: Attachment): boolean {
  return a.filename === b.filename && a.url === b.url;
}

const nothing: Draft = { contextItems: [], files: [] };

function isEmpty({ contextItems, files, page }: Draft): boolean {
  return contextItems.length === 0 && files.length === 0 && page === undefined;
}
