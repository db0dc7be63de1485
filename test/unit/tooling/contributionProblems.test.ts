import assert from 'node:assert/strict';
import { contributionProblems } from '../../tooling/contributionProblems.mjs';

/** A manifest, its strings and the code's names, which agree. */
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
      menus: {
        'view/title': [
          {
            command: 'docsAssistant.ask',
            when: 'view == docsAssistant.chat && docsAssistant.isReady',
          },
        ],
      },
    },
  };
  const strings: Record<string, string> = { name: 'Docs', ask: 'Ask', fp: 'Who asks.' };
  const code = {
    commands: { ask: 'docsAssistant.ask' } as Record<string, string>,
    settings: { fp: 'docsAssistant.fp' } as Record<string, string>,
    views: { container: 'docsAssistant', chat: 'docsAssistant.chat' },
    contextKeys: { isReady: 'docsAssistant.isReady' } as Record<string, string>,
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
