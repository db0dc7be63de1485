import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isIgnoredByGit } from '../../../../src/export/values/ignoredByGit';

describe('a file that git may ignore', () => {
  let root: string;
  const inRoot = (name: string): string => path.join(root, name);

  before(async () => {
    root = await realpath(await mkdtemp(path.join(tmpdir(), 'docs-assistant-git-')));
    execFileSync('git', ['init', '--quiet', root]);
    await writeFile(inRoot('.gitignore'), 'ignored.yaml\nforced.yaml\n');
    await writeFile(inRoot('forced.yaml'), '');
    execFileSync('git', ['add', '--force', 'forced.yaml'], { cwd: root });
  });

  after(() => rm(root, { recursive: true, force: true }));

  it('is ignored by a pattern, whether it exists or not', async () => {
    assert.equal(await isIgnoredByGit('git', root, inRoot('ignored.yaml')), true);
  });

  it('is not ignored without a pattern', async () => {
    assert.equal(await isIgnoredByGit('git', root, inRoot('values.yaml')), false);
    assert.equal(await isIgnoredByGit('git', root, inRoot('--version')), false);
  });

  it('is not ignored if git tracks it, even if a pattern matches', async () => {
    assert.equal(await isIgnoredByGit('git', root, inRoot('forced.yaml')), false);
  });

  it('is told of as ignored each time, also while other processes end', async () => {
    let isOver = false;
    const others = [0, 1].map(async () => {
      while (!isOver) await isIgnoredByGit('git', root, inRoot('values.yaml'));
    });
    const answers: boolean[] = [];
    while (answers.length < 30) {
      answers.push(await isIgnoredByGit('git', root, inRoot('ignored.yaml')));
    }
    isOver = true;
    await Promise.all(others);
    assert.ok(answers.every(Boolean));
  });

  it('is an error outside of the working tree, and without git', async () => {
    await assert.rejects(isIgnoredByGit('git', root, path.dirname(root)), /^Error: Command failed/);
    await assert.rejects(isIgnoredByGit(inRoot('no-git'), root, inRoot('values.yaml')), /ENOENT/);
  });
});
