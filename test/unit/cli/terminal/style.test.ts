import assert from 'node:assert/strict';
import { lookOf } from '../../../../src/cli/terminal/style';

const terminal = { isTTY: true, columns: 120 };
const pipe = {};

const look = (
  stream: Parameters<typeof lookOf>[0],
  env: Readonly<Record<string, string>> = {},
): string => {
  const { columns, style } = lookOf(stream, env);
  return `${columns ?? 'markdown'} ${style.isColored ? 'colored' : 'plain'}`;
};

// Shows faults.md L10.
describe('lookOf', () => {
  it('lays text out for a terminal, up to a readable width', () => {
    assert.equal(look(terminal), '100 colored');
    assert.equal(look({ isTTY: true, columns: 44 }), '44 colored');
    assert.equal(look({ isTTY: true, columns: 3 }), '20 colored');
    assert.equal(look({ isTTY: true }), '80 colored');
  });

  it('writes Markdown as it is into pipes, and to terminals without escape sequences', () => {
    assert.equal(look(pipe), 'markdown plain');
    assert.equal(look(terminal, { TERM: 'dumb' }), 'markdown plain');
  });

  it('lays out without colors if NO_COLOR is set and not empty', () => {
    assert.equal(look(terminal, { NO_COLOR: '1' }), '100 plain');
    assert.equal(look(terminal, { NO_COLOR: '' }), '100 colored');
  });

  it('follows FORCE_COLOR before anything else', () => {
    assert.equal(look(pipe, { FORCE_COLOR: '1', COLUMNS: '60' }), '60 colored');
    assert.equal(look(pipe, { FORCE_COLOR: '', NO_COLOR: '1' }), '80 colored');
    assert.equal(look(terminal, { FORCE_COLOR: '0' }), '100 plain');
    assert.equal(look(terminal, { FORCE_COLOR: 'false' }), '100 plain');
  });
});
