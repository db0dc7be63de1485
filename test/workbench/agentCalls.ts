/** Calls of language model tools, as an agent makes them. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';

/** Calls a tool outside of a chat and returns its text. */
export async function invoke(
  name: string,
  input: object,
  options: Partial<vscode.LanguageModelToolInvocationOptions<object>> = {},
  token?: vscode.CancellationToken,
): Promise<string> {
  const result = await vscode.lm.invokeTool(
    name,
    { toolInvocationToken: undefined, input, ...options },
    token,
  );
  return result.content
    .map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : ''))
    .join('');
}

/** Returns the error that an agent gets. */
export async function errorOf(call: Promise<string>): Promise<Error> {
  const error: unknown = await call.then(
    (text) => assert.fail(`no error, but: ${text}`),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof Error);
  return error;
}
