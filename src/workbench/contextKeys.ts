import * as vscode from 'vscode';
import type { Conversation } from '../assistant/conversation';
import { DisposableStore, type Disposable } from '../common/disposable';
import { isReplyRunning } from '../shared/uiMessage';
import type { ActiveSite } from './activeSite';
import { contextKeys, type ContextKey } from './contributions';

/** Keeps the context keys that menus depend on in step with the site and the conversation. */
export function followContextKeys(conversation: Conversation, site: ActiveSite): Disposable {
  const store = new DisposableStore();
  const last = new Map<ContextKey, boolean>();
  const set = (key: ContextKey, value: boolean): void => {
    if (last.get(key) === value) return;
    last.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  };
  const followSite = (): void => set(contextKeys.isConfigured, site.view.isConfigured);
  const followReply = (): void => {
    const message = conversation.thread.messages.at(-1);
    const status = message?.role === 'assistant' ? message.status : undefined;
    const isRunning = status !== undefined && isReplyRunning(status);
    set(contextKeys.isReplyRunning, isRunning);
    set(contextKeys.canRetry, status !== undefined && !isRunning && status !== 'complete');
  };
  store.add(site.onDidChange(followSite));
  store.add(
    conversation.onDidChange(({ name }) => {
      if (name !== 'reply-ops' && name !== 'context-items') followReply();
    }),
  );
  followSite();
  return store;
}
