import type { EditorModel } from '../../../../src/service/sets/chooseWriter';
import type { MachineModel } from '../../../../src/service/sets/machineModels';

/** A model of VS Code. */
export const gpt: EditorModel = {
  id: 'gpt-5-mini',
  name: 'GPT-5 mini',
  vendor: 'copilot',
  maxInputTokens: 64_000,
};

/** A model of a server on this machine. */
export const llama: MachineModel = {
  kind: 'endpoint',
  baseUrl: 'http://127.0.0.1:11434/v1',
  model: 'llama3.2',
};
