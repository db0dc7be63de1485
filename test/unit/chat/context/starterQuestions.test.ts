import assert from 'node:assert/strict';
import { importedNames, importedPackages } from '../../../../src/chat/context/importedPackages';
import { starterQuestions } from '../../../../src/chat/context/starterQuestions';

const names = (languageId: string, text: string): string[] =>
  importedPackages(languageId, text).map(({ name }) => name);

describe('importedPackages', () => {
  it('reads ES imports, requires and dynamic imports, each package once', () => {
    const text = `
import type { Rate } from '@acme/sdk';
import { Client as C, Other } from "@acme/sdk/client";
import Stripe, { type Charge } from 'stripe';
import * as all from 'date-fns/format';
import 'side-effect';
export { thing } from 're-exported';
const { sign } = require('jsonwebtoken');
const lazy = await import('lazy-one');
import {
  a,
  b,
} from 'many-lines';
`;
    assert.deepEqual(importedPackages('typescript', text), [
      { name: '@acme/sdk', symbol: 'Rate' },
      { name: 'stripe', symbol: 'Stripe' },
      { name: 'date-fns' },
      { name: 'side-effect' },
      { name: 're-exported', symbol: 'thing' },
      { name: 'jsonwebtoken', symbol: 'sign' },
      { name: 'lazy-one' },
      { name: 'many-lines', symbol: 'a' },
    ]);
  });

  it('leaves out relative imports, aliases, addresses and what comes with Node', () => {
    const text = [
      './a',
      '../b',
      '/c',
      '#d',
      '@/e',
      '~/f',
      'node:fs',
      'fs',
      'fs/promises',
      'https://x/y',
    ]
      .map((module) => `import { x } from '${module}';`)
      .join('\n');
    assert.deepEqual(names('javascript', text), []);
  });

  for (const [languageId, text, expected] of [
    [
      'python',
      'import os, sys\nfrom acme.client import Client, Other\nimport requests as r\nfrom . import x\nfrom __future__ import annotations\n',
      ['acme', 'requests'],
    ],
    [
      'go',
      'import "fmt"\nimport (\n\t"net/http"\n\tacme "github.com/acme/acme-go/v2/client"\n\t_ "golang.org/x/net"\n)\n',
      ['github.com/acme/acme-go', 'golang.org/x/net'],
    ],
    [
      'java',
      'import java.util.List;\nimport static org.junit.Assert.assertTrue;\nimport com.acme.client.AcmeClient;\n',
      ['org.junit', 'com.acme.client'],
    ],
    [
      'rust',
      'use std::fs;\nuse crate::x;\nuse acme_sdk::{Client, Rate};\npub use tokio::main;\n',
      ['acme_sdk', 'tokio'],
    ],
    ['csharp', 'using System.Text;\nusing Acme.Sdk.Clients;\nusing var x = y;\n', ['Acme.Sdk']],
    ['php', '<?php\nuse App\\Models\\User;\nuse Acme\\Sdk\\Client;\n', ['Acme\\Sdk']],
    ['ruby', "require 'json'\nrequire 'acme/client'\nrequire_relative 'x'\n", ['acme']],
    ['swift', 'import Foundation\nimport AcmeKit\n', ['AcmeKit']],
    ['dart', "import 'dart:io';\nimport 'package:acme/acme.dart';\n", ['acme']],
    ['kotlin', 'import kotlin.math.abs\nimport com.acme.Client\n', ['com.acme']],
    ['plaintext', "import { x } from 'acme';", []],
    ['constructor', "import { x } from 'acme';", []],
  ] as const) {
    it(`reads ${languageId}`, () => assert.deepEqual(names(languageId, text), expected));
  }

  it('reads every module of a Python statement', () => {
    const text = 'import os, requests as r, flask.views\nimport sys  # import django, attr\n';
    assert.deepEqual(names('python', text), ['requests', 'flask']);
  });

  it('takes the first thing that is imported by name', () => {
    const symbol = (languageId: string, text: string) =>
      importedPackages(languageId, text)[0]?.symbol;
    assert.equal(symbol('python', 'from acme import (Client, Other)'), 'Client');
    assert.equal(symbol('python', 'from acme import *'), undefined);
    assert.equal(symbol('rust', 'use acme::{Client};'), 'Client');
  });

  it('ignores text that is not a package name', () => {
    assert.deepEqual(
      names('typescript', `import x from '<img src=x>';\nimport y from '\u202eevil';`),
      [],
    );
  });

  it('reads hostile text in time that grows with its length', () => {
    // Reading in quadratic time exceeds the limit of the test.
    for (const part of [
      'import ',
      'import {',
      'import (\n"',
      'from x import ',
      'const a=',
      'use a::{',
      'using A.',
    ]) {
      for (const languageId of ['typescript', 'python', 'go', 'rust', 'csharp', 'java', 'php']) {
        const text = part.repeat(Math.ceil(100_000 / part.length));
        importedPackages(languageId, text);
        importedPackages(languageId, `${part}\n`.repeat(Math.ceil(100_000 / (part.length + 1))));
      }
    }
  });
});

describe('importedNames', () => {
  it('returns every name that stands for a package in the file', () => {
    const text = `
import type { Rate } from '@acme/sdk';
import { Client as C, default as Sdk } from "@acme/sdk/client";
import Stripe, { type Charge } from 'stripe';
import * as all from 'date-fns/format';
import 'side-effect';
const { sign, verify } = require('jsonwebtoken');
`;
    assert.deepEqual(
      [...importedNames('typescript', text)],
      [
        ['@acme/sdk', ['Rate', 'C', 'Sdk']],
        ['stripe', ['Stripe', 'Charge']],
        ['date-fns', ['all']],
        ['side-effect', []],
        ['jsonwebtoken', ['sign', 'verify']],
      ],
    );
  });

  it('takes the class that ends a module', () => {
    const text = 'import com.acme.sdk.ApiClient;\nimport com.acme.sdk.model.Rate;\n';
    assert.deepEqual([...importedNames('java', text)], [['com.acme.sdk', ['ApiClient', 'Rate']]]);
    const python = 'from acme.client import (Client,\n  Other as O)\n';
    assert.deepEqual([...importedNames('python', python)], [['acme', ['Client']]]);
  });
});

describe('starterQuestions', () => {
  const file = { languageId: 'typescript', text: '', errors: [] };

  it('asks about the first error and the packages', () => {
    assert.deepEqual(
      starterQuestions({
        ...file,
        text: `import { Client } from '@acme/sdk';\nimport ky from 'ky';\nimport 'third';`,
        errors: ["Property 'rates' does not exist on type 'Client'.", 'Another.'],
      }),
      [
        "What does this error mean: Property 'rates' does not exist on type 'Client'.",
        'How do I use Client from @acme/sdk?',
        'How do I use ky?',
      ],
    );
  });

  it('asks about more errors where there are no packages, each once', () => {
    assert.deepEqual(starterQuestions({ ...file, errors: ['One.', 'One.', ' ', 'Two.'] }), [
      'What does this error mean: One.',
      'What does this error mean: Two.',
    ]);
  });

  it('puts the packages of the site first and leaves out mere tools', () => {
    const text = `import { it } from 'vitest';\nimport React from 'react';\nimport { a } from 'alpha';\nimport { b } from 'beta';\nimport { c } from '@acme/sdk';`;
    assert.deepEqual(starterQuestions({ ...file, text, siteName: 'acme · docs.acme.example' }), [
      'How do I use c from @acme/sdk?',
      'How do I use a from alpha?',
    ]);
    assert.deepEqual(
      starterQuestions({ ...file, text, siteName: 'react.dev · docs' })[0],
      'How do I use react?',
    );
  });

  it('has nothing to ask about a file without either', () =>
    assert.deepEqual(starterQuestions({ ...file, text: "import './a';" }), []));

  it('shows a message as one line of bounded length without what could disguise it', () => {
    const [question = ''] = starterQuestions({
      ...file,
      errors: [`\u202eevil\u0007  ${'👋'.repeat(200)}\nsecond line`],
    });
    assert.match(question, /^What does this error mean: evil 👋+…$/u);
    assert.ok(question.length < 200);
    assert.doesNotMatch(question, /\p{Surrogate}/u);
  });
});
