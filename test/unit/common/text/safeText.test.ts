import assert from 'node:assert/strict';
import {
  notificationText,
  withoutEscapes,
  withoutLinks,
} from '../../../../src/common/text/safeText';

/** Pattern of the text that VS Code makes a link in a notification. */
const notificationLink =
  /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;

describe('withoutLinks', () => {
  for (const text of [
    'See [the docs](https://evil.example/?q=1)',
    '[run](command:workbench.action.terminal.new "title")',
    '[[a]](file:///etc/passwd)',
    '[a](b](command:x)',
    '[x]](command:x)](command:y)',
  ]) {
    it(`leaves no link in ${text}`, () => {
      assert.match(`[a](command:x) ${text}`, notificationLink);
      const plain = withoutLinks(text);
      assert.doesNotMatch(plain, notificationLink);
      assert.equal(plain.replaceAll('] (', ']('), text);
    });
  }

  it('changes nothing else', () => {
    const text = 'Use f(x)[0] (see “a”), <b>, `c` & $(d)';
    assert.equal(withoutLinks(text), text);
  });
});

// Shows faults.md G12.
describe('notificationText', () => {
  it('holds no escape sequence, nothing that turns letters round, and no link', () => {
    const text = '\u001b]8;;command:x\u0007[\u202egpj.exe\u202c]\u2066(command:x)';
    assert.equal(notificationText(text), ' ]8;;command:x [gpj.exe] (command:x)');
  });

  it('keeps lines and letters of every script', () => {
    const text = 'Zeile 1 äöü\nשורה 2 日本 🙂';
    assert.equal(notificationText(text), text);
  });

  it('is no longer than anyone reads', () => {
    const text = notificationText(`https://a.example/${'🙂'.repeat(1e6)}`);
    assert.ok(text.length <= 2_001 && text.endsWith('🙂…'), String(text.length));
  });
});

describe('withoutEscapes', () => {
  it('leaves no escape sequence, and the lines as they are', () => {
    assert.equal(
      withoutEscapes('a\u001b[31mred\u001b[0m\r\nb\u0007\u009b2Jc\td\u0000'),
      'a [31mred [0m \nb  2Jc d ',
    );
    assert.equal(withoutEscapes('Zeile 1 äöü 日本\nZeile 2 🙂'), 'Zeile 1 äöü 日本\nZeile 2 🙂');
  });
});
