/**
 * Texts of others in what a command prints, such as replies, titles and names of files. CI systems look
 * for commands of their own in each line of a log: GitHub Actions for `::name::` at its start and for
 * `##[name]` anywhere in it, Azure Pipelines for `##vso[name]`. One of them stops all further commands,
 * also those that hide secrets.
 * @see https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs
 */

const commandInLine = /##(?=\w*\[)/g;

/** Returns a line that no CI takes for a command of its own. */
export function withoutCiCommands(line: string): string {
  return line.replace(/^(\s*:)(?=:)/, '$1 ').replace(commandInLine, '# #');
}

/** Returns JSON with the same value, no line of which a CI takes for a command of its own. */
export function jsonWithoutCiCommands(json: string): string {
  return json.replace(commandInLine, String.raw`#\u0023`);
}
