/**
 * Moves settings that an earlier version read from the settings file of a remote machine or a
 * profile. Their scope is `application` now, so VS Code reads them only from the user's own
 * settings, which all windows share.
 */
import { createHash } from 'node:crypto';
import { parse, type ParseError } from 'jsonc-parser';
import * as v from 'valibot';
import { exportSettings, settings } from '../common/contributions';
import { isDomain, parseApiAddress } from '../common/http/address';
import type { Log, Memento } from '../common/ports';
import { withoutByteOrderMark } from '../shared/characters';
import type { HostedSite } from './keptSite';

/** Settings whose scope was `machine` before. */
export const movedSettings = [settings.baseUrl, settings.fp, exportSettings.apiUrl] as const;

type MovedSetting = (typeof movedSettings)[number];

const text = v.fallback(v.optional(v.pipe(v.string(), v.trim(), v.maxLength(2000))), undefined);

const fileSchema = v.object({
  [settings.baseUrl]: text,
  [settings.domain]: text,
  [settings.fp]: text,
  [exportSettings.apiUrl]: text,
});

/** Key of the digests of the moved settings, in the global state. */
const TAKEN_OVER = 'settingsTakenOver';

/** Number of digests that are kept. */
const MAX_DIGESTS = 100;

interface EarlierSettingsPorts {
  /** Reads the settings files of this machine. A file that doesn't exist is left out. */
  readonly readFiles: () => Promise<readonly string[]>;
  /** Returns the user's own value of a setting, or undefined if there is none. */
  readonly userValue: (setting: MovedSetting | typeof settings.domain) => unknown;
  readonly update: (setting: MovedSetting, value: string) => Promise<void>;
  /** Keeps a site in the list of sites. */
  readonly keepSite: (site: HostedSite) => Promise<unknown>;
  /** VS Code's global state, which all windows share. */
  readonly memento: Pick<Memento, 'get' | 'update'>;
  readonly log: Log;
}

/**
 * Moves each value once. A value in the user's own settings is never replaced. The site is added to
 * the list of sites in either case, so that it can be chosen.
 */
export async function takeOverSettings(ports: EarlierSettingsPorts): Promise<void> {
  const { readFiles, memento, log } = ports;
  for (const content of await readFiles()) {
    const found = readSettings(content);
    if (!found) continue;
    const digest = createHash('sha256').update(JSON.stringify(found)).digest('hex').slice(0, 32);
    const done = v.parse(v.fallback(v.array(v.string()), []), memento.get(TAKEN_OVER));
    if (done.includes(digest)) continue;
    try {
      await takeOver(found, ports);
      await memento.update(TAKEN_OVER, [...done, digest].slice(-MAX_DIGESTS));
    } catch (error) {
      log.error('Settings of this machine could not be taken over', error);
    }
  }
}

type FoundSettings = Readonly<v.InferOutput<typeof fileSchema>>;

async function takeOver(found: FoundSettings, ports: EarlierSettingsPorts): Promise<void> {
  const { userValue, update, keepSite, log } = ports;
  const site = siteOf(found, userValue(settings.domain));
  if (site) await keepSite(site);
  for (const setting of movedSettings) {
    const value = found[setting];
    if (value === undefined || !isValid(setting, value)) continue;
    const own = userValue(setting);
    if (own === value) continue;
    if (own === undefined) {
      await update(setting, value);
      log.info(`Took over ${setting} from the settings of this machine`);
    } else {
      log.info(
        `Left ${setting} of this machine out, because your user settings have another value`,
      );
    }
  }
}

/** Returns the moved settings in a settings file, or undefined if it has none. */
function readSettings(content: string): FoundSettings | undefined {
  const errors: ParseError[] = [];
  const options = { allowTrailingComma: true, disallowComments: false };
  const parsed = v.safeParse(fileSchema, parse(withoutByteOrderMark(content), errors, options));
  if (!parsed.success) return undefined;
  return movedSettings.some((setting) => parsed.output[setting]) ? parsed.output : undefined;
}

function siteOf(found: FoundSettings, userDomain: unknown): HostedSite | undefined {
  const address = parseApiAddress(found[settings.baseUrl] ?? '', 'assistant');
  const domain = found[settings.domain] ?? userDomain;
  if (!address.ok) return undefined;
  const named = typeof domain === 'string' && isDomain(domain) ? domain : address.domain;
  return named === undefined ? undefined : { baseUrl: address.baseUrl, domain: named };
}

function isValid(setting: MovedSetting, value: string): boolean {
  switch (setting) {
    case settings.baseUrl:
      return parseApiAddress(value, 'assistant').ok;
    case exportSettings.apiUrl:
      return parseApiAddress(value, 'export').ok;
    case settings.fp:
      return value !== '' && value.length <= 200;
  }
}
