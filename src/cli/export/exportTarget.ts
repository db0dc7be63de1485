/**
 * Finds the API, the key and the site of the `export` commands, from options and the environment.
 */
import { parseApiAddress } from '../../common/http/address';
import { parseExportDomain } from '../../export/commands/settings';
import { MAX_VERSION_LABEL_LENGTH, parseSitePath } from '../../export/commands/startOptions';
import type { ExportEndpoint, ExportTarget } from '../../export/job/exports';
import { isUsableJobId } from '../../export/job/record';
import { keyKind } from '../../site/siteInput';
import { CliError, exitCodes, nonEmpty, type CliContext } from '../context';

/** Options that all commands of the group have, as the parser of arguments returns them. */
export interface ExportOptions {
  readonly apiUrl?: string;
  readonly domain?: string;
  /** Milliseconds after which the command stops waiting. */
  readonly timeout?: number;
  readonly json?: boolean;
  readonly verbose?: boolean;
}

/** Options that choose what to export. */
export interface ExportStartOptions extends ExportOptions {
  readonly label?: string;
  readonly path?: readonly string[];
  /** Whether to start a new job even if the same one is running. */
  readonly new?: boolean;
}

type Asked = Pick<CliContext, 'env' | 't'>;

/**
 * Returns the export API with its key. The key comes only from the environment. The URL comes from
 * the options or the environment, never from a stored job, because the key must not go to another
 * origin.
 * @throws {CliError} for what is missing or can't be used.
 */
export function namedEndpoint(options: ExportOptions, { env, t }: Asked): ExportEndpoint {
  const address = parseApiAddress(namedApiUrl(options, { env, t }), 'export');
  if (!address.ok) {
    // The sentences are about base URLs, which another option names.
    const sentence = t(address.message, address.detail ?? '');
    throw new CliError(exitCodes.usage, `--api-url: ${sentence}`);
  }
  const { host } = new URL(address.baseUrl);
  return { url: address.baseUrl, adminKey: adminKey(host, { env, t }) };
}

/** Returns the URL of the export API as it was typed. @throws {CliError} if there is none. */
export function namedApiUrl({ apiUrl }: Pick<ExportOptions, 'apiUrl'>, { env, t }: Asked): string {
  const text = nonEmpty(apiUrl) ?? nonEmpty(env['DOCS_ASSISTANT_API_URL']);
  if (text !== undefined) return text;
  throw new CliError(
    exitCodes.notSetUp,
    t('Set the URL of the export API with --api-url or DOCS_ASSISTANT_API_URL.'),
  );
}

/**
 * Returns the admin key from the environment.
 * @throws {CliError} if there is none, or it is a key of another kind.
 */
function adminKey(host: string, { env, t }: Asked): string {
  const text = nonEmpty(env['DOCS_ASSISTANT_ADMIN_KEY']);
  if (text === undefined) {
    throw new CliError(
      exitCodes.key,
      t('Set DOCS_ASSISTANT_ADMIN_KEY to the admin key of {0}, then try again.', host),
    );
  }
  const parsed = keyKind(text);
  if (parsed.ok && parsed.kind === 'admin') return parsed.key;
  if (!parsed.ok && parsed.reason !== 'key-form') {
    throw new CliError(exitCodes.key, `DOCS_ASSISTANT_ADMIN_KEY: ${t(parsed.message)}`);
  }
  throw new CliError(
    exitCodes.key,
    parsed.ok && parsed.kind === 'assistant'
      ? t(
          'DOCS_ASSISTANT_ADMIN_KEY looks like an assistant key and was not sent. Use an admin key, which looks like <prefix>_<letters and digits>.',
        )
      : t(
          'DOCS_ASSISTANT_ADMIN_KEY doesn’t look like an admin key and was not sent. Admin keys look like <prefix>_<letters and digits>.',
        ),
  );
}

/**
 * Returns the site to export and its API.
 * @throws {CliError} for what is missing or can't be used.
 */
export function namedExportTarget(
  options: ExportStartOptions,
  { url }: Pick<ExportEndpoint, 'url'>,
  asked: Asked,
): ExportTarget {
  const { t } = asked;
  const exportDomain = namedDomain(options, asked);
  if (exportDomain === undefined) {
    throw new CliError(
      exitCodes.notSetUp,
      t('Set the site’s host name with --domain or DOCS_ASSISTANT_DOMAIN.'),
    );
  }
  const label = options.label?.trim();
  if (label !== undefined && (label === '' || label.length > MAX_VERSION_LABEL_LENGTH)) {
    throw new CliError(
      exitCodes.usage,
      t('--label needs a text of up to {0} characters.', MAX_VERSION_LABEL_LENGTH),
    );
  }
  const paths = [...new Set(options.path?.map((path) => pathOf(path, asked)))].sort();
  return {
    apiUrl: url,
    exportDomain,
    label,
    paths: paths.length === 0 ? undefined : paths,
  };
}

/** Returns the host name of a site, if one is named. @throws {CliError} if it isn't one. */
export function namedDomain({ domain }: ExportOptions, { env, t }: Asked): string | undefined {
  const text = nonEmpty(domain) ?? nonEmpty(env['DOCS_ASSISTANT_DOMAIN']);
  if (text === undefined) return undefined;
  const parsed = parseExportDomain(text);
  if (parsed.ok) return parsed.exportDomain;
  throw new CliError(exitCodes.usage, t(parsed.message, parsed.detail));
}

/** Returns the ID of a job as it was typed. @throws {CliError} if it can't be one. */
export function namedJob(text: string, { t }: Asked): string {
  if (isUsableJobId(text)) return text;
  throw new CliError(exitCodes.usage, t('“{0}” is not the ID of a job.', text.slice(0, 80)));
}

/** Returns a path of a site in one form: `guides/` becomes `/guides`. */
function pathOf(written: string, { t }: Asked): string {
  const path = parseSitePath(written);
  if (path !== undefined) return path;
  throw new CliError(
    exitCodes.usage,
    t('“{0}” is not a path of a site. Enter a path such as /guides.', written.slice(0, 80)),
  );
}
