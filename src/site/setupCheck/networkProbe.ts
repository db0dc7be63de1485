/** Looks at names, ports and certificates with `node:dns`, `node:net`, `node:tls` and `node:http`. */
import { lookup } from 'node:dns/promises';
import { request } from 'node:http';
import { connect as connectSocket, type Socket } from 'node:net';
import { connect as connectSecurely, type PeerCertificate } from 'node:tls';
import type { NetworkProbe, NetworkTarget, ServerCertificate } from './networkChecks';

/**
 * The network as this machine sees it, past VS Code's own rules for proxies and certificates. It
 * explains why a request failed, and never decides whether one would.
 */
export const networkProbe: NetworkProbe = {
  lookUp: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),

  connect: async (host, port, signal) => {
    const socket = await opened(connectSocket({ host, port }), 'connect', signal);
    socket.destroy();
  },

  tunnelStatus: async (proxy, target, signal) => {
    const { status, socket } = await askForTunnel(proxy, target, signal);
    socket.destroy();
    return status;
  },

  certificate: async ({ host, port, proxy }, signal) => {
    const tunnel =
      proxy === undefined ? undefined : await openTunnel(proxy, { host, port }, signal);
    const isName = !/^[\d.]+$|:/.test(host);
    const socket = connectSecurely({
      ...(tunnel === undefined ? { host, port } : { socket: tunnel }),
      servername: isName ? host : undefined,
      // Nothing is sent. The certificate is read to say what is wrong with it.
      rejectUnauthorized: false,
    });
    try {
      await opened(socket, 'secureConnect', signal);
      // The types promise an Error, but Node sets the error's code, or null for a trusted one.
      const code: unknown = socket.authorizationError;
      return certificateOf(
        socket.getPeerCertificate(),
        typeof code === 'string' ? code : undefined,
      );
    } finally {
      socket.destroy();
      tunnel?.destroy();
    }
  },
};

/** Resolves with the socket at the event, and closes it at an error or when the signal aborts. */
function opened<S extends Socket>(socket: S, event: string, signal: AbortSignal): Promise<S> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      socket.destroy();
      reject(signal.reason as Error);
    };
    if (signal.aborted) {
      stop();
      return;
    }
    signal.addEventListener('abort', stop, { once: true });
    const done = (): void => signal.removeEventListener('abort', stop);
    socket.once(event, () => {
      done();
      resolve(socket);
    });
    // It stays to take later errors, which nobody waits for.
    socket.on('error', (error) => {
      done();
      reject(error);
    });
  });
}

/** Opens a connection to a host through an HTTP proxy. */
async function openTunnel(
  proxy: string,
  target: NetworkTarget,
  signal: AbortSignal,
): Promise<Socket> {
  const { status, socket } = await askForTunnel(proxy, target, signal);
  if (status === 200) return socket;
  socket.destroy();
  throw new Error(`The proxy answered ${status}`);
}

function askForTunnel(
  proxy: string,
  { host, port }: NetworkTarget,
  signal: AbortSignal,
): Promise<{ readonly status: number; readonly socket: Socket }> {
  const { hostname, port: proxyPort, username, password } = new URL(proxy);
  const target = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const headers: Record<string, string> = { Host: target };
  if (username !== '') {
    headers['Proxy-Authorization'] = `Basic ${Buffer.from(user).toString('base64')}`;
  }
  return new Promise((resolve, reject) => {
    const tunnel = request({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: proxyPort === '' ? 80 : Number(proxyPort),
      method: 'CONNECT',
      path: target,
      signal,
      agent: false,
      headers,
    });
    tunnel.once('connect', ({ statusCode: status = 0 }, socket) => resolve({ status, socket }));
    tunnel.once('error', reject);
    tunnel.end();
  });
}

function certificateOf(
  peer: Partial<PeerCertificate>,
  trustError: string | undefined,
): ServerCertificate {
  const { issuer, subject, subjectaltname = '', valid_from = '', valid_to = '' } = peer;
  const names = subjectaltname
    .split(', ')
    .flatMap((name) => /^(?:DNS|IP Address):(.+)$/.exec(name)?.[1] ?? []);
  return {
    issuer: nameOf(issuer),
    names: names.length > 0 ? names : [nameOf(subject)],
    validFrom: Date.parse(valid_from),
    validTo: Date.parse(valid_to),
    trustError,
  };
}

/** Returns the name of a certificate's owner or issuer. Any field can be there once, several times or not. */
function nameOf(fields: unknown): string {
  const { CN, O } = (fields ?? {}) as Record<string, string | readonly string[] | undefined>;
  const [name] = [O ?? CN ?? ''].flat();
  return name ?? '';
}
