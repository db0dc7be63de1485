import assert from 'node:assert/strict';
import type { ToolDefinition } from '../../../src/docsTools/toolDefinitions';
import { contributionProblems } from '../../tooling/contributionProblems.mjs';

/** Returns a manifest, its strings and the code's names, which agree. */
function anAgreement() {
  const manifest = {
    displayName: '%name%',
    contributes: {
      commands: [{ command: 'docsAssistant.ask', title: '%ask%' }],
      configuration: [
        {
          title: '%name%',
          properties: { 'docsAssistant.fp': { order: 1, description: '%fp%' } } as Record<
            string,
            { order: number; description: string }
          >,
        },
      ],
      viewsContainers: { activitybar: [{ id: 'docsAssistant', title: '%name%' }] },
      views: { docsAssistant: [{ id: 'docsAssistant.chat', name: '%name%' }] },
      chatParticipants: [
        {
          id: 'docsAssistant.docs',
          name: 'docs',
          commands: [{ name: 'ask', description: '%ask%' }],
        },
      ],
      menus: {
        'view/title': [
          {
            command: 'docsAssistant.ask',
            when: 'view == docsAssistant.chat && docsAssistant.isReady',
          },
        ],
      },
      languageModelTools: [
        {
          name: 'docsAssistant_ask',
          toolReferenceName: 'askDocs',
          displayName: '%askTool%',
          modelDescription: 'Asks.',
          userDescription: '%askToolHint%',
          icon: '$(question)',
          canBeReferencedInPrompt: true,
          tags: ['docs'],
          inputSchema: {
            type: 'object',
            properties: { question: { description: 'The question.' } },
          },
        },
      ],
    },
  };
  const strings: Record<string, string> = {
    name: 'Docs',
    ask: 'Ask',
    fp: 'Who asks.',
    askTool: 'Ask the Docs',
    askToolHint: 'Asks your docs',
  };
  const tool: ToolDefinition = {
    name: 'ask_docs',
    method: 'ask',
    title: 'Ask the Docs',
    modelDescription: 'Asks.',
    userDescription: 'Asks your docs',
    inputSchema: { type: 'object', properties: { question: { description: 'The question.' } } },
    outputSchema: { type: 'object', properties: {} },
    vscode: {
      name: 'docsAssistant_ask',
      referenceName: 'askDocs',
      icon: '$(question)',
      tags: ['docs'],
    },
  };
  const code = {
    commands: { ask: 'docsAssistant.ask' } as Record<string, string>,
    settings: { fp: 'docsAssistant.fp' } as Record<string, string>,
    views: { container: 'docsAssistant', chat: 'docsAssistant.chat' },
    contextKeys: { isReady: 'docsAssistant.isReady' } as Record<string, string>,
    tools: [tool],
    chatParticipants: { docs: 'docsAssistant.docs' } as Record<string, string>,
  };
  return { manifest, strings, code };
}

describe('contributionProblems', () => {
  it('says nothing where manifest, strings and code agree', () => {
    const { manifest, strings, code } = anAgreement();
    assert.deepEqual(contributionProblems(manifest, strings, code), []);
  });

  const disagreements: [string, (made: ReturnType<typeof anAgreement>) => void, RegExp][] = [
    [
      'a command that the code does not know',
      ({ code }) => (code.commands = {}),
      /^command docsAssistant\.ask: in package\.json, not in/,
    ],
    [
      'a chat participant that the code does not know',
      ({ code }) => (code.chatParticipants = {}),
      /^chat participant docsAssistant\.docs: in package\.json, not in/,
    ],
    [
      'a setting that the manifest does not declare',
      ({ code }) => (code.settings.extra = 'docsAssistant.extra'),
      /^setting docsAssistant\.extra: in contributions\.ts, not in/,
    ],
    [
      'a setting whose order another setting of its group has',
      ({ manifest, code }) => {
        manifest.contributes.configuration[0]!.properties['docsAssistant.domain'] = {
          order: 1,
          description: '%fp%',
        };
        code.settings.domain = 'docsAssistant.domain';
      },
      /^setting docsAssistant\.domain: order 1 is used twice in %name%$/,
    ],
    [
      'a context key in a condition that the code never sets',
      ({ code }) => (code.contextKeys = {}),
      /^context key docsAssistant\.isReady: in package\.json, not in/,
    ],
    [
      'a menu entry for a command that is not declared',
      ({ manifest }) =>
        manifest.contributes.menus['view/title'].push({ command: 'docsAssistant.gone', when: '' }),
      /^command docsAssistant\.gone: used in a menu/,
    ],
    [
      'a title written in the manifest itself',
      ({ manifest }) => (manifest.contributes.views.docsAssistant[0]!.name = 'Chat'),
      /^"Chat" is shown to people/,
    ],
    [
      'a placeholder without a string',
      ({ strings }) => delete strings.fp,
      /^%fp% is not in package\.nls\.json$/,
    ],
    [
      'a string that nothing uses',
      ({ strings }) => (strings.old = 'Old'),
      /^old: in package\.nls\.json, not used$/,
    ],
    [
      'a language model tool that the manifest does not declare',
      ({ manifest, strings }) => {
        manifest.contributes.languageModelTools = [];
        delete strings.askTool;
        delete strings.askToolHint;
      },
      /^language model tool docsAssistant_ask: in toolDefinitions\.ts, not in package\.json$/,
    ],
    [
      'a language model tool that the table does not have',
      ({ code }) => (code.tools = []),
      /^language model tool docsAssistant_ask: in package\.json, not in toolDefinitions\.ts$/,
    ],
    [
      'a schema of a language model tool that is not that of the table',
      ({ manifest }) =>
        (manifest.contributes.languageModelTools[0]!.inputSchema.properties.question.description =
          'Another question.'),
      /^language model tool docsAssistant_ask: inputSchema differs from toolDefinitions\.ts$/,
    ],
    [
      'a title of a language model tool that is not that of the table',
      ({ strings }) => (strings.askTool = 'Ask'),
      /^language model tool docsAssistant_ask: displayName differs from toolDefinitions\.ts$/,
    ],
    [
      'a field of a language model tool that the table does not have',
      ({ manifest }) =>
        Object.assign(manifest.contributes.languageModelTools[0]!, { when: 'never' }),
      /^language model tool docsAssistant_ask: when differs from toolDefinitions\.ts$/,
    ],
  ];
  for (const [name, disagree, expected] of disagreements) {
    it(`names ${name}`, () => {
      const made = anAgreement();
      disagree(made);
      const problems = contributionProblems(made.manifest, made.strings, made.code);
      assert.equal(problems.length, 1, problems.join('\n'));
      assert.match(problems[0]!, expected);
    });
  }
});
