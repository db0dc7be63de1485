/** *Set Admin Key…* and *Remove Admin Key*: one key per origin, kept only in secret storage. */
import { commands } from '../../common/contributions';
import type { Translate } from '../../common/errors';
import { originOf, parseApiAddress } from '../../common/http/address';
import type { KeyStore, Log } from '../../common/ports';
import { keyKind } from '../../site/siteInput';
import { LOCAL_API } from '../job/record';
import type { AdminOrigins } from './storedSites';
import type { WindowUi, InputRemark } from '../../common/windowUi';

interface AdminKeyPorts {
  readonly keys: KeyStore;
  readonly origins: AdminOrigins;
  /** Returns the configured base URL of the export API, or an empty text. */
  readonly apiUrl: () => string;
  readonly saveApiUrl: (apiUrl: string) => Promise<void>;
  readonly isLocalRunning: () => boolean;
  /** Called after a key was saved, so that jobs that waited for it can continue. */
  readonly onDidSave: (origin: string) => void;
  readonly ui: WindowUi;
  readonly log: Log;
}

export class AdminKeys {
  readonly #ports: AdminKeyPorts;

  constructor(ports: AdminKeyPorts) {
    this.#ports = ports;
  }

  /**
   * Asks for the key of an origin, by default that of the configured export API. Asks for the API's
   * URL first if none is configured.
   * @returns false if the user canceled.
   */
  async set(origin?: string): Promise<boolean> {
    const { apiUrl, isLocalRunning, ui } = this.#ports;
    const known = origin ?? originOf(apiUrl());
    if (known !== undefined) return this.#ask(known);
    if (isLocalRunning()) {
      void ui.inform(
        ui.translate(
          'The local docs service creates its own admin key, so you don’t need to set one.',
        ),
      );
      return false;
    }
    const chosen = await this.chooseApi();
    const entered = chosen === undefined ? undefined : originOf(chosen);
    return entered !== undefined && this.#ask(entered);
  }

  /** Asks for the origin's key if none is saved. Returns whether there is one now. */
  async ensure(origin: string): Promise<boolean> {
    return (await this.#ports.keys.read('admin', origin)) !== undefined || this.#ask(origin);
  }

  /**
   * Offers the ways to get an export API when none is configured.
   * @returns the base URL that the user entered, {@link LOCAL_API} if the user started the local
   * docs service instead, or undefined if the user canceled.
   */
  async chooseApi(): Promise<string | undefined> {
    const { ui, isLocalRunning } = this.#ports;
    const { translate: t } = ui;
    const chosen = await ui.choose(t('Set Up the Export API'), [
      {
        label: t('Enter the URL of the export API…'),
        detail: t('Needs an admin key and a plan with static export'),
        value: 'enter',
      },
      {
        label: t('Start Local Docs Service'),
        detail: t('Exports a folder of Markdown files on this machine, without an account'),
        value: 'local',
      },
    ]);
    if (chosen === 'enter') return this.enterApi();
    if (chosen !== 'local') return undefined;
    await ui.runCommand(commands.startLocalService);
    return isLocalRunning() ? LOCAL_API : undefined;
  }

  /** Asks for the export API's base URL and saves it. Returns undefined if the user canceled. */
  async enterApi(): Promise<string | undefined> {
    const { ui, saveApiUrl } = this.#ports;
    const { translate: t } = ui;
    const text = await ui.enter({
      title: t('Set Up the Export API'),
      prompt: t('Base URL of the static export API. It can include a path.'),
      placeholder: 'https://api.example.com',
      remarkOn: (value) => {
        const parsed = parseApiAddress(value, 'export');
        return parsed.ok
          ? undefined
          : { kind: 'error', text: t(parsed.message, parsed.detail ?? '') };
      },
    });
    const parsed = text === undefined ? undefined : parseApiAddress(text, 'export');
    if (!parsed?.ok) return undefined;
    await saveApiUrl(parsed.baseUrl);
    return parsed.baseUrl;
  }

  async remove(): Promise<void> {
    const { keys, origins, ui, log } = this.#ports;
    const { translate: t } = ui;
    const known = await this.#originsWithKey();
    const origin =
      known.length > 1
        ? await ui.choose(
            t('Choose the Admin Key to Remove'),
            known.map((each) => ({ label: each, value: each })),
          )
        : known[0];
    if (origin === undefined) {
      if (known.length === 0) void ui.inform(t('No admin key is saved.'));
      return;
    }
    const { host } = new URL(origin);
    const question = t(
      'Remove the admin key for {0}? You can’t track or download exports there until you set a key again.',
      host,
    );
    if (!(await ui.confirm(question, t('Remove')))) return;
    await keys.forget('admin', origin);
    await origins.remove(origin);
    log.info(`Removed the admin key for ${origin}`);
    void ui.inform(t('Removed the admin key for {0}.', host));
  }

  /** Returns the origins that have a key, even if the configured one is missing in global state. */
  async #originsWithKey(): Promise<readonly string[]> {
    const { keys, origins, apiUrl } = this.#ports;
    const candidates = new Set(origins.list);
    const configured = originOf(apiUrl());
    if (configured !== undefined) candidates.add(configured);
    const found: string[] = [];
    for (const origin of candidates) {
      if ((await keys.read('admin', origin)) !== undefined) found.push(origin);
      else await origins.remove(origin);
    }
    return found;
  }

  async #ask(origin: string): Promise<boolean> {
    const { keys, origins, onDidSave, ui, log } = this.#ports;
    const { translate: t } = ui;
    const text = await ui.enter({
      title: t('Set Admin Key'),
      prompt: await this.#prompt(origin),
      placeholder: '<prefix>_…',
      isSecret: true,
      remarkOn: (value) => adminKeyRemark(value, t),
    });
    const parsed = text === undefined ? undefined : keyKind(text);
    if (!parsed?.ok || parsed.kind !== 'admin') return false;
    await keys.save('admin', origin, parsed.key);
    await origins.add(origin);
    log.info(`Set the admin key for ${origin}`);
    void ui.inform(t('Saved the admin key for {0}.', new URL(origin).host));
    onDidSave(origin);
    return true;
  }

  async #prompt(origin: string): Promise<string> {
    const { keys, origins, ui } = this.#ports;
    const { translate: t } = ui;
    if ((await keys.read('admin', origin)) !== undefined) {
      return t('New admin key for {0}. It replaces the saved key.', origin);
    }
    const others = origins.list.filter((other) => other !== origin);
    if (others.length === 0) {
      return t(
        'Admin key for {0}. VS Code keeps it in secret storage and sends it only to that URL.',
        origin,
      );
    }
    return t(
      'The export API is now at {0}. The admin key for {1} is not sent there. Enter the admin key for {0}.',
      origin,
      others.join(', '),
    );
  }
}

/** Returns why a text can't be an admin key, or undefined if it can be one (faults.md F3). */
export function adminKeyRemark(text: string, t: Translate): InputRemark | undefined {
  const parsed = keyKind(text);
  if (!parsed.ok) {
    const isForm = parsed.reason === 'key-form';
    return {
      kind: 'error',
      text: isForm
        ? t('This isn’t a key. An admin key looks like <prefix>_<letters and digits>.')
        : t(parsed.message, parsed.detail ?? ''),
    };
  }
  switch (parsed.kind) {
    case 'admin':
      return undefined;
    case 'assistant':
      return {
        kind: 'error',
        text: t(
          'This is an assistant key (“_dsc_”), which can ask questions but not export. An admin key has no “_dsc_” after its prefix.',
        ),
      };
    case 'user':
      return {
        kind: 'error',
        text: t(
          'This is another kind of key (“_us_”), which can’t export. An admin key has no “_us_” after its prefix.',
        ),
      };
  }
}
