/** Configuration of a self-hosted deployment for a bundle, as text to paste. */

import type { ExportRecord } from '../job/record';

/** Values for a deployment. @see platform-api.md § What the service does, 7 */
export interface Deployment {
  /** Presigned link of *Generate export bundle*. */
  readonly bundleUrl: string;
  /** Version to pin (`<version_label>`). If it is undefined, the deployment decides. */
  readonly version?: string;
}

const versionForm = /^[\w.+-]{0,200}$/;

/** Returns whether a text can be the label of a version. An empty text stands for no version. */
export function isVersionLabel(text: string): boolean {
  return versionForm.test(text);
}

/** Returns the version to offer for an export: the label that its service took, or an empty text. */
export function offeredVersion({
  label = '',
  leftOut = [],
}: Pick<ExportRecord, 'label' | 'leftOut'>): string {
  return !leftOut.includes('label') && isVersionLabel(label) ? label : '';
}

export type DeploymentFormat = 'yaml' | 'json' | 'helm';

/** Returns the deployment's keys in a format. */
export function deploymentText(deployment: Deployment, format: DeploymentFormat): string {
  switch (format) {
    case 'yaml':
      return deploymentYaml(deployment);
    case 'json':
      return deploymentJson(deployment);
    case 'helm':
      return helmFlags(deployment);
  }
}

/**
 * Returns YAML for a values file. Strings are quoted, because Helm reads YAML 1.1, where a version such
 * as `1.10` is a number and `on` is a boolean.
 */
function deploymentYaml({ bundleUrl, version }: Deployment): string {
  const lines = ['staticExport:', '  enabled: true', `  bundleUrl: ${quoted(bundleUrl)}`];
  if (version !== undefined) lines.push(`  version: ${quoted(version)}`);
  return `${lines.join('\n')}\n`;
}

/** Returns a values file in JSON, which Helm reads too. */
function deploymentJson({ bundleUrl, version }: Deployment): string {
  const staticExport = {
    enabled: true,
    bundleUrl,
    version,
  };
  return `${JSON.stringify({ staticExport }, undefined, 2)}\n`;
}

/**
 * Returns flags for `helm upgrade` on one line. `--set` keeps `enabled` a boolean, and `--set-string`
 * keeps a version such as `1.10` a string.
 *
 * The flags are quoted for POSIX shells (sh, bash, zsh). They work in PowerShell if no value contains a
 * single quote, but not in cmd.exe, which would cut a link at its first `&`.
 */
function helmFlags({ bundleUrl, version }: Deployment): string {
  const flags = [
    '--set staticExport.enabled=true',
    `--set-string ${shellQuoted(`staticExport.bundleUrl=${helmEscaped(bundleUrl)}`)}`,
  ];
  if (version !== undefined) {
    flags.push(`--set-string ${shellQuoted(`staticExport.version=${helmEscaped(version)}`)}`);
  }
  return flags.join(' ');
}

/**
 * Returns a double-quoted YAML scalar. It is a JSON string in which characters that YAML doesn't allow
 * or would fold are escaped too.
 */
export function quoted(value: string): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Escapes a value for Helm, which splits at commas and reads braces as a list. */
function helmEscaped(value: string): string {
  return value.replace(/[\\,{}]/g, '\\$&');
}

function shellQuoted(argument: string): string {
  return `'${argument.replaceAll("'", "'\\''")}'`;
}
