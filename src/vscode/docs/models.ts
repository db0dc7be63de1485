/**
 * Runs *Answer With…*, and lets the local docs service ask the model of VS Code that the reader
 * chose. Loaded with the first local docs.
 */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../common/disposable';
import { errorCodeOrName } from '../../common/errorCode';
import { isHeaderSafe } from '../../common/http/address';
import { localDocsEndpoint } from '../../common/localDocsApi';
import type { Clock, Fetch, KeyStore, Log } from '../../common/ports';
import {
  type AnswerChoice,
  AnswerChoices,
  answersWithOf,
  quotes,
} from '../../service/sets/answerChoice';
import { chooseWriter, type EditorModel } from '../../service/sets/chooseWriter';
import { parseEndpointAddress } from '../../docs/writers/endpointAddress';
import { endpointState, listEndpointModels } from '../../docs/writers/endpointModels';
import { findMachineModels, type MachineModel } from '../../service/sets/machineModels';
import { ModelOffer } from '../../service/sets/modelOffer';
import {
  LocalServiceProcess,
  type LocalServicePorts,
} from '../../service/server/localServiceProcess';
import type { ModelFailure } from '../../docs/writers/model';
import type { Writer } from '../../docs/writers/writer';
import type { ToHost } from '../../service/server/parentChannel';
import type { WindowUi } from '../../common/windowUi';
import type { AnswersWith, OfferedWriter } from '../../shared/protocol';
import type { ActiveSite } from '../../site/activeSite';
import type { CheckedModel } from '../../site/setupCheck/localChecks';
import { translate } from '../notifications';

interface ModelHostPorts {
  readonly ui: WindowUi;
  readonly site: ActiveSite;
  readonly memento: vscode.Memento;
  readonly keys: KeyStore;
  readonly access: vscode.LanguageModelAccessInformation;
  readonly fetch: Fetch;
  readonly modelPorts: readonly number[];
  readonly clock: Clock;
  readonly log: Log;
}

type ModelRequest = Extract<ToHost, { readonly type: 'model-request' }>;

/** Requests of one service to a model, by their ID. */
type Requests = Map<number, vscode.CancellationTokenSource>;

/** The writer of replies of this window's local docs service. */
export class ModelHost implements Disposable {
  readonly #ports: ModelHostPorts;
  readonly #store = new DisposableStore();
  readonly #choices: AnswerChoices;
  readonly #offer: ModelOffer;
  #isChoosing = false;
  /** Services of this window. While a service reads new docs, the previous one still answers. */
  readonly #processes = new Map<LocalServiceProcess, Requests>();

  constructor(ports: ModelHostPorts) {
    this.#ports = ports;
    this.#choices = new AnswerChoices(ports);
    this.#offer = new ModelOffer({
      translate,
      clock: ports.clock,
      log: ports.log,
      choices: this.#choices,
      editorModels: () => this.#editorModels(),
      machineModels: () => this.#machineModels(),
    });
    this.#store.add({ dispose: () => this.#cancelAll() });
  }

  get answersWith(): AnswersWith {
    return answersWithOf(this.#choices.current, translate);
  }

  /** Creates the process of the service and tells it who writes its replies. */
  makeProcess(ports: LocalServicePorts): LocalServiceProcess {
    for (const [other, requests] of this.#processes) {
      if (!other.isRunning && requests.size === 0) this.#processes.delete(other);
    }
    const requests: Requests = new Map();
    const process = new LocalServiceProcess({
      ...ports,
      writer: () => this.#choices.writer(),
      onMessage: (message) => {
        if (message.type === 'model-cancel') requests.get(message.id)?.cancel();
        else void this.#answer(message, process, requests);
      },
    });
    this.#processes.set(process, requests);
    return process;
  }

  /** Lets the reader choose who writes the replies from the next question on. */
  async choose(): Promise<void> {
    const { ui } = this.#ports;
    const chosen = await chooseWriter(
      {
        ...this.#ports,
        editorModels: () => this.#editorModels(),
        machineModels: () => this.#machineModels(),
      },
      this.#choices.current,
    );
    if (!chosen || !(await this.#use(chosen))) return;
    const { label } = this.answersWith;
    void ui.inform(
      chosen.kind === 'quotes'
        ? translate('Replies quote the docs. No model is asked.')
        : chosen.kind === 'endpoint' && chosen.model === undefined
          ? translate(
              'Replies quote the docs. {0} also finds sections by meaning.',
              chosen.embeddingModel ?? '',
            )
          : translate('Replies are written by {0}, from the docs only.', label),
    );
  }

  /** Offers models before the first question. Resolves when the question may be sent. */
  offer(...args: Parameters<ModelOffer['beforeQuestion']>): Promise<void> {
    return this.#offer.beforeQuestion(...args);
  }

  /** Takes or refuses the open offer. If a model can't be used, the offer stays open. */
  async chooseOffered(writer: OfferedWriter): Promise<void> {
    if (this.#isChoosing) return;
    this.#isChoosing = true;
    try {
      const chosen = writer === 'other' ? undefined : this.#offer.choiceOf(writer);
      if (chosen) await this.#use(chosen);
      else if (writer === 'other') await this.choose();
    } finally {
      this.#isChoosing = false;
    }
  }

  /**
   * Tells a service that no window started who writes its replies, and shows it in the header. The service can't
   * ask models of VS Code, so it quotes the docs if one is chosen.
   */
  async tellWriter(): Promise<void> {
    const { site, fetch, log } = this.#ports;
    const { local } = site;
    if (!local) return;
    const { current } = this.#choices;
    const choice = current.kind === 'vscode' ? quotes : current;
    const writer: Writer = current.kind === 'vscode' ? quotes : await this.#choices.writer();
    try {
      const url = localDocsEndpoint(local.url, local.domain, 'writer');
      const { ok, status } = await fetch(url, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Authorization: `Bearer ${local.adminKey ?? ''}`,
        },
        body: JSON.stringify(writer),
        redirect: 'error',
      });
      if (!ok) log.warn(`The docs service doesn't take who writes its replies: HTTP ${status}`);
      else if (site.local?.url === local.url) {
        site.useLocal({ ...site.local, answersWith: answersWithOf(choice, translate) });
      }
    } catch (error) {
      log.warn(`The docs service doesn't take who writes its replies: ${errorCodeOrName(error)}`);
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Returns the models of VS Code, which only a service that this window started can ask. */
  async #editorModels(): Promise<readonly EditorModel[]> {
    return this.#ports.site.local?.takesWriter ? [] : editorModels();
  }

  #machineModels(): Promise<readonly MachineModel[]> {
    const { fetch, clock, modelPorts: ports } = this.#ports;
    return findMachineModels({ fetch, clock, ports });
  }

  /** Uses and stores a choice. @returns false if VS Code doesn't let this extension use the model. */
  async #use(chosen: AnswerChoice): Promise<boolean> {
    if (!(await this.#isAllowed(chosen))) return false;
    await this.#choices.set(chosen);
    const writer = await this.#choices.writer();
    // A question that waits for the choice is sent after this.
    await Promise.all(
      [...this.#processes.keys()].map(
        (process) =>
          new Promise<void>((onSent) => process.send({ type: 'answer-with', writer }, onSent)),
      ),
    );
    const { site } = this.#ports;
    const { local } = site;
    if (local?.takesWriter) await this.tellWriter();
    else if (local?.answersWith) site.useLocal({ ...local, answersWith: this.answersWith });
    this.#offer.settle();
    return true;
  }

  /**
   * Asks for the reader's consent to a model of VS Code right after the choice, because a dialog in
   * the middle of a reply would come too late. The request contains none of the reader's data.
   */
  async #isAllowed(choice: AnswerChoice): Promise<boolean> {
    const { access, ui, log } = this.#ports;
    if (choice.kind !== 'vscode') return true;
    const model = await findModel(choice.id);
    if (!model) {
      void ui.warn(translate('VS Code no longer has the model {0}.', choice.label));
      return false;
    }
    if (access.canSendRequest(model) === true) return true;
    const source = new vscode.CancellationTokenSource();
    try {
      const messages = [vscode.LanguageModelChatMessage.User('Reply with OK.')];
      // The promise resolves once the request is allowed. The reply itself doesn't matter.
      await model.sendRequest(messages, { justification: justification() }, source.token);
      return true;
    } catch (error) {
      const code = failureOf(error);
      log.warn(`The model ${choice.label} can't be used: ${code}`);
      void ui.warn(
        code === 'no-consent'
          ? translate(
              'VS Code has no permission to use {0}. Choose it again to allow it.',
              choice.label,
            )
          : code === 'no-quota'
            ? translate('The quota of {0} is used up, or you have no access to it.', choice.label)
            : translate('{0} does not answer. Choose another model.', choice.label),
      );
      return false;
    } finally {
      source.cancel();
      source.dispose();
    }
  }

  /** Asks the chosen model of VS Code, and never another one that the service names. */
  async #answer(
    { id, messages }: ModelRequest,
    process: LocalServiceProcess,
    requests: Requests,
  ): Promise<void> {
    const source = new vscode.CancellationTokenSource();
    requests.set(id, source);
    try {
      const choice = this.#choices.current;
      const model = choice.kind === 'vscode' ? await findModel(choice.id) : undefined;
      if (!model) throw vscode.LanguageModelError.NotFound();
      const response = await model.sendRequest(
        messages.map(({ role, text }) =>
          role === 'assistant'
            ? vscode.LanguageModelChatMessage.Assistant(text)
            : vscode.LanguageModelChatMessage.User(text),
        ),
        { justification: justification() },
        source.token,
      );
      for await (const text of response.text) {
        if (!process.isRunning) source.cancel();
        if (source.token.isCancellationRequested) return;
        process.send({ type: 'model-text', id, text });
      }
      process.send({ type: 'model-end', id });
    } catch (error) {
      if (source.token.isCancellationRequested) return;
      const code = failureOf(error);
      this.#ports.log.warn(`A model of VS Code failed: ${code}`);
      process.send({ type: 'model-failed', id, code, message: '' });
    } finally {
      requests.delete(id);
      source.dispose();
    }
  }

  #cancelAll(): void {
    for (const requests of this.#processes.values()) {
      for (const source of requests.values()) source.cancel();
    }
    this.#processes.clear();
  }
}

function justification(): string {
  return translate(
    'Docs Assistant asks the model to write replies from the sections of the docs that it found.',
  );
}

/** Returns whether the chosen writer of replies can be asked, without asking it. */
export async function checkModel(
  ports: Omit<ModelHostPorts, 'ui' | 'site' | 'modelPorts'>,
): Promise<CheckedModel> {
  const choices = new AnswerChoices(ports);
  const choice = choices.current;
  if (choice.kind === 'quotes') return choice;
  const { label } = answersWithOf(choice, translate);
  if (choice.kind === 'vscode') {
    const model = await findModel(choice.id);
    const state = !model
      ? 'missing'
      : ports.access.canSendRequest(model) === false
        ? 'not-allowed'
        : 'ready';
    return { kind: 'vscode', label, state };
  }
  const writer = await choices.writer();
  const address = parseEndpointAddress(choice.baseUrl);
  if (!address.ok || writer.kind !== 'endpoint') {
    return { kind: 'endpoint', label, state: 'unreachable' };
  }
  if (writer.key !== undefined && !isHeaderSafe(writer.key)) {
    return { kind: 'endpoint', label, state: 'bad-key' };
  }
  const listed = await listEndpointModels(ports, { baseUrl: address.baseUrl, key: writer.key });
  return {
    kind: 'endpoint',
    label,
    state: endpointState(listed, choice.model ?? choice.embeddingModel ?? ''),
  };
}

async function editorModels(): Promise<readonly EditorModel[]> {
  const models = await vscode.lm.selectChatModels();
  return models.map(({ id, name, vendor, maxInputTokens }) => ({
    id,
    name,
    vendor,
    maxInputTokens,
  }));
}

async function findModel(id: string): Promise<vscode.LanguageModelChat | undefined> {
  const models = await vscode.lm.selectChatModels({ id });
  return models.find((model) => model.id === id);
}

/** Returns what an error of VS Code's models means. */
function failureOf(error: unknown): ModelFailure {
  if (!(error instanceof vscode.LanguageModelError)) return 'other';
  switch (error.code) {
    case 'NoPermissions':
      return 'no-consent';
    case 'Blocked':
      return 'no-quota';
    case 'NotFound':
      return 'not-found';
    default:
      return 'other';
  }
}
