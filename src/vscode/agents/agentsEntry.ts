import * as vscode from 'vscode';
import { languageModelTools } from '../../common/contributions';
import { type Disposable, DisposableStore } from '../../common/disposable';
import { Lazy } from '../../common/lazy';
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
  readonly #tools: Lazy<AgentTools>;

  constructor(ports: AgentsEntryPorts) {
    this.#ports = ports;
    this.#tools = new Lazy(ports.load);
    for (const method of ['ask', 'search', 'readPage', 'checkClaims'] as const) {
      this.#register(method, languageModelTools[method]);
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Registers a tool. Some editors that are based on VS Code have no language model tools. */
  #register(method: ToolMethod, name: string): void {
    try {
      this.#store.add(
        vscode.lm.registerTool<object>(name, {
          invoke: async (...call) => (await this.#tools.get()).invoke(method, ...call),
          prepareInvocation: async ({ input }) => (await this.#tools.get()).prepare(method, input),
        }),
      );
    } catch (error) {
      this.#ports.log.warn(`The language model tool ${name} is not registered: ${String(error)}`);
    }
  }
}
