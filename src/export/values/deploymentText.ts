/** What a self-hosted deployment is told about a bundle, as text to paste. */

/** @see platform-api.md § What the service does, 7 */
export interface Deployment {
  /** Presigned link, as Generate export bundle returned it. */
  readonly bundleUrl: string;
  /** Pins a version (`<version_label>`); absent leaves it to the deployment. */
  readonly version?: string;
}

export type DeploymentFormat = 'yaml' | 'json' | 'helm';

/** The deployment's keys in one of the forms. */
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
 * For a values file. Strings are quoted, as YAML 1.1, which Helm reads, would take a version such
 * as `1.10` for a number and `on` for a boolean.
 */
function deploymentYaml({ bundleUrl, version }: Deployment): string {
  const lines = ['staticExport:', '  enabled: true', `  bundleUrl: ${quoted(bundleUrl)}`];
  if (version !== undefined) lines.push(`  version: ${quoted(version)}`);
  return `${lines.join('\n')}\n`;
}

/** The same as a values file in JSON, which Helm reads too. */
function deploymentJson({ bundleUrl, version }: Deployment): string {
  const staticExport = {
    enabled: true,
    bundleUrl,
    ...(version === undefined ? {} : { version }),
  };
  return `${JSON.stringify({ staticExport }, undefined, 2)}\n`;
}

/**
 * Flags for `helm upgrade`, on one line. `--set` keeps `enabled` a boolean; `--set-string` keeps a
 * version such as `1.10` a string.
 *
 * Quoted for POSIX shells (sh, bash, zsh). PowerShell reads it alike as long as no value has a
 * single quote in it; cmd.exe does not: it would cut a link at its first `&`.
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
 * A double-quoted YAML scalar. JSON's strings are such, apart from what JSON leaves bare and YAML
 * does not take or would fold.
 */
export function quoted(value: string): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Helm splits at commas, takes braces for a list, and lets a backslash escape what follows it. */
function helmEscaped(value: string): string {
  return value.replace(/[\\,{}]/g, '\\$&');
}

function shellQuoted(argument: string): string {
  return `'${argument.replaceAll("'", "'\\''")}'`;
}
