/** The prompts of *Set Up Docs Site…* and *Set Assistant Key…*; loaded when they are first used. */
import * as vscode from 'vscode';
import { apiAddressText, originOf, parseApiAddress } from '../common/address';
import { describeError } from '../common/errors';
import type { Clock, Fetch, KeyStore, Log } from '../common/ports';
import { keyKind, parseSiteInput } from '../common/siteInput';
import { plainText, translate } from './notifications';
import { checkSite, type SiteCheck, type SiteField, type SiteToCheck } from './siteCheck';

interface SetUpPorts {
  readonly keys: KeyStore;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly log: Log;
  /** What the settings hold now, to start from. */
  readonly current: { readonly baseUrl: string; readonly domain: string };
  readonly saveSite: (baseUrl: string, domain: string) => Promise<void>;
}

/** What was typed so far. It is kept through every correction. */
type Draft = Record<SiteField, string>;

const fields: readonly SiteField[] = ['site', 'baseUrl', 'key'];

/**
 * Asks for the site, the base address and the key, checks them with one request, and goes back to
 * the field that is wrong, with what was typed in all of them.
 * @returns false if the user left before the end; nothing is saved then.
 */
export async function setUpSite(ports: SetUpPorts): Promise<boolean> {
  const { current } = ports;
  const baseUrl = apiAddressText(current.baseUrl, 'assistant');
  const draft: Draft = { site: current.domain, baseUrl, key: '' };
  let problem: string | undefined;
  let step = 0;
  for (;;) {
    const field = fields[step];
    if (field !== undefined) {
      const answer = await ask(field, draft, problem, ports);
      problem = undefined;
      if (answer === 'cancelled') return false;
      step += answer === 'back' ? -1 : 1;
      continue;
    }
    const site = await entered(draft, ports.keys);
    if (!site) return false;
    const check = await checkWithProgress(site, ports);
    if (check === 'cancelled') {
      step = fields.length - 1;
      continue;
    }
    if (check.ok) {
      await ports.keys.save('assistant', originOfSite(site), site.key);
      await ports.saveSite(site.baseUrl, site.domain);
      ports.log.info(`Set up the docs site ${site.domain} at ${originOfSite(site)}`);
      void vscode.window.showInformationMessage(
        plainText(translate('{0} is set up. Ask away.', site.domain)),
      );
      return true;
    }
    ports.log.info(`The check of ${originOfSite(site)} said ${check.error.code}`);
    problem = describeError(check.error, translate).message;
    step = fields.indexOf(check.field);
  }
}

/**
 * Asks for the assistant key of an origin and keeps it.
 * @returns false if the user left before the end.
 */
export async function setAssistantKey(origin: string, keys: KeyStore): Promise<boolean> {
  const { host } = new URL(origin);
  const text = await inputBox({
    title: translate('Set Assistant Key'),
    prompt: translate('Assistant key for {0}. It is kept in VS Code’s secret storage.', host),
    placeholder: '<prefix>_dsc_…',
    isSecret: true,
    value: '',
    problemOf: (value) => keyProblem(value),
  });
  const parsed = typeof text === 'object' ? keyKind(text.value) : undefined;
  if (!parsed?.ok) return false;
  await keys.save('assistant', origin, parsed.key);
  void vscode.window.showInformationMessage(translate('The assistant key for {0} is set.', host));
  return true;
}

async function ask(
  field: SiteField,
  draft: Draft,
  problem: string | undefined,
  ports: SetUpPorts,
): Promise<'done' | 'back' | 'cancelled'> {
  const step = {
    title: translate('Set Up Docs Site'),
    step: fields.indexOf(field) + 1,
    totalSteps: fields.length,
    value: draft[field],
    problem,
  };
  const answer = await inputBox({ ...step, ...(await promptOf(field, draft, ports.keys)) });
  if (typeof answer === 'string') return answer;
  draft[field] = answer.value;
  if (field !== 'site') return 'done';
  const parsed = parseSiteInput(answer.value);
  if (parsed.ok && parsed.baseUrl !== undefined) {
    draft.site = parsed.domain;
    draft.baseUrl = apiAddressText(parsed.baseUrl, 'assistant');
  }
  if (!parsed.ok || parsed.alternative === undefined) return 'done';
  const chosen = await vscode.window.showQuickPick([parsed.domain, parsed.alternative], {
    title: translate('Which of these is the docs site?'),
  });
  if (chosen === undefined) return 'cancelled';
  draft.site = chosen;
  return 'done';
}

type Prompt = Pick<InputStep, 'prompt' | 'placeholder' | 'isSecret' | 'problemOf'>;

async function promptOf(field: SiteField, draft: Draft, keys: KeyStore): Promise<Prompt> {
  switch (field) {
    case 'site':
      return {
        prompt: translate(
          'Address of the docs site, address of its page in the dashboard, or its domain.',
        ),
        placeholder: 'https://acme.example.com',
        isSecret: false,
        problemOf: (value) => refusalText(parseSiteInput(value)),
      };
    case 'baseUrl':
      return {
        prompt: translate('Base address of the assistant endpoint. It may carry a path.'),
        placeholder: 'https://api.example.com',
        isSecret: false,
        problemOf: (value) => refusalText(parseApiAddress(value, 'assistant')),
      };
    case 'key': {
      const hasKey = (await savedKey(draft, keys)) !== undefined;
      return {
        prompt: hasKey
          ? translate('Assistant key. Leave this empty to use the key that is saved already.')
          : translate('Assistant key. It is kept in VS Code’s secret storage.'),
        placeholder: '<prefix>_dsc_…',
        isSecret: true,
        problemOf: (value) => (value.trim() === '' && hasKey ? undefined : keyProblem(value)),
      };
    }
  }
}

async function savedKey(draft: Draft, keys: KeyStore): Promise<string | undefined> {
  const origin = originOf(draft.baseUrl);
  return origin === undefined ? undefined : keys.read('assistant', origin);
}

/** The checked values of a draft whose every field was accepted. */
async function entered(draft: Draft, keys: KeyStore): Promise<SiteToCheck | undefined> {
  const site = parseSiteInput(draft.site);
  const address = parseApiAddress(draft.baseUrl, 'assistant');
  const typed = keyKind(draft.key);
  const key = typed.ok ? typed.key : await savedKey(draft, keys);
  if (!site.ok || !address.ok || key === undefined) return undefined;
  return { domain: site.domain, baseUrl: address.baseUrl, key };
}

const originOfSite = (site: SiteToCheck): string => new URL(site.baseUrl).origin;

function checkWithProgress(
  site: SiteToCheck,
  ports: SetUpPorts,
): Thenable<SiteCheck | 'cancelled'> {
  return vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: translate('Checking {0}…', new URL(site.baseUrl).host),
      cancellable: true,
    },
    async (_progress, token) => {
      const controller = new AbortController();
      const registration = token.onCancellationRequested(() => controller.abort());
      try {
        return await checkSite(site, ports, controller.signal);
      } catch (error) {
        if (controller.signal.aborted) return 'cancelled';
        throw error;
      } finally {
        registration.dispose();
      }
    },
  );
}

type Checked = ReturnType<typeof parseSiteInput | typeof parseApiAddress | typeof keyKind>;

function refusalText(checked: Checked): string | undefined {
  return checked.ok ? undefined : translate(checked.message, checked.detail ?? '');
}

function keyProblem(text: string): string | undefined {
  const checked = keyKind(text);
  if (!checked.ok) return refusalText(checked);
  switch (checked.kind) {
    case 'assistant':
      return undefined;
    case 'admin':
      return translate(
        'This is an admin key, a secret that must not be used here. An assistant key has “_dsc_” after its prefix.',
      );
    case 'user':
      return translate(
        'This is a key of another kind (“_us_”). An assistant key has “_dsc_” after its prefix.',
      );
  }
}

interface InputStep {
  readonly title: string;
  readonly prompt: string;
  readonly placeholder: string;
  readonly isSecret: boolean;
  readonly value: string;
  readonly step?: number;
  readonly totalSteps?: number;
  /** Shown from the start, until the value changes: why the last attempt did not work. */
  readonly problem?: string | undefined;
  readonly problemOf: (value: string) => string | undefined;
}

/** One input box that stays open until its value is accepted, and when the focus goes elsewhere. */
function inputBox(step: InputStep): Promise<{ readonly value: string } | 'back' | 'cancelled'> {
  const box = vscode.window.createInputBox();
  box.title = step.title;
  box.prompt = step.prompt;
  box.placeholder = step.placeholder;
  box.password = step.isSecret;
  box.value = step.value;
  box.ignoreFocusOut = true;
  box.step = step.step;
  box.totalSteps = step.totalSteps;
  box.validationMessage = step.problem === undefined ? undefined : plainText(step.problem);
  if (step.step !== undefined && step.step > 1) box.buttons = [vscode.QuickInputButtons.Back];
  return new Promise((resolve) => {
    const close = (result: { readonly value: string } | 'back' | 'cancelled'): void => {
      resolve(result);
      box.dispose();
    };
    box.onDidChangeValue(() => (box.validationMessage = undefined));
    box.onDidTriggerButton(() => close('back'));
    box.onDidHide(() => close('cancelled'));
    box.onDidAccept(() => {
      const problem = step.problemOf(box.value);
      if (problem === undefined) close({ value: box.value });
      else box.validationMessage = plainText(problem);
    });
    box.show();
  });
}
