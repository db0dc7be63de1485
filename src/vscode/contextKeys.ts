import * as vscode from 'vscode';
import type { Conversation } from '../chat/conversation/conversation';
import { contextKeys, type ContextKey } from '../common/contributions';
import { DisposableStore, type Disposable } from '../common/disposable';
import { exportContext } from '../export/commands/exportContext';
import type { Exports } from '../export/job/exports';
import type { Previews } from '../export/preview/previews';
import { isReplyRunning } from '../shared/uiMessage';
import type { ActiveSite } from '../site/activeSite';

/** Keeps the context keys for a configured site, and for one whose writer can be chosen, in step with the site. */
export function followSite(site: ActiveSite): Disposable {
  const set = createSetter();
  const follow = (): void => {
    const { isConfigured, answersWith } = site.view;
    set({
      [contextKeys.isConfigured]: isConfigured,
      [contextKeys.canAnswerWith]: answersWith !== undefined,
    });
  };
  follow();
  return site.onDidChange(follow);
}

/** Keeps the context keys that depend on the last reply in step with the conversation. */
export function followReply(conversation: Conversation): Disposable {
  const set = createSetter();
  return conversation.onDidChange(({ name }) => {
    if (name === 'reply-ops' || name === 'context-items') return;
    const message = conversation.thread.messages.at(-1);
    const status = message?.role === 'assistant' ? message.status : undefined;
    const isRunning = status !== undefined && isReplyRunning(status);
    set({
      [contextKeys.isReplyRunning]: isRunning,
      [contextKeys.canRetry]: status !== undefined && !isRunning && status !== 'complete',
    });
  });
}

/** Keeps the context keys of export commands in step with the exports and the running previews. */
export function followExports(
  exports: Pick<Exports, 'list' | 'onDidChange'>,
  previews: Pick<Previews, 'list' | 'onDidChange'>,
): Disposable {
  const set = createSetter();
  const follow = (): void => {
    const states = exports.list.map(({ record, watch }) => ({
      outcome: record.outcome,
      errorCode: record.errorCode,
      isWatched: watch.name !== 'idle',
    }));
    set({
      ...exportContext(states),
      [contextKeys.isPreviewRunning]: previews.list.length > 0,
    });
  };
  const store = new DisposableStore();
  store.add(exports.onDidChange(follow));
  store.add(previews.onDidChange(follow));
  return store;
}

/** Returns a function that sets context keys, and tells VS Code only about values that changed. */
export function createSetter(): (values: Partial<Record<ContextKey, boolean>>) => void {
  const last = new Map<string, boolean>();
  return (values) => {
    for (const [key, value] of Object.entries(values)) {
      if (last.get(key) === value) continue;
      last.set(key, value);
      void vscode.commands.executeCommand('setContext', key, value);
    }
  };
}
