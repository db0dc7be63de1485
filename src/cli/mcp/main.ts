/**
 * Entry of the MCP server. VS Code starts it, and so do clients with a configuration that VS Code
 * wrote. It takes the arguments of `docs-assistant mcp`. The extension ships no other command.
 */
import { runProcess } from '../runProcess';
import { addMcp } from './addMcp';

await runProcess([addMcp], import.meta.url);
