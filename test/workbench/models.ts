/** The model of `test/workbench/modelExtension`, and docs that it can write about. */
import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import { commands } from '../../src/common/contributions';
import { extensionApi } from './asking';

/** Exports of `test/workbench/modelExtension`. */
export interface ScriptedModel {
  replies: [key: string, reply: string][];
  failure: string | undefined;
  requests: { text: string; optionNames: string[] }[];
}

/** Returns the model, which writes what the test tells it to. */
export async function scriptedModel(): Promise<ScriptedModel> {
  const extension = vscode.extensions.getExtension<ScriptedModel>(
    'docs-assistant-test.scripted-model',
  );
  assert.ok(extension, 'the extension with the model is not installed');
  return extension.activate();
}

export const modelOffer = 'article.reply .model-offer';
export const offerButton = `${modelOffer} vscode-button`;

/** Forgets who writes the replies, and has the model answer with one sentence. */
export async function offerAnew(): Promise<ScriptedModel> {
  await (await extensionApi()).forgetModel();
  const model = await scriptedModel();
  model.requests = [];
  model.failure = undefined;
  model.replies = [['You answer questions about', 'Every delivery has a signature [1].']];
  return model;
}

/** Serves the sample docs by a service of this window's own. */
export async function serveSampleDocs(): Promise<void> {
  const extension = vscode.extensions.getExtension('docs-assistant.docs-assistant');
  assert.ok(extension);
  const folder = path.join(extension.extensionPath, 'dist', 'sampleDocs');
  await vscode.commands.executeCommand(commands.chooseDocs, {
    kind: 'folder',
    folder,
    label: 'Sample Docs',
  });
}
