import * as vscode from 'vscode';
import type { Conversation } from '../assistant/conversation';
import type { Disposable } from '../common/disposable';
import { isReplyRunning } from '../shared/uiMessage';
import type { ActiveSite } from './activeSite';
import { contextKeys, type ContextKey } from './contributions';

/** Keeps the context key of menus that need a site in step with it. */
export function followSite(site: ActiveSite): Disposable {
  const set = createSetter();
  const follow = (): void => set(contextKeys.isConfigured, site.view.isConfigured);
  follow();
  return site.onDidChange(follow);
}

/** Keeps the context keys of menus that depend on the last reply in step with the conversation. */
export function followReply(conversation: Conversation): Disposable {
  const set = createSetter();
  return conversation.onDidChange(({ name }) => {
    if (name === 'reply-ops' || name === 'context-items') return;
    const message = conversation.thread.messages.at(-1);
    const status = message?.role === 'assistant' ? message.status : undefined;
    const isRunning = status !== undefined && isReplyRunning(status);
    set(contextKeys.isReplyRunning, isRunning);
    set(contextKeys.canRetry, status !== undefined && !isRunning && status !== 'complete');
  });
}

/** Tells VS Code of changes only. */
function createSetter(): (key: ContextKey, value: boolean) => void {
  const last = new Map<ContextKey, boolean>();
  return (key, value) => {
    if (last.get(key) === value) return;
    last.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  };
}
