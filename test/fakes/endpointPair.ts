import type { HostPort } from '../../webview/endpoint';

/** One end of a line to the other; what is posted is copied as `postMessage` copies it. */
export interface FakeLine {
  /** The webview's end. */
  readonly port: HostPort;
  /** Everything that the webview posted, in order. */
  readonly posted: unknown[];
  /** Posts from the host to whoever listens at the webview's end. */
  send(message: unknown): void;
  /** How many listen at the webview's end. */
  readonly listenerCount: number;
}

/** Both ends of `postMessage` between webview and host, without either. */
export function endpointPair(): FakeLine {
  const listeners = new Set<(message: unknown) => void>();
  const posted: unknown[] = [];
  return {
    posted,
    port: {
      post: (message) => void posted.push(structuredClone(message)),
      listen: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    send: (message) => {
      for (const listener of [...listeners]) listener(structuredClone(message));
    },
    get listenerCount() {
      return listeners.size;
    },
  };
}
