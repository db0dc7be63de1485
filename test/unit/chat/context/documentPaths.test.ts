import assert from 'node:assert/strict';
import { workspacePath, type WorkspaceFolder } from '../../../../src/chat/context/documentPaths';

const shop: WorkspaceFolder = {
  name: 'shop',
  scheme: 'file',
  authority: '',
  path: '/home/ann/shop',
};
const docs: WorkspaceFolder = { name: 'docs', scheme: 'file', authority: '', path: '/srv/docs' };
const file = (path: string) => ({ scheme: 'file', authority: '', path });

describe('workspacePath', () => {
  it('is relative to the one folder, without its name', () => {
    assert.equal(workspacePath(file('/home/ann/shop/src/pay.ts'), [shop]), 'src/pay.ts');
  });

  it('starts with the name of the folder where there are several', () => {
    const folders = [shop, docs];
    assert.equal(workspacePath(file('/home/ann/shop/src/pay.ts'), folders), 'shop/src/pay.ts');
    assert.equal(workspacePath(file('/srv/docs/a.md'), folders), 'docs/a.md');
  });

  it('takes the innermost of nested folders', () => {
    const inner = { ...shop, name: 'web', path: '/home/ann/shop/web' };
    assert.equal(workspacePath(file('/home/ann/shop/web/a.ts'), [shop, inner]), 'web/a.ts');
  });

  for (const [what, path] of [
    ['outside of every folder', '/etc/secret/pay.ts'],
    ['in a folder whose name begins alike', '/home/ann/shopping/pay.ts'],
    ['that climbs out', '/home/ann/shop/../../bob/pay.ts'],
    ['on a drive that no folder is on', 'C:\\Users\\ann\\pay.ts'],
    ['on a Windows share', '\\\\server\\share\\pay.ts'],
  ] as const) {
    it(`is the bare name of a file ${what}`, () => {
      assert.equal(workspacePath(file(path), [shop]), 'pay.ts');
    });
  }

  it('is the bare name without any folder', () => {
    assert.equal(workspacePath(file('/home/ann/shop/src/pay.ts'), []), 'pay.ts');
  });

  for (const path of [
    '/c:/work/shop/src/pay.ts',
    '/C:/work/shop/src/pay.ts',
    'C:\\work\\shop\\src\\pay.ts',
  ]) {
    it(`turns ${path} into a path with forward slashes`, () => {
      const folder = { ...shop, path: '/c:/work/shop' };
      assert.equal(workspacePath(file(path), [folder]), 'src/pay.ts');
    });
  }

  it('works for remote and virtual folders', () => {
    const remote = {
      name: 'shop',
      scheme: 'vscode-remote',
      authority: 'ssh+box',
      path: '/srv/shop',
    };
    const address = { scheme: 'vscode-remote', authority: 'ssh+box', path: '/srv/shop/a.ts' };
    assert.equal(workspacePath(address, [remote]), 'a.ts');
  });

  it('finds the file that a diff’s old side stands for', () => {
    const old = { scheme: 'git', authority: '', path: '/home/ann/shop/src/pay.ts' };
    assert.equal(workspacePath(old, [shop]), 'src/pay.ts');
  });

  it('works for a folder at the root of a file system', () => {
    const root = { name: 'repo', scheme: 'vscode-vfs', authority: 'github', path: '/' };
    const address = { scheme: 'vscode-vfs', authority: 'github', path: '/src/a.ts' };
    assert.equal(workspacePath(address, [root]), 'src/a.ts');
  });
});
