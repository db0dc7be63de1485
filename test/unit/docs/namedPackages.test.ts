import assert from 'node:assert/strict';
import { certainNamesIn, markedNamesIn, packagesNamedIn } from '../../../src/docs/namedPackages';

const packages = [
  { name: 'fastify', version: '5.12.8' },
  { name: 'next', version: '16.4.6' },
  { name: 'got', version: '14.6.6' },
  { name: 'ai', version: '7.0.1' },
  { name: 'p-limit', version: '7.3.3' },
  { name: '@tanstack/react-query', version: '5.1.0' },
  { name: 'http-proxy-middleware', version: '3.0.0' },
  { name: 'fast-check', version: '4.0.0' },
  { name: '@hono/node-server', version: '2.1.8' },
  { name: '@next/env', version: '16.4.6' },
  { name: '@types/vscode', version: '1.101.0' },
  { name: '@types/node', version: '20.19.0' },
].map((one) => ({ ...one, importedAs: one.name }));

const namedIn = (question: string): string[] =>
  packagesNamedIn(question, packages).map(({ name }) => name);

describe('the packages that a question names', () => {
  it('are those whose names stand in it as words, with or without their scope', () => {
    assert.deepEqual(namedIn('How does Fastify close?'), ['fastify']);
    assert.deepEqual(namedIn('p-limit, or fastify?'), ['fastify', 'p-limit']);
    assert.deepEqual(namedIn('retry in @tanstack/react-query'), ['@tanstack/react-query']);
    assert.deepEqual(namedIn('How does react-query retry?'), ['@tanstack/react-query']);
  });

  it('are not those whose names are a part of another name or of a path', () => {
    const text = 'fastify-plugin, src/fastify.ts, my.fastify, @fastify/cors and fastify.config';
    assert.deepEqual(namedIn(text), []);
  });

  it('leave out common words without a sign that they are names', () => {
    for (const text of ['What is next?', 'I got an error in ai code', 'Next, how do I start it?']) {
      assert.deepEqual(namedIn(text), []);
    }
    assert.deepEqual(namedIn('we got 3 of them, the next 15 fail'), []);
  });

  it('have common words as code, with a version, as a product, or where the words around them fit', () => {
    const texts = [
      'Does `next` cache?',
      'next@16 cache',
      'cache of Next.js',
      'In Next, what is cached?',
    ];
    for (const text of [...texts, 'the cache of next 16', 'the next package']) {
      assert.deepEqual(namedIn(text), ['next']);
    }
    assert.deepEqual(namedIn('How do I retry with got?'), ['got']);
  });
});

describe('the packages whose names a question writes with spaces', () => {
  it('are those with two words that have a sign of a name, and those with more', () => {
    for (const text of ['How does React Query retry?', 'cache with react query?', 'react query 5'])
      assert.deepEqual(namedIn(text), ['@tanstack/react-query'], text);
    assert.deepEqual(namedIn('http proxy middleware for sockets'), ['http-proxy-middleware']);
  });

  it('are none where two words are ordinary ones', () => {
    for (const text of ['Is there a fast check of types?', 'p limit', 'Fast check of types'])
      assert.deepEqual(namedIn(text), [], text);
  });
});

describe('the packages whose scopes a question names', () => {
  it('are those whose scope and name stand in it as words', () => {
    assert.deepEqual(namedIn('stop the hono node server'), ['@hono/node-server']);
    assert.deepEqual(namedIn('a node server, or hono?'), []);
  });

  it('are none where the scope is a common word without a sign that it is a name', () => {
    assert.deepEqual(namedIn('the next env of it'), []);
    assert.deepEqual(namedIn('the env of Next env'), ['next', '@next/env']);
  });

  it('are those of types by the name that they describe, but not by a common word', () => {
    assert.deepEqual(namedIn('vscode: where are secrets?'), ['@types/vscode']);
    assert.deepEqual(namedIn('Does Node.js have this, or Node?'), []);
  });
});

describe('the names that a question marks', () => {
  it('are scoped ones, code and those with a version, each once', () => {
    const text = 'Use `undici`, @acme/sdk. and ws@8 with `undici` and plain';
    assert.deepEqual(markedNamesIn(text), ['undici', '@acme/sdk', 'ws']);
  });

  it('are certainly those of packages with a scope or a version, of which a sentence’s end is no part', () => {
    const text =
      'Use `undici`, @acme/sdk. `@acme/log@^2.1`, `next@15.x` and ws@v8. Not `src/a`, @/lib, me@host.example, `a/@b/c` or @acme/sdk';
    assert.deepEqual(certainNamesIn(text), [
      { name: '@acme/sdk', version: '' },
      { name: '@acme/log', version: '2.1' },
      { name: 'next', version: '15' },
      { name: 'ws', version: '8' },
    ]);
  });
});
