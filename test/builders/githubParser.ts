/** GitHub's own parser of workflows, `@actions/workflow-parser`. */
import type * as workflowParser from '@actions/workflow-parser';
import { build } from 'esbuild';

type Parser = typeof workflowParser;

/** Loads the parser. Its files import JSON in a way that bundlers know and Node refuses. */
export async function loadGithubParser(): Promise<Parser> {
  const { outputFiles } = await build({
    stdin: { contents: "export * from '@actions/workflow-parser';", resolveDir: process.cwd() },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    logLevel: 'error',
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64');
  return (await import(`data:text/javascript;base64,${code}`)) as Parser;
}
