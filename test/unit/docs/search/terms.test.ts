import assert from 'node:assert/strict';
import { codeLanguagesIn } from '../../../../src/docs/pages/codeLanguages';
import { detectLanguage, termsOf } from '../../../../src/docs/search/terms';

const wordsOf = (text: string): string =>
  termsOf(text)
    .map((term) => term.text)
    .join(' ');

describe('termsOf', () => {
  for (const family of [
    ['verify', 'verifies', 'verified', 'verifying', 'verification'],
    ['authenticate', 'authenticated', 'authenticating', 'authentication'],
    ['limit', 'limits', 'limited', 'limiting'],
    ['create', 'created', 'creating', 'creation'],
    ['plan', 'plans', 'planned', 'planning'],
    ['API', 'APIs'],
    ['Signatur', 'Signaturen'],
    ['prüfen', 'Prüfung'],
  ]) {
    it(`brings ${family.join(', ')} to one form`, () => {
      assert.equal(new Set(family.map(wordsOf)).size, 1, family.map(wordsOf).join());
    });
  }

  it('leaves out words without meaning of their own, in English and German', () => {
    assert.equal(wordsOf('How do I do this with the …?'), '');
    assert.equal(wordsOf('Wie kann ich das mit einem …?'), '');
  });

  it('finds pairs of letters where a language does not separate words', () => {
    assert.equal(wordsOf('设置API限制'), '设置 限制 api');
    assert.ok(wordsOf('レート制限を設定').split(' ').includes('制限'));
  });

  it('finds the words of identifiers and the identifier itself', () => {
    const forms = ['maxRetryCount', 'max_retry_count', 'MAX_RETRY_COUNT'].map((name) =>
      wordsOf(name).toLowerCase(),
    );
    assert.deepEqual(new Set(forms), new Set(['maxretrycount max retry count']));
    assert.deepEqual(
      termsOf('parseHTTPHeader').map(({ text, isCompound }) => [text, isCompound]),
      [
        ['parsehttpheader', true],
        ['pars', false],
        ['http', false],
        ['header', false],
      ],
    );
  });
});

describe('detectLanguage', () => {
  for (const [text, language] of [
    ['How do I verify a signature?', 'en'],
    ['Wie prüfe ich eine Signatur?', 'de'],
    ['und in Python?', 'de'],
    ['and in Python?', 'en'],
    ['webhooks', undefined],
    ['¿Cómo verifico una firma?', undefined],
    ['UND_ERR_TIMEOUT', undefined],
    ['', undefined],
  ] as const) {
    it(`detects "${text}" as ${language ?? 'unknown'}`, () => {
      assert.equal(detectLanguage(text), language);
    });
  }
});

describe('codeLanguagesIn', () => {
  for (const [question, languages] of [
    ['and in Python?', ['python']],
    ['How do I do that with node.js or C#?', ['javascript', 'csharp']],
    ['Where do I go from here?', []],
    ['How does the Go SDK do it?', ['go']],
    ['Which JSON do I get?', []],
    ['a c++ example', ['cpp']],
  ] as const) {
    it(`finds ${languages.join(' and ') || 'none'} in "${question}"`, () => {
      assert.deepEqual(codeLanguagesIn(question), languages);
    });
  }
});
