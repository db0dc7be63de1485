/** Sets up a site of the service of a company: gets in by a key or by signing in, and lets the reader choose. */
import { describeError } from '../common/describeError';
import { DocsAssistantError } from '../common/errors';
import type { WindowUi } from '../common/windowUi';
import type { KeyStore, Log, SignIn } from '../common/ports';
import { pageCountText } from '../shared/units';
import {
  type CompanyService,
  listServiceSites,
  type ServicePorts,
  type ServiceSignIn,
  type ServiceSite,
} from './companyService';
import { shownHost } from './lookAlikeHost';
import { assistantKeyProblem, keyKind } from './siteInput';

interface SetUpServicePorts extends ServicePorts {
  readonly ui: Pick<WindowUi, 'translate' | 'pick' | 'enter' | 'confirm' | 'warn'>;
  readonly keys: KeyStore;
  readonly log: Log;
}

/** A way in, with the sites that are behind it. */
interface Access {
  /** Key that the reader typed, which isn't saved yet. */
  readonly key?: string;
  readonly sites: readonly ServiceSite[];
}

/**
 * Asks for a key or a sign-in unless there is one, and lets the reader choose a site that it opens. Keeps the key.
 * @param wanted domain of a site that is taken if it may be asked, such as one that the workspace recommends. Otherwise
 * it comes first in the list.
 * @returns undefined if the reader canceled or can't get in, which was shown. No key is saved then.
 */
export async function setUpServiceSite(
  service: CompanyService,
  wanted: { readonly domain: string; readonly isFixed: boolean },
  ports: SetUpServicePorts,
  signal: AbortSignal,
): Promise<ServiceSite | undefined> {
  const { ui, keys, log } = ports;
  const { translate: t } = ui;
  const host = shownHost(new URL(service.origin).host);
  const access = await enter(service, ports, signal);
  if (!access) return undefined;
  const { sites } = access;
  if (sites.length === 0) {
    void ui.warn(t('No docs site of {0} is open to you. Ask the people who run it.', host));
    return undefined;
  }
  const named = sites.find(({ domain }) => domain === wanted.domain);
  if (wanted.isFixed && !named) {
    void ui.warn(
      t(
        'The docs site “{0}” of {1} isn’t open to you. Ask the people who run it.',
        wanted.domain,
        host,
      ),
    );
    return undefined;
  }
  const site = wanted.isFixed ? named : await pickSite(service, sites, named, ports);
  if (!site) return undefined;
  if (access.key !== undefined) await keys.save('assistant', service.origin, access.key);
  log.info(`Set up the docs site ${site.domain} of the service at ${service.origin}`);
  return site;
}

async function pickSite(
  { origin }: CompanyService,
  sites: readonly ServiceSite[],
  first: ServiceSite | undefined,
  { ui }: SetUpServicePorts,
): Promise<ServiceSite | undefined> {
  const { translate: t } = ui;
  const picked = await ui.pick({
    title: t('Set Up Docs Site'),
    placeholder: t('Choose a docs site of {0}', shownHost(new URL(origin).host)),
    rows: [...(first ? [first] : []), ...sites.filter((site) => site !== first)].map((site) => ({
      icon: 'book',
      label: site.name,
      description: site.domain,
      detail: site.pages === undefined ? '' : pageCountText(site.pages, t),
      value: site,
    })),
  });
  return picked?.value;
}

/** Returns the sites behind what is known, or asks for access until the service accepts it or the reader cancels. */
async function enter(
  service: CompanyService,
  ports: SetUpServicePorts,
  signal: AbortSignal,
): Promise<Access | undefined> {
  const { ui, keys } = ports;
  const { origin } = service;
  let given: string | undefined = await keys.read('assistant', origin);
  let isTyped = false;
  let problem: string | undefined;
  for (;;) {
    if (given !== undefined) {
      try {
        const sites = await listServiceSites(service, given, ports, signal);
        return isTyped ? { key: given, sites } : { sites };
      } catch (error) {
        if (!(error instanceof DocsAssistantError)) throw error;
        problem = describeError(error, ui.translate).message;
        if (error.code !== 'key-rejected') {
          void ui.warn(problem);
          return undefined;
        }
      }
    }
    const answer = await askForAccess(service, problem, ports);
    if (answer === undefined) return undefined;
    ({ given, isTyped } = answer);
  }
}

interface Answer {
  readonly given: string;
  readonly isTyped: boolean;
}

/** @param problem why what was given before was refused. */
async function askForAccess(
  service: CompanyService,
  problem: string | undefined,
  ports: SetUpServicePorts,
): Promise<Answer | undefined> {
  const { ui, keys } = ports;
  const { translate: t } = ui;
  const { origin, signIn } = service;
  const { signIns } = keys;
  if (!signIn || !signIns) return askForKey(origin, problem, ui);
  const picked = await ui.pick({
    title: t('Set Up Docs Site'),
    placeholder: problem ?? t('Choose how you get in at {0}', shownHost(new URL(origin).host)),
    rows: [
      {
        icon: 'account',
        label: t('Sign In'),
        description: new URL(signIn.issuer).host,
        detail: t('VS Code signs you in, and keeps and renews the token.'),
        value: 'sign-in' as const,
      },
      {
        icon: 'key',
        label: t('Enter an Assistant Key'),
        detail: t('A key opens only docs sites that are for everybody.'),
        value: 'key' as const,
      },
    ],
  });
  if (!picked) return undefined;
  if (picked.value === 'key') return askForKey(origin, problem, ui);
  const chosen = await signInOf(origin, signIn, ui);
  if (!chosen) return undefined;
  // VS Code would give the token again that the service has just refused.
  const isRefused = problem !== undefined && signIns.has(origin);
  const token = isRefused ? await signIns.again(origin) : await signIns.start(origin, chosen);
  if (token !== undefined) return { given: token, isTyped: false };
  void ui.warn(
    t(
      'You weren’t signed in. VS Code has no authentication provider “{0}”, or the sign-in was canceled. You can enter an assistant key instead.',
      chosen.provider,
    ),
  );
  return askForKey(origin, undefined, ui);
}

async function askForKey(
  origin: string,
  problem: string | undefined,
  ui: SetUpServicePorts['ui'],
): Promise<Answer | undefined> {
  const { translate: t } = ui;
  const asked = t('Enter the assistant key for {0}. VS Code keeps it in secret storage.', origin);
  const typed = await ui.enter({
    title: t('Set Up Docs Site'),
    prompt: problem ?? asked,
    placeholder: '<prefix>_dsc_…',
    isSecret: true,
    remarkOn: (value) => {
      const wrong = assistantKeyProblem(value, t);
      return wrong === undefined ? undefined : { kind: 'error', text: wrong };
    },
  });
  const parsed = typed === undefined ? undefined : keyKind(typed);
  return parsed?.ok && parsed.kind === 'assistant'
    ? { given: parsed.key, isTyped: true }
    : undefined;
}

/** Hosts at which the provider `microsoft` of VS Code signs in. */
const microsoftHosts: ReadonlySet<string> = new Set([
  'login.microsoftonline.com',
  'sts.windows.net',
]);

/**
 * Returns the provider and the scopes for a service, after the reader has agreed. The service names the scopes, so it
 * could ask for a token that opens something else. VS Code's own providers therefore give it none but those of an
 * application of its own.
 */
async function signInOf(
  origin: string,
  { issuer, scopes }: ServiceSignIn,
  ui: SetUpServicePorts['ui'],
): Promise<SignIn | undefined> {
  const { translate: t } = ui;
  const { host: issuerHost } = new URL(issuer);
  const host = shownHost(new URL(origin).host);
  const isMicrosoft = microsoftHosts.has(issuerHost);
  if (isMicrosoft && !(scopes.length > 0 && scopes.every((scope) => scope.startsWith('api://')))) {
    void ui.warn(
      t(
        '{0} doesn’t name scopes of its own, which begin with api://. Ask the people who run it, or enter an assistant key.',
        host,
      ),
    );
    return undefined;
  }
  const provider = isMicrosoft ? 'microsoft' : await askForProvider(issuerHost, ui);
  if (provider === undefined) return undefined;
  const tenant = isMicrosoft ? new URL(issuer).pathname.split('/')[1] : undefined;
  const wanted = [...scopes, ...(tenant ? [`VSCODE_TENANT:${tenant}`] : [])];
  const isAgreed = await ui.confirm(
    t('Sign in at {0} for {1}?', shownHost(issuerHost), host),
    t('Sign In'),
    t(
      'VS Code asks the provider “{0}” for a token with these scopes: {1}. Docs Assistant sends it only to {2} and doesn’t store it. Continue only if you trust {2}.',
      provider,
      wanted.join(', ') || '-',
      origin,
    ),
  );
  return isAgreed ? { provider, scopes: wanted } : undefined;
}

async function askForProvider(
  issuerHost: string,
  ui: SetUpServicePorts['ui'],
): Promise<string | undefined> {
  const { translate: t } = ui;
  const typed = await ui.enter({
    title: t('Set Up Docs Site'),
    prompt: t(
      'Enter the ID of the authentication provider for {0}. An installed extension has it.',
      shownHost(issuerHost),
    ),
    remarkOn: (value) => {
      const id = value.trim();
      if (!/^[\w.-]{1,100}$/.test(id)) {
        return {
          kind: 'error',
          text: t('Enter an ID of letters, digits, hyphens, dots, and underscores.'),
        };
      }
      return /^(?:microsoft|github)/i.test(id)
        ? { kind: 'error', text: t('“{0}” doesn’t sign in at {1}.', id, shownHost(issuerHost)) }
        : undefined;
    },
  });
  return typed?.trim();
}
