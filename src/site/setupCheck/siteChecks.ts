/** The checks of *Check Setup* on the docs site, its keys, and what its APIs answer. */
import { DocsAssistantError, type ErrorDetails, type Translate } from '../../common/errors';
import { parseApiAddress } from '../../common/http/address';
import type { Clock, Fetch, KeyStore } from '../../common/ports';
import { durationText } from '../../shared/units';
import { checkSite } from '../siteCheck';
import { keyKind, type KeyKind } from '../siteInput';
import {
  failed,
  failedWith,
  passed,
  skipped,
  type SetupCheckResult,
  type Remedy,
  type SetupCheck,
} from './setupCheck';

/** Site that questions go to. */
export interface CheckedSite {
  readonly baseUrl: string;
  readonly domain: string;
  /** Whether it is the local docs service, which makes its own keys. */
  readonly isLocal: boolean;
}

/** Reply to the question of the check. */
export interface SetupCheckReply {
  readonly characters: number;
  readonly sources: number;
  readonly ms: number;
  /** Whether the reply came to its end. */
  readonly isComplete: boolean;
}

/** Verdict of the export API on the admin key, asked for a job that doesn't exist. */
export type ExportAnswer =
  | { readonly kind: 'accepted' }
  /** The API says the same without a key, so the key made no difference. */
  | { readonly kind: 'unclear' }
  | { readonly kind: 'refused'; readonly message: string; readonly isAboutKey: boolean };

export interface SiteCheckPorts {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly keys: Pick<KeyStore, 'read' | 'signIns'>;
  readonly translate: Translate;
  /** Base URL and domain as the settings have them, or empty. */
  readonly configured: { readonly baseUrl: string; readonly domain: string };
  /** Base URLs of the sites that the reader keeps. */
  readonly keptUrls: readonly string[];
  /** Reason why the assistant is off for this site, if it is. */
  readonly unavailable?: 'assistant-air-gapped' | 'assistant-switched-off' | undefined;
  /** Base URL of the export API, or empty. */
  readonly apiUrl: string;
  /** Asks one question. Absent if the reader doesn't want that. */
  readonly ask: ((signal: AbortSignal) => Promise<SetupCheckReply>) | undefined;
  /** Asks the export API about a job that doesn't exist, which starts none. */
  readonly askExport: (signal: AbortSignal) => Promise<ExportAnswer>;
}

/** Reading secret storage can wait for the system's keyring to be unlocked. */
const KEY_LIMIT_MS = 20_000;
/** Longer than the request's own time limit, which says more. */
const REQUEST_LIMIT_MS = 25_000;
/** A model can take this long for a reply. */
const REPLY_LIMIT_MS = 90_000;

/** Returns the checks of the site's settings, which need no network. */
export function addressCheck(site: CheckedSite | undefined, ports: SiteCheckPorts): SetupCheck {
  return {
    title: ports.translate('Docs site'),
    limitMs: KEY_LIMIT_MS,
    run: () => Promise.resolve(checkAddress(site, ports)),
  };
}

/** Returns the checks of keys and APIs. */
export function siteChecks(
  site: CheckedSite | undefined,
  ports: SiteCheckPorts,
): readonly SetupCheck[] {
  const { translate: t } = ports;
  return [
    {
      title: t('Assistant key'),
      limitMs: KEY_LIMIT_MS,
      run: () => checkAssistantKey(site, ports),
    },
    {
      title: t('Site and key'),
      limitMs: REQUEST_LIMIT_MS,
      run: (signal) => checkTogether(site, ports, signal),
    },
    {
      title: t('Assistant'),
      limitMs: REPLY_LIMIT_MS,
      run: (signal) => checkAssistant(site, ports, signal),
    },
    { title: t('Admin key'), limitMs: KEY_LIMIT_MS, run: () => checkAdminKey(ports) },
    {
      title: t('Static export'),
      limitMs: REQUEST_LIMIT_MS,
      run: (signal) => checkExport(ports, signal),
    },
  ];
}

const setUp: readonly Remedy[] = [{ action: 'set-up-site' }];

function checkAddress(
  site: CheckedSite | undefined,
  { configured, unavailable, translate: t }: SiteCheckPorts,
): SetupCheckResult {
  if (site?.isLocal) {
    return passed(t('Questions go to the local docs service at {0}.', hostOf(site.baseUrl)));
  }
  if (unavailable !== undefined) return failedWith(new DocsAssistantError(unavailable), t);
  if (site) {
    return passed(t('Questions go to the site {0} at {1}.', site.domain, site.baseUrl));
  }
  const address = parseApiAddress(configured.baseUrl, 'assistant');
  if (configured.baseUrl.trim() !== '' && !address.ok) {
    return failed(t('The base URL in the settings is not valid.'), {
      advice: t('Enter a URL that starts with https:// and has no user name, query, or fragment.'),
      remedies: setUp,
    });
  }
  if (address.ok && configured.domain.trim() !== '') {
    return failed(t('The site in the settings is not a valid domain.'), { remedies: setUp });
  }
  return failedWith(new DocsAssistantError('not-configured'), t);
}

async function checkAssistantKey(
  site: CheckedSite | undefined,
  { keys, keptUrls, translate: t }: SiteCheckPorts,
): Promise<SetupCheckResult> {
  if (!site) return skipped(t('No docs site is set up.'));
  if (site.isLocal) return skipped(t('The local docs service makes its own key.'));
  const { origin } = new URL(site.baseUrl);
  const remedies: readonly Remedy[] = [{ action: 'set-assistant-key' }];
  const key = await keys.read('assistant', origin);
  if (keys.signIns?.has(origin) === true) {
    return key === undefined
      ? failed(t('You aren’t signed in to {0}.', origin), { remedies })
      : passed(t('You are signed in to {0}.', origin));
  }
  if (key === undefined) {
    const others = await originsWithKey(keptUrls, keys);
    const none = t('No assistant key is saved for {0}.', origin);
    const some = others.length === 0 ? '' : ` ${t('Keys are saved for {0}.', others.join(', '))}`;
    return failed(none + some, {
      advice: t('Set the key. A key belongs to the scheme, host, and port that it was set for.'),
      remedies,
    });
  }
  switch (formOf(key)) {
    case 'assistant':
      return passed(t('An assistant key is saved for {0}.', origin));
    case 'admin':
      return failed(t('The key that is saved for {0} is an admin key, which is secret.', origin), {
        advice: t('Set an assistant key. It has “_dsc_” after its prefix.'),
        remedies,
      });
    case 'user':
      return failed(t('The key that is saved for {0} is a user key (“_us_”).', origin), {
        advice: t('Set an assistant key. It has “_dsc_” after its prefix.'),
        remedies,
      });
    case undefined:
      return failed(badForm(origin, t), { advice: t('Set the key again.'), remedies });
  }
}

/** Returns the origins among the base URLs that an assistant key is saved for. */
async function originsWithKey(
  baseUrls: readonly string[],
  keys: SiteCheckPorts['keys'],
): Promise<readonly string[]> {
  const origins = [...new Set(baseUrls.map((url) => new URL(url).origin))];
  const saved = await Promise.all(origins.map((origin) => keys.read('assistant', origin)));
  return origins.filter((_, index) => saved[index] !== undefined);
}

async function checkTogether(
  site: CheckedSite | undefined,
  { keys, fetch, clock, translate: t }: SiteCheckPorts,
  signal: AbortSignal,
): Promise<SetupCheckResult> {
  if (!site) return skipped(t('No docs site is set up.'));
  const { origin, host } = new URL(site.baseUrl);
  const key = await keys.read('assistant', origin);
  // A key of another kind is a secret that the message endpoint must not get.
  const isFit = site.isLocal || keys.signIns?.has(origin) === true;
  if (key === undefined || (!isFit && formOf(key) !== 'assistant')) {
    return skipped(t('The check needs an assistant key.'));
  }
  const check = await checkSite({ ...site, key }, { fetch, clock }, signal);
  if (check.ok) return passed(t('{0} accepts the site {1} and the key.', host, site.domain));
  if (!check.isDoubtful) return failedWith(check.error, t);
  return {
    state: 'skipped',
    text: `${checkAnswerText(host, check.error.details, t)} ${t('Questions may still work.')}`,
  };
}

/** Returns a sentence about the answer to a check that says neither yes nor no. */
export function checkAnswerText(
  host: string,
  { status, serviceMessage, causeCode, seconds }: ErrorDetails,
  t: Translate,
): string {
  const sentence =
    status !== undefined
      ? t('{0} answered the check with an error (HTTP {1}).', host, status)
      : seconds !== undefined
        ? t('{0} didn’t answer the check within {1} s.', host, seconds)
        : causeCode !== undefined
          ? t('{0} closed the connection without an answer ({1}).', host, causeCode)
          : t('{0} closed the connection without an answer.', host);
  return serviceMessage === undefined
    ? sentence
    : `${sentence} ${t('It says: “{0}”', serviceMessage)}`;
}

async function checkAssistant(
  site: CheckedSite | undefined,
  { ask, translate: t }: SiteCheckPorts,
  signal: AbortSignal,
): Promise<SetupCheckResult> {
  if (!site) return skipped(t('No docs site is set up.'));
  if (!ask) return skipped(t('You chose to skip the question.'));
  const { characters, sources, ms, isComplete } = await ask(signal);
  if (!isComplete) {
    return failed(t('The reply ended early.'), {
      advice: t(
        'Check again. If replies end early each time, a proxy may limit how long they take.',
      ),
    });
  }
  if (characters === 0) {
    return failed(t('The reply has no text.'), {
      advice: t('Ask a question in the panel to see more.'),
    });
  }
  const duration = ms < 1000 ? t('{0} ms', ms) : durationText(ms, t);
  return passed(
    sources === 0
      ? t('The assistant replied after {0}, without sources.', duration)
      : t('The assistant replied after {0}, with sources.', duration),
  );
}

async function checkAdminKey({
  apiUrl,
  keys,
  translate: t,
}: SiteCheckPorts): Promise<SetupCheckResult> {
  const address = parseApiAddress(apiUrl, 'export');
  if (!address.ok) return skipped(t('Static export is not set up.'));
  const { origin } = address;
  const key = await keys.read('admin', origin);
  if (key === undefined) {
    return skipped(t('No admin key is saved for {0}. Only static export needs one.', origin));
  }
  const remedies: readonly Remedy[] = [{ action: 'set-admin-key' }];
  switch (formOf(key)) {
    case 'admin':
      return passed(t('An admin key is saved for {0}.', origin));
    case 'assistant':
    case 'user':
      return failed(
        t('The key that is saved as the admin key for {0} is not an admin key.', origin),
        {
          advice: t('Set an admin key. Admin keys have no “_dsc_” or “_us_” after the prefix.'),
          remedies,
        },
      );
    case undefined:
      return failed(badForm(origin, t), { advice: t('Set the key again.'), remedies });
  }
}

async function checkExport(
  { apiUrl, keys, askExport, translate: t }: SiteCheckPorts,
  signal: AbortSignal,
): Promise<SetupCheckResult> {
  const address = parseApiAddress(apiUrl, 'export');
  if (!address.ok) return skipped(t('Static export is not set up.'));
  const { origin, host } = new URL(address.baseUrl);
  const key = await keys.read('admin', origin);
  if (key === undefined || formOf(key) !== 'admin') {
    return skipped(t('The check needs an admin key.'));
  }
  const answer = await askExport(signal);
  if (answer.kind === 'accepted') {
    return passed(
      t('{0} accepts the admin key. Start an export to see whether the plan includes it.', host),
    );
  }
  if (answer.kind === 'unclear') {
    return skipped(
      t(
        '{0} answers the same with and without the admin key. Start an export to see whether the key is right.',
        host,
      ),
    );
  }
  return failed(answer.message, {
    remedies: answer.isAboutKey ? [{ action: 'set-admin-key' }] : [{ action: 'open-log' }],
  });
}

/** Returns the kind of a saved key, or undefined for one that was not saved in a clean form. */
function formOf(key: string): KeyKind | undefined {
  const parsed = keyKind(key);
  return parsed.ok && parsed.key === key ? parsed.kind : undefined;
}

function badForm(origin: string, t: Translate): string {
  return t('The key that is saved for {0} has spaces, quotes, or invisible characters.', origin);
}

const hostOf = (url: string): string => new URL(url).host;
