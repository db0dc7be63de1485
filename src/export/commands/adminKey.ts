/** *Set Admin Key…* and *Remove Admin Key*: one key for each origin, in secret storage alone. */
import { originOf, parseApiAddress } from '../../common/address';
import type { Translate } from '../../common/errors';
import type { KeyStore, Log } from '../../common/ports';
import { keyKind } from '../../common/siteInput';
import { LOCAL_API } from '../../staticExport/exportRecord';
import { commands } from '../contributions';
import type { AdminOrigins } from './adminOrigins';
import type { ExportUi, InputRemark } from './exportUi';

interface AdminKeyPorts {
  readonly keys: KeyStore;
  readonly origins: AdminOrigins;
  /** Base address of the export API as it is configured; empty while none is. */
  readonly apiUrl: () => string;
  readonly saveApiUrl: (apiUrl: string) => Promise<void>;
  readonly isLocalRunning: () => boolean;
  /** A key was saved: what waited for it can go on. */
  readonly onDidSave: (origin: string) => void;
  readonly ui: ExportUi;
  readonly log: Log;
}

export class AdminKeys {
  readonly #ports: AdminKeyPorts;

  constructor(ports: AdminKeyPorts) {
    this.#ports = ports;
  }

  /**
   * Asks for the key of an origin, else of the configured export API, whose address is asked for
   * first where there is none.
   * @returns false if the person left before the end.
   */
  async set(origin?: string): Promise<boolean> {
    const { apiUrl, isLocalRunning, ui } = this.#ports;
    const known = origin ?? originOf(apiUrl());
    if (known !== undefined) return this.#ask(known);
    if (isLocalRunning()) {
      void ui.inform(
        ui.translate(
          'The local docs service makes its own admin key for each start: none needs to be set.',
        ),
      );
      return false;
    }
    const chosen = await this.chooseApi();
    const entered = chosen === undefined ? undefined : originOf(chosen);
    return entered !== undefined && this.#ask(entered);
  }

  /** True if there is a key for the origin by now: asks for it where there is none. */
  async ensure(origin: string): Promise<boolean> {
    return (await this.#ports.keys.read('admin', origin)) !== undefined || this.#ask(origin);
  }

  /**
   * Offers what can be done while no export API is known.
   * @returns the base address that was entered and saved; {@link LOCAL_API} if the local docs
   * service was started instead; undefined if the person left.
   */
  async chooseApi(): Promise<string | undefined> {
    const { ui, isLocalRunning } = this.#ports;
    const { translate: t } = ui;
    const chosen = await ui.choose(t('No export API is set up yet'), [
      {
        label: t('Enter the address of the export API…'),
        detail: t('Needs an admin key of an organization whose plan has static export'),
        value: 'enter',
      },
      {
        label: t('Start Local Docs Service'),
        detail: t('Exports a folder of Markdown on this machine, with no account'),
        value: 'local',
      },
    ]);
    if (chosen === 'enter') return this.enterApi();
    if (chosen !== 'local') return undefined;
    await ui.runCommand(commands.startLocalService);
    return isLocalRunning() ? LOCAL_API : undefined;
  }

  /** Asks for the export API's address and saves it. @returns undefined if the person left. */
  async enterApi(): Promise<string | undefined> {
    const { ui, saveApiUrl } = this.#ports;
    const { translate: t } = ui;
    const text = await ui.enter({
      title: t('Set Up the Export API'),
      prompt: t('Base address of the static export API. It may carry a path.'),
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
            t('Remove the admin key for which address?'),
            known.map((each) => ({ label: each, value: each })),
          )
        : known[0];
    if (origin === undefined) {
      if (known.length === 0) void ui.inform(t('No admin key is saved.'));
      return;
    }
    const { host } = new URL(origin);
    const question = t(
      'Remove the admin key for {0}? Exports there can be watched and fetched no longer until a key is set again.',
      host,
    );
    if (!(await ui.confirm(question, t('Remove')))) return;
    await keys.forget('admin', origin);
    await origins.remove(origin);
    log.info(`Removed the admin key for ${origin}`);
    void ui.inform(t('The admin key for {0} is removed.', host));
  }

  /** Also finds a key whose note in global state was lost. */
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
    void ui.inform(t('The admin key for {0} is set.', new URL(origin).host));
    onDidSave(origin);
    return true;
  }

  async #prompt(origin: string): Promise<string> {
    const { keys, origins, ui } = this.#ports;
    const { translate: t } = ui;
    if ((await keys.read('admin', origin)) !== undefined) {
      return t('New admin key for {0}, in place of the one that is saved.', origin);
    }
    const others = origins.list.filter((other) => other !== origin);
    if (others.length === 0) {
      return t(
        'Admin key for {0}. It is kept in VS Code’s secret storage and sent to that address alone.',
        origin,
      );
    }
    return t(
      'The export API is at {0} now. The admin key that is saved for {1} is not sent there: enter the admin key for {0}.',
      origin,
      others.join(', '),
    );
  }
}

/** Why a text cannot be an admin key; undefined for one that can (faults.md F3). */
export function adminKeyRemark(text: string, t: Translate): InputRemark | undefined {
  const parsed = keyKind(text);
  if (!parsed.ok) {
    const isForm = parsed.reason === 'key-form';
    return {
      kind: 'error',
      text: isForm
        ? t('This is not a key: an admin key looks like <prefix>_<letters and digits>.')
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
          'This is an assistant key (“_dsc_”): a public key for asking, which cannot export. An admin key has no such mark after its prefix.',
        ),
      };
    case 'user':
      return {
        kind: 'error',
        text: t(
          'This is a key of another kind (“_us_”), which cannot export. An admin key has no such mark after its prefix.',
        ),
      };
  }
}
