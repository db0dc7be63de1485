import type * as vscode from 'vscode';
import type { Disposable } from '../../common/disposable';
import { DisposableStore } from '../../common/disposable';
import { DocsAssistantError } from '../../common/errors';
import { Lazy } from '../../common/lazy';
import type { DocsFeature, DocsFeaturePorts } from './docsFeature';

interface LocalServicePorts extends Omit<DocsFeaturePorts, 'remembered' | 'remember'> {
  /** Stores which docs are served, so that a reloaded window serves them again. */
  readonly memento: vscode.Memento;
}

/** Key of the docs that this workspace answers from, in its memento. */
const SERVED_DOCS = 'localService';

/**
 * The part of the local docs service that loads at the start. The rest loads with the first docs that
 * are chosen, or if this workspace answered from some before.
 */
export class LocalServiceEntry implements Disposable {
  readonly #ports: LocalServicePorts;
  readonly #store = new DisposableStore();
  readonly #feature = new Lazy(() => this.#load());
  #resuming: Promise<void> | undefined;
  /** Number of times that the reader has stopped the service or left it for another site. */
  #stops = 0;

  constructor(ports: LocalServicePorts) {
    this.#ports = ports;
  }

  /** Stored value of the docs that this workspace answered from last. */
  get remembered(): unknown {
    return this.#ports.memento.get(SERVED_DOCS);
  }

  feature(): Promise<DocsFeature> {
    return this.#feature.get();
  }

  /**
   * Serves the docs again that were served when the window closed, if any. Resolves when the
   * service answers, which can be before all pages are read, or when it can't start. Concurrent
   * callers wait for the same start, so that none asks another site meanwhile.
   */
  async resume(): Promise<void> {
    const { local } = this.#ports.site;
    if (local?.takesWriter && !local.answersWith) await (await this.feature()).tellWriter();
    if (local || this.remembered === undefined) return;
    this.#resuming ??= this.#resume().finally(() => (this.#resuming = undefined));
    await this.#resuming;
  }

  /** Serves the docs again, as {@link resume} does. A failure is logged, and the hosted site is asked. */
  async tryResume(): Promise<void> {
    try {
      await this.resume();
    } catch (error) {
      this.#ports.log.error('The docs of this workspace could not be served again', error);
    }
  }

  /**
   * Lets a question wait for docs that are being served again, as {@link LocalServiceEntry.resume} does.
   * @throws {DocsAssistantError} `docs-not-served` if they can't be served. The question would go to
   * another site, where it can cost a credit.
   */
  async awaitDocs(): Promise<void> {
    const { site } = this.#ports;
    const isAwaited = !site.local && this.remembered !== undefined;
    const stops = this.#stops;
    await this.resume();
    // Docs that can't be served are forgotten, and the next question goes to the hosted site.
    const isLost = !site.local && this.remembered === undefined && this.#stops === stops;
    if (isAwaited && isLost) throw new DocsAssistantError('docs-not-served');
  }

  async stop(): Promise<void> {
    this.#stops++;
    await (await this.feature()).stop();
  }

  /** Makes way for a hosted site: stops the service, and forgets docs that would be served again. */
  async leave(): Promise<void> {
    if (this.#ports.site.local || this.remembered !== undefined) await this.stop();
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #load(): Promise<DocsFeature> {
    const { createDocsFeature } = await import('./docsFeature');
    return this.#store.add(
      createDocsFeature({
        ...this.#ports,
        remembered: () => this.remembered,
        remember: async (docs) => this.#ports.memento.update(SERVED_DOCS, docs),
      }),
    );
  }

  async #resume(): Promise<void> {
    const { site } = this.#ports;
    const feature = await this.feature();
    let listening: Disposable | undefined;
    const answers = new Promise<void>((resolve) => {
      listening = site.onDidChange(() => site.local && resolve());
    });
    try {
      await Promise.race([feature.resume(), answers]);
    } finally {
      listening?.dispose();
    }
  }
}
