import assert from 'node:assert/strict';
import { plainSentence } from '../../../../src/common/text/safeText';
import { redact, redactExactly, StreamRedactor } from '../../../../src/common/http/redact';

describe('redact', () => {
  for (const [text, expected] of [
    ['Authorization: Bearer abc.def', 'Authorization: Bearer [redacted]'],
    ['bearer "x"', 'bearer "x"'],
    ['key abc_dsc_CANARY123 is bad', 'key [redacted] is bad'],
    ['key abc_us_CANARY123', 'key [redacted]'],
    ['admin key abc_0123456789abcdef01', 'admin key [redacted]'],
    [
      'https://s3.example.com/b.tar.gz?X-Sig=CANARY&Key=1 gone',
      'https://s3.example.com/b.tar.gz?[redacted] gone',
    ],
    ['https://user:CANARY@host/x', 'https://[redacted]@host/x'],
    ['X-Thread-Key: CANARY', 'X-Thread-Key: [redacted]'],
    ['{"threadKey":"CANARY"}', '{"threadKey":"[redacted]"}'],
    ['"{\\"threadKey\\": \\"CANARY\\"}"', '"{\\"threadKey\\": \\"[redacted]\\"}"'],
    ['POST https://api.example.com/v2/assistant/acme/message 200', undefined],
    ['messages[0].parts must be an array', undefined],
    ['set my_variable_name to retrieval_page_size', undefined],
    ['see https://docs.example.com/a#b', undefined],
  ] as const) {
    it(`makes ${expected ?? 'nothing else'} of ${text}`, () => {
      assert.equal(redact(text), expected ?? text);
    });
  }

  it('replaces given secrets whatever they look like, also percent-encoded', () => {
    const secret = 'odd secret/with+signs';
    const text = `${secret} and ${encodeURIComponent(secret)}`;
    assert.equal(redact(text, [secret]), '[redacted] and [redacted]');
  });

  it('replaces the longer of two secrets that overlap', () => {
    assert.equal(redactExactly('abcdefgh-1234', ['abcdefgh', 'abcdefgh-1234']), '[redacted]');
  });

  it('does not take a short string for a secret', () => {
    assert.equal(redact('a cat', ['a', '']), 'a cat');
  });

  it('ends in good time for a long text that is made to be slow', () => {
    // Quadratic time would be hours here, far over the test's own limit.
    for (const unit of ['a.', 'a_', 'x-', 'a://', 'bearer ', 'a_dsc_', 'https://a@']) {
      assert.ok(redact(unit.repeat(200_000), ['abcdefgh']).length > 0);
    }
  });
});

describe('StreamRedactor', () => {
  const secret = 'qed_dsc_0123456789';
  const read = (pieces: readonly string[]): string => {
    const redactor = new StreamRedactor([secret]);
    return pieces.map((piece) => redactor.push(piece)).join('') + redactor.end();
  };

  it('replaces a secret wherever the text is cut', () => {
    const text = `a ${secret} b ${secret.slice(0, 9)} c ${secret}`;
    const expected = `a [redacted] b ${secret.slice(0, 9)} c [redacted]`;
    for (let cut = 0; cut <= text.length; cut++) {
      assert.equal(read([text.slice(0, cut), text.slice(cut)]), expected);
    }
    assert.equal(read(text.split('')), expected);
  });

  it('holds back no more than what may be the start of the secret', () => {
    const redactor = new StreamRedactor([secret]);
    assert.equal(redactor.push('plain text'), 'plain text');
    assert.equal(redactor.push('text qed_'), 'text ');
    assert.equal(redactor.push('x'), 'qed_x');
    assert.equal(redactor.end(), '');
  });
});

describe('plainSentence', () => {
  it('is one line without control and bidi characters', () => {
    assert.equal(
      plainSentence(' a\r\n\tb\u0000\u001b[31m\u202ec\u2066d\u2028e\ufeff '),
      'a b [31mcd e',
    );
  });

  it('is cut at whole characters', () => {
    assert.equal(plainSentence('😀'.repeat(10), [], 5), '😀😀😀😀…');
    assert.equal(plainSentence('x'.repeat(500)).length, 500);
    assert.equal(plainSentence('x'.repeat(501)).length, 500);
  });

  it('leaves no piece of a secret where a text is cut, by it or before it', () => {
    const secret = 'acme_CANARY4f9a1c7e';
    for (let length = 1; length <= secret.length; length++) {
      const text = `${' '.repeat(2000 - length)}${secret} and on`;
      assert.ok(!plainSentence(text, [secret], 100).includes(secret.slice(0, 8)));
    }
    assert.equal(plainSentence('key acme_CANARY4f', [secret]), 'key [redacted]');
    assert.equal(plainSentence('key of acme', [secret]), 'key of acme');
  });

  it('replaces lone surrogates', () => {
    assert.equal(plainSentence('a\ud800b'), 'a\ufffdb');
  });
});
