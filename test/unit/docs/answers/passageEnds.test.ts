import assert from 'node:assert/strict';
import { findPassage } from '../../../../src/docs/answers/passage';
import { answer } from './answering';

const reply = (page: string, question: string): string =>
  answer({ 'birds.md': page }, question).text;

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
