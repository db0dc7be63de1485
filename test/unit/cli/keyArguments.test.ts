import assert from 'node:assert/strict';
import { Command } from 'commander';
import { cliCommands } from '../../../src/cli/commands';
import type { CliContext } from '../../../src/cli/context';
import { Output } from '../../../src/cli/output';
import { plainTranslate } from '../../../src/common/errors';
import { hasKey, hasPresignedLink, withoutPublicKey } from '../../../src/cli/keyArguments';

describe('hasKey', () => {
  // Shows faults.md L1.
  it('recognizes keys of each kind, alone, behind a flag and in a question', () => {
    for (const argument of [
      'acme_dsc_4f9a8b7c6d5e',
      'local_dsc_4f9a8b7c6d5e',
      'acme_us_4f9a8b7c6d5e',
      'acme_4f9a8b7c6d5e4f9a8b7c6d5e',
      'Bearer acme_4f9a8b7c6d5e4f9a8b7c6d5e',
      '--site=acme_4f9a8b7c6d5e4f9a8b7c6d5e',
      '--base-url=https://x.test/?key=acme_dsc_4f9a8b7c6d5e',
      'why is acme_dsc_4f9a8b7c6d5e refused?',
      'sk-proj-0123456789abcdefghij',
      'sk-0123456789abcdefghij',
      '--key',
      '--api-key=x',
      '--assistant-key',
      '--token',
    ]) {
      assert.equal(hasKey(argument), true, argument);
    }
  });

  it('accepts questions, paths, names of models and options', () => {
    for (const argument of [
      'what does max_connections_per_host_v2 do?',
      'how do I use <prefix>_dsc_<letters>?',
      'src/my_component_version2.ts:10-20',
      'max_connections_per_host_v2',
      'llama_3_1_8b_instruct_q4_k_m',
      'meta_llama-3-8b-instruct-q4',
      'qwen2.5-coder:7b-instruct-q4_K_M',
      'sk-learn pipelines',
      '--code',
      '--keyboard',
      '--docs=docs_2024',
      'https://docs.example.com/a_b/2024-11-22',
      '-',
    ]) {
      assert.equal(hasKey(argument), false, argument);
    }
  });
});

describe('hasPresignedLink', () => {
  it('recognizes the links of object stores, and accepts other URLs', () => {
    for (const argument of [
      'https://s3.test/b.tar.gz?X-Amz-Date=20260101T000000Z&X-Amz-Signature=0123456789abcdef',
      '--label=https://storage.test/b?x-goog-signature=0123456789abcdef',
      'why does https://blob.test/b?se=2026&sig=0123456789abcdef fail?',
      'http://127.0.0.1:4711/v1/bundles/x/bundle.tar.gz?X-Expires=1&X-Signature=0123456789abcdef',
    ]) {
      assert.equal(hasPresignedLink(argument), true, argument);
    }
    for (const argument of [
      'https://docs.test/search?q=signature',
      'https://docs.test/?design=0123456789abcdef',
      'what does ?sig= mean',
      'bundle.tar.gz',
    ]) {
      assert.equal(hasPresignedLink(argument), false, argument);
    }
  });
});

describe('withoutPublicKey', () => {
  const enhance = ['bundle', 'enhance', 'site'];

  it('leaves out an assistant key of “bundle enhance”, which the command makes public', () => {
    for (const key of [['--key', 'acme_dsc_4f9a8b7c6d5e'], ['--key=acme_dsc_4f9a8b7c6d5e']]) {
      assert.deepEqual(withoutPublicKey([...enhance, ...key, '--remove']), [
        ...enhance,
        '--remove',
      ]);
    }
  });

  it('keeps keys of other kinds, other places and other commands', () => {
    for (const args of [
      [...enhance, '--key', 'acme_4f9a8b7c6d5e4f9a8b7c6d5e'],
      [...enhance, '--key=acme_us_4f9a8b7c6d5e'],
      [...enhance, '--site', 'acme_dsc_4f9a8b7c6d5e'],
      ['bundle', 'check', '--key', 'acme_dsc_4f9a8b7c6d5e'],
      ['ask', '--key', 'acme_dsc_4f9a8b7c6d5e'],
    ]) {
      assert.deepEqual(withoutPublicKey(args), args);
      assert.ok(withoutPublicKey(args).some(hasKey));
    }
  });

  it('leaves every option of the commands to the parser', () => {
    const program = new Command();
    const silent = new Output({ write: () => undefined });
    const context = { stdout: silent, stderr: silent, env: {}, t: plainTranslate } as CliContext;
    for (const add of cliCommands) add(program, context, () => undefined);
    const withOptions = (command: Command, names: readonly string[]): readonly string[][] => [
      ...command.options.map(({ long }) => [
        ...names,
        long ?? '',
        long === '--key' ? 'acme_dsc_4f9a8b7c6d5e' : 'docs',
      ]),
      ...command.commands.flatMap((each) => withOptions(each, [...names, each.name()])),
    ];
    const refused = withOptions(program, []).filter((args) => withoutPublicKey(args).some(hasKey));
    assert.deepEqual(refused, []);
  });
});
