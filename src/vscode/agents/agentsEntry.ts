import * as vscode from 'vscode';
import { languageModelTools } from '../../common/contributions';
import { type Disposable, DisposableStore } from '../../common/disposable';
import type { Log } from '../../common/ports';
import type { AgentTools, ToolMethod } from './agentTools';

interface AgentsEntryPorts {
  /** Loads the code of the tools. */
  readonly load: () => Promise<AgentTools>;
  readonly log: Log;
}

/** The part of the language model tools that loads at the start. The first call loads the rest. */
export class AgentsEntry implements Disposable {
  readonly #ports: AgentsEntryPorts;
  readonly #store = new DisposableStore();
  #tools: Promise<AgentTools> | undefined;

  constructor(ports: AgentsEntryPorts) {
    this.#ports = ports;
    for (const method of ['ask', 'search', 'readPage'] as const) {
      this.#register(method, languageModelTools[method]);
    }
  }

  /** Loads the tools once. After a failure, the next call tries again. */
  tools(): Promise<AgentTools> {
    this.#tools ??= this.#ports.load().catch((error: unknown) => {
      this.#tools = undefined;
      throw error;
    });
    return this.#tools;
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Registers a tool. Some editors that are based on VS Code have no language model tools. */
  #register(method: ToolMethod, name: string): void {
    try {
      this.#store.add(
        vscode.lm.registerTool<object>(name, {
          invoke: async (options, token) => (await this.tools()).invoke(method, options, token),
          prepareInvocation: async ({ input }) => (await this.tools()).prepare(method, input),
        }),
      );
    } catch (error) {
      this.#ports.log.warn(`The language model tool ${name} is not registered: ${String(error)}`);
    }
  }
}
