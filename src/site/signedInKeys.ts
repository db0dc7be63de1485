/**
 * Keys, and sign-in in place of an assistant key. This file is small because it is loaded at the start.
 */
import * as v from 'valibot';
import type { KeyStore, Memento, SignIn, SignIns } from '../common/ports';
import { parsedAs } from '../shared/schemas';
import type { SeenSecrets } from './keyStore';

interface SignedInKeysPorts {
  readonly keys: Pick<KeyStore, 'read' | 'save' | 'forget'>;
  /** VS Code's global state, which remembers the provider and the scopes of each origin, and no token. */
  readonly memento: Memento;
  readonly seen: SeenSecrets;
  /**
   * Takes a token from the editor: one that it has, one that the reader may be asked for, or a new one in place of one
   * that was refused. Resolves with undefined if there is none.
   */
  readonly token: (signIn: SignIn, how: 'silent' | 'ask' | 'anew') => Promise<string | undefined>;
}

const text = v.pipe(v.string(), v.minLength(1), v.maxLength(300));
const signInSchema = v.object({ provider: text, scopes: v.array(text) });

export class SignedInKeys implements KeyStore {
  readonly #ports: SignedInKeysPorts;
  readonly signIns: SignIns;

  constructor(ports: SignedInKeysPorts) {
    this.#ports = ports;
    const { memento } = ports;
    this.signIns = {
      has: (origin) => this.#signInAt(origin) !== undefined,
      start: async (origin, signIn) => {
        const token = await this.#take(signIn, 'ask');
        if (token !== undefined) await memento.update(nameOf(origin), signIn);
        return token;
      },
      again: async (origin) => {
        const signIn = this.#signInAt(origin);
        return signIn && this.#take(signIn, 'anew');
      },
    };
  }

  async read(...[purpose, origin]: Parameters<KeyStore['read']>): Promise<string | undefined> {
    const signIn = purpose === 'assistant' ? this.#signInAt(origin) : undefined;
    return signIn ? this.#take(signIn, 'silent') : this.#ports.keys.read(purpose, origin);
  }

  async save(...[purpose, origin, key]: Parameters<KeyStore['save']>): Promise<void> {
    await this.#ports.keys.save(purpose, origin, key);
    if (purpose === 'assistant') await this.#forgetSignIn(origin);
  }

  async forget(...[purpose, origin]: Parameters<KeyStore['forget']>): Promise<void> {
    await this.#ports.keys.forget(purpose, origin);
    if (purpose === 'assistant') await this.#forgetSignIn(origin);
  }

  #signInAt(origin: string): SignIn | undefined {
    return parsedAs(signInSchema, this.#ports.memento.get(nameOf(origin)));
  }

  async #take(signIn: SignIn, how: 'silent' | 'ask' | 'anew'): Promise<string | undefined> {
    return this.#ports.seen.add(await this.#ports.token(signIn, how));
  }

  async #forgetSignIn(origin: string): Promise<void> {
    if (this.#signInAt(origin)) await this.#ports.memento.update(nameOf(origin), undefined);
  }
}

const nameOf = (origin: string): string => `signIn:${origin}`;
