import * as vscode from 'vscode';
import { proxyFor, type Proxy } from '../../site/setupCheck/proxySettings';

/** Returns the proxy of VS Code's requests. */
export function currentProxy(url: string): Proxy {
  const http = vscode.workspace.getConfiguration('http', null);
  const noProxy: unknown = http.get('noProxy');
  return proxyFor(url, {
    proxy: textOf(http.get('proxy')),
    support: textOf(http.get('proxySupport')),
    noProxy: Array.isArray(noProxy) ? noProxy.map(String) : [],
    env: process.env,
  });
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
