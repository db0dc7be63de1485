import * as vscode from 'vscode';
import { packageCommands } from '../../common/contributions';
import { DisposableStore, type Disposable } from '../../common/disposable';
import { Lazy } from '../../common/lazy';
import type { Log } from '../../common/ports';
import { showFailure } from '../showFailure';
import type { PackagesFeature } from './packagesFeature';

interface PackagesEntryPorts {
  /** Loads the code that compares packages. */
  readonly load: () => Promise<PackagesFeature>;
  readonly log: Log;
}

/** The part of *What Changes for Me…* that loads at the start: its command, and its link at dependencies. */
export class PackagesEntry implements Disposable {
  readonly #ports: PackagesEntryPorts;
  readonly #store = new DisposableStore();
  readonly #feature = new Lazy(async () => this.#store.add(await this.#ports.load()));

  constructor(ports: PackagesEntryPorts) {
    this.#ports = ports;
    this.#store.add(
      vscode.commands.registerCommand(packageCommands.whatChanges, (...args: unknown[]) =>
        showFailure(ports.log, async () => (await this.#feature.get()).run(args)),
      ),
    );
    this.#store.add(
      vscode.languages.registerHoverProvider(
        { scheme: 'file', pattern: '**/package.json' },
        {
          provideHover: async (document, position) =>
            (await this.#feature.get()).hover(document, position),
        },
      ),
    );
  }

  dispose(): void {
    this.#store.dispose();
  }
}
