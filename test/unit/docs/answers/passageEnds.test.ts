import assert from 'node:assert/strict';
import { findPassage } from '../../../../src/docs/answers/passage';
import { composeAnswer } from '../../../../src/docs/answers/answer';
import { addressesAt } from '../../../../src/docs/pages/links';
import { retrieve } from '../../../../src/docs/search/retrieval';
import { aQuestion, filler, indexOf } from '../../service/docs';

/** Returns the reply to a question about a page, and about others that say nothing about it. */
function reply(page: string, question: string): string {
  const rest = { 'x.md': filler('invoices'), 'y.md': filler('maps'), 'z.md': filler('trains') };
  const index = indexOf({ ...rest, 'birds.md': page });
  return composeAnswer({
    question,
    retrieval: retrieve(index, aQuestion(question), undefined, 5),
    index,
    filter: undefined,
    addresses: addressesAt(() => 'http://127.0.0.1:4100'),
    isIndexed: true,
  }).text;
}

const fence = '```\nListen 80\nListen 8000\n```';

describe(findPassage.name, () => {
  it('ends with what its last line leads in without a colon', () => {
    const facts = `Pelicans call each other ${'and rest a while '.repeat(13)}at noon.`;
    const page = `# Birds\n\n## Ports\n\n${facts}\n\nTo make them listen on two ports, use\n\n${fence}\n\nHerons rest.\n`;
    assert.match(
      reply(page, 'When do pelicans call each other?'),
      /listen on two ports, use[^\n]*\n\n```\nListen 80\n/,
    );
  });

  it('begins with the line that leads in its list without a colon', () => {
    const facts = `Herons call each other ${'and rest a while '.repeat(13)}in the evening.`;
    const list = '- `feedAtNoon`: Pelicans get fish at noon.\n- `feedAtNight`: Pelicans get crabs.';
    const page = `# Birds\n\n## Ports\n\n${facts}\n\nTo choose when all of them eat, you can set\n\n${list}\n\n${facts}\n`;
    assert.match(
      reply(page, 'Which setting gives pelicans fish at noon?'),
      /all of them eat, you can set[^\n]*\n\n- `feedAtNoon`/,
    );
  });

  it('is not only a few words above a long list', () => {
    const options = Array.from(
      { length: 12 },
      (_, item) => `- \`option${item}\`: Feeds ${item} of the birds at noon, and again at night.`,
    );
    const page = `# Birds\n\n## birds.feedAll(options)\n\n> Stability: 1\n\n${options.join('\n')}\n\nFeeds each of the birds once.\n`;
    const text = reply(page, 'birds.feedAll');
    assert.match(text, /> Stability: 1\n\n- `option/);
    assert.match(text, /\n\nFeeds each of the birds once\./);
  });
});
