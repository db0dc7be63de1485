/** Finds secrets in the content for the next question and remembers the reader's decisions. */
import { createHash } from 'node:crypto';
import type { Translate } from '../../common/errors';
import type { Log } from '../../common/ports';
import { redactedText, secretName, type Finding } from '../../common/secretScan/finding';
import type { HeldContent, SecretChoice } from '../../shared/protocol';
import type { SecretMark } from '../../shared/uiMessage';
import type { ContextItem } from '../context/contextItem';
import { dataOfUrl } from '../context/attachment';
import type { Attachment } from './thread';

/** Finds secrets in a text. Its code loads with the first scan. */
export type ScanSecrets = (text: string) => Promise<readonly Finding[]>;

interface SecretGuardPorts {
  readonly scan: ScanSecrets;
  readonly translate: Translate;
  readonly log: Log;
}

type PendingContent = ContextItem | Attachment;

/** ID that stands for the question's own text in the list of content that is held back. */
const QUESTION_ID = 'question';

/**
 * Decides what may be sent. Content with a possible secret is held back until the reader redacts it,
 * removes it, or allows it. A permission holds for that content only.
 */
export class SecretGuard {
  readonly #ports: SecretGuardPorts;
  readonly #onDidScan: () => void;
  /** Scans by content object. Objects are never changed, so a scan stays valid. */
  readonly #scans = new WeakMap<PendingContent, Promise<readonly Finding[]>>();
  readonly #found = new WeakMap<PendingContent, readonly Finding[]>();
  /** Digests of the contents that the reader allowed. */
  readonly #allowed = new Set<string>();

  /** @param onDidScan called when a scan has found something. */
  constructor(ports: SecretGuardPorts, onDidScan: () => void) {
    this.#ports = ports;
    this.#onDidScan = onDidScan;
  }

  /** Scans contents in the background, so that they are marked before the question is sent. */
  watch(contents: readonly PendingContent[]): void {
    for (const content of contents) {
      this.#scan(content).catch((error: unknown) => {
        this.#ports.log.error('The scan for secrets failed', error);
      });
    }
  }

  /** Returns the result of the scan, for the chip of the content. */
  markOf(content: PendingContent): SecretMark | undefined {
    const found = this.#found.get(content) ?? [];
    if (found.length === 0)
      return content.isRedacted ? { state: 'redacted', kinds: [] } : undefined;
    const state = this.#allowed.has(digest(textOf(content))) ? 'allowed' : 'found';
    return { state, kinds: this.#kindsOf(found) };
  }

  /** Returns the contents that need a decision. Scans contents that aren't scanned yet. */
  async held(contents: readonly PendingContent[]): Promise<HeldContent[]> {
    const held: HeldContent[] = [];
    for (const content of contents) {
      const found = await this.#scan(content);
      if (found.length === 0 || this.#allowed.has(digest(textOf(content)))) continue;
      held.push({ id: content.id, name: nameOf(content), kinds: this.#kindsOf(found) });
    }
    return held;
  }

  /**
   * Returns the question's text for sending, or the content that holds it back.
   * @param choice decision of the reader about this text.
   */
  async question(
    text: string,
    choice: SecretChoice | undefined,
  ): Promise<{ readonly text: string } | { readonly held: HeldContent }> {
    if (this.#allowed.has(digest(text))) return { text };
    const found = await this.#ports.scan(text);
    if (found.length === 0) return { text };
    if (choice === 'send') {
      this.#allowed.add(digest(text));
      return { text };
    }
    if (choice === 'redact') return { text: redactedText(text, found) };
    const name = this.#ports.translate('Your question');
    return { held: { id: QUESTION_ID, name, kinds: this.#kindsOf(found) } };
  }

  allow(content: PendingContent): void {
    this.#allowed.add(digest(textOf(content)));
  }

  /** Returns the content with `[redacted: …]` in place of each finding. */
  async redacted<Content extends PendingContent>(content: Content): Promise<Content> {
    const text = redactedText(textOf(content), await this.#scan(content));
    if ('value' in content) return { ...content, value: text, isRedacted: true };
    const bytes = Buffer.from(text, 'utf8');
    const url = `data:${content.mediaType};base64,${bytes.toString('base64')}`;
    return { ...content, url, sizeBytes: bytes.length, isRedacted: true };
  }

  /** Scans a content once. A scan that failed is tried again. */
  #scan(content: PendingContent): Promise<readonly Finding[]> {
    const known = this.#scans.get(content);
    if (known) return known;
    const scan = this.#ports.scan(textOf(content)).then((found) => {
      this.#found.set(content, found);
      if (found.length > 0) this.#onDidScan();
      return found;
    });
    this.#scans.set(content, scan);
    scan.catch(() => this.#scans.delete(content));
    return scan;
  }

  #kindsOf(found: readonly Finding[]): string[] {
    return [...new Set(found.map((each) => secretName(each, this.#ports.translate)))];
  }
}

/** Returns the text of a content. Pictures and PDF files have none that could be scanned. */
function textOf(content: PendingContent): string {
  if ('value' in content) return content.value;
  if (/^(?:image\/|application\/pdf)/.test(content.mediaType)) return '';
  const data = dataOfUrl(content.url);
  return data ? new TextDecoder().decode(data.bytes) : '';
}

function nameOf(content: PendingContent): string {
  return 'value' in content ? (content.path ?? content.label) : content.filename;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
