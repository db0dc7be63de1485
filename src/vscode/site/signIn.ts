/** Takes tokens by VS Code's own authentication API, loaded with the first site at which the reader signs in. */
import * as vscode from 'vscode';
import type { Log, SignIn } from '../../common/ports';

/** Returns a token of the provider, which VS Code keeps and renews, or undefined if there is none. */
export async function editorToken(
  { provider, scopes }: SignIn,
  how: 'silent' | 'ask' | 'anew',
  log: Log,
): Promise<string | undefined> {
  const options = {
    silent: { silent: true },
    ask: { createIfNone: true },
    anew: { forceNewSession: true },
  }[how];
  try {
    const session = await vscode.authentication.getSession(provider, scopes, options);
    return session?.accessToken;
  } catch (error) {
    // The reader refused, or no extension has this provider. The message could repeat what the provider answered.
    log.warn(`VS Code gave no token of “${provider}”: ${error instanceof Error ? error.name : ''}`);
    return undefined;
  }
}
