import * as vscode from 'vscode';
import { completionAt, type QuestionKey } from '../../questions/questionCompletion';
import type { WorkbenchSettings } from '../settings';
import { walkFiles } from '../walkFiles';
import { docsOfFile, DocsUnavailable } from './questionTargets';
import { IGNORED_FOLDERS, QUESTION_FILES } from './questionFilePattern';

/** Most pages that are offered. The reader types on to find others. */
const MAX_PAGES = 5000;

/** The extension that completes YAML by the schema that our manifest contributes. */
const YAML_EXTENSION = 'redhat.vscode-yaml';

/** Completes keys, pages and values in files of docs questions. */
export function completeQuestions(
  settings: Pick<WorkbenchSettings, 'docsFolder'>,
): vscode.Disposable {
  return vscode.languages.registerCompletionItemProvider(
    { pattern: QUESTION_FILES },
    {
      provideCompletionItems: async (document, position, token) => {
        const lines = document.getText().split(/\r?\n/);
        const before = lines.slice(0, position.line + 1);
        before[position.line] = (before[position.line] ?? '').slice(0, position.character);
        const completion = completionAt(before, lines.slice(position.line + 1));
        if (!completion) return [];
        const range = new vscode.Range(
          position.line,
          completion.start,
          position.line,
          position.character,
        );
        switch (completion.kind) {
          case 'booleans':
            return ['true', 'false'].map((name) => valueItem(name, range));
          case 'pages':
            return (await pagesOf(document.uri, settings, token)).map((page) =>
              pageItem(page, range),
            );
          case 'keys':
            if (vscode.extensions.getExtension(YAML_EXTENSION)?.isActive === true) return [];
            return completion.keys.map((key, index) =>
              keyItem(key, { range, index, ...completion, indent: completion.start }),
            );
        }
      },
    },
    '-',
    ' ',
    '/',
  );
}

function keyItem(
  { name, description, value }: QuestionKey,
  place: {
    readonly range: vscode.Range;
    readonly index: number;
    readonly indent: number;
    readonly needsDash: boolean;
  },
): vscode.CompletionItem {
  const item = new vscode.CompletionItem(name, vscode.CompletionItemKind.Property);
  item.documentation = description;
  item.range = place.range;
  // Keys are sorted as in the schema, which lists required keys first.
  item.sortText = String(place.index).padStart(3, '0');
  const dash = place.needsDash ? '- ' : '';
  // VS Code gives lines after the first the indentation of the line that they are inserted into.
  const end = { inline: ' ', list: '\n  - ', keys: '\n  ' }[value];
  item.insertText = new vscode.SnippetString(`${dash}${name}:${end}$0`);
  item.keepWhitespace = false;
  return item;
}

function pageItem(page: string, range: vscode.Range): vscode.CompletionItem {
  const item = new vscode.CompletionItem(page, vscode.CompletionItemKind.File);
  item.range = range;
  return item;
}

function valueItem(name: string, range: vscode.Range): vscode.CompletionItem {
  const item = new vscode.CompletionItem(name, vscode.CompletionItemKind.Value);
  item.range = range;
  return item;
}

/** Returns the paths of the pages of a file's docs, without extensions. */
async function pagesOf(
  uri: vscode.Uri,
  settings: Pick<WorkbenchSettings, 'docsFolder'>,
  token: vscode.CancellationToken,
): Promise<string[]> {
  let folder: vscode.Uri;
  try {
    folder = vscode.Uri.file(docsOfFile(uri, { settings }).folder);
  } catch (error) {
    if (error instanceof DocsUnavailable) return [];
    throw error;
  }
  const pages = (await pageFiles(folder, token)).map(({ path }) =>
    path
      .slice(folder.path.length)
      .replace(/^\//, '')
      .replace(/\.(?:mdx?|markdown)$/i, '')
      .replace(/(^|\/)(?:index|readme)$/i, '$1')
      .replace(/\/$/, ''),
  );
  return [...new Set(pages)].filter((page) => page !== '').sort();
}

async function pageFiles(
  folder: vscode.Uri,
  token: vscode.CancellationToken,
): Promise<vscode.Uri[]> {
  const pattern = new vscode.RelativePattern(folder, '**/*.{md,mdx,markdown}');
  try {
    return await vscode.workspace.findFiles(pattern, IGNORED_FOLDERS, MAX_PAGES, token);
  } catch {
    // The file search runs a separate program, which some installations lack.
    return walkFiles(folder, MAX_PAGES, ({ path }) => /\.(?:mdx?|markdown)$/i.test(path));
  }
}
