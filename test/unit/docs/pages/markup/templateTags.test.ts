import assert from 'node:assert/strict';
import { readPage } from '../../../../../src/docs/pages/markup/pageReader';

function read(source: string): string {
  return readPage('guide.md', source)
    .text.replace(/\n(?:[ \t]*\n)+/g, '\n\n')
    .trim();
}

const note = (text: string, kind = 'note'): string =>
  `<aside class="${kind}">\n\n${text}\n\n</aside>`;
const tab = (id: string, title: string, text: string): string =>
  `<a id="${id}">\n\n**${title}**\n\n${text}`;

describe('Tags of a template around blocks', () => {
  const cases: readonly [what: string, source: string, text: string][] = [
    [
      'are callouts of Hugo',
      '{{% alert title="Mind *this*" color="warning" %}}\nA **b**.\n{{% /alert %}}\n\n{{< note >}}B{{</ note >}}\n\n{{< admonition type="caution" >}}\nC\n{{< /admonition >}}',
      [note('**Mind *this***\n\nA **b**.', 'warning'), note('B'), note('C', 'caution')].join(
        '\n\n',
      ),
    ],
    [
      'are callouts of GitBook and Markdoc',
      '{% hint style="info" %}\nA\n{% endhint %}\n\n{% callout type="warning" title="T" %}\nB\n{% /callout %}',
      [note('A'), note('**T**\n\nB', 'warning')].join('\n\n'),
    ],
    [
      'are callouts of Markdoc on several lines, and attributes of Markdoc are left out',
      '{% callout\n   type="warning"\n   title="T" %}\nA\n{% /callout %}\n\n- B {% .wide %}\n- C {% colspan=2 %}\n- `{% .wide %}`',
      [note('**T**\n\nA', 'warning'), '- B\n- C\n- `{% .wide %}`'].join('\n\n'),
    ],
    [
      'are links with their descriptions',
      '{% quick-link title="Owls" href="/owls" description="All of them." /%}',
      '[Owls](/owls): All of them.',
    ],
    [
      'are tabs',
      '{{< tabs "id1" >}}\n{{< tab "Linux" >}}\napt\n{{< /tab >}}{{< tab header="Mac" >}}\nbrew\n{{< /tab >}}\n{{< /tabs >}}\n\n{% tabs %}\n{% tab title="A" %}\na\n{% endtab %}\n{% endtabs %}',
      [tab('linux', 'Linux', 'apt'), tab('mac', 'Mac', 'brew'), tab('a', 'A', 'a')].join('\n\n'),
    ],
    [
      'are code, in which nothing is a tag',
      '{% highlight ruby %}\n{% for x in y %}\n{% endhighlight %}\n\n{{< highlight go "hl_lines=2" >}}\na := 1\n{{< /highlight >}}',
      '````ruby\n{% for x in y %}\n````\n\n````go\na := 1\n````',
    ],
    [
      'are not shown if only a template can read them',
      '{% raw %}\nA {{ x }}\n{% endraw %}\n\n{% assign a = 1 %}\n\n{{< toc >}}\n\n{{< youtube id="x" >}}\n\nB',
      'A {{ x }}\n\nB',
    ],
    [
      'are images and links',
      '{{< figure src="/a.png" alt="An owl" >}}\n\n{% embed url="https://example.com/a" %}',
      '![An owl](/a.png)\n\n[https://example.com/a](https://example.com/a)',
    ],
    [
      'lead to pages',
      'See [a]({{< ref "/docs/a.md" >}}#b), [c]({{ site.baseurl }}{% link c.md %}) and [d].\n\n[d]: {{< relref "d" >}}',
      'See [a](/docs/a.md#b), [c](c.md) and [d].\n\n[d]: d',
    ],
    [
      'can be around code with an import, which makes no page of MDX of it',
      '{{< tab "Go" >}}\nimport "fmt"\n{{< /tab >}}\n\n<!-- a -->\nA {b}.',
      `${tab('go', 'Go', 'import "fmt"')}\n\nA {b}.`,
    ],
    [
      'can have more than one line',
      '{{< figure\n  src="/a.png"\n  alt="An owl"\n>}}\n\n{{% alert\n  title="T" %}}\nA\n{{% /alert %}}',
      `![An owl](/a.png)\n\n${note('**T**\n\nA', 'warning')}`,
    ],
    [
      'are the URL of the site in links of Jekyll',
      '{::options toc_levels="2" /}\n\n[a]({{site.baseurl}}/a/#b), [c]({{ \'/c/\' | relative_url }}) and {{ site.url }}.',
      '[a](/a/#b), [c](/c/) and {{ site.url }}.',
    ],
    [
      'can be both parts of the URL of the site',
      '[a]({{site.url}}{{site.baseurl}}/a/), ![b]({{ site.url }}{{ site.baseurl }}/b.png) and <a href="{{site.url}}{{site.baseurl}}/c/">c</a>',
      '[a](/a/), ![b](/b.png) and [c](/c/)',
    ],
    [
      'are not shown around HTML of kramdown',
      'Press ({::nomarkdown}<img src="{{site.baseurl}}/b.png" alt="Bin"/>{:/}) or {::nomarkdown}<b>x</b>{:/nomarkdown}.',
      'Press (![Bin](/b.png)) or **x**.',
    ],
    [
      'are not shown if they include what is no page',
      'A\n\n{% include copy.html %}\n\n1. B\n   {% include "buttons/go.html" id="x" %}\n\nC',
      'A\n\n1. B\n\nC',
    ],
    [
      'stand for their text',
      'A {{< glossary_tooltip text="Pod" term_id="pod" >}} runs.',
      'A Pod runs.',
    ],
    [
      'are the blocks of Python-Markdown',
      '/// note | Mind *this*\n    open: true\n\nA\n\n//// tab | One\nB\n////\n///\n\n/// version-added | v2.9\n///\n\n///',
      `${note(`**Mind *this***\n\nA\n\n${tab('one', 'One', 'B')}`)}\n\n${tab('version-added-v29', 'Version added: v2.9', '///')}`,
    ],
    [
      'are told from definitions',
      'Owl\n: hunts\n\n{{% alert %}}\n: text\n{{% /alert %}}',
      `- **Owl**\\\n    hunts\n\n${note(': text', 'warning')}`,
    ],
  ];
  for (const [what, source, text] of cases) {
    it(what, () => {
      assert.equal(read(source), text);
    });
  }

  it('are shown where a page of Hugo writes them for its readers', () => {
    assert.equal(
      read(
        'Use {{</* note */>}}.\n\n{{</*b*/>}}\n\n```md\n{{%/* note "x" */%}}\nA\n{{%/* /note */%}}\n```',
      ),
      'Use {{< note >}}.\n\n{{< b >}}\n\n```md\n{{% note "x" %}}\nA\n{{% /note %}}\n```',
    );
  });

  const raw: readonly [what: string, source: string, text: string][] = [
    [
      'in a text',
      'A {% raw %}{{ x }}{% endraw %}, `{%- raw -%}{{ y }}{%- endraw -%}`.',
      'A {{ x }}, `{{ y }}`.',
    ],
    ['in code', '```yaml\n{% raw %}\nb: ${{ y }}\n{% endraw %}\n```', '```yaml\nb: ${{ y }}\n```'],
    ['around code', '{% raw %}\n```yaml\n${{ y }}\n```\n{% endraw %}', '```yaml\n${{ y }}\n```'],
    [
      'beside a value of the site',
      '```\ncurl {{ site.url }}\n{% raw %}{{ y }}{% endraw %}\n```',
      '```\ncurl {{ site.url }}\n{{ y }}\n```',
    ],
  ];
  for (const [where, source, text] of raw)
    it(`keep Liquid from reading, and are gone ${where}`, () => {
      assert.equal(read(source), text);
    });

  const kept = [
    'Write `{% raw %}` and `{% endraw %}` around it.',
    '```jinja\n{% raw %}{{ a }}{% endraw %}\n```\n\n```jinja\n{{ b }}\n```',
    '`{% raw %}{{ a }}`',
    'Since {{< new-in 1.2 >}}, `{% x %}` and {% y %} work.',
    '{{< new-in 1.2 >}}',
    '{{ name }}',
    '    {% include a.html %}',
    '```\n{% hint %}\n/// note\n{% endhint %}\n```',
    '/// runs a test',
  ];
  for (const text of kept) {
    it(`are told from other text: ${text.replaceAll('\n', '⏎')}`, () => {
      assert.equal(readPage('guide.md', text).text, text);
    });
  }
});

describe('Braces that are written as strings', () => {
  it('are shown as braces', () => {
    const written = "`f({{ '{' }} a {{ '}' }})`\n\n```yaml\nif: {{ '${{' }} b {{ '}}' }}\n```";
    assert.equal(read(written), '`f({ a })`\n\n```yaml\nif: ${{ b }}\n```');
  });

  it('stay on a page that tells how to write one', () => {
    assert.equal(read("Write `{{ '{{' }}` for two braces."), "Write `{{ '{{' }}` for two braces.");
  });
});
