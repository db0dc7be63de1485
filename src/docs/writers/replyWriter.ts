import { systemClock } from '../../common/clock';
import { Emitter } from '../../common/event';
import type { Clock, Fetch, Log } from '../../common/ports';
import { endpointKeyRefusal, parseEndpointAddress, endpointRefusalText } from './endpointAddress';
import { endpointEmbedder, EndpointModel, type EndpointPorts } from './endpointModel';
import type { Model } from './model';
import type { Embedder } from './similarSections';
import type { Writer } from './writer';

interface ReplyWriterPorts {
  readonly fetch: Fetch;
  /** The clock of the system by default. */
  readonly clock?: Clock;
  readonly log: Log;
  /** Returns a model of VS Code, which only a process that a window started can use. */
  readonly vscodeModel?: (label: string, maxInputTokens: number) => Model;
}

/**
 * Has the model that writes the replies. Until the reader chooses one, there is no model, and replies are
 * quotes. A reply that has begun keeps its model.
 */
export class ReplyWriter {
  readonly #ports: ReplyWriterPorts & EndpointPorts;
  readonly #changed = new Emitter<void>();
  #model: Model | undefined;
  #embedder: Embedder | undefined;

  /** Fires when the reader has chosen a model or quotes. */
  readonly onDidChange = this.#changed.event;

  constructor(ports: ReplyWriterPorts) {
    this.#ports = { ...ports, clock: ports.clock ?? systemClock };
  }

  /** The chosen model, or undefined for quotes. */
  get model(): Model | undefined {
    return this.#model;
  }

  /** The model that finds sections by meaning, if the reader chose one. */
  get embedder(): Embedder | undefined {
    return this.#embedder;
  }

  /**
   * Changes the model for the next questions, or changes to quotes. If the URL or key of an endpoint can't be
   * used, replies are quotes and nothing is sent to the endpoint.
   */
  answerWith(writer: Writer): void {
    this.#embedder = undefined;
    this.#model = this.#modelOf(writer);
    this.#ports.log.info(
      this.#model ? `Replies are written by ${this.#model.label}` : 'Replies are quotes',
    );
    this.#changed.fire();
  }

  #modelOf(writer: Writer): Model | undefined {
    const { vscodeModel, log } = this.#ports;
    switch (writer.kind) {
      case 'quotes':
        return undefined;
      case 'vscode':
        return vscodeModel?.(writer.label, writer.maxInputTokens);
      case 'endpoint': {
        const parsed = parseEndpointAddress(writer.baseUrl);
        const refusal =
          parsed.ok && writer.key !== undefined
            ? endpointKeyRefusal(parsed, writer.key)
            : undefined;
        const address = refusal ?? parsed;
        if (!address.ok) {
          log.warn(`Can't use the endpoint: ${endpointRefusalText(address)}`);
          return undefined;
        }
        const { model } = writer;
        const endpoint = { ...writer, baseUrl: address.baseUrl };
        this.#embedder = endpointEmbedder(endpoint, this.#ports);
        return model === undefined
          ? undefined
          : new EndpointModel({ ...endpoint, model }, this.#ports);
      }
    }
  }
}
