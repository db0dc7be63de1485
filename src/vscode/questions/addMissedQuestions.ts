/** *Add Missed Questions…*: writes questions that the docs didn't answer into a `docs-questions.yaml`. */
import * as vscode from 'vscode';
import { describeError } from '../../common/describeError';
import { DocsAssistantError } from '../../common/errors';
import type { Clock, Fetch } from '../../common/ports';
import { type MissedQuestion, missedQuestions } from '../../questions/missedQuestions';
import type { ActiveSite } from '../../site/activeSite';
import { findCompanyService } from '../../site/companyService';
import type { ExportEntry } from '../export/exportEntry';
import { plainText, say, translate } from '../notifications';
import { chooseFile, writeQuestions } from './addDocsQuestion';

interface MissedQuestionsPorts {
  readonly site: ActiveSite;
  readonly exports: Pick<ExportEntry, 'feature'>;
  readonly fetch: Fetch;
  readonly clock: Clock;
}

/** Lists what readers of the asked site miss, by week, and adds what the reader chooses to a file. */
export async function addMissedQuestions(ports: MissedQuestionsPorts): Promise<void> {
  const misses = await readMisses(ports);
  if (!misses) return;
  if (misses.length === 0) {
    say(translate('The docs had a source for every question that was asked.'));
    return;
  }
  const chosen = await chooseMisses(misses);
  if (!chosen || chosen.length === 0) return;
  const uri = await chooseFile();
  if (uri) await writeQuestions(uri, chosen);
}

/** Returns undefined if there is nothing to read, which was shown, or the reader gave no admin key. */
async function readMisses(
  ports: MissedQuestionsPorts,
  isRefused = false,
): Promise<readonly MissedQuestion[] | undefined> {
  const { hosted, local } = ports.site;
  const { signal } = new AbortController();
  if (local || !hosted || !(await findCompanyService(hosted.baseUrl, ports, signal))) {
    say(translate('Only a site of a company’s docs service tells what its readers miss.'));
    return undefined;
  }
  const { origin } = new URL(hosted.baseUrl);
  if (!(await (await ports.exports.feature()).ensureAdminKey(origin, isRefused))) return undefined;
  const key = await ports.site.read('admin', origin);
  if (key === undefined) return undefined;
  try {
    return await missedQuestions(hosted, key, ports, signal);
  } catch (error) {
    if (!(error instanceof DocsAssistantError)) throw error;
    if (error.code !== 'key-rejected') {
      void vscode.window.showErrorMessage(plainText(describeError(error, translate).message));
      return undefined;
    }
    const text = translate('{0} rejected the admin key. Set a new one.', new URL(origin).host);
    const setKey = translate('Set Admin Key…');
    const chosen = await vscode.window.showErrorMessage(plainText(text), setKey);
    return chosen === setKey ? readMisses(ports, true) : undefined;
  }
}

async function chooseMisses(
  misses: readonly MissedQuestion[],
): Promise<readonly string[] | undefined> {
  let week = '';
  const rows: (vscode.QuickPickItem & { readonly question?: string })[] = [];
  for (const miss of misses) {
    if (miss.week !== week) {
      week = miss.week;
      rows.push({ label: week, kind: vscode.QuickPickItemKind.Separator });
    }
    const { question, count } = miss;
    const asked = count === 1 ? translate('asked once') : translate('asked {0} times', count);
    rows.push({ label: plainText(question), description: asked, question });
  }
  const chosen = await vscode.window.showQuickPick(rows, {
    title: translate('Add Missed Questions'),
    placeHolder: translate('Choose the questions that the docs must answer'),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  return chosen?.flatMap(({ question }) => (question === undefined ? [] : [question]));
}
