/**
 * Entry of the MCP server that VS Code and the clients configured by it start. It takes the arguments
 * of `docs-assistant mcp`, and the extension ships no other command.
 */
import { runProcess } from '../runProcess';
import { addMcp } from './addMcp';

await runProcess([addMcp], import.meta.url);
