/** The events of a host, for its log. docs/host.md lists them. None has a link, a reader's address or a query. */

export const HOST_EVENT_VERSION = 1;

export type HostEvent =
  | { readonly event: 'listening'; readonly url: string }
  /** The host waits for another one that uses its data folder. */
  | { readonly event: 'waiting' }
  /** The bundle is downloaded. `from` is the link without its query. */
  | { readonly event: 'fetching'; readonly from: string }
  | {
      readonly event: 'serving';
      /** Identifier of the version. */
      readonly id: string;
      readonly label?: string | undefined;
      readonly pages: number;
      readonly basePath: string;
      /** Whether the version was kept, so that nothing was downloaded. */
      readonly isKept: boolean;
    }
  /** The values lead to the version that is served. */
  | { readonly event: 'unchanged'; readonly id: string }
  | { readonly event: 'off' }
  /** The host can't take over what the values name. What it serves stays. */
  | {
      readonly event: 'problem';
      readonly code: string;
      readonly message: string;
      readonly detail: string;
      /** Identifier of the version that stays. */
      readonly id?: string | undefined;
      readonly nextTry?: Date | undefined;
    }
  | {
      readonly event: 'request';
      readonly method: string;
      readonly path: string;
      readonly status: number;
      readonly ms: number;
    }
  /** A request failed because of the host, or something else that nobody asked for. */
  | { readonly event: 'warning'; readonly message: string }
  | { readonly event: 'stopping' }
  | { readonly event: 'stopped' };

/** Returns an event as a sentence. */
export function eventText(event: HostEvent): string {
  switch (event.event) {
    case 'listening':
      return `Listening at ${event.url}`;
    case 'waiting':
      return 'Waiting for another host that uses the data folder';
    case 'fetching':
      return `Fetching the bundle from ${event.from}`;
    case 'serving': {
      const { id, label, pages, basePath, isKept } = event;
      const named = label === undefined ? id : `${label} (${id})`;
      const place = basePath === '' ? '' : ` at ${basePath}/`;
      return `Serving version ${named}${place}: ${pages} pages${isKept ? ', kept from before' : ''}`;
    }
    case 'unchanged':
      return `The bundle is the version that is served (${event.id})`;
    case 'off':
      return 'staticExport.enabled is false, so nothing is served';
    case 'problem': {
      const { code, message, detail, id, nextTry } = event;
      const stays = id === undefined ? '' : ` Version ${id} is still served.`;
      const next = nextTry === undefined ? '' : ` Next try at ${nextTry.toISOString()}.`;
      return `Problem ${code}: ${message}${detail === '' ? '' : ` (${detail})`}${stays}${next}`;
    }
    case 'request':
      return `${event.method} ${event.path} ${event.status} ${event.ms} ms`;
    case 'warning':
      return `Warning: ${event.message}`;
    case 'stopping':
      return 'Stopping: running requests end first';
    case 'stopped':
      return 'Stopped';
  }
}
