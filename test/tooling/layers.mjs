// @ts-check
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { resultsFolder } from './paths.mjs';

/**
 * The test layers, fastest first.
 *
 * `minimumTests` is a floor raised by hand: a layer that finds fewer has lost a file. `testLimitMs` and
 * `layerLimitMs` are for a current laptop and grow on a slower machine. They only end tests that hang. `longest`
 * lists the slowest files, relative to the folder of the layer. They start first.
 */
export const layers = {
  unit: {
    minimumTests: 6600,
    testLimitMs: 20_000,
    layerLimitMs: 600_000,
    longest: [
      'docs/pages/pageGrowth',
      'webview/markdown/markdownWork',
      'webview/markdown/blockStream',
      'common/secretScan/scanText',
      'webview/markdown/markdownSpecs',
      'docs/answers/proof/proofCases',
      'docs/pages/page',
      'docs/writers/replyGuard',
      'webview/markdown/growingLinks',
      'cli/terminal/terminalMarkdown',
      'service/export/site/navigation/configuredNavigation',
      'chat/history/killedWriter',
      'service/export/site/navigation/siteNavigation',
    ],
  },
  service: {
    minimumTests: 1370,
    testLimitMs: 60_000,
    layerLimitMs: 600_000,
    longest: [
      'company/faults',
      'export/workflowSteps',
      'service/localServiceCli',
      'export/exportJob',
      'cli/askLocalDocs',
      'cli/testCommand',
      'cli/bundleDiff',
      'service/localServiceFolder',
      'export/pipelineSteps',
      'cli/askSite',
      'company/leaks',
      'company/postgres',
      'cli/mcpProtocol',
      'cli/exportTakenUp',
      'cli/cliPackage',
      'cli/mcpClient',
      'service/writtenReplyProcess',
    ],
  },
  webview: {
    minimumTests: 475,
    testLimitMs: 180_000,
    layerLimitMs: 1_800_000,
    longest: [
      'markdown/hostile',
      'a11y',
      'states',
      'find/find',
      'thread/longThread',
      'siteBoxService',
      'reply/streaming',
      'siteBox',
      'thread/asking',
      'pseudoLocale',
      'markdown/markdown',
      'siteBoxInputs',
      'history/history',
      'reply/sources',
      'reply/replyEnd',
      'reply/proof',
      'hostingPolicy',
      'exportedSite',
      'searchCount',
    ],
  },
  workbench: { minimumTests: 215, testLimitMs: 180_000, layerLimitMs: 900_000, longest: [] },
};

/** @typedef {keyof typeof layers} LayerName */

/** @type {LayerName[]} */
export const layerNames = ['unit', 'service', 'webview', 'workbench'];

/**
 * Result of one layer.
 *
 * @typedef {object} LayerResult
 * @property {number} passed
 * @property {number} failed failed hooks included
 * @property {number} skipped
 * @property {Readonly<Record<string, number>>} [skippedIn] number of skipped tests by the title of their suite
 * @property {number} durationMs
 * @property {readonly string[]} [failures] name and stack of each failed test
 * @property {'host-start' | 'setup' | undefined} [unavailable] why the layer could not run at all: VS Code did
 *   not come up, or something that it needs is missing
 * @property {string} [reason] in words, where `unavailable` is set
 */

/** @param {LayerName} layer */
export const resultFile = (layer) => path.join(resultsFolder, `${layer}.json`);

/** @param {LayerName} layer @param {LayerResult} result */
export async function writeResult(layer, result) {
  await mkdir(resultsFolder, { recursive: true });
  await writeFile(resultFile(layer), `${JSON.stringify(result, null, 2)}\n`);
}

/** @param {LayerName} layer @returns {Promise<LayerResult | undefined>} `undefined` where the layer left none */
export async function readResult(layer) {
  return readFile(resultFile(layer), 'utf8').then(JSON.parse, () => undefined);
}

/** @param {LayerName} layer */
export const forgetResult = (layer) => rm(resultFile(layer), { force: true });
