import * as vscode from 'vscode';
import { proxyFor, type Proxy } from '../../site/setupCheck/proxySettings';
import { textSetting } from '../settings';

/** Returns the proxy of VS Code's requests. */
export function currentProxy(url: string): Proxy {
  const http = vscode.workspace.getConfiguration('http', null);
  const noProxy: unknown = http.get('noProxy');
  return proxyFor(url, {
    proxy: textSetting(http, 'proxy'),
    support: textSetting(http, 'proxySupport'),
    noProxy: Array.isArray(noProxy) ? noProxy.map(String) : [],
    env: process.env,
  });
}
