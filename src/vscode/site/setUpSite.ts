/**
 * The commands *Set Up Docs Site…*, *Set Assistant Key…* and *Remove Assistant Key*, loaded on
 * first use.
 */
import * as vscode from 'vscode';
import { apiAddressText, originOf, parseApiAddress } from '../../common/http/address';
import { describeError } from '../../common/describeError';
import { DocsAssistantError } from '../../common/errors';
import type { Clock, Fetch, KeyStore, Log } from '../../common/ports';
import { assistantKeyProblem, keyKind, parseSiteInput } from '../../site/siteInput';
import { commands } from '../../common/contributions';
import { modals, plainText, say, translate } from '../notifications';
import { checkSite, type SiteField, type SiteToCheck } from '../../site/siteCheck';
import { checkAnswerText } from '../../site/setupCheck/siteChecks';
import type { ActiveSite } from '../../site/activeSite';
import { type CompanyService, findCompanyService } from '../../site/companyService';
import { windowUi } from '../windowUi';

interface SetUpPorts {
  readonly keys: KeyStore;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether site and base URL are known, so that the key is asked for first. */
  readonly isKeyOnly: boolean;
  /** The site that is asked now, which the prompts start with. */
  readonly current: { readonly baseUrl: string; readonly domain: string };
  readonly saveSite: (baseUrl: string, domain: string) => Promise<void>;
}

/** The text of each field, kept while the user goes back and forth. */
type Draft = Record<SiteField, string>;

const fields: readonly SiteField[] = ['site', 'baseUrl', 'key'];

/**
 * Asks for the site, the base URL and the key, and checks them with one request. If a field is wrong,
 * it is shown again with the reason, and every field keeps its text.
 * @returns false if the user canceled. Nothing is saved then.
 */
export async function setUpSite(ports: SetUpPorts): Promise<boolean> {
  const { current } = ports;
  const baseUrl = apiAddressText(current.baseUrl, 'assistant');
  const draft: Draft = { site: current.domain, baseUrl, key: '' };
  let problem: string | undefined;
  let step = ports.isKeyOnly ? fields.indexOf('key') : 0;
  if (ports.isKeyOnly) {
    const service = await findService(current.baseUrl, ports);
    if (service) return setUpAtService(service, { domain: current.domain, isFixed: true }, ports);
  }
  for (;;) {
    const field = fields[step];
    if (field !== undefined) {
      const answer = await ask(field, draft, problem, ports);
      problem = undefined;
      if (answer === 'canceled') return false;
      if (answer === 'choose-docs') {
        await vscode.commands.executeCommand(commands.chooseDocs);
        return false;
      }
      const place = answer === 'back' ? undefined : placeOf(field, draft);
      const service = place === undefined ? undefined : await findService(place, ports);
      if (service) {
        const { domain = '' } = domainOf(draft.site);
        return setUpAtService(service, { domain, isFixed: false }, ports);
      }
      if (answer === 'done' && field === 'site') problem = siteProblem(draft.site);
      if (problem === undefined) step += answer === 'back' ? -1 : 1;
      continue;
    }
    const site = await entered(draft, ports.keys);
    if (!site) return false;
    const check = await whileChecking(new URL(site.baseUrl).host, (signal) =>
      checkSite(site, ports, signal),
    );
    if (!check) {
      step = fields.length - 1;
      continue;
    }
    if (check.ok || (check.isDoubtful && (await savesAnyway(site, check.error)))) {
      await ports.keys.save('assistant', originOfSite(site), site.key);
      await ports.saveSite(site.baseUrl, site.domain);
      ports.log.info(`Set up the docs site ${site.domain} at ${originOfSite(site)}`);
      sayIsSetUp(site.domain);
      return true;
    }
    ports.log.info(`The check of ${originOfSite(site)} said ${check.error.code}`);
    problem = describeError(check.error, translate).message;
    step = fields.indexOf(check.field);
  }
}

/**
 * Returns the base URL at which the service of a company may be: the one that was entered, or a URL without a path in
 * place of a site's.
 */
function placeOf(field: SiteField, draft: Draft): string | undefined {
  const parsed = field === 'key' ? undefined : parseApiAddress(draft[field], 'assistant');
  if (!parsed?.ok || parsed.domain !== undefined) return undefined;
  return field === 'baseUrl' || parsed.baseUrl === parsed.origin ? parsed.baseUrl : undefined;
}

function siteProblem(text: string): string | undefined {
  return refusalText(parseSiteInput(text));
}

function domainOf(text: string): { readonly domain?: string } {
  const parsed = parseSiteInput(text);
  return parsed.ok ? parsed : {};
}

/** Looks for the service of a company. Canceling goes on as if there were none. */
function findService(baseUrl: string, ports: SetUpPorts): Promise<CompanyService | undefined> {
  return whileChecking(new URL(baseUrl).host, (signal) =>
    findCompanyService(baseUrl, ports, signal),
  );
}

async function setUpAtService(
  service: CompanyService,
  wanted: { readonly domain: string; readonly isFixed: boolean },
  ports: SetUpPorts,
): Promise<boolean> {
  const { setUpServiceSite } = await import('../../site/setUpService');
  const { signal } = new AbortController();
  const site = await setUpServiceSite(service, wanted, { ...ports, ui: windowUi() }, signal);
  if (!site) return false;
  await ports.saveSite(service.baseUrl, site.domain);
  sayIsSetUp(site.name);
  return true;
}

function sayIsSetUp(site: string): void {
  say(translate('{0} is set up. You can ask it now.', site));
}

/**
 * Asks for the assistant key of an origin and saves it. Where the reader signs in, offers to do so again.
 * @returns false if the user canceled.
 */
export async function setAssistantKey(origin: string, keys: KeyStore): Promise<boolean> {
  const { host } = new URL(origin);
  if (keys.signIns?.has(origin) === true) {
    const signIn = translate('Sign In');
    const chosen = await vscode.window.showQuickPick(
      [signIn, translate('Enter an Assistant Key')],
      { title: plainText(host) },
    );
    if (chosen === undefined) return false;
    if (chosen === signIn) return (await keys.signIns.again(origin)) !== undefined;
  }
  const text = await inputBox({
    title: translate('Set Assistant Key'),
    prompt: translate('Enter the assistant key for {0}. VS Code keeps it in secret storage.', host),
    placeholder: '<prefix>_dsc_…',
    isSecret: true,
    value: '',
    problemOf: (value) => assistantKeyProblem(value, translate),
  });
  const parsed = typeof text === 'object' ? keyKind(text.value) : undefined;
  if (!parsed?.ok) return false;
  await keys.save('assistant', origin, parsed.key);
  say(translate('Saved the assistant key for {0}.', host));
  return true;
}

async function ask(
  field: SiteField,
  draft: Draft,
  problem: string | undefined,
  ports: SetUpPorts,
): Promise<'done' | Exclude<InputEnd, object>> {
  const step = {
    title: translate('Set Up Docs Site'),
    step: fields.indexOf(field) + 1,
    totalSteps: fields.length,
    value: draft[field],
    problem,
    offersDocs: field === 'site',
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
    title: translate('Choose the docs site'),
  });
  if (chosen === undefined) return 'canceled';
  draft.site = chosen;
  return 'done';
}

type Prompt = Pick<InputStep, 'prompt' | 'placeholder' | 'isSecret' | 'problemOf'>;

async function promptOf(field: SiteField, draft: Draft, keys: KeyStore): Promise<Prompt> {
  switch (field) {
    case 'site':
      return {
        prompt: translate(
          'Enter the URL of the docs site, the URL of its dashboard, or its domain.',
        ),
        placeholder: 'https://acme.example.com',
        isSecret: false,
        // The URL of a company's service names no site, and its sites are listed.
        problemOf: (value) =>
          placeOf('site', { ...draft, site: value }) === undefined ? siteProblem(value) : undefined,
      };
    case 'baseUrl':
      return {
        prompt: translate('Enter the base URL of the assistant API. It can include a path.'),
        placeholder: 'https://api.example.com',
        isSecret: false,
        problemOf: (value) => refusalText(parseApiAddress(value, 'assistant')),
      };
    case 'key': {
      const hasKey = (await savedKey(draft, keys)) !== undefined;
      return {
        prompt: hasKey
          ? translate('Enter the assistant key, or leave this empty to use the saved key.')
          : translate('Enter the assistant key. VS Code keeps it in secret storage.'),
        placeholder: '<prefix>_dsc_…',
        isSecret: true,
        problemOf: (value) =>
          value.trim() === '' && hasKey ? undefined : assistantKeyProblem(value, translate),
      };
    }
  }
}

async function savedKey(draft: Draft, keys: KeyStore): Promise<string | undefined> {
  const origin = originOf(draft.baseUrl);
  return origin === undefined ? undefined : keys.read('assistant', origin);
}

/** Returns the parsed values of a draft, or undefined if one of its fields is invalid. */
async function entered(draft: Draft, keys: KeyStore): Promise<SiteToCheck | undefined> {
  const site = parseSiteInput(draft.site);
  const address = parseApiAddress(draft.baseUrl, 'assistant');
  const typed = keyKind(draft.key);
  const key = typed.ok ? typed.key : await savedKey(draft, keys);
  if (!site.ok || !address.ok || key === undefined) return undefined;
  return { domain: site.domain, baseUrl: address.baseUrl, key };
}

/** Shows the result of an inconclusive check and asks whether to save anyway. */
function savesAnyway(site: SiteToCheck, { details }: DocsAssistantError): Promise<boolean> {
  return modals.confirm(
    checkAnswerText(new URL(site.baseUrl).host, details, translate),
    translate('Save Anyway'),
    translate(
      'To cost no credit, the check sends a question that can’t be answered. A service can refuse that question and still answer real ones. Nothing is saved yet.',
    ),
  );
}

const originOfSite = (site: SiteToCheck): string => new URL(site.baseUrl).origin;

/** Runs a check while a notification shows it. Resolves with undefined if the reader canceled it. */
function whileChecking<T>(
  host: string,
  check: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  return windowUi().progress(translate('Checking {0}…', host), (_report, signal) => check(signal));
}

type Checked = ReturnType<typeof parseSiteInput | typeof parseApiAddress | typeof keyKind>;

function refusalText(checked: Checked): string | undefined {
  return checked.ok ? undefined : translate(checked.message, checked.detail ?? '');
}

/** A value, or how the input was left instead. */
type InputEnd = { readonly value: string } | 'back' | 'choose-docs' | 'canceled';

interface InputStep {
  readonly title: string;
  readonly prompt: string;
  readonly placeholder: string;
  readonly isSecret: boolean;
  readonly value: string;
  readonly step?: number;
  readonly totalSteps?: number;
  /** Whether a button leads to *Choose Docs…*, for readers without an account. */
  readonly offersDocs?: boolean;
  /** The reason why the last attempt failed. Shown until the value changes. */
  readonly problem?: string | undefined;
  readonly problemOf: (value: string) => string | undefined;
}

/** Shows an input box that stays open until its value is accepted, even when it loses focus. */
function inputBox(step: InputStep): Promise<InputEnd> {
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
  const docsButton = {
    iconPath: new vscode.ThemeIcon('library'),
    tooltip: translate('Choose Docs Without an Account…'),
  };
  if (step.offersDocs) box.buttons = [docsButton];
  else if (step.step !== undefined && step.step > 1) box.buttons = [vscode.QuickInputButtons.Back];
  return new Promise((resolve) => {
    const close = (result: InputEnd): void => {
      resolve(result);
      box.dispose();
    };
    box.onDidChangeValue(() => (box.validationMessage = undefined));
    box.onDidTriggerButton((button) => close(button === docsButton ? 'choose-docs' : 'back'));
    box.onDidHide(() => close('canceled'));
    box.onDidAccept(() => {
      const problem = step.problemOf(box.value);
      if (problem === undefined) close({ value: box.value });
      else box.validationMessage = plainText(problem);
    });
    box.show();
  });
}

/** Runs *Remove Assistant Key*: asks, then forgets the key of the site that questions go to. */
export async function removeAssistantKey(site: ActiveSite): Promise<void> {
  if (site.origin === undefined || site.local) throw new DocsAssistantError('not-configured');
  const { host } = new URL(site.origin);
  const question = translate('Remove the assistant key for {0}?', host);
  if (!(await modals.confirm(question, translate('Remove')))) return;
  await site.forget('assistant', site.origin);
  say(translate('Removed the assistant key for {0}.', host));
}
