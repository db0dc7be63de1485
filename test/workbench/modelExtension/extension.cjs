// @ts-check
/** A model of VS Code that writes what the test tells it to, and keeps what it was asked. */
const { setTimeout: delay } = require('node:timers/promises');
const vscode = require('vscode');

/** @typedef {{ text: string, optionNames: string[] }} ModelRequest */

/** State that the test changes and reads: the extension's exports. */
const scripted = {
  /** Texts of the replies to requests that hold the key; the first that fits is written. */
  replies: /** @type {[string, string][]} */ ([]),
  /** Name of the error that the next requests end with, such as `Blocked`. */
  failure: /** @type {string | undefined} */ (undefined),
  requests: /** @type {ModelRequest[]} */ ([]),
};

/** @param {readonly unknown[]} content @returns {string} */
const textOf = (content) =>
  content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');

const provider = {
  provideLanguageModelChatInformation: () => [
    {
      id: 'scripted-1',
      name: 'Scripted One',
      family: 'scripted',
      version: '1',
      maxInputTokens: 8000,
      maxOutputTokens: 2000,
      capabilities: {},
    },
  ],
  /**
   * @param {unknown} _model
   * @param {readonly { content: readonly unknown[] }[]} messages
   * @param {{ tools?: readonly unknown[] }} options
   * @param {{ report(part: unknown): void }} progress
   */
  async provideLanguageModelChatResponse(_model, messages, options, progress) {
    const text = messages.map(({ content }) => textOf(content)).join('\n');
    const optionNames = (options.tools ?? []).length > 0 ? ['tools'] : [];
    scripted.requests.push({ text, optionNames });
    if (scripted.failure === 'Blocked') throw vscode.LanguageModelError.Blocked('no quota');
    if (scripted.failure !== undefined) throw new Error(scripted.failure);
    const reply = scripted.replies.find(([key]) => text.includes(key))?.[1] ?? '';
    for (const piece of reply.match(/[\s\S]{1,12}/g) ?? []) {
      progress.report(new vscode.LanguageModelTextPart(piece));
      await delay(5);
    }
  },
  /** @param {unknown} _model @param {string | { content: readonly unknown[] }} text */
  provideTokenCount: async (_model, text) =>
    (typeof text === 'string' ? text : textOf(text.content)).length / 4,
};

/** @param {import('vscode').ExtensionContext} context */
exports.activate = (context) => {
  // Newer than the types that this repository is built with.
  const { registerLanguageModelChatProvider } = /** @type {any} */ (vscode.lm);
  context.subscriptions.push(
    registerLanguageModelChatProvider.call(vscode.lm, 'docs-assistant-test', provider),
  );
  return scripted;
};
