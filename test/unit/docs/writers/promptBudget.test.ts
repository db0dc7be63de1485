import assert from 'node:assert/strict';
import {
  estimateTokens,
  fitParts,
  MAX_PROMPT_TOKENS,
  type PromptParts,
} from '../../../../src/docs/writers/promptBudget';
import { parsePage } from '../../../../src/docs/pages/page';
import type { FoundSection } from '../../../../src/docs/pages/page';
import type { SectionBlock } from '../../../../src/docs/pages/sections';

const wish = { weightOf: () => 1, codeLanguage: undefined };

function section(name: string, paragraphs: number): FoundSection {
  const text = `The ${name} takes an option. It is set in the file of the project. `.repeat(5);
  const page = parsePage(
    `${name}.md`,
    `# ${name}\n\n${Array(paragraphs).fill(text).join('\n\n')}\n`,
  );
  return { page, section: page.sections[0]! };
}

function parts(rest: Partial<PromptParts> = {}): PromptParts {
  return { question: 'How?', attachments: [], earlier: [], sections: [], ...rest };
}

function tokensOf({
  question,
  attachments,
  earlier,
  sections,
}: ReturnType<typeof fitParts>): number {
  const texts = [
    question,
    ...attachments.map(({ value }) => value),
    ...earlier.flatMap((turn) => [turn.question, turn.reply]),
    ...sections.map(({ markdown }) => markdown),
  ];
  return texts.reduce((sum, text) => sum + estimateTokens(text), 0);
}

describe('estimateTokens', () => {
  it('counts words of English, and characters of scripts without spaces', () => {
    assert.equal(estimateTokens(''), 0);
    assert.equal(estimateTokens('a'.repeat(35)), 10);
    assert.equal(estimateTokens('漢字仮名'), 4);
  });
});

describe('fitParts', () => {
  const options = { maxInputTokens: 4000, fixedTokens: 500, wish };

  it('keeps everything that fits, and says that nothing is left out', () => {
    const sections = [section('alpha', 1), section('beta', 1)];
    const fitted = fitParts(parts({ sections, earlier: [{ question: 'a', reply: 'b' }] }), options);
    assert.deepEqual(fitted.leftOut, []);
    assert.deepEqual(
      fitted.sections.map(({ number }) => number),
      [1, 2],
    );
    assert.equal(fitted.sections[0]?.markdown, sections[0]?.section.blocks[0]?.markdown);
  });

  it('stays within the window, whatever it gets', () => {
    const huge = 'word '.repeat(50_000);
    for (const maxInputTokens of [0, 300, 1000, 4000, 8000, 1_000_000]) {
      const fitted = fitParts(
        parts({
          question: huge,
          attachments: [
            { type: 'code', value: huge },
            { type: 'textSelection', value: '漢'.repeat(9000) },
          ],
          earlier: Array.from({ length: 50 }, () => ({ question: huge, reply: huge })),
          sections: Array.from({ length: 20 }, (_item, place) => section(`s${place}`, 30)),
        }),
        { ...options, maxInputTokens },
      );
      const window = Math.min(maxInputTokens, MAX_PROMPT_TOKENS);
      assert.ok(
        tokensOf(fitted) <= Math.max(0, window - options.fixedTokens),
        String(maxInputTokens),
      );
      assert.ok(fitted.leftOut.length > 0);
    }
  });

  it('gives the sections what the other parts leave', () => {
    const sections = [section('alpha', 40), section('beta', 40)];
    const alone = fitParts(parts({ sections }), options);
    const beside = fitParts(
      parts({ sections, attachments: [{ type: 'code', value: 'x '.repeat(5000) }] }),
      options,
    );
    assert.ok(tokensOf(alone) > 2000);
    assert.ok(beside.sections[0]!.markdown.length < alone.sections[0]!.markdown.length);
    assert.deepEqual(beside.leftOut, ['the end of 1 of 1 attachments', 'parts of 2 of 2 sections']);
  });

  it('keeps blocks whole, and closes code that is too long alone', () => {
    const codeOf = (blocks: readonly SectionBlock[]): string => {
      const found = { ...section('alpha', 1), section: { ...section('alpha', 1).section, blocks } };
      return fitParts(parts({ sections: [found] }), options).sections[0]?.markdown ?? '';
    };
    const prose = { kind: 'prose', markdown: 'Whole words, many. '.repeat(20).trim() } as const;
    const whole = codeOf(Array.from({ length: 100 }, () => ({ ...prose, text: prose.markdown })));
    assert.ok(whole.split('\n\n').every((block) => block === prose.markdown));
    const markdown = `\`\`\`ts\n${'call(one, two);\n'.repeat(5000)}\`\`\``;
    const cut = codeOf([{ kind: 'code', markdown, text: markdown }]);
    assert.match(cut, /^```ts\n(?:call\(one, two\);\n)+…\n```$/);
  });

  it('removes the citations of earlier replies, whose numbers mean other sections now', () => {
    const reply =
      'After 90 days [1](http://127.0.0.1:1/docs/keys#a)[2](http://127.0.0.1:1/docs/b). See [a](x).';
    const fitted = fitParts(parts({ earlier: [{ question: 'q', reply }] }), options);
    assert.equal(fitted.earlier[0]?.reply, 'After 90 days. See [a](x).');
  });

  it('keeps the newest turns', () => {
    const earlier = Array.from({ length: 20 }, (_item, place) => ({
      question: `question ${place}`,
      reply: 'r'.repeat(700),
    }));
    const fitted = fitParts(parts({ earlier }), options);
    assert.equal(fitted.earlier.at(-1)?.question, 'question 19');
    assert.ok(fitted.earlier.length < 20);
    assert.match(fitted.leftOut[0] ?? '', /^\d+ of 20 turns$/);
  });
});
