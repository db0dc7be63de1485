/**
 * Passes the docs of a window, with their key, to the MCP server that the window starts. They are
 * in the server's environment.
 */
import { parsedJson } from '../../common/text/strings';
import { parsedAs } from '../../shared/schemas';
import { docsTargetSchema, type DocsTarget } from '../toolCall';

/** Environment variable with the {@link DocsTarget} of the window as JSON. */
export const TARGET_VARIABLE = 'DOCS_ASSISTANT_TARGET';

/** Returns the value of {@link TARGET_VARIABLE}. */
export function targetText(target: DocsTarget): string {
  return JSON.stringify(target);
}

/** Returns the target of a window, or undefined for text that isn't one. */
export function parseTarget(text: string): DocsTarget | undefined {
  return parsedAs(docsTargetSchema, parsedJson(text));
}
