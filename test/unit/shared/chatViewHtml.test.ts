import assert from 'node:assert/strict';
import { chatViewHtml, type ChatViewPage } from '../../../src/shared/chatViewHtml';

const aPage = (given: Partial<ChatViewPage> = {}): ChatViewPage => ({
  nonce: 'c2VjcmV0LW5vbmNlLTEyMw==',
  cspSource: "'self' https://*.vscode-cdn.net",
  scriptUri: 'https://file+.vscode-resource.vscode-cdn.net/dist/webview/main.js',
  styleUri: 'https://file+.vscode-resource.vscode-cdn.net/dist/webview/styles.css',
  language: 'en',
  title: 'Docs Assistant',
  loading: 'Loading…',
  unreadable: 'Reload.',
  ...given,
});

/** Returns the policy's directives, as a browser reads them off the page. */
function policyOf(html: string): Map<string, string[]> {
  const [, policy = ''] = /Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];
  return new Map(
    policy.split(';').map((directive): [string, string[]] => {
      const [name = '', ...sources] = directive.trim().split(/\s+/);
      return [name, sources];
    }),
  );
}

// Shows faults.md G11.
describe('chatViewHtml', () => {
  it('allows nothing by default, and scripts by nonce alone', () => {
    const policy = policyOf(chatViewHtml(aPage()));
    assert.deepEqual(policy.get('default-src'), ["'none'"]);
    assert.deepEqual(policy.get('script-src'), [`'nonce-${aPage().nonce}'`]);
    assert.deepEqual(policy.get('base-uri'), ["'none'"]);
    assert.deepEqual(policy.get('form-action'), ["'none'"]);
  });

  // Shows faults.md G3.
  it('gives no way to the network: no images, connections, frames, workers or objects', () => {
    const policy = policyOf(chatViewHtml(aPage()));
    assert.deepEqual(
      [...policy.keys()].sort(),
      ['base-uri', 'default-src', 'font-src', 'form-action', 'script-src', 'style-src'].sort(),
    );
    const all = [...policy.values()].flat();
    assert.equal(
      all.some((source) => /unsafe|^https:$|^http:$|^\*$|^data:$/.test(source)),
      false,
    );
  });

  it('has one script, which bears the nonce, and nothing inline', () => {
    const html = chatViewHtml(aPage());
    const scripts = [...html.matchAll(/<script([^>]*)>([^<]*)</g)];
    assert.equal(scripts.length, 1);
    assert.match(scripts[0]?.[1] ?? '', /nonce="c2VjcmV0LW5vbmNlLTEyMw=="/);
    assert.equal(scripts[0]?.[2], '');
    assert.doesNotMatch(html, /<style|\son\w+=|style=/);
  });

  for (const nonce of ['', 'short', 'x" onload="alert(1)" y="', "' 'unsafe-inline' 'aaaaaaaa"]) {
    it(`refuses ${JSON.stringify(nonce)} as a nonce`, () => {
      assert.throws(() => chatViewHtml(aPage({ nonce })), RangeError);
    });
  }

  it('escapes what it is given', () => {
    const script = '</title><script>x</script>';
    const texts = { title: script, loading: script, unreadable: `">${script}` };
    const html = chatViewHtml(aPage({ ...texts, language: '"><b>' }));
    assert.doesNotMatch(html, /<script>x|<b>/);
  });
});
