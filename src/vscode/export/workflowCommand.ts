/**
 * *Add Export Workflow…*: asks for the options of a CI workflow, shows the workflow, and writes it.
 */
import * as vscode from 'vscode';
import { parseApiAddress } from '../../common/http/address';
import { parseExportDomain } from '../../export/commands/settings';
import { offer, type Choice, type WindowUi } from '../../common/windowUi';
import { ExportError } from '../../export/exportErrors';
import { exportWorkflow, gitlabInclude, workflowFiles } from '../../export/workflow/exportWorkflow';
import {
  checkBranch,
  checkCron,
  checkPackage,
  checkRepositoryPath,
  checkStoreCommand,
  DAILY,
  readWorkflowOptions,
  storeCommands,
  WEEKLY,
  type CiService,
  type InputRefusal,
  type WorkflowInput,
} from '../../export/workflow/workflowOptions';
import { translate } from '../notifications';
import { openDocument } from '../openDocument';
import { uriExists } from '../uriExists';

interface WorkflowPorts {
  readonly ui: WindowUi;
  readonly settings: () => { readonly apiUrl: string; readonly exportDomain: string };
}

/** Most files that are offered for an answer. The reader types other paths. */
const MAX_OFFERED = 50;

/** Marker of a question that the user canceled. */
class Canceled extends Error {}

/** Runs the command. Resolves without a file if the user cancels a question. */
export async function addExportWorkflow(ports: WorkflowPorts): Promise<void> {
  try {
    await askAndWrite(ports);
  } catch (error) {
    if (!(error instanceof Canceled)) throw error;
  }
}

async function askAndWrite({ ui, settings }: WorkflowPorts): Promise<void> {
  const folder = await chooseFolder(ui);
  const service = await chosen(
    ui.choose<CiService>(translate('Choose the CI Service'), [
      { label: 'GitHub Actions', description: workflowFiles.github, value: 'github' },
      { label: 'GitLab CI', description: workflowFiles.gitlab, value: 'gitlab' },
    ]),
  );
  const known = settings();
  const exportDomain = await enter(ui, {
    title: translate('Site to Export'),
    prompt: translate('Enter the host name of the site.'),
    placeholder: 'docs.example.com',
    value: known.exportDomain,
    check: parseExportDomain,
  });
  const apiUrl = await enter(ui, {
    title: translate('Export API'),
    prompt: translate('Enter the URL of the export API.'),
    placeholder: 'https://docs-platform.example.com',
    value: known.apiUrl,
    check: (text) => parseApiAddress(text, 'export'),
  });
  const input: WorkflowInput = {
    exportDomain,
    apiUrl,
    packageSpec: await askPackage(ui, folder),
    ...(await askTrigger(ui)),
    ...(await askQuestions(ui, folder)),
    ...(await askLink(ui, folder)),
  };
  const read = readWorkflowOptions(service, input);
  // Every answer was checked when it was entered, so this is unexpected.
  if (!read.ok) throw new ExportError('values-not-usable', { path: read.field });
  await write(ui, folder, service, exportWorkflow(read.options));
}

async function chosen<T>(answer: Promise<T | undefined>): Promise<T> {
  const value = await answer;
  if (value === undefined) throw new Canceled();
  return value;
}

interface Question {
  readonly title: string;
  readonly prompt: string;
  readonly placeholder: string;
  readonly value?: string;
  readonly check: (text: string) => { readonly ok: true } | InputRefusal;
}

async function enter(ui: WindowUi, { check, ...question }: Question): Promise<string> {
  return chosen(
    ui.enter({
      ...question,
      remarkOn: (text) => {
        const checked = check(text);
        if (checked.ok) return undefined;
        return { kind: 'error', text: translate(checked.message, checked.detail ?? '') };
      },
    }),
  );
}

async function chooseFolder(ui: WindowUi): Promise<vscode.Uri> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const [first] = folders;
  if (!first) {
    void ui.inform(translate('Open the repository’s folder first.'));
    throw new Canceled();
  }
  if (folders.length === 1) return first.uri;
  return chosen(
    ui.choose(
      translate('Choose the Repository'),
      folders.map(({ name, uri }) => ({ label: name, description: uri.path, value: uri })),
    ),
  );
}

/** Returns files of the repository by their paths from its top. */
async function filesIn(folder: vscode.Uri, pattern: string): Promise<readonly string[]> {
  const found = await vscode.workspace
    .findFiles(new vscode.RelativePattern(folder, pattern), '**/node_modules/**', MAX_OFFERED)
    // The file search runs a separate program, which some installations lack.
    .then(undefined, () => []);
  return found.map(({ path }) => path.slice(folder.path.replace(/\/$/, '').length + 1)).sort();
}

/** Asks for one of some files, or for another path. */
async function askFile(
  ui: WindowUi,
  files: readonly string[],
  question: Question,
  none?: Choice<string>,
): Promise<string> {
  const other = 'other';
  const choices: Choice<string>[] = [
    ...files.map((file) => ({ label: file, icon: 'file', value: `file:${file}` })),
    { label: translate('Another file…'), icon: 'edit', value: other },
    ...(none ? [none] : []),
  ];
  if (files.length === 0 && !none) return enter(ui, question);
  const answer = await chosen(ui.choose(question.title, choices));
  if (answer === other) return enter(ui, question);
  return answer.replace(/^file:/, '');
}

async function askPackage(ui: WindowUi, folder: vscode.Uri): Promise<string> {
  const question = {
    title: translate('Package of docs-assistant'),
    prompt: translate(
      'Enter a package file in the repository, or the name and exact version of your own package.',
    ),
    placeholder: './tools/docs-assistant.tgz',
    check: checkPackage,
  };
  return askFile(ui, await filesIn(folder, '**/docs-assistant*.tgz'), question);
}

async function askTrigger(ui: WindowUi): Promise<Partial<WorkflowInput>> {
  const answer = await chosen(
    ui.choose(translate('Choose When the Workflow Runs'), [
      { label: translate('Every day'), value: 'daily' },
      { label: translate('Every week'), value: 'weekly' },
      { label: translate('At other times…'), value: 'other' },
      { label: translate('On each push to a branch…'), value: 'push' },
    ] as const),
  );
  switch (answer) {
    case 'daily':
      return { cron: DAILY };
    case 'weekly':
      return { cron: WEEKLY };
    case 'other':
      return {
        cron: await enter(ui, {
          title: translate('Schedule'),
          prompt: translate(
            'Enter minute, hour, day of the month, month and day of the week, in UTC.',
          ),
          placeholder: WEEKLY,
          check: checkCron,
        }),
      };
    case 'push':
      return {
        branch: await enter(ui, {
          title: translate('Branch'),
          prompt: translate('Enter the branch that runs the workflow when you push to it.'),
          placeholder: 'main',
          value: 'main',
          check: checkBranch,
        }),
      };
  }
}

async function askQuestions(ui: WindowUi, folder: vscode.Uri): Promise<Partial<WorkflowInput>> {
  const placeholder = 'docs-questions.yaml';
  const file = await askFile(
    ui,
    await filesIn(folder, '**/*docs-questions.{yaml,yml}'),
    {
      title: translate('Questions That the Docs Must Answer'),
      prompt: translate('Enter the path of a questions file in the repository.'),
      placeholder,
      check: (text) => checkRepositoryPath(text, placeholder),
    },
    { label: translate('No questions'), icon: 'circle-slash', value: '' },
  );
  return { questions: file === '' ? undefined : file };
}

async function askLink(ui: WindowUi, folder: vscode.Uri): Promise<Partial<WorkflowInput>> {
  const answer = await chosen(
    ui.choose(translate('Choose What to Do With the Bundle Link'), [
      {
        label: translate('Propose the link in a values file…'),
        detail: translate(
          'Opens a pull or merge request. Everyone who can read it can download the bundle until the link expires.',
        ),
        value: 'values',
      },
      {
        label: translate('Put the link into a secret store…'),
        detail: translate(
          'Runs a command that reads the link from stdin. No file contains the link.',
        ),
        value: 'store',
      },
      { label: translate('Do nothing with the link'), value: 'none' },
    ] as const),
  );
  if (answer === 'none') return {};
  if (answer === 'values') {
    const placeholder = 'deploy/values.yaml';
    return {
      values: await askFile(ui, await filesIn(folder, '**/*values*.{yaml,yml}'), {
        title: translate('Values File'),
        prompt: translate('Enter the path of a values file in the repository.'),
        placeholder,
        check: (text) => checkRepositoryPath(text, placeholder),
      }),
    };
  }
  const command = await chosen(
    ui.choose(translate('Choose the Secret Store'), [
      ...Object.entries(storeCommands).map(([label, value]) => ({
        label,
        value,
        description: value,
      })),
      { label: translate('Another one…'), value: '' },
    ]),
  );
  return {
    storeCommand: await enter(ui, {
      title: translate('Command of the Secret Store'),
      prompt: translate(
        'Enter a command that reads the link from stdin. Adapt the names to your store.',
      ),
      placeholder: storeCommands['HashiCorp Vault'],
      value: command,
      check: checkStoreCommand,
    }),
  };
}

/** Writes the workflow and opens it. A file that exists is replaced only after a confirmation. */
async function write(
  ui: WindowUi,
  folder: vscode.Uri,
  service: CiService,
  text: string,
): Promise<void> {
  const file = workflowFiles[service];
  const uri = vscode.Uri.joinPath(folder, file);
  if (openDocument(uri)?.isDirty === true || (await uriExists(uri))) {
    const question = translate('{0} exists. Replace it?', file);
    if (!(await ui.confirm(question, translate('Replace')))) return;
  }
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(uri, { contents: new TextEncoder().encode(text), overwrite: true });
  if (!(await vscode.workspace.applyEdit(edit))) {
    throw new ExportError('not-writable', { path: file, causeCode: 'applyEdit' });
  }
  await vscode.window.showTextDocument(uri);
  const isIncluded = service === 'gitlab';
  offer(
    ui,
    isIncluded
      ? translate(
          'Wrote {0}. Include it in .gitlab-ci.yml. Its first lines list what to set up before the first run.',
          file,
        )
      : translate('Wrote {0}. Its first lines list what to set up before the first run.', file),
    isIncluded ? { [translate('Copy Include')]: () => ui.copy(gitlabInclude(file)) } : {},
  );
}
