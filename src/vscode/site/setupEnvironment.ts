import * as vscode from 'vscode';
import type { Clock } from '../../common/ports';
import type { SetupEnvironment } from '../../site/setupCheck/setupReport';

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
