import * as v from 'valibot';
import { PROTOCOL_VERSION, snapshotSchema } from '../src/shared/protocol';
import { setNumberLanguage } from '../src/shared/units';
import { ChatPanel } from './chatPanel';
import { HostEndpoint, RequestError } from './endpoint';
import { drawNow, drawWith, requestFrame } from './frames';
import { codeHighlighting } from './code/codeHighlighting';
import { registerToolkit } from './toolkit';
import { createViewActions } from './viewActions';
import { readViewState, writeViewState } from './viewState';
import {
  drawnModel,
  emptyModel,
  nextModel,
  type ShownView,
  type ViewInput,
  type ViewModel,
} from './viewStore';

/**
 * Time to wait for an answer. A host that is still starting may miss the first call, so it is
 * repeated.
 */
const READY_TIMEOUT_MS = 5_000;
const STATE_DELAY_MS = 250;
const MAX_LOGGED = 20;

const vscode = acquireVsCodeApi();
registerToolkit();
// Only the test page sets the attribute.
const { restFactor } = document.documentElement.dataset;
drawWith(render, restFactor === undefined ? undefined : Number(restFactor));

let model: ViewModel = emptyModel;
let panel: ChatPanel | undefined;
let isAsking = false;
/** Requests of the host that arrived before the panel was created. */
const wishes: ((shown: ChatPanel) => void)[] = [];
let loggedCount = 0;

const endpoint = new HostEndpoint(
  {
    post: (message) => vscode.postMessage(message),
    listen: (listener) => {
      window.addEventListener('message', (event: MessageEvent<unknown>) => {
        // VS Code posts from a frame of the same origin. Messages from other origins are not the
        // host's.
        if (event.origin === window.origin) listener(event.data);
      });
    },
  },
  {
    onEvent: (event) => {
      if (event.name === 'composer-focus') {
        const { text } = event.params;
        withPanel((shown) => shown.focusComposer(text));
      } else if (event.name === 'overlay-show') {
        const { overlay } = event.params;
        withPanel((shown) => shown.showOverlay(overlay));
      } else if (event.name === 'code-theme-changed') codeHighlighting(actions).themeChanged();
      dispatch({ kind: 'event', event });
    },
    onOps: (ops) => dispatch({ kind: 'ops', ops }),
    onUnreadable: (description) => log('warn', description),
  },
);
const actions = createViewActions(
  endpoint,
  (error) => panel?.showFailure(error),
  () => model.shown?.strings,
);

window.addEventListener('error', (event) => log('error', event.message));
window.addEventListener('unhandledrejection', (event) => reportFailure(event.reason));
window.addEventListener('pagehide', () => saveState());
document.addEventListener('visibilitychange', () => {
  if (document.hidden) saveState();
  drawNow();
});

setNumberLanguage(document.documentElement.lang);
void askForSnapshot();

function dispatch(input: ViewInput): void {
  model = nextModel(model, input);
  if (model.isAwaitingSnapshot) void askForSnapshot();
  else requestFrame();
}

async function askForSnapshot(): Promise<void> {
  if (isAsking) return;
  isAsking = true;
  try {
    const result: unknown = await endpoint.request(
      'view-ready',
      { protocolVersion: PROTOCOL_VERSION },
      READY_TIMEOUT_MS,
    );
    const snapshot = v.safeParse(snapshotSchema, result);
    if (!snapshot.success) {
      log('error', `unreadable snapshot: ${v.getDotPath(snapshot.issues[0]) ?? ''}`);
      if (!panel) {
        const loading = document.querySelector<HTMLElement>('.loading');
        if (loading) loading.textContent = loading.dataset['unreadable'] ?? '';
      }
      return;
    }
    isAsking = false;
    dispatch({ kind: 'snapshot', snapshot: snapshot.output, receivedAt: Date.now() });
  } catch (error: unknown) {
    isAsking = false;
    if (error instanceof RequestError && error.reason === 'timed-out') void askForSnapshot();
  }
}

function render(): void {
  const { shown } = model;
  if (!shown) return;
  if (panel) panel.render(shown);
  else createPanel(shown);
  model = drawnModel(model);
}

function createPanel(shown: ShownView): void {
  panel = new ChatPanel({
    view: shown,
    actions,
    stored: readViewState(vscode),
    hostNow: () => Date.now() - (model.shown?.clockOffsetMs ?? 0),
    reportFailure,
    onStateChange: () => requestSave(),
  });
  for (const wish of wishes.splice(0)) wish(panel);
}

function withPanel(act: (shown: ChatPanel) => void): void {
  if (panel) act(panel);
  else wishes.push(act);
}

let save: ReturnType<typeof setTimeout> | undefined;

function requestSave(): void {
  clearTimeout(save);
  save = setTimeout(saveState, STATE_DELAY_MS);
}

function saveState(): void {
  clearTimeout(save);
  if (panel) writeViewState(vscode, panel.state);
}

function reportFailure(error: unknown): void {
  log('error', error instanceof Error ? `${error.name}: ${error.message}` : 'Unknown failure');
}

/** Logs the text of an error, never text of the conversation. */
function log(level: 'warn' | 'error', text: string): void {
  if (++loggedCount > MAX_LOGGED) return;
  endpoint.request('view-log', { level, text: text.slice(0, 2_000) }).catch(() => {
    // There is no other way to report it.
  });
}
