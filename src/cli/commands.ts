import { addBundle } from './bundle/bundleCommands';
import { addAsk, addServe } from './docsCommands';
import { addExport } from './export/exportCommands';
import { addMcp } from './mcp/addMcp';
import { addValues } from './values/valuesCommands';

/** The commands and groups of commands, in the order of the help. */
export const commands = [addAsk, addServe, addMcp, addExport, addBundle, addValues];
