import assert from 'node:assert/strict';
import { groupedByFolder } from '../../../../src/export/compare/folderGroups';

const rows = (paths: readonly string[], folder?: string) =>
  groupedByFolder(
    paths.map((path) => ({ path })),
    folder,
  ).map((group) =>
    group.kind === 'entry' ? group.label : `${group.label}/ (${group.entries.length})`,
  );

describe('groupedByFolder', () => {
  it('has a row for each folder directly below, in the order of the entries', () => {
    assert.deepEqual(rows(['b/1', 'b/2', 'a/1', 'a/2', 'c']), ['b/ (2)', 'a/ (2)', 'c']);
  });

  it('joins folders that contain nothing but a folder', () => {
    assert.deepEqual(rows(['a/b/c/1', 'a/b/c/2', 'a/b/d']), ['a/b/ (3)']);
    assert.deepEqual(rows(['a/b/c/1', 'a/b/c/2', 'a/b/d'], 'a/b/'), ['c/ (2)', 'd']);
  });

  it('makes one row of a folder with one entry', () => {
    assert.deepEqual(rows(['a/b/1', 'c/1', 'c/2']), ['a/b/1', 'c/ (2)']);
  });

  it('separates a page from a folder with the same name, and names that begin alike', () => {
    assert.deepEqual(rows(['a', 'a/1', 'a/2', 'ab/1', 'ab/2']), ['a', 'a/ (2)', 'ab/ (2)']);
  });

  it('keeps two pages that have the same name without their extensions', () => {
    assert.deepEqual(rows(['a', 'a', 'b/1', 'b/1', 'b/2']), ['a', 'a', 'b/ (3)']);
    assert.deepEqual(rows(['b/1', 'b/1', 'b/2'], 'b/'), ['1', '1', '2']);
  });

  it('treats the home page as an entry', () => {
    assert.deepEqual(rows(['/', 'a']), ['/', 'a']);
  });
});
