/** Names a model of this machine that could write the reply. Uses Node's own `fetch`. */
import { systemClock } from '../../common/clock';
import { findMachineModels, modelServerPorts } from '../../service/sets/machineModels';
import type { CliContext } from '../context';

/** Matches names that every shell takes as one argument, and no command as an option. */
const plainArgument = /^[\w./:@+][\w./:@+-]*$/;

/**
 * Returns a line that names a model of a server on this machine and the options that use it, or undefined if there
 * is no such model.
 */
export async function modelHint({
  env,
  t,
}: Pick<CliContext, 'env' | 't'>): Promise<string | undefined> {
  const models = await findMachineModels({
    ports: modelServerPorts(env['DOCS_ASSISTANT_MODEL_PORTS']),
    fetch: (url, init) => globalThis.fetch(url, init),
    clock: systemClock,
  });
  const found = models.find(({ model }) => plainArgument.test(model));
  if (!found) return undefined;
  const { model, baseUrl } = found;
  const options = `--model-endpoint ${baseUrl} --model ${model}`;
  return t('{0} on this machine can write the reply: {1}', model, options);
}
