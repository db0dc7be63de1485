import type { HostPort } from '../../webview/endpoint';

/** Connection between webview and host. It copies each message, as `postMessage` does. */
export interface FakeLine {
  /** Port of the webview. */
  readonly port: HostPort;
  /** Everything that the webview posted, in order. */
  readonly posted: unknown[];
  /** Posts a message from the host to all listeners of the webview. */
  send(message: unknown): void;
}

/** Returns both ends of a `postMessage` connection, for tests without a webview or a host. */
export function endpointPair(): FakeLine {
  const listeners = new Set<(message: unknown) => void>();
  const posted: unknown[] = [];
  return {
    posted,
    port: {
      post: (message) => void posted.push(structuredClone(message)),
      listen: (listener) => void listeners.add(listener),
    },
    send: (message) => {
      for (const listener of [...listeners]) listener(structuredClone(message));
    },
  };
}
