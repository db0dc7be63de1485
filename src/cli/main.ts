#!/usr/bin/env node
/** Entry of `docs-assistant`, the command line. */
import { commands } from './commands';
import { runProcess } from './runProcess';

await runProcess(commands, import.meta.url);
