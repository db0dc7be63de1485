import assert from 'node:assert/strict';
import { addQuestion, UnreadableQuestions } from '../../../src/questions/addQuestion';

const asked = { question: 'How do I rotate a key?', pages: ['guides/keys'] };

/** Returns the text from where the question begins to the end of its line. */
function atOffset({ text, offset }: { readonly text: string; readonly offset: number }): string {
  return text.slice(offset).split(/\r?\n/, 1)[0] ?? '';
}

describe('addQuestion', () => {
  it('makes a new file with a heading', () => {
    const added = addQuestion('', asked, 'Questions that the docs must answer.');
    assert.equal(
      added.text,
      `# Questions that the docs must answer.
questions:
  - question: How do I rotate a key?
    pages:
      - guides/keys
`,
    );
    assert.equal(atOffset(added), 'question: How do I rotate a key?');
  });

  // Shows faults.md V9.
  it('keeps comments, order, quotes and what follows the list', () => {
    const text = `# Our questions
first: 3 # sources

questions:
    # Keys
    - question: "What is a key?"   # asked a lot
      contains: ['a key']
    # The end of the list
filters:
    language: en
`;
    const added = addQuestion(text, asked);
    assert.equal(
      added.text,
      `# Our questions
first: 3 # sources

questions:
    # Keys
    - question: "What is a key?"   # asked a lot
      contains: ['a key']
    - question: How do I rotate a key?
      pages:
        - guides/keys
    # The end of the list
filters:
    language: en
`,
    );
    assert.equal(atOffset(added), 'question: How do I rotate a key?');
  });

  it('adds to a list without settings, and after a line without an end', () => {
    const added = addQuestion('- What is a key?\n- question: Where are they?', asked);
    assert.equal(
      added.text,
      `- What is a key?
- question: Where are they?
- question: How do I rotate a key?
  pages:
    - guides/keys
`,
    );
  });

  it('keeps the blank lines between questions, and line ends of Windows', () => {
    const text = 'questions:\r\n  - One?\r\n\r\n  - Two?\r\n';
    const { text: added } = addQuestion(text, { question: 'Three?' });
    assert.equal(added, 'questions:\r\n  - One?\r\n\r\n  - Two?\r\n\r\n  - question: Three?\r\n');
  });

  it('adds the list to a file that has only settings, or an empty list', () => {
    assert.equal(
      addQuestion('first: 3', { question: 'One?' }).text,
      'first: 3\nquestions:\n  - question: One?\n',
    );
    for (const text of ['questions:\n', 'questions: []\n', '# Soon\n']) {
      const { text: added } = addQuestion(text, { question: 'One?' });
      assert.match(added, /questions:\s+- question: One\?|questions: \[ \{ question: One\? \} \]/);
    }
  });

  it('adds to a list in one line', () => {
    const { text } = addQuestion('questions: [One?, Two?] # short\n', { question: 'Three?' });
    assert.match(text, /One\?.*Two\?.*question: Three\?/s);
    assert.match(text, /# short/);
  });

  it('keeps questions of several lines, and with what YAML would read as something else', () => {
    for (const question of [
      'Why?\nAnd how: #now',
      '- a: "b"',
      'yes',
      '*x',
      '# no comment',
      "it's",
    ]) {
      const { text } = addQuestion('questions:\n  - One?\n', { question });
      const again = addQuestion(text, { question });
      assert.equal(again.text, text);
    }
  });

  it('shows a question that is there already, and changes nothing', () => {
    const text = 'questions:\n  - One?\n  - question: How do I rotate a key?\n    first: 2\n';
    const added = addQuestion(text, asked);
    assert.equal(added.text, text);
    assert.equal(atOffset(added), 'question: How do I rotate a key?');
  });

  it('refuses a file that it can’t read, and names the line', () => {
    const line = (text: string): number | undefined => {
      try {
        addQuestion(text, asked);
      } catch (error) {
        assert.ok(error instanceof UnreadableQuestions);
        return error.line;
      }
      return assert.fail('the file was changed');
    };
    assert.equal(line('questions:\n\t- One?\n'), 2);
    assert.equal(line('just text'), 1);
    line('questions: yes\n');
    line('questions:\n  - One?\n  "open\n');
  });
});
