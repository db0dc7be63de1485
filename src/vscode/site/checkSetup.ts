/** Runs *Check Setup*: puts the checks together and shows their report. Loaded on first use. */
import * as vscode from 'vscode';
import { AssistantClient } from '../../chat/assistant/assistantClient';
import type { Clock, Fetch, Log, NewId } from '../../common/ports';
import { parseApiAddress } from '../../common/http/address';
import { exportSettings, settings as settingNames } from '../../common/contributions';
import { describeExportError } from '../../export/exportErrors';
import { checkExportKey } from '../../export/job/exportKeyCheck';
import { ReplyFold } from '../../shared/reply';
import type { ActiveSite } from '../../site/activeSite';
import { readKeptSites } from '../../site/keptSite';
import type { SeenSecrets } from '../../site/keyStore';
import { type CheckedMcp, localChecks } from '../../site/setupCheck/localChecks';
import { networkChecks } from '../../site/setupCheck/networkChecks';
import { networkProbe } from '../../site/setupCheck/networkProbe';
import type { Proxy } from '../../site/setupCheck/proxySettings';
import { reachService, type Reached } from '../../site/setupCheck/reachService';
import {
  addressCheck,
  siteChecks,
  type SetupCheckReply,
  type CheckedSite,
  type ExportAnswer,
} from '../../site/setupCheck/siteChecks';
import {
  runSetupChecks,
  type CheckedLine,
  type SetupCheck,
} from '../../site/setupCheck/setupCheck';
import { setupReport } from '../../site/setupCheck/setupReport';
import { checkModel } from '../docs/models';
import { translate } from '../notifications';
import { textSetting } from '../settings';
import { uriExists } from '../uriExists';
import type { McpEntry } from '../agents/mcpEntry';
import type { LocalServiceEntry } from '../docs/localServiceEntry';
import { setupEnvironment, currentProxy } from './setupEnvironment';
import type { SetupReportDocuments } from './setupReportDocuments';

interface CheckSetupPorts {
  readonly context: Pick<
    vscode.ExtensionContext,
    'extension' | 'extensionUri' | 'globalState' | 'languageModelAccessInformation'
  >;
  readonly site: ActiveSite;
  readonly localService: Pick<LocalServiceEntry, 'tryResume'>;
  readonly secrets: SeenSecrets;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  readonly reports: SetupReportDocuments;
  readonly mcp: Pick<McpEntry, 'isRegistered' | 'program'>;
}

/** Checks everything between this window and a reply, and shows the report. */
export async function checkSetup(ports: CheckSetupPorts): Promise<void> {
  // The docs that this workspace answers from are checked, and not the site that is asked without them.
  await ports.localService.tryResume();
  const asks = await askAboutQuestion(ports.site);
  if (asks === undefined) return;
  const lines = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: translate('Checking the setup'),
      cancellable: true,
    },
    async (progress, token) => {
      const controller = new AbortController();
      const registration = token.onCancellationRequested(() => controller.abort());
      try {
        return await runChecks(allChecks(ports, asks, controller.signal), ports, {
          progress,
          signal: controller.signal,
        });
      } finally {
        registration.dispose();
        controller.abort();
      }
    },
  );
  const { clock, secrets, context, log, reports } = ports;
  const count = (state: CheckedLine['state']): number =>
    lines.filter((line) => line.state === state).length;
  log.info(`Checked the setup: ${count('failed')} of ${lines.length} checks failed`);
  await reports.show(
    setupReport(lines, setupEnvironment(context.extension, clock), secrets.values, translate),
  );
}

function runChecks(
  checks: readonly SetupCheck[],
  { clock, log }: CheckSetupPorts,
  run: {
    readonly progress: vscode.Progress<{ message?: string; increment?: number }>;
    readonly signal: AbortSignal;
  },
): Promise<readonly CheckedLine[]> {
  return runSetupChecks(
    checks,
    {
      clock,
      log,
      translate,
      onDidCheck: (done, { title }) =>
        run.progress.report({
          message: translate('{0} of {1}: {2}', done, checks.length, title),
          increment: 100 / checks.length,
        }),
    },
    run.signal,
  );
}

/**
 * Asks whether the check may send a question. Doesn't ask if questions are free or if no site is
 * set up.
 * @returns undefined if the person canceled.
 */
async function askAboutQuestion(site: ActiveSite): Promise<boolean | undefined> {
  if (!site.view.isConfigured) return false;
  const writer = site.local?.answersWith;
  if (site.local && (writer === undefined || writer.kind === 'quotes')) return true;
  const chosen = await vscode.window.showQuickPick(
    [
      {
        label: translate('Skip the Question'),
        detail: translate('Checks everything else. Costs no credits.'),
        asks: false,
      },
      {
        label: translate('Ask One Question'),
        detail: writer
          ? translate('The question and what the docs say go to {0}.', writer.label)
          : translate('The reply costs a credit of {0}.', site.view.label),
        asks: true,
      },
    ],
    {
      title: translate('Check Setup'),
      placeHolder: translate('Also ask the assistant a question?'),
      ignoreFocusOut: true,
    },
  );
  return chosen?.asks;
}

/** Returns the checks in the order of the report. */
function allChecks(
  ports: CheckSetupPorts,
  asks: boolean,
  signal: AbortSignal,
): readonly SetupCheck[] {
  const { site, fetch, clock, context } = ports;
  const { unavailable } = site.askSettings;
  const checked = checkedSite(site);
  const configuration = vscode.workspace.getConfiguration(undefined, null);
  const configured = {
    baseUrl: textSetting(configuration, settingNames.baseUrl),
    domain: textSetting(configuration, settingNames.domain),
  };
  const apiUrl = textSetting(configuration, exportSettings.apiUrl);
  let response: Promise<Reached> | undefined;
  const reached = (): Promise<Reached> =>
    (response ??= checked
      ? reachService(checked, { fetch, clock }, signal)
      : Promise.reject(new Error('No site')));
  const sitePorts = {
    fetch,
    clock,
    keys: site,
    translate,
    configured,
    unavailable,
    apiUrl,
    keptUrls: readKeptSites(context.globalState).map(({ baseUrl }) => baseUrl),
    ask: asks && checked ? (stop: AbortSignal) => askOnce(checked, ports, stop) : undefined,
    askExport: (stop: AbortSignal) => askExport(apiUrl, ports, stop),
  };
  const proxy: Proxy = checked
    ? currentProxy(checked.baseUrl)
    : { kind: 'none', reason: 'not-set' };
  const { local } = site;
  return [
    addressCheck(checked, sitePorts),
    ...networkChecks(checked, { probe: networkProbe, clock, translate, proxy, reached }),
    ...siteChecks(checked, sitePorts),
    ...localChecks({
      fetch,
      clock,
      translate,
      docs: local && {
        url: local.url,
        label: local.label ?? local.domain,
        pages: local.docs?.pages,
        isOwn: local.docs !== undefined,
      },
      model: () =>
        checkModel({
          keys: site,
          fetch,
          clock,
          log: ports.log,
          memento: context.globalState,
          access: context.languageModelAccessInformation,
        }),
      mcp: () => checkMcp(ports.mcp),
    }),
  ];
}

async function checkMcp({ isRegistered, program }: CheckSetupPorts['mcp']): Promise<CheckedMcp> {
  const hasProgram = await uriExists(program);
  return { isSupported: takesMcpServers(vscode), isRegistered, hasProgram };
}

/**
 * Returns whether the editor supports MCP servers. Some editors based on VS Code don't, although
 * the types say so.
 */
function takesMcpServers({ lm }: { readonly lm?: Partial<typeof vscode.lm> }): boolean {
  return lm?.registerMcpServerDefinitionProvider !== undefined;
}

function checkedSite(site: ActiveSite): CheckedSite | undefined {
  const { baseUrl, assistantDomain: domain } = site.askSettings;
  if (baseUrl === undefined || domain === undefined) return undefined;
  return { baseUrl, domain, isLocal: site.local !== undefined };
}

/** Asks one question outside every thread and reads the whole reply. */
async function askOnce(
  { baseUrl }: CheckedSite,
  { site, fetch, clock, log, newId }: CheckSetupPorts,
  signal: AbortSignal,
): Promise<SetupCheckReply> {
  const key = (await site.read('assistant', new URL(baseUrl).origin)) ?? '';
  const startedAt = clock.now();
  const question = {
    role: 'user',
    id: newId(),
    createdAt: new Date(startedAt).toISOString(),
    text: translate('What are these docs about?'),
    contextItems: [],
  } as const;
  const reply = new ReplyFold();
  const client = new AssistantClient({ fetch, clock, log });
  const request = { settings: site.askSettings, key, messages: [question], contextItems: [] };
  for await (const change of client.ask(request, signal)) reply.take(change);
  return {
    characters: reply.text.length,
    sources: reply.sources.length,
    ms: clock.now() - startedAt,
    isComplete: reply.end?.status === 'complete',
  };
}

async function askExport(
  apiUrl: string,
  ports: CheckSetupPorts,
  signal: AbortSignal,
): Promise<ExportAnswer> {
  const { site, secrets } = ports;
  const address = parseApiAddress(apiUrl, 'export');
  const adminKey = address.ok ? await site.read('admin', address.origin) : undefined;
  if (!address.ok || adminKey === undefined) return { kind: 'unclear' };
  try {
    const kind = await checkExportKey(
      { url: address.baseUrl, adminKey },
      {
        ...ports,
        timeouts: () => ({ headersTimeoutMs: EXPORT_TIMEOUT_MS, idleTimeoutMs: EXPORT_TIMEOUT_MS }),
        secrets: () => secrets.values,
      },
      signal,
    );
    return { kind };
  } catch (error) {
    signal.throwIfAborted();
    const { message, actions } = describeExportError(error, translate);
    return { kind: 'refused', message, isAboutKey: actions.includes('set-admin-key') };
  }
}

/** Timeout of one request. Two requests must fit into the time limit of the check. */
const EXPORT_TIMEOUT_MS = 12_000;
