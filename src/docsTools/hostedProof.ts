/** Compares replies of a hosted site with the docs of that site that the reader keeps on this machine. */
import type { Question, Reply } from '../chat/conversation/thread';
import { sourceAddress } from '../chat/sources/sourceAddress';
import type { Disposable } from '../common/disposable';
import { errorCodeOrName } from '../common/errorCode';
import { MAX_PROOF_PAGES, MAX_PROOF_TEXT, type ProofRequest } from '../common/localDocsApi';
import { withoutUndefined } from '../common/withoutUndefined';
import type { KeptDocs } from '../shared/errorInfo';
import type { Proof } from '../shared/proof';
import type { SourcePart } from '../shared/uiMessage';
import { type LocalDocsClientPorts, searchableDocs } from './localDocs';
import type { DocsTarget } from './toolCall';

/** Kept docs of the site that gave a reply. */
interface DocsOfSite {
  readonly kept: KeptDocs;
  /** Host at which these docs are published. */
  readonly host: string;
}

/** A local docs service that reads kept docs. */
export interface ServedDocs {
  readonly target: Pick<DocsTarget, 'local'>;
  readonly hasEnded?: () => boolean;
  readonly close: () => void;
}

interface HostedProofPorts extends LocalDocsClientPorts {
  /** Returns kept docs of a site, or undefined if there are none. */
  readonly docsOf: (siteId: string) => DocsOfSite | undefined;
  /**
   * Starts a service for kept docs.
   * @throws if their pages can't be read.
   */
  readonly serve: (kept: KeptDocs, signal: AbortSignal) => Promise<ServedDocs>;
}

/** Milliseconds without a reply after which the service ends. To start it again takes seconds. */
const IDLE_MS = 10 * 60 * 1000;

export class HostedProof implements Disposable {
  readonly #ports: HostedProofPorts;
  readonly #closing = new AbortController();
  #idle = new AbortController();
  #serving: { readonly kept: KeptDocs; readonly service: Promise<ServedDocs> } | undefined;

  constructor(ports: HostedProofPorts) {
    this.#ports = ports;
  }

  /**
   * Compares a reply with the pages that it cites, as the kept docs have them. Returns undefined without kept docs, if they lack one of the pages, or if they can't be read. Never rejects.
   */
  async prove(reply: Reply, question: Question): Promise<Proof | undefined> {
    const { docsOf, log } = this.#ports;
    const docs = reply.siteId === undefined ? undefined : docsOf(reply.siteId);
    const sources = docs ? citedPages(reply, docs.host) : [];
    const request = proofRequest(reply, question, sources);
    if (!docs || !request || this.#closing.signal.aborted) return undefined;
    this.#idle.abort(new Error('In use'));
    try {
      return await this.#compare(docs.kept, sources, request);
    } catch (error) {
      log.warn(`A reply wasn’t compared with kept docs: ${errorCodeOrName(error)}`);
      return undefined;
    } finally {
      void this.#endWhenIdle();
    }
  }

  dispose(): void {
    this.#closing.abort(new Error('Closed'));
    this.#idle.abort(new Error('Closed'));
    this.#end();
  }

  async #compare(
    kept: KeptDocs,
    sources: readonly SourcePart[],
    request: ProofRequest,
  ): Promise<Proof | undefined> {
    let served = await this.#serve(kept);
    if (served.hasEnded?.() === true) {
      this.#end();
      served = await this.#serve(kept);
    }
    const { local } = served.target;
    if (!local) return undefined;
    const { signal } = this.#closing;
    const { proof } = await searchableDocs(this.#ports, local).proof(request, signal);
    if (!proof || proof.statements + proof.unproven.length === 0) return undefined;
    return {
      ...proof,
      unproven: proof.unproven.map(({ cited = -1, ...one }) =>
        withoutUndefined({ ...one, sourceId: sources[cited]?.sourceId }),
      ),
      docs: kept,
    };
  }

  /** Returns the service that reads the docs. Starts it if none does, or if they were fetched again. */
  async #serve(kept: KeptDocs): Promise<ServedDocs> {
    const before = this.#serving;
    if (before?.kept.id === kept.id && before.kept.fetchedAt === kept.fetchedAt) {
      return before.service;
    }
    this.#end();
    const service = this.#ports.serve(kept, this.#closing.signal);
    const serving = { kept, service };
    this.#serving = serving;
    try {
      return await service;
    } catch (error) {
      if (this.#serving === serving) this.#serving = undefined;
      throw error;
    }
  }

  #end(): void {
    const service = this.#serving?.service;
    this.#serving = undefined;
    service?.then(
      ({ close }) => close(),
      () => undefined,
    );
  }

  async #endWhenIdle(): Promise<void> {
    this.#idle.abort(new Error('Replaced'));
    if (this.#closing.signal.aborted) return;
    this.#idle = new AbortController();
    const { signal } = this.#idle;
    await this.#ports.clock.delay(IDLE_MS, signal).catch(() => undefined);
    if (!signal.aborted) this.#end();
  }
}

/** Returns the sources of a reply, or none if one of them isn't a page of the host. */
function citedPages({ parts }: Reply, host: string): readonly SourcePart[] {
  const sources = parts.filter((part) => part.type === 'source-url');
  const isForeign = sources.some(({ url }) => {
    const address = sourceAddress(url);
    return !address || (address.url && address.url.host !== host);
  });
  return isForeign ? [] : sources;
}

/** Returns the request for the comparison, or undefined if there is nothing to compare or too much. */
function proofRequest(
  { parts }: Reply,
  question: Question,
  sources: readonly SourcePart[],
): ProofRequest | undefined {
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
  if (sources.length === 0 || sources.length > MAX_PROOF_PAGES) return undefined;
  if (text.trim() === '' || text.length > MAX_PROOF_TEXT) return undefined;
  return {
    text,
    cited: sources.map(({ url }) => url),
    readersTexts: [question.text, ...question.contextItems.map(({ value }) => value)],
  };
}
