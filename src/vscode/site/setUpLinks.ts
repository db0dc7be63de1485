/** Follows set-up links and makes them (*Copy Set-Up Link*). Loaded on first use. */
import * as vscode from 'vscode';
import { DocsAssistantError } from '../../common/errors';
import type { KeyStore, Log } from '../../common/ports';
import type { ActiveSite } from '../../site/activeSite';
import { lookAlikeWarning } from '../../site/lookAlikeHost';
import { isSameSite } from '../../site/keptSite';
import { keyKind } from '../../site/siteInput';
import type { KeptSites } from '../../site/sites';
import {
  parseSetUpLink,
  setUpLinkProblemText,
  setUpLinkText,
  type SetUpLink,
} from '../../site/setUpLink';
import { modals, plainText, translate } from '../notifications';
import { setAssistantKey } from './setUpSite';

interface SetUpLinkPorts {
  readonly site: ActiveSite;
  readonly sites: Pick<KeptSites, 'list'>;
  readonly keys: KeyStore;
  readonly log: Log;
  /** Makes the site the one that questions go to. */
  readonly useSite: (site: { readonly baseUrl: string; readonly domain: string }) => Promise<void>;
  /** Shows the panel with the cursor in the question box. */
  readonly focusComposer: () => Promise<void>;
}

/** Links that can wait for the reader's answer to another. A page could open any number. */
const MAX_WAITING = 3;

/** The set-up links of this window, which are followed one after the other. */
export class SetUpLinks {
  readonly #ports: SetUpLinkPorts;
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(ports: SetUpLinkPorts) {
    this.#ports = ports;
  }

  /**
   * Shows what a link would set up and does it if the reader confirms.
   * @param query as `vscode.Uri.query`. Nothing of it is logged, because it can hold a key.
   */
  async follow(query: string): Promise<void> {
    const link = parseSetUpLink(query);
    if ('problem' in link) {
      this.#ports.log.warn(`A set-up link was refused: ${link.problem}`);
      void vscode.window.showWarningMessage(setUpLinkProblemText(link.problem, translate));
      return;
    }
    if (this.#waiting >= MAX_WAITING) {
      this.#ports.log.warn('A set-up link was refused: too many are waiting');
      void vscode.window.showWarningMessage(
        translate(
          'Too many set-up links were opened at once. Answer the first ones, then try again.',
        ),
      );
      return;
    }
    this.#waiting++;
    const before = this.#last;
    const done = before.then(() => setUp(link, this.#ports)).finally(() => this.#waiting--);
    this.#last = done.catch(() => undefined);
    await done;
  }
}

async function setUp(link: SetUpLink, ports: SetUpLinkPorts): Promise<void> {
  const { keys, log, useSite } = ports;
  const { baseUrl, origin, domain, key } = link;
  const savedKey = await keys.read('assistant', origin);
  const isConfirmed = await modals.confirm(
    translate('Set up the docs site “{0}” at {1}?', domain, new URL(origin).host),
    translate('Set Up'),
    confirmationDetail(link, ports, savedKey),
  );
  if (!isConfirmed) return;
  if (key !== undefined) await keys.save('assistant', origin, key);
  try {
    await useSite({ baseUrl, domain });
  } catch (error) {
    // The key goes only with its site.
    if (key !== undefined && savedKey === undefined) await keys.forget('assistant', origin);
    else if (key !== undefined && savedKey !== undefined) {
      await keys.save('assistant', origin, savedKey);
    }
    throw error;
  }
  log.info(`A link set up the docs site ${domain} at ${origin}`);
  if (key === undefined && savedKey === undefined && !(await setAssistantKey(origin, keys))) return;
  // The next link need not wait until this notification is closed.
  void offerToAsk(domain, ports);
}

async function offerToAsk(domain: string, { focusComposer }: SetUpLinkPorts): Promise<void> {
  const ask = translate('Ask');
  const chosen = await vscode.window.showInformationMessage(
    plainText(translate('{0} is set up. You can ask it now.', domain)),
    ask,
  );
  if (chosen === ask) await focusComposer();
}

/** A longer URL would push the rest of the dialog out of sight. The host comes first. */
const MAX_SHOWN_URL = 150;

/** Returns the lines of the dialog: who gets what, and what changes. */
function confirmationDetail(
  { baseUrl, origin, domain, key }: SetUpLink,
  { site, sites }: SetUpLinkPorts,
  savedKey: string | undefined,
): string {
  const { local, hosted, settingsSite } = site;
  const known = [...sites.list, ...(settingsSite ? [settingsSite] : [])];
  const knownHosts = known.map((each) => new URL(each.baseUrl).host);
  const isCurrent = !local && hosted !== undefined && isSameSite(hosted, { baseUrl, domain });
  const isKept = known.some((each) => isSameSite(each, { baseUrl, domain }));
  const asked = site.view.label;
  const lines = [
    translate(
      'A link asks for this. Continue only if you trust its sender. Your questions, with the code that you attach, go to {0}.',
      baseUrl.length > MAX_SHOWN_URL ? `${baseUrl.slice(0, MAX_SHOWN_URL)}…` : baseUrl,
    ),
    lookAlikeWarning(new URL(origin).host, knownHosts, translate) ?? '',
    keyLine(origin, key, savedKey),
    isCurrent
      ? translate('You ask this site already.')
      : isKept
        ? translate('You have this site already. It replaces {0} as the site that you ask.', asked)
        : site.view.isConfigured
          ? translate('It replaces {0} as the site that you ask. You can switch back.', asked)
          : '',
  ];
  return lines.filter((line) => line !== '').join('\n\n');
}

function keyLine(origin: string, key: string | undefined, savedKey: string | undefined): string {
  if (key === undefined) {
    return savedKey === undefined
      ? translate('The link has no key. You enter the assistant key in the next step.')
      : translate('The link has no key. The key that is saved for {0} is used.', origin);
  }
  if (savedKey === undefined) {
    return translate(
      'The link has an assistant key. VS Code keeps it in secret storage for {0}.',
      origin,
    );
  }
  return savedKey === key
    ? translate('The link has the assistant key that is saved for {0} already.', origin)
    : translate(
        'The link has an assistant key. It replaces the key that is saved for {0}.',
        origin,
      );
}

interface CopyLinkPorts {
  readonly site: ActiveSite;
  readonly keys: Pick<KeyStore, 'read'>;
  readonly extensionId: string;
}

/** Runs *Copy Set-Up Link*: puts a link to the hosted site on the clipboard. */
export async function copySetUpLink({ site, keys, extensionId }: CopyLinkPorts): Promise<void> {
  const { local, hosted } = site;
  if (!hosted && local) {
    void vscode.window.showInformationMessage(
      translate(
        'Docs on this machine have no set-up link. Set up a docs site, then copy its link.',
      ),
    );
    return;
  }
  if (!hosted) throw new DocsAssistantError('not-configured');
  const { baseUrl, domain } = hosted;
  const saved = await keys.read('assistant', new URL(baseUrl).origin);
  const parsed = saved === undefined ? undefined : keyKind(saved);
  const assistantKey = parsed?.ok && parsed.kind === 'assistant' ? parsed.key : undefined;
  const withKey = assistantKey === undefined ? false : await askAboutKey();
  if (withKey === undefined) return;
  const link = setUpLinkText(
    { scheme: vscode.env.uriScheme, id: extensionId },
    { baseUrl, domain, key: withKey ? assistantKey : undefined },
  );
  await vscode.env.clipboard.writeText(link);
  void vscode.window.showInformationMessage(
    plainText(
      withKey
        ? translate(
            'Copied the set-up link for {0}. Everybody with the link can read its key.',
            domain,
          )
        : translate('Copied the set-up link for {0}. It has no key.', domain),
    ),
  );
}

/** @returns undefined if the person cancelled. */
async function askAboutKey(): Promise<boolean | undefined> {
  const chosen = await vscode.window.showQuickPick(
    [
      {
        label: translate('Without the Key'),
        detail: translate('Everybody who follows the link enters a key of their own.'),
        withKey: false,
      },
      {
        label: translate('With the Assistant Key'),
        detail: translate(
          'Everybody with the link can read the key and ask with it. Assistant keys are public keys, but each reply uses up a credit.',
        ),
        withKey: true,
      },
    ],
    {
      title: translate('Copy Set-Up Link'),
      placeHolder: translate('Include the assistant key in the link?'),
      ignoreFocusOut: true,
    },
  );
  return chosen?.withKey;
}
