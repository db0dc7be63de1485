import { untilAborted } from '../../common/clock';
import type { Translate } from '../../common/errors';
import type { Clock, Log } from '../../common/ports';
import type { ModelOfferView, OfferedWriter } from '../../shared/protocol';
import { type AnswerChoice, type AnswerChoices, quotes } from './answerChoice';
import { type ChooseWriterPorts, type EditorModel, editorChoice } from './chooseWriter';
import type { MachineModel } from './machineModels';
import { hasSmallWindow } from '../../docs/writers/model';

interface ModelOfferPorts extends Pick<ChooseWriterPorts, 'editorModels' | 'machineModels'> {
  readonly choices: Pick<AnswerChoices, 'isMade'>;
  readonly translate: Translate;
  readonly clock: Clock;
  readonly log: Log;
}

/** Milliseconds to wait for VS Code's list of models, which can start other extensions. */
const PATIENCE_MS = 4000;

/** The models of an offer: at most one of VS Code and one of this machine. */
interface OfferedModels {
  readonly editor: EditorModel | undefined;
  readonly machine: MachineModel | undefined;
  /** Whether there are models that the offer doesn't name. */
  readonly hasMore: boolean;
}

/**
 * Offers the models that the reader has, before the first question is sent. The question waits for the reader's
 * choice. Nothing is offered once there is a choice, and nothing counts as a choice but the reader's own.
 */
export class ModelOffer {
  readonly #ports: ModelOfferPorts;
  /** Models of this machine, looked for once in a window, because each look can cost time. */
  #machineModels: Promise<readonly MachineModel[]> | undefined;
  #open: { readonly models: OfferedModels; readonly settle: () => void } | undefined;

  constructor(ports: ModelOfferPorts) {
    this.#ports = ports;
  }

  /**
   * Resolves when the question may be sent: at once if there is a choice or no model, or else when the reader has
   * chosen.
   * @param show called with the offer, and with undefined at its end.
   * @throws the signal's reason if it aborts.
   */
  async beforeQuestion(
    show: (offer: ModelOfferView | undefined) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const hasChosen = (): boolean => this.#ports.choices.isMade;
    if (hasChosen()) return;
    const models = await untilAborted(this.#find(), signal);
    const offer = offerOf(models, this.#ports.translate);
    // The reader may have chosen meanwhile.
    if (!offer || hasChosen()) return;
    const chosen = new Promise<void>((settle) => (this.#open = { models, settle }));
    show(offer);
    try {
      await untilAborted(chosen, signal);
    } finally {
      this.#open = undefined;
      show(undefined);
    }
  }

  /** Returns the choice that the open offer has under that name, or undefined if it has none. */
  choiceOf(writer: Exclude<OfferedWriter, 'other'>): AnswerChoice | undefined {
    if (!this.#open) return undefined;
    const { editor, machine } = this.#open.models;
    switch (writer) {
      case 'quotes':
        return quotes;
      case 'vscode':
        return editor && editorChoice(editor);
      case 'endpoint':
        return machine;
    }
  }

  /** Ends an open offer, because the reader has chosen, here or elsewhere. */
  settle(): void {
    this.#open?.settle();
  }

  async #find(): Promise<OfferedModels> {
    const { editorModels, machineModels, clock, log } = this.#ports;
    const none = (error: unknown): readonly never[] => {
      // A failure here must not keep the question from being sent.
      log.error("Can't look for models", error);
      return [];
    };
    this.#machineModels ??= machineModels().catch(none);
    const ending = new AbortController();
    const tooLate = clock.delay(PATIENCE_MS, ending.signal).then(
      () => none(new Error('VS Code did not list its models in time')),
      () => [],
    );
    const [editors, machines] = await Promise.all([
      Promise.race([editorModels().catch(none), tooLate]),
      this.#machineModels,
    ]);
    ending.abort();
    const editor = editors.find((model) => !hasSmallWindow(model)) ?? editors[0];
    const [machine] = machines;
    return { editor, machine, hasMore: editors.length > 1 || machines.length > 1 };
  }
}

/** Returns the offer as the panel shows it, or undefined if there is no model. */
function offerOf(
  { editor, machine, hasMore }: OfferedModels,
  translate: Translate,
): ModelOfferView | undefined {
  const models = [
    ...(editor ? [{ writer: 'vscode' as const, name: editor.name, receiver: editor.vendor }] : []),
    ...(machine
      ? [
          {
            writer: 'endpoint' as const,
            name: machine.model,
            receiver: translate('{0} on this machine', new URL(machine.baseUrl).host),
          },
        ]
      : []),
  ];
  const [first, second] = models;
  if (!first) return undefined;
  return {
    text: second
      ? translate(
          '{0} or {1} can write the replies: Your questions, your attachments and the sections found then go to {2} or {3}.',
          ...[first.name, second.name, first.receiver, second.receiver],
        )
      : translate(
          '{0} can write the replies: Your questions, your attachments and the sections found then go to {1}.',
          first.name,
          first.receiver,
        ),
    choices: [
      ...models.map(({ writer, name }) => ({ writer, label: translate('Answer with {0}', name) })),
      ...(hasMore ? [{ writer: 'other' as const, label: translate('Other Models…') }] : []),
      { writer: 'quotes' as const, label: translate('Quotes only') },
    ],
  };
}
