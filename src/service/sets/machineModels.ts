import { parseUrl } from '../../shared/links';
import type { Clock, Fetch } from '../../common/ports';
import { isLoopbackHost } from '../../common/http/address';
import type { AnswerChoice } from './answerChoice';
import {
  isEmbedding,
  listEndpointModels,
  maxInputTokensOf,
} from '../../docs/writers/endpointModels';

/** Usual ports of model servers: Ollama, LM Studio, llama.cpp and vLLM. */
const usualPorts: readonly number[] = [11434, 1234, 8080, 8000];

/**
 * Returns the ports on which to look for model servers.
 * @param list ports instead of the usual ones, separated by commas. Empty for none.
 */
export function modelServerPorts(list: string | undefined): readonly number[] {
  if (list === undefined) return usualPorts;
  const ports = list.split(',').map(Number);
  return ports.filter((port) => Number.isInteger(port) && port > 0 && port < 65_536);
}

/** Milliseconds to wait for all servers. A question may be waiting. */
const PATIENCE_MS = 700;

/** A model of a server on this machine, which needs no key. */
export type MachineModel = Extract<AnswerChoice, { readonly kind: 'endpoint' }> & {
  readonly model: string;
};

/** Ports of {@link findMachineModels}. `ports` are those to look at. */
interface MachineModelPorts {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly ports: readonly number[];
}

/**
 * Looks for model servers on this machine, on loopback only, and returns the models that can write, in the
 * order of the ports. Sends one request without data to each port. A server that answers late, wants a key, or
 * doesn't list models in the form of OpenAI's API is left out, because anything can listen on these ports.
 */
export async function findMachineModels({
  ports,
  fetch,
  clock,
}: MachineModelPorts): Promise<readonly MachineModel[]> {
  const found = await Promise.all(
    ports.map(async (port): Promise<readonly MachineModel[]> => {
      const baseUrl = `http://127.0.0.1:${port}/v1`;
      const listed = await listEndpointModels(
        { fetch, clock },
        { baseUrl, patienceMs: PATIENCE_MS },
      );
      if (!listed.ok || !listed.isOpenAiList) return [];
      return listed.models
        .filter(({ id }) => !isEmbedding(id))
        .map((entry) => {
          const maxInputTokens = maxInputTokensOf(entry);
          const choice = { kind: 'endpoint', baseUrl, model: entry.id } as const;
          return maxInputTokens === undefined ? choice : { ...choice, maxInputTokens };
        });
    }),
  );
  return found.flat();
}

/** Returns whether a choice is a model of that server, whichever name of this machine its URL has. */
export function isMachineModel(choice: AnswerChoice, { baseUrl, model }: MachineModel): boolean {
  if (choice.kind !== 'endpoint' || choice.model !== model) return false;
  const [chosen, found] = [parseUrl(choice.baseUrl), parseUrl(baseUrl)];
  return chosen?.port === found?.port && isLoopbackHost(chosen?.hostname ?? '');
}
