/** The command `mcp` with its options and its help. */
import type { Translate } from '../../common/errors';
import type { TargetOptions } from '../docsTarget';
import { type AddCommand, configure, exitCodesText } from '../parser';
import { addInstalledOptions, addTargetOptions } from '../targetOptions';

export const addMcp: AddCommand = (parent, context, onExit) => {
  const { t } = context;
  const command = parent
    .command('mcp')
    .summary(t('serve the docs to agents (MCP)'))
    .description(
      t(
        'Serves four tools to agents over the Model Context Protocol: ask_docs, search_docs, read_docs_page and check_claims. The pages of docs on this machine are resources. An MCP client starts this command and talks to it over stdin and stdout.',
      ),
    );
  configure(command, context);
  addTargetOptions(addInstalledOptions(command, t), t)
    .addHelpText('after', () => mcpHelp(t))
    .action(async (options: TargetOptions) => {
      const { runMcp } = await import('./mcpCommand');
      onExit(await runMcp(options, context));
    });
};

function mcpHelp(t: Translate): string {
  return `
${t('A configuration that most clients read:')}
  {
    "mcpServers": {
      "docs-assistant": {
        "command": "docs-assistant",
        "args": ["mcp", "--docs", "/path/to/docs"]
      }
    }
  }

${exitCodesText(t)}`;
}
