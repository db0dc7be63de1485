import assert from 'node:assert/strict';
import { answer } from './answering';

describe('titles of sources', () => {
  const titles = (pages: Record<string, string>, question: string): string[] =>
    answer(pages, question).sources.map(({ title }) => title);

  it('name the heading above one that the page has twice', () => {
    const api =
      '# API\n\n## feedPelicans\n\n### Returns\n\nThe pelicans that were fed.\n\n## feedHerons\n\n### Returns\n\nThe herons.\n';
    assert.equal(
      titles({ 'api.md': api }, 'Which pelicans were fed?')[0],
      'API › feedPelicans › Returns',
    );
  });

  it('name the heading above where several pages have one title', () => {
    const page = (name: string): string =>
      `# Birds\n\n## ${name}\n\n### Food of ${name}\n\n${name} eat fish.\n`;
    const pages = { 'pelicans.md': page('Pelicans'), 'herons.md': page('Herons') };
    assert.deepEqual(titles(pages, 'Who eats fish?').toSorted(), [
      'Birds › Herons › Food of Herons',
      'Birds › Pelicans › Food of Pelicans',
    ]);
  });

  it('have a page’s name once, as its heading writes it', () => {
    const page = '### RabbitMQ\n\nPelicans queue here.\n';
    const below = '\n#### Types\n\nThe types.\n\n#### Types\n\nHerons queue.\n';
    const pages = { 'message-queues/rabbitmq.md': page + below };
    assert.equal(titles(pages, 'Where do pelicans queue?')[0], 'RabbitMQ');
    assert.equal(titles(pages, 'Do herons queue?')[0], 'Rabbitmq › Types');
  });
});

describe('the title of a linked section', () => {
  it('is no item of a list within the list of links', () => {
    const pages = {
      'pelicans.md': '# 2. Pelicans\n\nPelicans fish in the pond at noon.\n',
      'ponds.md': '# - Ponds\n\nPelicans fish here.\n',
    };
    const { text } = answer(pages, 'Where do pelicans fish?');
    assert.match(text, /^- (?:2\\\. Pelicans|\\- Ponds) \[2\]/m);
  });

  it('keeps the number of a section as it is, which begins no list', () => {
    const pages = {
      'birds.md':
        '# 1.1. Birds\n\n## Where pelicans fish\n\nPelicans fish where rivers are wide.\n',
      'ponds.md': '# 13.2. Ponds\n\nPelicans fish here.\n',
    };
    assert.match(answer(pages, 'Where do pelicans fish?').text, /^- 13\.2\. Ponds \[2\]/m);
  });
});

describe('the title above a passage', () => {
  it('names the option that the passage leaves out', () => {
    const page =
      '# Feeding\n\n## `--pond-depth <feet>`\n\nDepth of water in which pelicans stand.\n';
    assert.match(
      answer({ 'feeding.md': page }, 'In which depth of water do pelicans stand?').text,
      /\*\*Feeding › --pond-depth \\<feet\\>\*\* \[1\]\S+\n\nDepth of water/,
    );
  });

  it('is left out where the passage has the name', () => {
    const page = '# Feeding\n\n## pondDepth\n\nThe `pondDepth` in which pelicans stand.\n';
    assert.match(
      answer({ 'feeding.md': page }, 'In which depth do pelicans stand?').text,
      /(?:^|\n\n)The `pondDepth` in/,
    );
    assert.doesNotMatch(
      answer({ 'feeding.md': page }, 'In which depth do pelicans stand?').text,
      /\*\*Feeding/,
    );
  });

  it('is left out above a few words that lead code in', () => {
    const page = '# Birds\n\n## Pelicans\n\nCall a pelican:\n\n```js\ncall("pelican");\n```\n';
    assert.match(
      answer({ 'birds.md': page }, 'How do I call a pelican?').text,
      /(?:^|\n\n)Call a pelican: \[1\]/,
    );
    assert.doesNotMatch(answer({ 'birds.md': page }, 'How do I call a pelican?').text, /\*\*Birds/);
  });

  it('stands above a fact that is no sentence', () => {
    const page =
      '# Feeding\n\n## Deep water\n\nAdded in: v11.1.0\n\nPelicans stand in it with both legs.\n';
    assert.match(
      answer({ 'feeding.md': page }, 'In what do pelicans stand with both legs?').text,
      /\*\*Feeding › Deep water\*\* \[1\]\S+\n\nAdded in: v11\.1\.0\n\nPelicans/,
    );
  });
});
