import * as v from 'valibot';
import type { Translate } from '../../common/errors';
import type { KeyStore, Log, Memento } from '../../common/ports';
import { withoutUndefined } from '../../common/withoutUndefined';
import type { AnswersWith } from '../../shared/protocol';
import type { Writer } from '../../docs/writers/writer';
import { parseEndpointAddress } from '../../docs/writers/endpointAddress';
import { parsedAs } from '../../shared/schemas';

const text = v.pipe(v.string(), v.nonEmpty());
const tokens = v.pipe(v.number(), v.minValue(1));

/** Schema of the reader's stored choice in *Answer With…*. It never contains a key. */
const choiceSchema = v.variant('kind', [
  v.object({ kind: v.literal('quotes') }),
  v.object({
    kind: v.literal('vscode'),
    /** Identifier of the model in VS Code. */
    id: text,
    label: text,
    maxInputTokens: tokens,
  }),
  v.object({
    kind: v.literal('endpoint'),
    baseUrl: text,
    /** Model that writes. Without one, replies are quotes that the embedding model helps to find. */
    model: v.optional(text),
    embeddingModel: v.optional(text),
    /** Maximum tokens of a request, if the endpoint told its model's window. */
    maxInputTokens: v.optional(tokens),
  }),
]);

export type AnswerChoice = v.InferOutput<typeof choiceSchema>;

export const quotes: AnswerChoice = { kind: 'quotes' };

/** Key of the choice in the memento that all windows share. */
export const CHOICE_KEY = 'answerWith';

interface AnswerChoicesPorts {
  readonly memento: Pick<Memento, 'get' | 'update'>;
  readonly keys: Pick<KeyStore, 'read'>;
  readonly log: Log;
}

/** Stores who writes the replies, as the reader chose. Without a readable choice, replies are quotes. */
export class AnswerChoices {
  readonly #ports: AnswerChoicesPorts;

  constructor(ports: AnswerChoicesPorts) {
    this.#ports = ports;
  }

  get current(): AnswerChoice {
    return this.#stored ?? quotes;
  }

  /** Whether the reader has chosen. Quotes count only if the reader chose them. */
  get isMade(): boolean {
    return this.#stored !== undefined;
  }

  get #stored(): AnswerChoice | undefined {
    return parsedAs(choiceSchema, this.#ports.memento.get(CHOICE_KEY));
  }

  async set(choice: AnswerChoice): Promise<void> {
    await this.#ports.memento.update(CHOICE_KEY, choice);
  }

  /**
   * Returns the choice in the form that the service needs, with the key of the endpoint's origin. If secret
   * storage fails, requests to the endpoint have no key.
   */
  async writer(): Promise<Writer> {
    const choice = this.current;
    switch (choice.kind) {
      case 'quotes':
        return choice;
      case 'vscode': {
        const { kind, label, maxInputTokens } = choice;
        return { kind, label, maxInputTokens };
      }
      case 'endpoint': {
        const key = await this.#key(choice.baseUrl);
        return withoutUndefined({ ...choice, key });
      }
    }
  }

  async #key(baseUrl: string): Promise<string | undefined> {
    const address = parseEndpointAddress(baseUrl);
    // A key is never sent over a network unencrypted, even if it was saved for this origin.
    if (!address.ok || address.isUnencrypted) return undefined;
    try {
      return await this.#ports.keys.read('model', address.origin);
    } catch (error) {
      this.#ports.log.error("Can't read the key of the model's endpoint", error);
      return undefined;
    }
  }
}

/** Returns the writer of the replies, with its label for the header. */
export function answersWithOf(choice: AnswerChoice, translate: Translate): AnswersWith {
  switch (choice.kind) {
    case 'quotes':
      return { kind: 'quotes', label: translate('Quotes') };
    case 'vscode':
      return { kind: 'vscode', label: choice.label };
    case 'endpoint': {
      const { model, baseUrl } = choice;
      const address = parseEndpointAddress(baseUrl);
      const name = model ?? translate('Quotes');
      return {
        kind: model === undefined ? 'quotes' : 'endpoint',
        label: address.ok ? `${name} · ${address.host}` : name,
      };
    }
  }
}
