import assert from 'node:assert/strict';
import MarkdownIt from 'markdown-it';
import { plainTranslate } from '../../../../src/common/errors';
import {
  failed,
  passed,
  skipped,
  type CheckedLine,
} from '../../../../src/site/setupCheck/setupCheck';
import { setupReport } from '../../../../src/site/setupCheck/setupReport';
import { assertNoTrace } from '../../../builders/canary';

const environment = {
  extensionVersion: '0.1.0',
  editor: 'Visual Studio Code 1.101.0',
  platform: 'linux x64',
  checkedAt: Date.parse('2025-06-01T12:34:56Z'),
};

const report = (lines: readonly CheckedLine[], secrets: readonly string[] = []) =>
  setupReport(lines, environment, secrets, plainTranslate);

describe('setupReport', () => {
  it('counts the lines, says where it ran, and lists every line with what to do', () => {
    const { text } = report([
      { title: 'Docs site', ...passed('Questions go to acme.') },
      { title: 'Clock', ...failed('The clock is wrong.', { advice: 'Set it.' }) },
      { title: 'Model', ...skipped('None.') },
    ]);
    assert.equal(
      text,
      [
        '# Setup check: 1 failed, 1 passed, 1 skipped',
        '',
        'Docs Assistant 0.1.0, Visual Studio Code 1.101.0, linux x64, 2025-06-01 12:34 UTC',
        '',
        '- ✓ Passed: **Docs site**. Questions go to acme.',
        '- ✗ Failed: **Clock**. The clock is wrong. Set it.',
        '- ○ Skipped: **Model**. None.',
        '',
      ].join('\n'),
    );
  });

  it('names the line of each button', () => {
    const { text, remedies } = report([
      { title: 'A', ...passed('Fine.') },
      { title: 'B', ...failed('Broken.', { remedies: [{ action: 'set-up-site' }] }) },
      { title: 'C', ...failed('Broken.', { remedies: [] }) },
    ]);
    assert.equal(remedies.length, 1);
    const [{ line, remedies: buttons } = { line: -1, remedies: [] }] = remedies;
    assert.match(text.split('\n')[line] ?? '', /\*\*B\*\*/);
    assert.deepEqual(buttons, [{ action: 'set-up-site' }]);
  });

  it('shows what a service says as it is, on one line', () => {
    const { text } = report([
      {
        title: 'Site and key',
        ...failed('It says: “<img src=x> [a](command:x) **b** `c`\n# Passed \u202E\u001b[31m”'),
      },
    ]);
    assert.equal(text.trimEnd().split('\n').length, 5);
    const html = new MarkdownIt({ html: true }).render(text);
    assert.doesNotMatch(html, /<img|<a |<code|<strong>b|\u202E/);
    assert.ok(!html.includes('\u001b'));
    assert.match(html, /&lt;img src=x&gt; \[a\]\(command:x\) \*\*b\*\* `c` # Passed/);
  });

  // Shows faults.md S12.
  it('contains no key, no presigned link and no user name of a proxy', () => {
    const canaries = {
      assistant: 'acme_dsc_canary0123456789abcdef',
      admin: 'acme_canary0123456789abcdefghij',
      user: 'acme_us_canary0123456789abcdef',
      model: 'canary-model-key-0123456789abcdef',
      signature: 'canary0signature0123456789',
      proxyUser: 'canary-proxy-user',
      proxyPassword: 'canary-proxy-password',
    };
    const { assistant, admin, user, model, signature, proxyUser, proxyPassword } = canaries;
    const lines = Object.entries(canaries).map(([title, secret]) => ({
      title,
      ...failed(`Bearer ${secret}`, { advice: `Header "Authorization: Bearer ${secret}"` }),
    }));
    const { text } = report(
      [
        ...lines,
        { title: 'Service', ...failed(`key ${assistant}, ${admin}, ${user} and ${model}`) },
        {
          title: 'Link',
          ...failed(`https://store.example/b.tar.gz?X-Amz-Signature=${signature}&x=1`),
        },
        {
          title: 'Proxy',
          ...failed(`http://${proxyUser}:${proxyPassword}@proxy.example:3128/`),
        },
        { title: 'Encoded', ...failed(`key=${encodeURIComponent(model)}`) },
      ],
      [model],
    );
    for (const secret of Object.values(canaries)) assertNoTrace(secret, text);
    assert.match(text, /proxy\.example:3128/, 'the proxy itself is shown');
  });

  it('cuts endless text of a service', () => {
    const { text } = report([{ title: 'A', ...failed('x'.repeat(100_000)) }]);
    assert.ok(text.length < 1200, String(text.length));
  });
});
