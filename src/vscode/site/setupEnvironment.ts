import * as vscode from 'vscode';
import type { Clock } from '../../common/ports';
import type { SetupEnvironment } from '../../site/setupCheck/setupReport';
import { proxyFor, type Proxy } from '../../site/setupCheck/proxySettings';
import { textSetting } from '../settings';

/** Returns the versions of this window. */
export function setupEnvironment(
  { packageJSON }: Pick<vscode.Extension<unknown>, 'packageJSON'>,
  clock: Pick<Clock, 'now'>,
): SetupEnvironment {
  const { version } = packageJSON as { readonly version?: unknown };
  return {
    extensionVersion: typeof version === 'string' ? version : '',
    editor: `${vscode.env.appName} ${vscode.version}`,
    platform: `${process.platform} ${process.arch}`,
    remote: vscode.env.remoteName,
    checkedAt: clock.now(),
  };
}

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
