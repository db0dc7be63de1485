/** Follows links that set up a docs site, and makes them (*Copy Set-Up Link*). */
import { DocsAssistantError, type Translate } from '../common/errors';
import type { WindowUi } from '../common/windowUi';
import type { KeyStore, Log } from '../common/ports';
import type { ActiveSite } from './activeSite';
import { isSameSite } from './keptSite';
import { lookAlikeWarning, shownHost, shownUrl } from './lookAlikeHost';
import { parseSetUpLink, setUpLinkProblemText, setUpLinkText, type SetUpLink } from './setUpLink';
import { keyKind } from './siteInput';
import type { KeptSites } from './sites';

interface SetUpLinksPorts {
  readonly ui: Pick<WindowUi, 'translate' | 'confirm' | 'inform' | 'warn'>;
  readonly site: Pick<ActiveSite, 'local' | 'hosted' | 'settingsSite' | 'view'>;
  readonly sites: Pick<KeptSites, 'list'>;
  readonly keys: KeyStore;
  readonly log: Log;
  /** Makes the site the one that questions go to. */
  readonly useSite: (site: { readonly baseUrl: string; readonly domain: string }) => Promise<void>;
  /** Asks for the assistant key of an origin and saves it. Resolves with false if canceled. */
  readonly askForKey: (origin: string) => Promise<boolean>;
  /** Shows the panel with the cursor in the question box. */
  readonly focusComposer: () => Promise<void>;
}

/** Links that can wait for the reader's answer to another. A web page could open any number. */
const MAX_WAITING = 3;

/** The set-up links of this window, which are followed one after the other. */
export class SetUpLinks {
  readonly #ports: SetUpLinksPorts;
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(ports: SetUpLinksPorts) {
    this.#ports = ports;
  }

  /**
   * Shows what a link would set up and does it if the reader confirms.
   * @param query as `vscode.Uri.query`. Nothing of it is logged, because it can hold a key.
   */
  async follow(query: string): Promise<void> {
    const { ui, log } = this.#ports;
    const link = parseSetUpLink(query);
    if ('problem' in link) {
      log.warn(`A set-up link was refused: ${link.problem}`);
      void ui.warn(setUpLinkProblemText(link.problem, ui.translate));
      return;
    }
    if (this.#waiting >= MAX_WAITING) {
      log.warn('A set-up link was refused: too many are waiting');
      void ui.warn(
        ui.translate(
          'Too many set-up links were opened at once. Answer the first ones, then try again.',
        ),
      );
      return;
    }
    this.#waiting++;
    const done = this.#last
      .then(() => setUp(link, this.#ports))
      .finally(() => {
        this.#waiting--;
      });
    this.#last = done.catch(() => undefined);
    await done;
  }
}

async function setUp(link: SetUpLink, ports: SetUpLinksPorts): Promise<void> {
  const { ui, keys, log, useSite, askForKey } = ports;
  const { translate: t } = ui;
  const { baseUrl, origin, domain, key } = link;
  const savedKey = await keys.read('assistant', origin);
  const isConfirmed = await ui.confirm(
    t('Set up the docs site “{0}” at {1}?', shownHost(domain), shownHost(new URL(origin).host)),
    t('Set Up'),
    confirmationDetail(link, ports, savedKey),
  );
  if (!isConfirmed) return;
  if (key !== undefined) await keys.save('assistant', origin, key);
  try {
    await useSite({ baseUrl, domain });
  } catch (error) {
    // The key goes only with its site.
    if (key !== undefined && savedKey === undefined) await keys.forget('assistant', origin);
    if (key !== undefined && savedKey !== undefined) {
      await keys.save('assistant', origin, savedKey);
    }
    throw error;
  }
  log.info(`A link set up the docs site ${domain} at ${origin}`);
  if (key === undefined && savedKey === undefined && !(await askForKey(origin))) return;
  // The next link need not wait until this notification is closed.
  void offerToAsk(domain, ports);
}

async function offerToAsk(domain: string, { ui, focusComposer }: SetUpLinksPorts): Promise<void> {
  const ask = ui.translate('Ask');
  const chosen = await ui.inform(ui.translate('{0} is set up. You can ask it now.', domain), ask);
  if (chosen === ask) await focusComposer();
}

/** Returns the paragraphs of the dialog: who gets what, and what changes. */
function confirmationDetail(
  { baseUrl, origin, domain, key }: SetUpLink,
  { ui, site, sites }: SetUpLinksPorts,
  savedKey: string | undefined,
): string {
  const { translate: t } = ui;
  const { local, hosted, settingsSite, view } = site;
  const known = [...sites.list, ...(settingsSite ? [settingsSite] : [])];
  const knownHosts = known.map((each) => new URL(each.baseUrl).host);
  const isThis = (each: typeof hosted): boolean =>
    each !== undefined && isSameSite(each, { baseUrl, domain });
  const paragraphs = [
    t(
      'A link asks for this. Continue only if you trust its sender. Your questions, with the code that you attach, go to {0}.',
      shownUrl(baseUrl),
    ),
    lookAlikeWarning(new URL(origin).host, knownHosts, t),
    keyText(shownUrl(origin), key, savedKey, t),
    !local && isThis(hosted)
      ? t('You already ask this site.')
      : known.some(isThis)
        ? t('You already have this site. It replaces {0} as the site that you ask.', view.label)
        : view.isConfigured
          ? t('It replaces {0} as the site that you ask. You can switch back.', view.label)
          : undefined,
  ];
  return paragraphs.filter((text) => text !== undefined).join('\n\n');
}

function keyText(
  origin: string,
  key: string | undefined,
  savedKey: string | undefined,
  t: Translate,
): string {
  if (key === undefined) {
    return savedKey === undefined
      ? t('The link has no key. You enter the assistant key in the next step.')
      : t('The link has no key. The key that is saved for {0} is used.', origin);
  }
  if (savedKey === undefined) {
    return t('The link has an assistant key. VS Code keeps it in secret storage for {0}.', origin);
  }
  return savedKey === key
    ? t('The link has the assistant key that you already saved for {0}.', origin)
    : t('The link has an assistant key. It replaces the key that is saved for {0}.', origin);
}

interface CopyLinkPorts {
  readonly ui: Pick<WindowUi, 'translate' | 'pick' | 'inform'>;
  readonly site: Pick<ActiveSite, 'local' | 'hosted'>;
  readonly keys: Pick<KeyStore, 'read'>;
  /** Scheme of links to this VS Code, and ID of this extension. */
  readonly extension: { readonly scheme: string; readonly id: string };
  readonly copy: (text: string) => PromiseLike<void>;
}

/**
 * Runs *Copy Set-Up Link*: puts a link to the hosted site on the clipboard. It has the assistant key
 * if the reader wants that, and never a key of another kind.
 * @throws {DocsAssistantError} `not-configured`.
 */
export async function copySetUpLink(ports: CopyLinkPorts): Promise<void> {
  const { ui, site, keys, extension, copy } = ports;
  const { translate: t } = ui;
  const { local, hosted } = site;
  if (!hosted && local) {
    void ui.inform(
      t('Docs on this machine have no set-up link. Set up a docs site, then copy its link.'),
    );
    return;
  }
  if (!hosted) throw new DocsAssistantError('not-configured');
  const { baseUrl, domain } = hosted;
  const saved = await keys.read('assistant', new URL(baseUrl).origin);
  const parsed = saved === undefined ? undefined : keyKind(saved);
  const assistantKey = parsed?.ok && parsed.kind === 'assistant' ? parsed.key : undefined;
  const withKey = assistantKey === undefined ? false : await askAboutKey(ui);
  if (withKey === undefined) return;
  await copy(
    setUpLinkText(extension, { baseUrl, domain, key: withKey ? assistantKey : undefined }),
  );
  void ui.inform(
    withKey
      ? t('Copied the set-up link for {0}. Everyone with the link can read the key.', domain)
      : t('Copied the set-up link for {0}. It has no key.', domain),
  );
}

/** @returns undefined if the reader canceled. */
async function askAboutKey(ui: Pick<WindowUi, 'translate' | 'pick'>): Promise<boolean | undefined> {
  const { translate: t } = ui;
  const picked = await ui.pick({
    title: t('Copy Set-Up Link'),
    placeholder: t('Include the assistant key in the link?'),
    rows: [
      {
        label: t('Without the Key'),
        detail: t('Everyone who opens the link enters their own key.'),
        icon: 'link',
        value: false,
      },
      {
        label: t('With the Assistant Key'),
        detail: t(
          'Everyone with the link can read and use the key. Assistant keys are public, but each reply costs a credit.',
        ),
        icon: 'key',
        value: true,
      },
    ],
  });
  return picked?.value;
}
