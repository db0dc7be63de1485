import * as v from 'valibot';
import { DocsAssistantError, type Translate } from '../../common/errors';
import { MAX_PACKAGE_LENGTH } from '../../common/localDocsApi';
import type { Log } from '../../common/ports';
import { withoutUndefined } from '../../common/withoutUndefined';
import { MAX_CURRENT_PATH_LENGTH, pagePath } from '../context/documentPaths';
import {
  contextItemSchema,
  contextItemView,
  isSameContextItem,
  type ContextItem,
} from '../context/contextItem';
import {
  MAX_FILE_BYTES,
  MAX_FILES,
  MAX_FILES_BYTES,
  MAX_QUESTION_LENGTH,
} from '../../shared/limits';
import type { HostEvents } from '../../shared/protocol';
import type { AttachmentView, ContextItemView } from '../../shared/uiMessage';
import { sizeText } from '../../shared/units';
import { SecretGuard, type ScanSecrets } from './secretGuard';
import { attachmentSchema, type Attachment } from './thread';
import { attachmentView } from './shownThread';

/** Content for the next question, apart from its text, which the view keeps. */
export interface Draft {
  readonly contextItems: readonly ContextItem[];
  readonly files: readonly Attachment[];
  /** Path of the docs page that the question is about, if a link named one. */
  readonly page?: string;
  /** Name of the installed package that the question is about, if the reader narrowed it to one. */
  readonly package?: string;
  /** Text of the question that was asked while a reply ran. The rest of the draft goes along with it. */
  readonly queued?: string;
}

/** Storage of the draft beyond the life of the window. Undefined stands for an empty draft. */
export interface DraftStore {
  read(): Promise<Draft | undefined>;
  write(draft: Draft | undefined): Promise<void>;
}

const DRAFT_VERSION = 1;

/** Returns the draft as plain JSON for storage. */
export function storedDraft(draft: Draft): unknown {
  return { schemaVersion: DRAFT_VERSION, ...draft };
}

/**
 * Parses a draft that {@link storedDraft} returned, within the limits of a question.
 * @returns undefined for another `schemaVersion` and for corrupt data.
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
  page: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(MAX_CURRENT_PATH_LENGTH))),
  package: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(MAX_PACKAGE_LENGTH))),
  queued: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(MAX_QUESTION_LENGTH))),
});

interface PendingQuestionPorts {
  readonly store: DraftStore;
  readonly translate: Translate;
  readonly log: Log;
  readonly scanSecrets: ScanSecrets;
}

/** Content for the next question: context items, files and the page that it is about. */
export class PendingQuestion {
  readonly #ports: PendingQuestionPorts;
  readonly #onDidChange: (view: HostEvents['context-items']) => void;
  readonly #guard: SecretGuard;
  #draft: Draft = nothing;
  #writes: Promise<void> = Promise.resolve();
  #isWriting = false;
  /**
   * Whether a question was asked since the window opened, so that the stored draft is out of date.
   */
  #isTaken = false;
  /** Whether the queued question is sent when the running reply ends. */
  #isWaiting = false;

  constructor(
    ports: PendingQuestionPorts,
    onDidChange: (view: HostEvents['context-items']) => void,
  ) {
    this.#ports = ports;
    this.#onDidChange = onDidChange;
    const { scanSecrets: scan, translate, log } = ports;
    this.#guard = new SecretGuard({ scan, translate, log }, () => onDidChange(this.view));
  }

  /** Decides which content may be sent. */
  get guard(): Pick<SecretGuard, 'held' | 'question'> {
    return this.#guard;
  }

  get draft(): Draft {
    return this.#draft;
  }

  /** Content for the next question, as the view shows it. */
  get view(): HostEvents['context-items'] {
    const { contextItems, files, page, package: narrowed, queued } = this.#draft;
    return withoutUndefined({
      items: contextItems.map((item) => this.#marked(contextItemView(item), item)),
      files:
        files.length > 0
          ? files.map((file) => this.#marked(attachmentView(file), file))
          : undefined,
      page,
      package: narrowed,
      queued: queued === undefined ? undefined : { text: queued, isWaiting: this.#isWaiting },
    });
  }

  /**
   * Restores the draft that was stored when the window closed, and keeps what was added since then.
   */
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
      this.#draft = joined(stored, added);
      this.#guard.watch([...this.#draft.contextItems, ...this.#draft.files]);
      this.#onDidChange(this.view);
      if (!isEmpty(added)) this.#write();
    } catch (error) {
      log.error('What waited for the next question could not be read', error);
    }
  }

  /** Adds items that aren't there yet. */
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
   * Adds a file unless it is already there.
   * @throws {DocsAssistantError} `too-many-files`, `file-refused` for one that is too large.
   */
  addFile(file: Attachment): void {
    const { files } = this.#draft;
    if (files.some((other) => isSameFile(other, file))) return;
    const refusal = fileRefusal(file, files);
    if (refusal) {
      const { code, sentence } = refusal;
      const serviceMessage = sentence(this.#ports.translate);
      throw new DocsAssistantError(code, { serviceMessage });
    }
    this.#change({ files: [...files, file] });
  }

  removeFile(id: string): void {
    const { files } = this.#draft;
    const rest = files.filter((file) => file.id !== id);
    if (rest.length < files.length) this.#change({ files: rest });
  }

  /**
   * Carries out the reader's decision about content with a possible secret. Does nothing if the
   * content is gone.
   */
  async chooseAboutSecrets(id: string, choice: 'redact' | 'send' | 'remove'): Promise<void> {
    const { contextItems, files } = this.#draft;
    const item = contextItems.find((other) => other.id === id);
    const file = files.find((other) => other.id === id);
    const content = item ?? file;
    if (!content) return;
    if (choice === 'remove') {
      if (item) this.removeContextItem(id);
      else this.removeFile(id);
    } else if (choice === 'send') {
      this.#guard.allow(content);
      this.#onDidChange(this.view);
    } else if (item) {
      const redacted = await this.#guard.redacted(item);
      this.#change({ contextItems: replaced(this.#draft.contextItems, item, redacted) });
    } else if (file) {
      const redacted = await this.#guard.redacted(file);
      this.#change({ files: replaced(this.#draft.files, file, redacted) });
    }
  }

  /**
   * Sets the page. A path over {@link MAX_CURRENT_PATH_LENGTH} is ignored, because no service would
   * accept it.
   */
  setPage(path: string | undefined): void {
    const given = path ? pagePath(path) : undefined;
    const page = given && given.length <= MAX_CURRENT_PATH_LENGTH ? given : undefined;
    if (page !== this.#draft.page) this.#change({ page });
  }

  /** Narrows the question to an installed package, or to none. */
  setPackage(name: string | undefined): void {
    if (name !== this.#draft.package) this.#change({ package: name });
  }

  /** Queues a question, to be sent with the rest of the draft when the running reply ends. */
  queue(text: string): void {
    this.#isWaiting = true;
    this.#change({ queued: text });
  }

  unqueue(): void {
    this.#isWaiting = false;
    if (this.#draft.queued !== undefined) this.#change({ queued: undefined });
  }

  /** Keeps the queued question, without sending it when a reply ends. */
  holdQueued(): void {
    if (!this.#isWaiting) return;
    this.#isWaiting = false;
    this.#onDidChange(this.view);
  }

  /** Text of the question that is sent when the running reply ends. */
  get waiting(): string | undefined {
    return this.#isWaiting ? this.#draft.queued : undefined;
  }

  /** Empties the draft, whose question is asked. A queued question stays. */
  take(): void {
    const { queued, ...rest } = this.#draft;
    this.#isTaken = true;
    if (!isEmpty(rest)) this.#set({ ...nothing, queued });
  }

  /** Resolves when all earlier changes are stored, or have failed and are logged. */
  async flush(): Promise<void> {
    await this.#writes;
  }

  #change(change: Partial<Draft>): void {
    this.#set({ ...this.#draft, ...change });
  }

  /** Returns the view with the result of the scan for secrets. */
  #marked<View extends ContextItemView | AttachmentView>(
    view: View,
    content: ContextItem | Attachment,
  ): View {
    const secrets = this.#guard.markOf(content);
    return secrets ? { ...view, secrets } : view;
  }

  #set(draft: Draft): void {
    this.#draft = draft;
    this.#guard.watch([...draft.contextItems, ...draft.files]);
    this.#onDidChange(this.view);
    this.#write();
  }

  /**
   * Writes the draft. Writes run one at a time. If the draft changes during a write, only its last
   * state is written next.
   */
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

/** Returns the stored draft with later additions. Files that exceed a limit are left out. */
function joined(stored: Draft, added: Draft): Draft {
  const files = [...stored.files];
  for (const file of added.files) {
    const isThere = files.some((other) => isSameFile(other, file));
    if (!isThere && !fileRefusal(file, files)) files.push(file);
  }
  return {
    ...stored,
    ...withoutUndefined(added),
    contextItems: withItems(stored.contextItems, added.contextItems),
    files,
  };
}

/** Returns the list with one entry replaced. The entry may have been removed in the meantime. */
function replaced<Entry>(entries: readonly Entry[], old: Entry, next: Entry): readonly Entry[] {
  return entries.map((entry) => (entry === old ? next : entry));
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
  readonly sentence: (t: Translate) => string;
}

/** Returns the reason why a file can't be added to the others, or undefined if it can. */
function fileRefusal(file: Attachment, files: readonly Attachment[]): FileRefusal | undefined {
  const { filename, sizeBytes } = file;
  if (sizeBytes > MAX_FILE_BYTES) {
    const values = [filename, sizeText(sizeBytes), sizeText(MAX_FILE_BYTES)];
    return {
      code: 'file-refused',
      sentence: (t) => t('{0} is {1}. Files can be up to {2}.', ...values),
    };
  }
  if (files.length >= MAX_FILES) {
    return {
      code: 'too-many-files',
      sentence: (t) =>
        t('You can attach up to {1} files. Remove one to add {0}.', filename, MAX_FILES),
    };
  }
  const totalBytes = files.reduce((sum, other) => sum + other.sizeBytes, sizeBytes);
  if (totalBytes <= MAX_FILES_BYTES) return undefined;
  const sizes = [sizeBytes, totalBytes, MAX_FILES_BYTES].map(sizeText);
  return {
    code: 'too-many-files',
    sentence: (t) =>
      t(
        'With {0} ({1}), the files would total {2}. All files of a question can total up to {3}.',
        filename,
        ...sizes,
      ),
  };
}

function isSameFile(a: Attachment, b: Attachment): boolean {
  return a.filename === b.filename && a.url === b.url;
}

const nothing: Draft = { contextItems: [], files: [] };

function isEmpty({ contextItems, files, page, package: narrowed, queued }: Draft): boolean {
  const hasAttached = contextItems.length > 0 || files.length > 0;
  const hasContent = hasAttached || page !== undefined || narrowed !== undefined;
  return !hasContent && queued === undefined;
}
