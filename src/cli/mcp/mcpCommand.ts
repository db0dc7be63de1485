/** `docs-assistant mcp`: the MCP server. Uses Node's own `fetch`, and the streams of the process. */
import { randomUUID } from 'node:crypto';
import { systemClock } from '../../common/clock';
import { Emitter } from '../../common/event';
import type { Fetch, Log } from '../../common/ports';
import { createDocsTools } from '../../docsTools/docsTools';
import { createMcpServer } from '../../docsTools/mcp/mcpServer';
import { serveOverStdio } from '../../docsTools/mcp/serveStdio';
import { type CliContext, exitCodes } from '../context';
import type { TargetOptions } from '../docsTarget';
import { reportFailure } from '../failure';
import { stderrLog } from '../stderrLog';
import { readVersion } from '../version';
import { ServedDocs } from './servedDocs';

/**
 * Serves MCP until the client closes the connection. If the docs can't be asked, the errors of the
 * tools say why, so a client can always list the tools.
 * @returns the exit code. Failures have been reported then.
 */
export async function runMcp(options: TargetOptions, context: CliContext): Promise<number> {
  const { distFolder, stderr } = context;
  const log = warningsOnly(stderrLog(stderr), options.verbose === true);
  const closing = new AbortController();
  const announced = new Emitter<string>();
  const fetch: Fetch = (url, init) => globalThis.fetch(url, init);
  try {
    const docs = new ServedDocs(options, {
      ...context,
      fetch,
      log,
      signal: AbortSignal.any([context.signal, closing.signal]),
      onProgress: (sentence) => announced.fire(sentence),
    });
    const ports = {
      clock: systemClock,
      log,
      fetch,
      target: () => docs.target(),
      caller: docs.isOfWindow ? ('vscode' as const) : ('command-line' as const),
    };
    const { spendsCredit } = docs;
    const tools = createDocsTools({ ...ports, newId: randomUUID });
    const version = await readVersion(distFolder);
    await serveOverStdio({
      // The protocol needs real streams. It must not use anything else of the process.
      stdin: process.stdin,
      stdout: process.stdout,
      stderr: process.stderr,
      clock: systemClock,
      log,
      signal: context.signal,
      createServer: () =>
        createMcpServer({
          ...ports,
          tools,
          version,
          spendsCredit,
          onDidAnnounce: announced.event,
        }),
    });
    closing.abort(new Error('The client has closed the connection.'));
    await docs.close();
    return exitCodes.ok;
  } catch (error) {
    return await reportFailure(error, context);
  }
}

/**
 * Returns the log without the lines that only `--verbose` shows. Clients show the other lines to
 * users.
 */
function warningsOnly(log: Log, isVerbose: boolean): Log {
  return isVerbose ? log : { ...log, info: () => undefined, debug: () => undefined };
}
