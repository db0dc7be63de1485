#!/usr/bin/env node
/** Entry of `docs-assistant`, the command line. */
import { cliCommands } from './commands';
import { runProcess } from './runProcess';

await runProcess(cliCommands, import.meta.url);
