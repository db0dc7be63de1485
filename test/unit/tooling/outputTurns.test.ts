import assert from 'node:assert/strict';
import { OutputTurns } from '../../workbench/outputTurns.mjs';

describe('the output of hosts side by side', () => {
  let lines: string[];
  let output: OutputTurns;

  beforeEach(() => {
    lines = [];
    output = new OutputTurns((line) => lines.push(line));
  });

  it('is that of the first at once, and of each other as a whole after it', () => {
    const [first, second, third] = [output.begin(), output.begin(), output.begin()];
    second.print('b1');
    first.print('a1');
    third.print('c1');
    assert.deepEqual(lines, ['a1']);
    third.end();
    first.end();
    assert.deepEqual(lines, ['a1', 'b1']);
    second.print('b2');
    second.end();
    assert.deepEqual(lines, ['a1', 'b1', 'b2', 'c1']);
  });

  it('goes on at once after all have ended', () => {
    output.begin().end();
    output.begin().print('b1');
    assert.deepEqual(lines, ['b1']);
  });

  it('shows what is held when the process ends before they do', () => {
    const [first, second] = [output.begin(), output.begin()];
    second.print('b1');
    first.print('a1');
    output.flush();
    assert.deepEqual(lines, ['a1', 'b1']);
  });
});
