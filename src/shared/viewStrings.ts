/**
 * Every text that the webview shows by itself, in English. The host translates them and sends
 * them with the snapshot. `{0}` and `{1}` are filled in by {@link fill}.
 */
export const viewStrings = {
  composerLabel: 'Question',
  composerPlaceholder: 'Ask about the docs',
  composerHint: 'Enter sends, Shift+Enter breaks the line, Up recalls',
  send: 'Send',
  stop: 'Stop',
  retry: 'Retry',
  retryIn: 'Retry in {0} s',
  newThread: 'New Thread',
  addSelection: 'Add Selection',
  emptyTitle: 'Ask your docs',
  emptyText:
    'Select code or text in an editor and run “Ask Docs Assistant”, or type a question. Replies quote the docs and cite their pages.',
  emptyNotConfigured: 'Set up your docs site, or try it with no account on the local docs service.',
  setUpSite: 'Set Up Docs Site…',
  startLocalService: 'Start Local Docs Service',
  setAssistantKey: 'Set Assistant Key…',
  openSettings: 'Open Settings',
  openLog: 'Open Log',
  you: 'You',
  assistant: 'Docs Assistant',
  waiting: 'Waiting for the docs service…',
  streaming: 'Replying…',
  stopped: 'You stopped this reply.',
  stoppedByService: 'The docs service stopped this reply.',
  incomplete: 'This reply is incomplete: the stream ended early.',
  interrupted: 'This reply was interrupted when the window closed.',
  complete: 'Reply complete.',
  reasoning: 'Reasoning',
  reasoningRunning: 'Thinking…',
  sources: 'Sources',
  openSource: 'Open {0}',
  files: 'Files',
  openFile: 'Open file {0}',
  step: 'Step {0}',
  searching: 'Searching the docs for “{0}”…',
  searchingPlain: 'Searching the docs…',
  searched: 'Searched the docs for “{0}”: {1} pages',
  searchedPlain: 'Searched the docs: {0} pages',
  searchFailed: 'The search failed.',
  image: 'Image: {0}',
  copy: 'Copy',
  copied: 'Copied',
  copyReply: 'Copy Reply as Markdown',
  insertAtCursor: 'Insert at Cursor',
  newFile: 'New File',
  removeContextItem: 'Remove {0}',
  revealContextItem: 'Show {0}',
  lines: 'lines {0}–{1}',
  line: 'line {0}',
  contextItems: 'Context',
  messages: 'Conversation',
  jumpToLatest: 'Jump to Latest',
  filteredBy: 'Filtered: {0}',
  plainText: 'text',
} as const;

/** The same keys, in the reader's language. */
export type ViewStrings = { readonly [Key in keyof typeof viewStrings]: string };

/** Puts arguments into the `{0}`-style holes of a text. */
export function fill(text: string, ...values: (string | number)[]): string {
  return text.replace(/\{(\d+)\}/g, (hole, index: string) => String(values[Number(index)] ?? hole));
}
