// @ts-check
import { isDeepStrictEqual } from 'node:util';

const PREFIX = 'docsAssistant';

/** Keys of the manifest under which people read a string. */
const visibleKeys = new Set([
  'altText',
  'category',
  'contents',
  'contextualTitle',
  'deprecationMessage',
  'description',
  'displayName',
  'enumDescriptions',
  'enumItemLabels',
  'label',
  'markdownDeprecationMessage',
  'markdownDescription',
  'markdownEnumDescriptions',
  'name',
  'patternErrorMessage',
  'shortTitle',
  'title',
  'userDescription',
]);

/**
 * @typedef {object} Contributions what `src/common/contributions.ts` exports
 * @property {Record<string, string>} commands
 * @property {Record<string, string>} settings
 * @property {Record<string, string>} views
 * @property {Record<string, string>} contextKeys
 * @property {string} [mcpProvider]
 * @property {readonly import('../../src/docsTools/toolDefinitions').ToolDefinition[]} [tools]
 * @property {Record<string, string>} [chatParticipants]
 */

/**
 * @param {unknown} value
 * @param {(text: string, key: string) => void} visit called with each string and the nearest key above it
 * @param {string} [key]
 */
function eachString(value, visit, key = '') {
  if (typeof value === 'string') visit(value, key);
  else if (Array.isArray(value)) for (const item of value) eachString(item, visit, key);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) eachString(item, visit, name);
  }
}

/**
 * @param {string} what
 * @param {Iterable<string>} inManifest
 * @param {Iterable<string>} inCode
 * @param {string} [file] of the code
 * @returns {string[]} names that only one side knows
 */
function differences(what, inManifest, inCode, file = 'contributions.ts') {
  const manifest = new Set(inManifest);
  const code = new Set(inCode);
  return [
    ...[...manifest]
      .filter((id) => !code.has(id))
      .map((id) => `${what} ${id}: in package.json, not in ${file}`),
    ...[...code]
      .filter((id) => !manifest.has(id))
      .map((id) => `${what} ${id}: in ${file}, not in package.json`),
  ];
}

/**
 * Compares the language model tools of the manifest with the table of the docs tools, field by field.
 *
 * @param {readonly any[]} declared
 * @param {Record<string, string>} nls
 * @param {NonNullable<Contributions['tools']>} tools
 * @returns {string[]}
 */
function toolProblems(declared, nls, tools) {
  const wanted = new Map(
    tools.map(({ title, modelDescription, userDescription, inputSchema, vscode }) => [
      vscode.name,
      {
        name: vscode.name,
        toolReferenceName: vscode.referenceName,
        displayName: title,
        modelDescription,
        userDescription,
        icon: vscode.icon,
        canBeReferencedInPrompt: true,
        tags: vscode.tags,
        inputSchema,
      },
    ]),
  );
  /** @param {unknown} text */
  const shown = (text) =>
    typeof text === 'string' ? (nls[/^%(.+)%$/.exec(text)?.[1] ?? ''] ?? text) : text;
  return [
    ...differences(
      'language model tool',
      declared.map(({ name }) => name),
      wanted.keys(),
      'toolDefinitions.ts',
    ),
    ...declared.flatMap((tool) => {
      /** @type {Record<string, unknown> | undefined} */
      const table = wanted.get(tool.name);
      if (table === undefined) return [];
      return [...new Set([...Object.keys(table), ...Object.keys(tool)])]
        .filter((field) => !isDeepStrictEqual(shown(tool[field]), table[field]))
        .map(
          (field) => `language model tool ${tool.name}: ${field} differs from toolDefinitions.ts`,
        );
    }),
  ];
}

/**
 * @param {any} manifest package.json
 * @param {Record<string, string>} nls package.nls.json
 * @param {Contributions} code
 * @returns {string[]} sentences; empty where all agree
 */
export function contributionProblems(manifest, nls, code) {
  const { contributes } = manifest;
  /** @param {unknown} groups @returns {any[]} */
  const flat = (groups) => Object.values(groups ?? {}).flat();
  /** @type {string[]} */
  const commandIds = contributes.commands.map(
    (/** @type {{ command: string }} */ { command }) => command,
  );
  const settingIds = [contributes.configuration]
    .flat()
    .flatMap(({ properties }) => Object.keys(properties));
  const viewIds = [...flat(contributes.viewsContainers), ...flat(contributes.views)].map(
    ({ id }) => id,
  );
  const duplicated = commandIds.filter((id, index) => commandIds.indexOf(id) !== index);

  const used = [...flat(contributes.menus), ...(contributes.keybindings ?? [])];
  const unknownCommands = new Set(
    used
      .map(({ command }) => command)
      .filter((id) => id?.startsWith(PREFIX) && !commandIds.includes(id)),
  );

  /** @type {Set<string>} */
  const contextKeys = new Set();
  eachString(contributes, (text, key) => {
    const isCondition = key === 'when' || key === 'enablement' || text.startsWith('onContext:');
    const ownNames = isCondition
      ? (text.match(new RegExp(`\\b${PREFIX}\\.[\\w.]+`, 'g')) ?? [])
      : [];
    for (const name of ownNames) if (!viewIds.includes(name)) contextKeys.add(name);
  });

  /** @type {string[]} */
  const literal = [];
  /** @type {Set<string>} */
  const placeholders = new Set();
  /** @type {any[]} */
  const chatParticipants = contributes.chatParticipants ?? [];
  // People type the names of participants and of their commands, which are the same in all languages.
  const withoutTypedNames = chatParticipants.map(({ commands = [], ...participant }) => ({
    ...participant,
    name: undefined,
    commands: commands.map((/** @type {object} */ command) => ({ ...command, name: undefined })),
  }));
  const visible = {
    displayName: manifest.displayName,
    description: manifest.description,
    capabilities: manifest.capabilities,
    contributes: {
      ...contributes,
      chatParticipants: withoutTypedNames,
      // Models read names and schemas, in English.
      languageModelTools: (contributes.languageModelTools ?? []).map((/** @type {any} */ tool) => ({
        ...tool,
        name: undefined,
        inputSchema: undefined,
      })),
    },
  };
  eachString(visible, (text, key) => {
    const placeholder = /^%([\w.-]+)%$/.exec(text)?.[1];
    if (placeholder !== undefined) placeholders.add(placeholder);
    else if (visibleKeys.has(key)) literal.push(text);
  });

  /** @type {string[]} */
  const sameOrder = [contributes.configuration].flat().flatMap(({ title, properties }) => {
    const orders = Object.values(properties).map(({ order }) => order);
    return Object.entries(properties)
      .filter(([, { order }], index) => order !== undefined && orders.indexOf(order) < index)
      .map(([id, { order }]) => `setting ${id}: order ${order} is used twice in ${title}`);
  });

  return [
    ...differences('command', commandIds, Object.values(code.commands)),
    ...differences('setting', settingIds, Object.values(code.settings)),
    ...differences('view', viewIds, Object.values(code.views)),
    ...differences(
      'chat participant',
      chatParticipants.map(({ id }) => id),
      Object.values(code.chatParticipants ?? {}),
    ),
    ...differences('context key', contextKeys, Object.values(code.contextKeys)),
    ...differences(
      'MCP server definition provider',
      (contributes.mcpServerDefinitionProviders ?? []).map(
        (/** @type {{ id: string }} */ { id }) => id,
      ),
      code.mcpProvider === undefined ? [] : [code.mcpProvider],
    ),
    ...toolProblems(contributes.languageModelTools ?? [], nls, code.tools ?? []),
    ...sameOrder,
    ...duplicated.map((id) => `command ${id}: declared twice`),
    ...[...unknownCommands].map(
      (id) => `command ${id}: used in a menu or key binding, not declared`,
    ),
    ...literal.map((text) => `"${text}" is shown to people: put it in package.nls.json`),
    ...[...placeholders]
      .filter((name) => nls[name] === undefined)
      .map((name) => `%${name}% is not in package.nls.json`),
    ...Object.keys(nls)
      .filter((name) => !placeholders.has(name))
      .map((name) => `${name}: in package.nls.json, not used`),
  ];
}
