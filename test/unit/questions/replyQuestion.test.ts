import assert from 'node:assert/strict';
import { replyQuestion } from '../../../src/questions/replyQuestion';

const source = (url: string) =>
  ({ type: 'source-url', sourceId: url, url, title: 'A page' }) as const;

describe('replyQuestion', () => {
  it('returns the question, the page that is cited first, and the filters', async () => {
    const written = await replyQuestion(
      {
        question: { text: ' How do I rotate a key?\n' },
        reply: {
          parts: [
            source('https://docs.acme.com/guides/api%20keys/?utm=1#rotate'),
            source('https://docs.acme.com/limits'),
          ],
        },
        filter: { version: 'v2', groups: ['admins'] },
      },
      [],
    );
    assert.deepEqual(written, {
      question: 'How do I rotate a key?',
      pages: ['guides/api keys'],
      filters: { version: 'v2', groups: ['admins'] },
    });
  });

  it('names a page of docs on this machine without the port of their service', async () => {
    const pages = async (url: string) =>
      (
        await replyQuestion(
          { question: { text: 'How?' }, reply: { parts: [source(url)] }, filter: {} },
          [],
        )
      ).pages;
    assert.deepEqual(await pages('http://127.0.0.1:41234/docs/guides/keys#rotate'), [
      'guides/keys',
    ]);
    assert.deepEqual(await pages('guides/keys.md'), ['guides/keys.md']);
    assert.deepEqual(await pages('https://docs.acme.com/'), ['index']);
    assert.equal(await pages('javascript:alert(1)'), undefined);
  });

  // Shows faults.md V10.
  it('writes no secret into the file, neither a known one nor one that looks like a secret', async () => {
    const known = ['acme', 'adm', 'Zx81kQwT5vBn3RyU7pLc'].join('_');
    const token = ['ghp', '16C7e42F292c6912E7710c838347Ae178B4a'].join('_');
    const { question, pages } = await replyQuestion(
      {
        question: { text: `Why does ${known} with ${token} fail?` },
        reply: { parts: [source(`https://docs.acme.com/keys?key=${known}`)] },
        filter: {},
      },
      [known],
    );
    const text = JSON.stringify([question, pages]);
    assert.ok(!text.includes(known) && !text.includes(token), text);
    assert.match(question, /^Why does .+ fail\?$/);
  });
});
