/** *Export Static Site…*: asks what is missing, starts the job and follows it. */
import * as v from 'valibot';
import { originOf } from '../../common/address';
import type { Log } from '../../common/ports';
import { ExportError } from '../../staticExport/exportErrors';
import { LOCAL_API } from '../../staticExport/exportRecord';
import type { Exports, ExportTarget } from '../../staticExport/exports';
import type { AdminKeys } from './adminKey';
import { looksLikeAssistantDomain, parseExportDomain } from './exportDomainInput';
import type { LocalExportSite } from './exportEndpoints';
import { showExportError } from './exportNotifications';
import type { ExportProgress } from './exportProgress';
import { apiName, exportLine, joined } from './exportTexts';
import type { Choice, ExportUi, InputRemark } from './exportUi';
import type { RecentSites } from './recentSites';

export interface ExportSitePorts {
  readonly exports: Pick<Exports, 'list' | 'start' | 'watch'>;
  readonly adminKeys: Pick<AdminKeys, 'chooseApi' | 'enterApi' | 'ensure' | 'set'>;
  readonly progress: Pick<ExportProgress, 'follow' | 'startAndFollow'>;
  readonly recent: RecentSites;
  /** As they are configured; empty while they are not. */
  readonly settings: () => { readonly apiUrl: string; readonly exportDomain: string };
  readonly assistantDomain: () => string;
  readonly local: () => LocalExportSite | undefined;
  readonly isTrusted: () => boolean;
  readonly ui: ExportUi;
  readonly log: Log;
  readonly clock: { now(): number };
}

/** What a caller may hand to the command in the place of the person's choice. */
const targetSchema = v.object({
  exportDomain: v.string(),
  isLocal: v.optional(v.boolean(), false),
});

export class ExportSite {
  readonly #ports: ExportSitePorts;
  readonly #starting = new Set<string>();

  constructor(ports: ExportSitePorts) {
    this.#ports = ports;
  }

  /**
   * Resolves once the job is started, or the person left.
   * @param argument `{ exportDomain, isLocal? }` names the site; else the person is asked.
   * @throws {ExportError} `workspace-not-trusted`.
   */
  async run(argument: unknown): Promise<void> {
    this.#assertTrusted();
    const target = await this.#target(argument);
    if (target) await this.#begin(target);
  }

  /**
   * Starts a new job for the site of an earlier one, at the API where that one was.
   * @throws {ExportError} `workspace-not-trusted`.
   */
  async startAgain({ apiUrl, exportDomain }: ExportTarget): Promise<void> {
    this.#assertTrusted();
    await this.#begin({ apiUrl, exportDomain });
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
    return { apiUrl, exportDomain: parsed.exportDomain };
  }

  /** @param apiUrl empty where there is the local docs service alone. */
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
    const chosen =
      sites.length === 0 || (sites.length === 1 && only?.value.apiUrl === apiUrl && isLocal(apiUrl))
        ? (only?.value ?? 'other')
        : await ui.choose<ExportTarget | 'other' | 'platform'>(t('Export which site?'), [
            ...sites,
            ...other,
          ]);
    if (chosen !== 'other' && chosen !== 'platform') return chosen;
    const chosenApi = chosen === 'platform' ? await this.#ports.adminKeys.enterApi() : apiUrl;
    if (chosenApi === undefined) return undefined;
    const exportDomain = await this.#enterDomain(chosenApi);
    return exportDomain === undefined ? undefined : { apiUrl: chosenApi, exportDomain };
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
          'This looks like the assistant’s domain, an identifier. The export API wants the site’s host name, such as docs.example.com.',
        ),
      };
    }
    if (!parsed.isCleaned) return undefined;
    return {
      kind: 'hint',
      text: t('The export API wants the host name alone: {0} is sent.', parsed.exportDomain),
    };
  }

  /** A job for the same site that runs already may be what the person wants to see. */
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
    const chosen = await ui.choose(t('An export of {0} is running already', target.exportDomain), [
      {
        label: t('Watch that one'),
        description: exportLine(running, clock.now(), t),
        value: 'watch',
      },
      { label: t('Start another'), value: 'start' },
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
      // Run twice by a double click, the command starts one job.
      if (this.#starting.has(name)) return;
      this.#starting.add(name);
      const failure = await progress
        .startAndFollow(exportDomain, (signal) => exports.start(target, signal))
        .then(
          () => undefined,
          (error: unknown) => ({ error }),
        )
        .finally(() => this.#starting.delete(name));
      if (!failure) break;
      // A refused key started nothing, so that the same may be tried with another. The notification
      // can stay for long, and the command is free meanwhile.
      const takes = 'set-admin-key';
      const isKeyToSet = await showExportError(failure.error, { ui, log, takes });
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
