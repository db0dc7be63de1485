/** Shows the dialogs of *Answer With…*. */
import { isLoopbackHost } from '../../common/http/address';
import type { Clock, Fetch, KeyStore } from '../../common/ports';
import type { PickRow } from '../../common/windowUi';
import { withoutUndefined } from '../../common/withoutUndefined';
import type { WindowUi } from '../../common/windowUi';
import { type AnswerChoice, quotes } from './answerChoice';
import {
  type EndpointAddress,
  endpointKeyRefusal,
  type EndpointRefusal,
  parseEndpointAddress,
} from '../../docs/writers/endpointAddress';
import {
  type EndpointModelEntry,
  isEmbedding,
  listEndpointModels,
  maxInputTokensOf,
} from '../../docs/writers/endpointModels';
import { isMachineModel, type MachineModel } from './machineModels';

/** A model of VS Code. */
export interface EditorModel {
  readonly id: string;
  readonly name: string;
  readonly vendor: string;
  readonly maxInputTokens: number;
}

export interface ChooseWriterPorts {
  readonly ui: WindowUi;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly keys: KeyStore;
  /** Returns the models of VS Code. There can be none. */
  readonly editorModels: () => Promise<readonly EditorModel[]>;
  /** Returns the models of servers on this machine. There can be none. */
  readonly machineModels: () => Promise<readonly MachineModel[]>;
}

/** Lets the reader choose who writes the replies. Returns undefined if the reader cancels. */
export async function chooseWriter(
  ports: ChooseWriterPorts,
  current: AnswerChoice,
): Promise<AnswerChoice | undefined> {
  const { ui } = ports;
  const { translate } = ui;
  const [models, machineModels] = await Promise.all([ports.editorModels(), ports.machineModels()]);
  const isCurrent = translate('current');
  const rows: PickRow<AnswerChoice | 'endpoint'>[] = [
    {
      label: translate('Quotes'),
      icon: 'quote',
      description: current.kind === 'quotes' ? isCurrent : translate('no model'),
      detail: translate('Quotes the sections that answer. Nothing leaves this machine.'),
      value: { kind: 'quotes' },
    },
    { label: translate('Models of VS Code'), isSeparator: true },
    ...models.map((model): PickRow<AnswerChoice> => {
      const isChosen = current.kind === 'vscode' && current.id === model.id;
      return {
        label: model.name,
        icon: 'sparkle',
        description: isChosen ? isCurrent : model.vendor,
        detail: translate(
          'The question, your attachments and the sections found go to {0}.',
          model.vendor,
        ),
        value: editorChoice(model),
      };
    }),
    ...machineRows(ui, machineModels, current),
    { label: translate('Your own endpoint'), isSeparator: true },
    ...(machineModels.some((model) => isMachineModel(current, model))
      ? []
      : endpointRow(current, isCurrent)),
    {
      label: translate('An OpenAI-Compatible Endpoint…'),
      icon: 'server',
      description: translate('Ollama, LM Studio, vLLM or a gateway'),
      value: 'endpoint' as const,
    },
  ];
  const picked = await ui.pick({
    title: translate('Answer With'),
    placeholder:
      models.length + machineModels.length > 0
        ? translate('Choose who writes the replies of the local docs service')
        : translate('VS Code has no language models. Choose quotes or an endpoint'),
    rows,
  });
  if (picked?.value !== 'endpoint') return picked?.value;
  return chooseEndpoint(ports, current);
}

/** Returns the choice of a model of VS Code. */
export function editorChoice({ id, name, maxInputTokens }: EditorModel): AnswerChoice {
  return { kind: 'vscode', id, label: name, maxInputTokens };
}

function machineRows(
  { translate }: WindowUi,
  models: readonly MachineModel[],
  current: AnswerChoice,
): PickRow<AnswerChoice>[] {
  if (models.length === 0) return [];
  return [
    { label: translate('Models on this machine'), isSeparator: true },
    ...models.map((model): PickRow<AnswerChoice> => {
      const { host } = new URL(model.baseUrl);
      const isChosen = isMachineModel(current, model);
      return {
        label: model.model,
        icon: 'server',
        description: isChosen ? translate('current') : host,
        detail: translate(
          'The question, your attachments and the sections found go to {0}.',
          translate('{0} on this machine', host),
        ),
        // The current choice can have an embedding model, too.
        value: isChosen ? current : model,
      };
    }),
  ];
}

function endpointRow(current: AnswerChoice, isCurrent: string): PickRow<AnswerChoice>[] {
  if (current.kind !== 'endpoint') return [];
  const address = parseEndpointAddress(current.baseUrl);
  const host = address.ok ? address.host : current.baseUrl;
  return [
    {
      label: `${current.model ?? current.embeddingModel ?? ''} · ${host}`,
      icon: 'server',
      description: isCurrent,
      value: current,
    },
  ];
}

async function chooseEndpoint(
  ports: ChooseWriterPorts,
  current: AnswerChoice,
): Promise<AnswerChoice | undefined> {
  const { ui } = ports;
  const { translate } = ui;
  const title = translate('Answer With an OpenAI-Compatible Endpoint');
  const typed = await ui.enter({
    title,
    prompt: translate('URL of the endpoint'),
    placeholder: 'http://localhost:11434/v1',
    value: current.kind === 'endpoint' ? current.baseUrl : '',
    remarkOn: (value) => errorRemark(ui, parseEndpointAddress(value)),
  });
  const address = typed === undefined ? undefined : parseEndpointAddress(typed);
  if (!address?.ok) return undefined;
  if (address.isUnencrypted) {
    const isSure = await ui.confirm(
      translate('Send questions to {0} unencrypted?', address.host),
      translate('Send Unencrypted'),
      translate(
        'The endpoint uses http://. Everyone on the network between can read your questions, your attachments and the replies. A key is never sent this way.',
      ),
    );
    if (!isSure) return undefined;
  }
  let known = await modelsOf(ports, address, title);
  let model: string | typeof changeKey | undefined;
  while (known !== undefined) {
    model = await chooseModel(ports, known, {
      title,
      prompt: translate('Model that writes the replies'),
      value: current.kind === 'endpoint' ? (current.model ?? '') : '',
      hasKey: (await savedKey(ports, address)) !== undefined,
    });
    if (model !== changeKey) break;
    known = await modelsWithNewKey(ports, address, {
      title,
      prompt: translate('New key for {0}. Leave empty to remove the saved key.', address.host),
    });
  }
  if (known === undefined || model === undefined || model === changeKey) return undefined;
  const embeddingModel = await chooseEmbeddingModel(ports, known, title);
  if (embeddingModel === undefined) return undefined;
  if (model === '' && embeddingModel === '') return quotes;
  const maxInputTokens = maxInputTokensOf(known.find(({ id }) => id === model));
  return withoutUndefined({
    kind: 'endpoint' as const,
    baseUrl: address.baseUrl,
    model: model === '' ? undefined : model,
    embeddingModel: embeddingModel === '' ? undefined : embeddingModel,
    maxInputTokens,
  });
}

/**
 * Returns the models that the endpoint lists, which can be none. Asks for a key if the endpoint can need one.
 * Many endpoints list their models without a key but need one for replies.
 * @returns undefined if the reader cancels, or if the endpoint redirects to another address.
 */
async function modelsOf(
  ports: ChooseWriterPorts,
  address: EndpointAddress,
  title: string,
): Promise<readonly EndpointModelEntry[] | undefined> {
  const { ui } = ports;
  const { translate } = ui;
  const { baseUrl, host } = address;
  const key = await savedKey(ports, address);
  const asked = await ui.progress(
    translate('Asking {0} for its models', host),
    () => listEndpointModels(ports, { baseUrl, key }),
    { quiet: true },
  );
  if (asked === undefined) return undefined;
  const reason = asked.ok ? undefined : asked.reason;
  if (reason === 'redirect') {
    void ui.warn(translate('{0} redirects to another address. Enter that address instead.', host));
    return undefined;
  }
  if (reason === 'unreachable') {
    void ui.warn(
      translate(
        'Can’t reach {0}. Start it or check the URL. Until it answers, replies are quotes.',
        host,
      ),
    );
  }
  const isLocal = isLoopbackHost(new URL(baseUrl).hostname);
  const mayNeedKey = reason === 'key' || (key === undefined && !(asked.ok && isLocal));
  if (address.isUnencrypted || reason === 'unreachable' || !mayNeedKey) {
    return asked.ok ? asked.models : [];
  }
  return modelsWithNewKey(ports, address, {
    title,
    prompt:
      reason === 'key' && key !== undefined
        ? translate('{0} rejected the key. Enter a new one.', host)
        : translate('Key for {0}. Leave empty if it needs none, as Ollama does.', host),
  });
}

async function savedKey(
  { keys }: ChooseWriterPorts,
  { isUnencrypted, origin }: EndpointAddress,
): Promise<string | undefined> {
  return isUnencrypted ? undefined : keys.read('model', origin);
}

/**
 * Asks for a key, saves it for the endpoint's origin, and requests the endpoint's models again.
 * @returns undefined if the reader cancels.
 */
async function modelsWithNewKey(
  ports: ChooseWriterPorts,
  address: EndpointAddress,
  prompt: { readonly title: string; readonly prompt: string },
): Promise<readonly EndpointModelEntry[] | undefined> {
  const { ui, keys } = ports;
  const { baseUrl, origin } = address;
  const typed = await ui.enter({
    ...prompt,
    isSecret: true,
    remarkOn: (value) =>
      value.trim() === '' ? undefined : errorRemark(ui, endpointKeyRefusal(address, value.trim())),
  });
  if (typed === undefined) return undefined;
  const key = typed.trim();
  if (key === '') await keys.forget('model', origin);
  else await keys.save('model', origin, key);
  const asked = await listEndpointModels(ports, {
    baseUrl,
    key: key === '' ? undefined : key,
  });
  return asked.ok ? asked.models : [];
}

interface ModelPrompt {
  readonly title: string;
  readonly prompt: string;
  readonly value: string;
  /** Whether a key is saved, so that the list offers to change it. */
  readonly hasKey: boolean;
}

/** Value of the row that changes the key. As a symbol, it differs from every model's name. */
const changeKey = Symbol('change the key');

/** Lets the reader choose a model or none from a list, or enter its name if the endpoint lists none. */
async function chooseModel(
  { ui }: ChooseWriterPorts,
  known: readonly EndpointModelEntry[],
  prompt: ModelPrompt,
): Promise<string | typeof changeKey | undefined> {
  const { title, value: name } = prompt;
  if (known.length === 0) {
    const typed = await ui.enter({
      title,
      prompt: prompt.prompt,
      value: name,
      placeholder: 'llama3.2',
      remarkOn: (value) =>
        value.trim() === ''
          ? { kind: 'error', text: ui.translate('Enter the name of a model.') }
          : undefined,
    });
    return typed?.trim();
  }
  const picked = await ui.pick({
    title,
    placeholder: prompt.prompt,
    rows: [
      ...known.map(({ id }): PickRow<string | typeof changeKey> => ({ label: id, value: id })),
      {
        label: ui.translate('Quotes'),
        icon: 'quote',
        description: ui.translate('no model that writes'),
        value: '',
      },
      ...(prompt.hasKey
        ? [{ label: ui.translate('Change the Key…'), icon: 'key', value: changeKey } as const]
        : []),
    ],
  });
  return picked?.value;
}

/** Lets the reader choose an embedding model. Returns an empty text for none, or undefined on cancel. */
async function chooseEmbeddingModel(
  { ui }: ChooseWriterPorts,
  known: readonly EndpointModelEntry[],
  title: string,
): Promise<string | undefined> {
  const { translate } = ui;
  const prompt = translate('Embedding model that also finds sections by meaning');
  if (known.length === 0) {
    const typed = await ui.enter({
      title,
      prompt: translate('{0}. Leave empty to search by words only.', prompt),
      placeholder: 'nomic-embed-text',
    });
    return typed?.trim();
  }
  const rows: PickRow<string>[] = [
    {
      label: translate('None'),
      icon: 'circle-slash',
      description: translate('search by words only'),
      value: '',
    },
    ...[...known]
      .sort((one, other) => Number(isEmbedding(other.id)) - Number(isEmbedding(one.id)))
      .map(({ id }): PickRow<string> => ({ label: id, value: id })),
  ];
  return (await ui.pick({ title, placeholder: prompt, rows }))?.value;
}

function errorRemark(
  { translate }: WindowUi,
  result: EndpointAddress | EndpointRefusal | undefined,
): { readonly kind: 'error'; readonly text: string } | undefined {
  if (result?.ok !== false) return undefined;
  return { kind: 'error', text: translate(result.message, result.detail ?? '') };
}
