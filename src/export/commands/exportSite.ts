/** *Export Static Site…*: asks for missing settings, starts the job and follows it. */
import * as v from 'valibot';
import { joined } from '../../common/text/strings';
import { originOf } from '../../common/http/address';
import type { Log } from '../../common/ports';
import { ExportError } from '../exportErrors';
import type { LocalExportSite } from '../job/endpoints';
import type { Exports, ExportTarget, StartOptions } from '../job/exports';
import { LOCAL_API } from '../job/record';
import type { AdminKeys } from './adminKey';
import { showExportError } from './errorNotifications';
import type { ExportProgress } from './jobNotifications';
import { looksLikeAssistantDomain, parseExportDomain } from './settings';
import type { RecentSites } from './storedSites';
import {
  enterStartOptions,
  leftOutText,
  MAX_VERSION_LABEL_LENGTH,
  parseSitePath,
} from './startOptions';
import { apiName, exportLine } from './texts';
import type { Choice, WindowUi, InputRemark } from '../../common/windowUi';

interface ExportSitePorts {
  readonly exports: Pick<Exports, 'list' | 'start' | 'watch'>;
  readonly adminKeys: Pick<AdminKeys, 'chooseApi' | 'enterApi' | 'ensure' | 'set'>;
  readonly progress: Pick<ExportProgress, 'follow' | 'startAndFollow'>;
  readonly recent: RecentSites;
  /** Returns the configured values. They are empty if they are not set. */
  readonly settings: () => { readonly apiUrl: string; readonly exportDomain: string };
  readonly assistantDomain: () => string;
  readonly local: () => LocalExportSite | undefined;
  readonly isTrusted: () => boolean;
  readonly ui: WindowUi;
  readonly log: Log;
  readonly clock: { now(): number };
}

/** Argument of the command, which replaces the user's choice. */
const targetSchema = v.object({
  exportDomain: v.string(),
  isLocal: v.optional(v.boolean(), false),
  label: v.optional(
    v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(MAX_VERSION_LABEL_LENGTH)),
  ),
  paths: v.optional(
    v.array(
      v.pipe(
        v.string(),
        v.check((path) => parseSitePath(path) === path),
      ),
    ),
  ),
});

export class ExportSite {
  readonly #ports: ExportSitePorts;
  readonly #starting = new Set<string>();

  constructor(ports: ExportSitePorts) {
    this.#ports = ports;
  }

  /**
   * Runs the command. Resolves when the job has started or the user has canceled.
   * @param argument `{ exportDomain, isLocal?, label?, paths? }` names the site. Otherwise the user is
   * asked.
   * @throws {ExportError} `workspace-not-trusted`.
   */
  async run(argument: unknown): Promise<void> {
    this.#assertTrusted();
    const target = await this.#target(argument);
    if (target) await this.#begin(target);
  }

  /**
   * Starts a new job for the site of an earlier job, at the same API and with the same options.
   * @throws {ExportError} `workspace-not-trusted`.
   */
  async startAgain({ apiUrl, exportDomain, label, paths }: ExportTarget): Promise<void> {
    this.#assertTrusted();
    await this.#begin({ apiUrl, exportDomain, label, paths });
  }

  #assertTrusted(): void {
    if (!this.#ports.isTrusted()) throw new ExportError('workspace-not-trusted');
  }

  async #begin(target: ExportTarget): Promise<void> {
    if (await this.#isWatchedInstead(target)) return;
    if (await this.#hasKey(target)) await this.#start(target);
  }

  async #target(argument: unknown): Promise<ExportTarget | undefined> {
    const { adminKeys, settings, local } = this.#ports;
    const named = v.safeParse(targetSchema, argument);
    const isLocalNamed = named.success && named.output.isLocal;
    let apiUrl = isLocalNamed ? LOCAL_API : settings().apiUrl;
    if (apiUrl === '' && (named.success || !local())) {
      const chosen = await adminKeys.chooseApi();
      if (chosen === undefined) return undefined;
      apiUrl = chosen;
    }
    if (!named.success) return this.#choose(apiUrl);
    const parsed = parseExportDomain(named.output.exportDomain);
    if (!parsed.ok) {
      throw new ExportError('bad-export-domain', { exportDomain: named.output.exportDomain });
    }
    const { label, paths } = named.output;
    return { apiUrl, exportDomain: parsed.exportDomain, label, paths };
  }

  /** @param apiUrl empty if only the local docs service is available. */
  async #choose(apiUrl: string): Promise<ExportTarget | undefined> {
    const { ui } = this.#ports;
    const { translate: t } = ui;
    const sites = this.#sites(apiUrl);
    const other: Choice<'other' | 'platform'>[] =
      apiUrl === ''
        ? [{ label: t('A site on the docs platform…'), value: 'platform' }]
        : isLocal(apiUrl)
          ? []
          : [{ label: t('Another site…'), description: apiName({ apiUrl }, t), value: 'other' }];
    const [only] = sites;
    if (sites.length === 0) return this.#enterTarget(apiUrl, {});
    if (only && sites.length === 1 && only.value.apiUrl === apiUrl && isLocal(apiUrl)) {
      return only.value;
    }
    const title = t('Choose the Site to Export');
    type Chosen = ExportTarget | 'other' | 'platform';
    const known: readonly Choice<Chosen>[] = [...sites, ...other];
    const first = await ui.choose<Chosen | 'options'>(title, [
      ...known,
      {
        icon: 'settings',
        label: t('With a version label, or only some paths…'),
        value: 'options',
      },
    ]);
    const options = first === 'options' ? await enterStartOptions(ui) : {};
    if (!options) return undefined;
    const chosen = first === 'options' ? await ui.choose<Chosen>(title, known) : first;
    if (chosen === undefined) return undefined;
    if (chosen !== 'other' && chosen !== 'platform') return { ...chosen, ...options };
    const chosenApi = chosen === 'platform' ? await this.#ports.adminKeys.enterApi() : apiUrl;
    return chosenApi === undefined ? undefined : this.#enterTarget(chosenApi, options);
  }

  async #enterTarget(apiUrl: string, options: StartOptions): Promise<ExportTarget | undefined> {
    const exportDomain = await this.#enterDomain(apiUrl);
    return exportDomain === undefined ? undefined : { apiUrl, exportDomain, ...options };
  }

  #sites(apiUrl: string): readonly Choice<ExportTarget>[] {
    const { recent, settings, local, ui } = this.#ports;
    const { translate: t } = ui;
    const site = local();
    const choices: Choice<ExportTarget>[] = [];
    const add = (target: ExportTarget, origin: string): void => {
      const isThere = choices.some(
        ({ value }) => value.apiUrl === target.apiUrl && value.exportDomain === target.exportDomain,
      );
      if (isThere) return;
      const description = joined([apiName(target, t), origin]);
      choices.push({ label: target.exportDomain, description, value: target });
    };
    if (apiUrl !== '' && !isLocal(apiUrl)) {
      const { exportDomain } = settings();
      if (exportDomain !== '') add({ apiUrl, exportDomain }, t('from the settings'));
      for (const each of recent.at(apiUrl)) add({ apiUrl, exportDomain: each }, t('recent'));
    }
    if (site) add({ apiUrl: LOCAL_API, exportDomain: site.domain }, '');
    return choices;
  }

  async #enterDomain(apiUrl: string): Promise<string | undefined> {
    const { ui } = this.#ports;
    const { translate: t } = ui;
    const text = await ui.enter({
      title: t('Export Static Site'),
      prompt: t('Host name of the site to export at {0}.', apiName({ apiUrl }, t)),
      placeholder: 'docs.example.com',
      remarkOn: (value) => this.#remarkOn(value),
    });
    const parsed = text === undefined ? undefined : parseExportDomain(text);
    return parsed?.ok === true ? parsed.exportDomain : undefined;
  }

  #remarkOn(text: string): InputRemark | undefined {
    const { assistantDomain, ui } = this.#ports;
    const { translate: t } = ui;
    const parsed = parseExportDomain(text);
    if (!parsed.ok) return { kind: 'error', text: t(parsed.message, parsed.detail) };
    if (looksLikeAssistantDomain(parsed.exportDomain, assistantDomain())) {
      return {
        kind: 'hint',
        text: t(
          'This looks like the assistant’s domain. The export API needs the site’s host name, such as docs.example.com.',
        ),
      };
    }
    if (!parsed.isCleaned) return undefined;
    return {
      kind: 'hint',
      text: t('The export API needs only the host name, so {0} is sent.', parsed.exportDomain),
    };
  }

  /** Offers to watch a job that already runs for the site. Returns whether no new job is needed. */
  async #isWatchedInstead(target: ExportTarget): Promise<boolean> {
    const { exports, progress, ui, clock } = this.#ports;
    const { translate: t } = ui;
    const running = exports.list.find(
      ({ record }) =>
        record.outcome === 'running' &&
        record.apiUrl === target.apiUrl &&
        record.exportDomain === target.exportDomain,
    );
    if (!running) return false;
    const chosen = await ui.choose(t('An Export of {0} Is Already Running', target.exportDomain), [
      {
        label: t('Watch the running export'),
        description: exportLine(running, clock.now(), t),
        value: 'watch',
      },
      { label: t('Start another export'), value: 'start' },
    ]);
    if (chosen === 'start') return false;
    if (chosen === 'watch') {
      const { id } = running.record;
      if (running.watch.name === 'idle') await exports.watch(id);
      this.#inBackground(progress.follow(id));
    }
    return true;
  }

  async #hasKey({ apiUrl }: ExportTarget): Promise<boolean> {
    const origin = isLocal(apiUrl) ? undefined : originOf(apiUrl);
    return origin === undefined || this.#ports.adminKeys.ensure(origin);
  }

  async #start(target: ExportTarget): Promise<void> {
    const { exports, adminKeys, progress, recent, ui, log } = this.#ports;
    const { exportDomain, apiUrl } = target;
    const name = `${apiUrl} ${exportDomain}`;
    for (;;) {
      // A double click runs the command twice but must start only one job.
      if (this.#starting.has(name)) return;
      this.#starting.add(name);
      const outcome = await progress
        .startAndFollow(exportDomain, (signal) => exports.start(target, signal))
        .then(
          (view) => ({ view }),
          (error: unknown) => ({ error }),
        )
        .finally(() => this.#starting.delete(name));
      if ('view' in outcome) {
        const leftOut = leftOutText(outcome.view.record, ui.translate);
        if (leftOut !== undefined) void ui.warn(leftOut);
        break;
      }
      // A rejected key started no job, so the start can be repeated with another key. The
      // notification can stay open for long, and the command can run again in the meantime.
      const takes = 'set-admin-key';
      const isKeyToSet = await showExportError(outcome.error, { ui, log, takes });
      if (!isKeyToSet || !(await adminKeys.set(originOf(apiUrl)))) return;
    }
    await recent.add(target);
  }

  #inBackground(task: Promise<void>): void {
    task.catch((error: unknown) => {
      void showExportError(error, { ui: this.#ports.ui, log: this.#ports.log });
    });
  }
}

const isLocal = (apiUrl: string): boolean => apiUrl === LOCAL_API;
