/** The checks of *Check Setup* on what runs on this machine: local docs, the model, agents. */
import type { Translate } from '../../common/errors';
import type { Clock, Fetch } from '../../common/ports';
import { GuardedRequest } from '../../common/http/guardedRequest';
import { pageCountText } from '../../shared/units';
import { failed, passed, skipped, type SetupCheckResult, type SetupCheck } from './setupCheck';

/** The local docs service of this window. */
export interface CheckedDocs {
  /** Base URL, on this machine. */
  readonly url: string;
  /** Name of its docs. */
  readonly label: string;
  /** Number of pages. Absent while they are still read, and for a service of another process. */
  readonly pages?: number | undefined;
  /** Whether this window started the service and so knows its pages. */
  readonly isOwn: boolean;
}

/** Writer of the local docs service's replies. It is never asked. */
export type CheckedModel =
  | { readonly kind: 'quotes' }
  | {
      readonly kind: 'vscode';
      readonly label: string;
      readonly state: 'ready' | 'not-allowed' | 'missing';
    }
  | {
      readonly kind: 'endpoint';
      readonly label: string;
      /** `lists-no-models` is an endpoint that answers without telling its models. */
      readonly state:
        | 'ready'
        | 'lists-no-models'
        | 'model-missing'
        | 'key-rejected'
        | 'bad-key'
        | 'redirects'
        | 'unreachable';
    };

/** The MCP server that VS Code offers to agents. */
export interface CheckedMcp {
  /** Whether this version of VS Code takes MCP servers from extensions. */
  readonly isSupported: boolean;
  readonly isRegistered: boolean;
  /** Whether the program of the server is installed with the extension. */
  readonly hasProgram: boolean;
}

export interface LocalCheckPorts {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly translate: Translate;
  readonly docs: CheckedDocs | undefined;
  readonly model: (signal: AbortSignal) => Promise<CheckedModel>;
  /** Tells about the MCP server, if this build has one. */
  readonly mcp?: ((signal: AbortSignal) => Promise<CheckedMcp>) | undefined;
}

const LOCAL_LIMIT_MS = 10_000;
/** The list of models of an endpoint has a time limit of its own, which says more. */
const MODEL_LIMIT_MS = 15_000;

/** Returns the checks of what runs on this machine. */
export function localChecks(ports: LocalCheckPorts): readonly SetupCheck[] {
  const { mcp, translate: t } = ports;
  return [
    {
      title: t('Local docs'),
      limitMs: LOCAL_LIMIT_MS + 1000,
      run: (signal) => checkDocs(ports, signal),
    },
    {
      title: t('Model'),
      limitMs: MODEL_LIMIT_MS,
      // Only docs on this machine have a model. One that was chosen earlier may be gone by now.
      run: async (signal) =>
        ports.docs
          ? modelResult(await ports.model(signal), t)
          : skipped(t('No docs on this machine are chosen.')),
    },
    ...(mcp === undefined
      ? []
      : [
          {
            title: t('MCP server'),
            limitMs: LOCAL_LIMIT_MS,
            run: async (signal: AbortSignal) => mcpResult(await mcp(signal), t),
          },
        ]),
  ];
}

async function checkDocs(
  { docs, fetch, clock, translate: t }: LocalCheckPorts,
  signal: AbortSignal,
): Promise<SetupCheckResult> {
  if (!docs) return skipped(t('No docs on this machine are chosen.'));
  const settings = { headersTimeoutMs: LOCAL_LIMIT_MS, idleTimeoutMs: LOCAL_LIMIT_MS };
  const guarded = new GuardedRequest({ url: `${docs.url}/`, fetch, clock, signal, settings });
  const remedies = [{ action: 'choose-docs' }] as const;
  try {
    const response = await guarded.send({ method: 'GET', redirect: 'manual' });
    if (!response.ok) {
      return failed(t('The local docs service answers with HTTP {0}.', response.status), {
        advice: t('Choose the docs again to restart the service.'),
        remedies,
      });
    }
  } catch {
    signal.throwIfAborted();
    return failed(t('The local docs service doesn’t answer.'), {
      advice: t('Choose the docs again to restart the service.'),
      remedies,
    });
  } finally {
    guarded.close();
  }
  if (!docs.isOwn) return passed(t('The local docs service answers from {0}.', docs.label));
  switch (docs.pages) {
    case undefined:
      return passed(
        t('The local docs service answers from {0}. Its pages are still being read.', docs.label),
      );
    case 0:
      return failed(t('{0} has no pages.', docs.label), {
        advice: t('Choose a folder that has Markdown pages.'),
        remedies,
      });
    default:
      return passed(
        t(
          'The local docs service answers from {0} with {1}.',
          docs.label,
          pageCountText(docs.pages, t),
        ),
      );
  }
}

function modelResult(model: CheckedModel, t: Translate): SetupCheckResult {
  if (model.kind === 'quotes') return skipped(t('Replies quote the docs, without a model.'));
  const { label } = model;
  const remedies = [{ action: 'answer-with' }] as const;
  switch (model.state) {
    case 'ready':
      return passed(t('{0} is available. The check sends it no question.', label));
    case 'not-allowed':
      return failed(t('VS Code has no permission to use {0}.', label), {
        advice: t('Choose the model again to allow it.'),
        remedies,
      });
    case 'missing':
      return failed(t('VS Code no longer has the model {0}.', label), {
        advice: t('Choose another model.'),
        remedies,
      });
    case 'lists-no-models':
      return passed(t('The endpoint of {0} answers, but doesn’t list its models.', label));
    case 'model-missing':
      return failed(t('The endpoint doesn’t list the model {0}.', label), {
        advice: t('Load the model at the endpoint, or choose another one.'),
        remedies,
      });
    case 'key-rejected':
      return failed(t('The endpoint of {0} rejects the key, or requires one.', label), {
        advice: t('Choose the endpoint again and change its key.'),
        remedies,
      });
    case 'bad-key':
      return failed(
        t('The key for the endpoint of {0} contains invisible or invalid characters.', label),
        {
          advice: t('Choose the endpoint again and change its key.'),
          remedies,
        },
      );
    case 'redirects':
      return failed(t('The endpoint of {0} redirects to another URL.', label), {
        advice: t('Choose the endpoint again and enter that URL.'),
        remedies,
      });
    case 'unreachable':
      return failed(t('Can’t reach the endpoint of {0}.', label), {
        advice: t('Start the endpoint or check its URL. Until it answers, replies quote the docs.'),
        remedies,
      });
  }
}

function mcpResult(
  { isSupported, isRegistered, hasProgram }: CheckedMcp,
  t: Translate,
): SetupCheckResult {
  if (!hasProgram) {
    return failed(t('The program of the MCP server is missing.'), {
      advice: t('Install the extension again.'),
    });
  }
  if (!isSupported) {
    return skipped(t('This version of VS Code doesn’t support MCP servers from extensions.'));
  }
  return isRegistered
    ? passed(t('VS Code offers the docs tools to agents.'))
    : failed(t('VS Code didn’t register the MCP server.'), {
        advice: t('Reload the window. If that doesn’t help, see the log.'),
        remedies: [{ action: 'open-log' }],
      });
}
