import { systemClock } from '../../common/clock';
import { KEY_PREFIX } from '../../common/http/companyApi';
import { DocsAssistantError } from '../../common/errors';
import type { Fetch, Log } from '../../common/ports';
import type { DocsTarget } from '../../docsTools/docsTools';
import { isUnresolvedKey, KEY_VARIABLE } from '../../docsTools/mcp/keyVariable';
import { parseTarget, TARGET_VARIABLE } from '../../docsTools/mcp/targetVariable';
import type { LocalServiceAddress } from '../../docsTools/toolCall';
import { DocsToolError } from '../../docsTools/toolErrors';
import { findCompanyService } from '../../site/companyService';
import { CliError, type CliContext, exitCodes } from '../context';
import { namedTarget, type OpenedTarget, openDocsTarget, type TargetOptions } from '../docsTarget';

interface ServedDocsPorts extends Pick<CliContext, 'cwd' | 'env' | 'signal' | 't'> {
  readonly fetch: Fetch;
  readonly log: Log;
  /** Called with short sentences while the docs are opened, such as while a site is fetched. */
  readonly onProgress: (sentence: string) => void;
}

/**
 * Docs of an MCP server. The first call that needs them opens them, because clients start every
 * server that is set up and use few of them.
 */
export class ServedDocs {
  readonly #options: TargetOptions;
  readonly #ports: ServedDocsPorts;
  /** Target of the window that started this process. Its docs are open already. */
  readonly #ofWindow: DocsTarget | undefined;
  #opened: Promise<OpenedTarget> | undefined;
  /** Whether a question spends a credit. Docs on this machine spend none. */
  readonly spendsCredit: boolean;

  /** @throws {CliError} for options that contradict each other or have the wrong form. */
  constructor(options: TargetOptions, ports: ServedDocsPorts) {
    this.#options = options;
    this.#ports = ports;
    const { [TARGET_VARIABLE]: ofWindow } = ports.env;
    if (ofWindow !== undefined) {
      const target = parseTarget(ofWindow);
      if (!target) {
        throw new CliError(exitCodes.usage, ports.t('{0} is not valid.', TARGET_VARIABLE));
      }
      this.#ofWindow = target;
      this.spendsCredit = target.spendsCredit;
      return;
    }
    let spendsCredit = false;
    try {
      const named = namedTarget(options, ports);
      spendsCredit = named.kind === 'hosted' && named.target.spendsCredit;
    } catch (error) {
      if (!(error instanceof CliError) || error.exitCode === exitCodes.usage) throw error;
      // The client still lists the tools, and their errors say what is missing.
      this.#warn(error);
    }
    this.spendsCredit = spendsCredit;
  }

  /** Whether a window of VS Code started this process. */
  get isOfWindow(): boolean {
    return this.#ofWindow !== undefined;
  }

  /**
   * Returns the docs to ask, or undefined if the user has named none.
   * @throws {DocsAssistantError | DocsToolError} if the docs can't be asked.
   */
  async target(): Promise<DocsTarget | undefined> {
    if (this.#ofWindow) return this.#ofWindow;
    try {
      const { target } = await (this.#opened ??= this.#open());
      return target;
    } catch (error) {
      this.#opened = undefined;
      this.#ports.signal.throwIfAborted();
      this.#warn(error);
      const exitCode = error instanceof CliError ? error.exitCode : undefined;
      if (exitCode === exitCodes.notSetUp) return undefined;
      if (exitCode === exitCodes.key) throw new DocsAssistantError('not-signed-in');
      throw new DocsToolError(
        'not-configured',
        'docs-assistant can’t read its docs. Call again once. If that fails too, tell the user to check its options, such as --docs or --installed. The log of this MCP server says why.',
      );
    }
  }

  /** Closes docs on this machine, if they are open. */
  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined);
    await opened?.close();
  }

  async #open(): Promise<OpenedTarget> {
    const opened = await openDocsTarget(this.#options, { ...this.#ports, isFollowed: true });
    return { ...opened, target: { ...opened.target, findLocal: this.#finderOf(opened.target) } };
  }

  /**
   * Returns what looks whether a site is one of a company's service, which searches and reads its pages. A key of another
   * form is for no such service, which then isn't asked.
   */
  #finderOf({ settings, key }: DocsTarget): DocsTarget['findLocal'] {
    const { baseUrl: url, assistantDomain: domain } = settings;
    if (url === undefined || !domain || key?.startsWith(`${KEY_PREFIX}_`) !== true)
      return undefined;
    const { fetch } = this.#ports;
    let local: LocalServiceAddress | undefined;
    return async (signal) => {
      if (local) return local;
      const service = await findCompanyService(url, { fetch, clock: systemClock }, signal);
      return (local = service && { url, domain, key });
    };
  }

  /** Tells the user why docs can't be asked. */
  #warn(error: unknown): void {
    const { env, log } = this.#ports;
    const key = env[KEY_VARIABLE];
    if (key !== undefined && isUnresolvedKey(key)) {
      log.warn(
        `${KEY_VARIABLE} contains a reference that the client did not resolve. Check the client’s configuration.`,
      );
    } else if (error instanceof CliError) log.warn(error.message);
    else log.error('The docs can’t be opened', error);
  }
}
