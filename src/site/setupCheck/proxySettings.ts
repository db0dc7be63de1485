/** Finds the proxy of VS Code's requests, as far as its settings and the environment tell. */
import { isLoopbackHost } from '../../common/http/address';
import { parseUrl } from '../../shared/links';

export interface ProxySettings {
  /** VS Code's setting `http.proxy`. */
  readonly proxy: string;
  /** VS Code's setting `http.proxySupport`. */
  readonly support: string;
  /** VS Code's setting `http.noProxy`. */
  readonly noProxy: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

export type Proxy =
  | { readonly kind: 'none'; readonly reason: 'not-set' | 'switched-off' | 'excepted' | 'loopback' }
  | {
      readonly kind: 'proxy';
      /** Can hold a user name and a password, which are never shown. */
      readonly url: string;
      /** Host and port, to be shown. */
      readonly host: string;
      readonly hostname: string;
      readonly port: number;
      readonly isHttp: boolean;
      /** Name of the setting or of the variable. */
      readonly source: string;
    }
  | { readonly kind: 'invalid'; readonly source: string };

const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };
/** Port of SOCKS proxies. */
const SOCKS_PORT = 1080;

/** Returns the proxy for a URL. The system's own proxy settings aren't known here. */
export function proxyFor(url: string, settings: ProxySettings): Proxy {
  const target = parseUrl(url);
  if (!target || isLoopbackHost(target.hostname)) return { kind: 'none', reason: 'loopback' };
  if (settings.support === 'off') return { kind: 'none', reason: 'switched-off' };
  const { source, text } = configured(target.protocol, settings);
  if (text === '') return { kind: 'none', reason: 'not-set' };
  const exceptions =
    settings.noProxy.length > 0
      ? settings.noProxy
      : (settings.env['no_proxy'] ?? settings.env['NO_PROXY'] ?? '').split(/[\s,]+/);
  if (exceptions.some((exception) => excepts(exception, target))) {
    return { kind: 'none', reason: 'excepted' };
  }
  const proxy = parseUrl(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  if (!proxy || proxy.hostname === '') return { kind: 'invalid', source };
  const hostname = proxy.hostname.replace(/^\[|\]$/g, '');
  return {
    kind: 'proxy',
    url: proxy.href,
    host: proxy.host,
    hostname,
    port: proxy.port === '' ? (defaultPorts[proxy.protocol] ?? SOCKS_PORT) : Number(proxy.port),
    isHttp: proxy.protocol === 'http:',
    source,
  };
}

/** Returns the first proxy that is set: VS Code's setting counts before the environment. */
function configured(
  protocol: string,
  { proxy, env }: ProxySettings,
): { readonly source: string; readonly text: string } {
  if (proxy.trim() !== '') return { source: 'http.proxy', text: proxy.trim() };
  const variables = protocol === 'https:' ? ['https_proxy', 'http_proxy'] : ['http_proxy'];
  for (const variable of variables.flatMap((name) => [name, name.toUpperCase()])) {
    const text = env[variable]?.trim() ?? '';
    if (text !== '') return { source: variable, text };
  }
  return { source: '', text: '' };
}

/** Returns whether an exception, such as `.example.com` or `host:8080`, is about the URL. */
function excepts(exception: string, { hostname, port, protocol }: URL): boolean {
  const text = exception.trim().toLowerCase();
  if (text === '') return false;
  if (text === '*') return true;
  const [, name = '', wanted] = /^(.*?)(?::(\d+))?$/.exec(text) ?? [];
  const actual = port === '' ? String(defaultPorts[protocol] ?? '') : port;
  if (wanted !== undefined && wanted !== actual) return false;
  const plain = name.replace(/^\*?\.?/, '');
  return hostname === plain || hostname.endsWith(`.${plain}`);
}
