import { addBundle } from './bundle/bundleCommands';
import { addAsk, addServe } from './docsCommands';
import { addExport } from './export/exportCommands';
import { addHost } from './host/addHost';
import { addMcp } from './mcp/addMcp';
import { addPackages } from './packages/packagesCommands';
import { addTest } from './test/testCommands';
import { addValues } from './values/valuesCommands';

/** The commands and groups of commands, in the order of the help. */
export const cliCommands = [
  addAsk,
  addTest,
  addServe,
  addMcp,
  addPackages,
  addExport,
  addBundle,
  addHost,
  addValues,
];
