/**
 * Docs sites that a workspace recommends in its settings. Until the reader accepts a site, nothing
 * is sent to it or kept.
 */
import * as v from 'valibot';
import type { ActiveSite } from './activeSite';
import { isDomain, parseApiAddress, parseBaseUrl } from '../common/http/address';
import type { Log, Memento } from '../common/ports';
import type { WindowUi } from '../common/windowUi';
import { commands, workspaceSettings } from '../common/contributions';
import { visibleProse, plainLine } from '../shared/characters';
import { cutText } from '../common/text/strings';
import { isSameSite, MAX_LABEL_LENGTH, type HostedSite } from './keptSite';
import { lookAlikeWarning, shownHost, shownUrl } from './lookAlikeHost';

/** Maximum number of sites that one workspace can recommend. */
export const MAX_RECOMMENDED = 20;

/** Number of hosts that the notification names. The list has all. */
const MAX_NAMED = 3;

interface RecommendedSite {
  /**
   * Identifies the recommended docs, independent of their name. The reader's answer is stored under
   * this ID.
   */
  readonly id: string;
  /** Name that the workspace gives to the site, made harmless, or the site's own. */
  readonly label: string;
  /** Host in ASCII, so that letters of other scripts can't hide in it. */
  readonly host: string;
  /** Base URL of a service, or URL of a public docs site. */
  readonly address: string;
  /** Folder that recommends it, in a workspace of several folders. */
  readonly folder?: string | undefined;
  /** Names of the packages that the docs are about. The first that is installed decides the version. */
  readonly packages: readonly string[];
  /** Versions of the docs, as the site's filter names them. */
  readonly versions: readonly string[];
}

/** A site that a workspace recommends. */
export type Recommendation = RecommendedSite &
  (
    | { readonly kind: 'hosted'; readonly site: HostedSite }
    /** A public docs site, which the local docs service fetches. */
    | { readonly kind: 'docs' }
  );

/** The setting's value in a workspace, or in one of its folders. */
export interface ConfiguredRecommendations {
  readonly value: unknown;
  /** Name of the folder. Absent for the workspace itself. */
  readonly folder?: string;
}

/** Maximum number of packages, and of versions, that an entry can name, and of characters of a name. */
const MAX_NAMES = 100;
const MAX_NAME_LENGTH = 214;

/** Names are only compared, so wrong ones are left out and the site is still offered. */
const nameList = v.pipe(
  v.fallback(v.array(v.unknown()), []),
  v.transform((values) =>
    values
      .flatMap((name) =>
        typeof name === 'string' && name.length <= MAX_NAME_LENGTH ? [name.trim()] : [],
      )
      .filter((name) => name !== '')
      .slice(0, MAX_NAMES),
  ),
);

const entrySchema = v.object({
  name: v.fallback(v.optional(v.pipe(v.string(), v.maxLength(1000))), undefined),
  baseUrl: v.optional(v.pipe(v.string(), v.maxLength(2000))),
  domain: v.optional(v.pipe(v.string(), v.maxLength(300))),
  url: v.optional(v.pipe(v.string(), v.maxLength(2000))),
  packages: nameList,
  versions: nameList,
});

/**
 * Parses the recommendations of the workspace and its folders. Each bad entry gives one problem,
 * and duplicates count once. Problems don't repeat values, because a value could contain a secret.
 */
export function parseRecommendations(configured: readonly ConfiguredRecommendations[]): {
  readonly recommendations: readonly Recommendation[];
  readonly problems: readonly string[];
} {
  const recommendations = new Map<string, Recommendation>();
  const problems: string[] = [];
  for (const { value, folder } of configured) {
    if (value === undefined || value === null) continue;
    const where = `${workspaceSettings.recommendedSites}${folder === undefined ? '' : ` of ${folder}`}`;
    if (!Array.isArray(value)) {
      problems.push(`${where} is ignored: it is not a list.`);
      continue;
    }
    const entries: readonly unknown[] = value;
    if (entries.length > MAX_RECOMMENDED) {
      problems.push(`${where} has ${entries.length} sites. Only ${MAX_RECOMMENDED} are offered.`);
    }
    entries.slice(0, MAX_RECOMMENDED).forEach((entry, index) => {
      const parsed = parseEntry(entry);
      if (typeof parsed === 'string') {
        problems.push(`${where}[${index}] is ignored: ${parsed}`);
      } else if (!recommendations.has(parsed.id)) {
        recommendations.set(parsed.id, { ...parsed, folder });
      }
    });
  }
  return { recommendations: [...recommendations.values()], problems };
}

/** Returns the recommendation of an entry, or the sentence that says what is wrong with it. */
function parseEntry(entry: unknown): Recommendation | string {
  const parsed = v.safeParse(entrySchema, entry);
  if (!parsed.success) return 'it is not an object with “baseUrl” and “domain”, or with “url”.';
  const { baseUrl, domain, url, name = '', packages, versions } = parsed.output;
  const given = cutText(plainLine(visibleProse(name)), MAX_LABEL_LENGTH).trim();
  if (url !== undefined && baseUrl === undefined && domain === undefined) {
    const address = parseBaseUrl(url);
    if (!address.ok) return 'its “url” is not an https:// URL without a user, query or fragment.';
    const { host } = new URL(address.baseUrl);
    return {
      kind: 'docs',
      id: address.baseUrl,
      address: address.baseUrl,
      host,
      label: given || address.baseUrl.replace(/^https?:\/\//, ''),
      packages,
      versions,
    };
  }
  if (baseUrl === undefined || domain === undefined || url !== undefined) {
    return 'it needs “baseUrl” and “domain”, or “url” alone.';
  }
  const address = parseApiAddress(baseUrl, 'assistant');
  if (!address.ok) return 'its “baseUrl” is not an https:// URL without a user, query or fragment.';
  if (!isDomain(domain.trim())) return 'its “domain” is not the domain of a docs site.';
  const site = { baseUrl: address.baseUrl, domain: domain.trim() };
  return {
    kind: 'hosted',
    id: `${site.baseUrl} ${site.domain}`,
    address: site.baseUrl,
    site: given === '' ? site : { ...site, label: given },
    label: given || site.domain,
    host: new URL(site.baseUrl).host,
    packages,
    versions,
  };
}

/** Returns the recommendation of the site that is asked now, if it is one of them. */
export function recommendationOf(
  recommendations: readonly Recommendation[],
  { local, hosted }: Pick<ActiveSite, 'local' | 'hosted'>,
): Recommendation | undefined {
  return recommendations.find((recommendation) =>
    recommendation.kind === 'docs'
      ? local?.docs?.siteUrl?.replace(/\/+$/, '') === recommendation.address
      : !local && hosted !== undefined && isSameSite(hosted, recommendation.site),
  );
}

/** Key of the reader's answers in the workspace's state. */
const ANSWERS = 'recommendedSites';

const answersSchema = v.fallback(
  v.object({
    /** Whether the reader chose *Never for This Workspace*. */
    isNever: v.fallback(v.boolean(), false),
    /** IDs of the offered recommendations. */
    answered: v.fallback(v.array(v.string()), []),
  }),
  { isNever: false, answered: [] },
);

/** Number of answers that a workspace keeps. Older ones go first. */
const MAX_ANSWERS = 200;

interface RecommendedSitesPorts {
  readonly ui: Pick<WindowUi, 'translate' | 'inform' | 'confirm' | 'runCommand'>;
  /** The state of this window's workspace. */
  readonly workspace: Pick<Memento, 'get' | 'update'>;
  /** Whether the reader trusts the workspace. In Restricted Mode nothing is offered. */
  readonly isTrusted: () => boolean;
  /** Returns the values of the workspace and its folders, without those of the user. */
  readonly configured: () => readonly ConfiguredRecommendations[];
  /** Returns whether the reader already has a site. */
  readonly isKnown: (recommendation: Recommendation) => boolean;
  /** Returns the hosts that the reader uses. */
  readonly knownHosts: () => readonly string[];
  /** Keeps a site that the reader accepted. Resolves with whether it is asked now. */
  readonly accept: (recommendation: Recommendation) => Promise<boolean>;
  readonly log: Log;
}

/** Offers the recommended sites, each once per workspace. */
export class RecommendedSites {
  readonly #ports: RecommendedSitesPorts;
  readonly #logged = new Set<string>();
  #isOffering = false;

  constructor(ports: RecommendedSitesPorts) {
    this.#ports = ports;
  }

  /** Returns the recommended sites that the reader doesn't have, whatever was answered before. */
  get list(): readonly Recommendation[] {
    const { isTrusted, configured, isKnown, log } = this.#ports;
    if (!isTrusted()) return [];
    const { recommendations, problems } = parseRecommendations(configured());
    for (const problem of problems) {
      if (!this.#logged.has(problem)) log.warn(problem);
      this.#logged.add(problem);
    }
    return recommendations.filter((recommendation) => !isKnown(recommendation));
  }

  /**
   * Shows one notification about all sites that weren't offered yet. Does nothing in Restricted
   * Mode or while the notification is shown.
   */
  async offer(): Promise<void> {
    if (this.#isOffering) return;
    const { isNever, answered } = this.#answers;
    const offered = isNever ? [] : this.list.filter(({ id }) => !answered.includes(id));
    const [first, ...others] = offered;
    if (!first) return;
    this.#isOffering = true;
    try {
      const { ui } = this.#ports;
      const { translate: t } = ui;
      const accept = others.length > 0 ? t('Choose…') : t('Accept');
      const never = t('Never for This Workspace');
      const answer = await ui.inform(this.#text(first, offered), accept, t('Not Now'), never);
      await this.#note(offered, answer === never);
      // The workspace may recommend something else by now.
      const isCurrent = answer === accept && this.list.some(({ id }) => id === first.id);
      if (isCurrent && others.length > 0) await ui.runCommand(commands.switchSite);
      else if (isCurrent) await this.accept(first);
    } finally {
      this.#isOffering = false;
    }
    // The settings may have changed while the notification was shown.
    await this.offer();
  }

  /**
   * Keeps a site that the reader chose. Asks first if its host looks like another.
   * @returns whether questions go to the site now.
   */
  async accept(recommendation: Recommendation): Promise<boolean> {
    const { ui, accept, log } = this.#ports;
    const { translate: t } = ui;
    const warning = this.#warning(recommendation);
    if (warning !== undefined) {
      const question = t('Use {0}?', shownHost(recommendation.host));
      if (!(await ui.confirm(question, t('Use It Anyway'), warning))) return false;
    }
    await this.#note([recommendation], false);
    log.info(`Accepted the recommended docs site at ${recommendation.host}`);
    return accept(recommendation);
  }

  #warning({ host }: Recommendation): string | undefined {
    const { knownHosts, ui } = this.#ports;
    return lookAlikeWarning(host, knownHosts(), ui.translate);
  }

  #text(first: Recommendation, offered: readonly Recommendation[]): string {
    const { translate: t } = this.#ports.ui;
    const folders = new Set(offered.map(({ folder }) => folder));
    const who =
      folders.size === 1 && first.folder !== undefined
        ? t('The folder {0}', first.folder)
        : t('This workspace');
    if (offered.length > 1) {
      const names = offered
        .slice(0, MAX_NAMED)
        .map(({ label, host }) => `${label} (${shownHost(host)})`);
      const more = offered.length - names.length;
      return t(
        '{0} recommends {1} docs sites: {2}.',
        who,
        offered.length,
        more > 0 ? t('{0} and {1} more', names.join(', '), more) : names.join(', '),
      );
    }
    const sentence =
      first.kind === 'docs'
        ? t(
            '{0} recommends the docs at {1}. If you accept, they are fetched and kept on this machine.',
            who,
            shownUrl(first.address),
          )
        : t(
            '{0} recommends the docs site {1}. If you accept, your questions and its assistant key go to {2}.',
            who,
            first.label,
            shownHost(first.host),
          );
    const warning = this.#warning(first);
    return warning === undefined ? sentence : `${sentence} ${warning}`;
  }

  get #answers(): v.InferOutput<typeof answersSchema> {
    return v.parse(answersSchema, this.#ports.workspace.get(ANSWERS));
  }

  async #note(offered: readonly Recommendation[], isNever: boolean): Promise<void> {
    const before = this.#answers;
    const answered = [...new Set([...before.answered, ...offered.map(({ id }) => id)])];
    await this.#ports.workspace.update(ANSWERS, {
      isNever: before.isNever || isNever,
      answered: answered.slice(-MAX_ANSWERS),
    });
  }
}
