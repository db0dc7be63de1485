import assert from 'node:assert/strict';
import { parse } from 'yaml';
import { plainTranslate } from '../../../../src/common/errors';
import { ExportError } from '../../../../src/export/exportErrors';
import { bundleLinksIn, replaceBundleLinks } from '../../../../src/export/values/bundleLinks';
import {
  externalLinkIn,
  isSecretName,
  manifestName,
  planValues,
  type FileChange,
  type LinkPlace,
  type CurrentFile,
} from '../../../../src/export/values/valuesForms';

const link = 'https://store.example.com/b.tar.gz?X-Expires=4102444800&sig=a{b},c%2F"d';
const newer = 'https://store.example.com/b.tar.gz?X-Expires=4102444801&sig=new';
const store = {
  store: 'vault',
  kind: 'ClusterSecretStore',
  key: 'docs/bundle-link',
  property: 'bundleUrl',
} as const;

const plain: LinkPlace = { form: 'plain', bundleUrl: link };
const inSecret = (manifest: Partial<CurrentFile> = {}, bundleUrl = link): LinkPlace => ({
  form: 'secret',
  bundleUrl,
  secretName: 'docs-bundle-link',
  manifest: { name: 'deploy/values.bundle-link.yaml', ...manifest },
});
const inStore = (manifest: Partial<CurrentFile> = {}): LinkPlace => ({
  form: 'external-secret',
  secretName: 'docs-bundle-link',
  manifest: { name: 'deploy/values.bundle-link.yaml', ...manifest },
  store,
});

function plan(
  text: string | undefined,
  place: LinkPlace,
  { version }: { version?: string } = {},
): Readonly<Partial<Record<FileChange['file'], string>>> {
  const values = { name: 'values.yaml', text };
  const changes = planValues({ values, version, place });
  return Object.fromEntries(changes.map(({ file, after }) => [file, after]));
}

interface Secret {
  readonly metadata: { readonly name: string };
  readonly stringData: { readonly 'values.yaml': string };
}

describe('planValues', () => {
  const written = `# Docs
docs:
  replicas: 2
staticExport:
  # The active bundle.
  enabled: false
  bundleUrl: '${link}' # renewed each week
  version: v1
`;

  it('puts a plain link into the values, and makes the file if there is none', () => {
    const { values, manifest } = plan(undefined, plain, { version: 'v2' });
    assert.deepEqual(parse(values ?? ''), {
      staticExport: { enabled: true, bundleUrl: link, version: 'v2' },
    });
    assert.equal(manifest, undefined);
  });

  it('moves the link into a Secret that holds values, and leaves a note in the values', () => {
    const { values = '', manifest = '' } = plan(written, inSecret(), { version: 'v2' });
    assert.equal(
      values,
      `# Docs
docs:
  replicas: 2
staticExport:
  # The active bundle.
  enabled: true
  # bundleUrl: in the Secret docs-bundle-link, key values.yaml. See values.bundle-link.yaml.
  version: "v2"
`.replace('"v2"', 'v2'),
    );
    const secret = parse(manifest) as Secret;
    assert.equal(secret.metadata.name, 'docs-bundle-link');
    assert.deepEqual(parse(secret.stringData['values.yaml']), {
      staticExport: { bundleUrl: link },
    });
  });

  it('changes nothing the second time', () => {
    const first = plan(written, inSecret());
    assert.deepEqual(plan(first.values, inSecret({ text: first.manifest })), {});
    const other = plan(written, inStore());
    assert.deepEqual(plan(other.values, inStore({ text: other.manifest })), {});
  });

  it('renews the link in a Secret that was edited by hand, and keeps the rest', () => {
    const { manifest = '' } = plan(written, inSecret());
    const changed = manifest
      .replace('type: Opaque', 'type: Opaque\nimmutable: false')
      .replace('      bundleUrl', '      # ours\n      bundleUrl')
      .replaceAll('\n', '\r\n');
    const renewed = plan(written, inSecret({ text: changed }, newer)).manifest ?? '';
    assert.equal(renewed.split('bundleUrl: ')[0], changed.split('bundleUrl: ')[0]);
    const secret = parse(renewed) as Secret;
    assert.deepEqual(parse(secret.stringData['values.yaml']), {
      staticExport: { bundleUrl: newer },
    });
  });

  it('keeps the link out of every file with an ExternalSecret', () => {
    const { values = '', manifest = '' } = plan(written, inStore());
    for (const text of [values, manifest]) {
      assert.ok(!text.includes('store.example.com') && !text.includes('sig='));
    }
    assert.deepEqual(parse(manifest), {
      apiVersion: 'external-secrets.io/v1',
      kind: 'ExternalSecret',
      metadata: { name: 'docs-bundle-link' },
      spec: {
        refreshInterval: '10m',
        secretStoreRef: { kind: 'ClusterSecretStore', name: 'vault' },
        target: {
          name: 'docs-bundle-link',
          template: {
            engineVersion: 'v2',
            data: {
              'values.yaml': 'staticExport:\n  bundleUrl: {{ .bundleUrl | trim | toJson }}\n',
            },
          },
        },
        data: [
          {
            secretKey: 'bundleUrl',
            remoteRef: { key: 'docs/bundle-link', property: 'bundleUrl' },
          },
        ],
      },
    });
    assert.deepEqual(externalLinkIn(manifest), { key: 'docs/bundle-link', property: 'bundleUrl' });
    assert.deepEqual(bundleLinksIn(manifest), [], 'the template is no link');
  });

  it('names no field of a store whose secrets have none', () => {
    const withField = plan(written, inStore()).manifest ?? '';
    const place = { ...inStore(), store: { ...store, property: undefined } } as const;
    assert.equal(
      plan(written, place).manifest,
      withField.replace(', field "bundleUrl"', '').replace(/\n *property: .*/, ''),
    );
  });

  it('fills a manifest file that is empty', () => {
    for (const place of [inSecret, inStore]) {
      const { manifest } = plan(written, place({ text: '\n' }));
      assert.equal(manifest, plan(written, place()).manifest);
    }
  });

  it('refuses an ExternalSecret of another store, key or Secret, which it can’t change', () => {
    const { values = '', manifest: text = '' } = plan(written, inStore());
    const place = inStore({ text });
    for (const other of [
      { ...place, secretName: 'other' },
      { ...place, store: { ...store, store: 'other' } },
      { ...place, store: { ...store, kind: 'SecretStore' } },
      { ...place, store: { ...store, key: 'other' } },
      { ...place, store: { ...store, property: undefined } },
    ] as const) {
      assert.throws(() => plan(values, other), { code: 'values-not-usable' });
    }
    const byHand = text.replace(/ {2}secretStoreRef:\n.*\n.*\n/, '').replace(/ {4}name: .*\n/, '');
    assert.deepEqual(plan(values, inStore({ text: byHand })), {});
  });

  for (const [what, text, expected] of [
    [
      'at the end without a line break',
      `staticExport:\n  enabled: true\n  bundleUrl: ${newer}`,
      undefined,
    ],
    [
      'as a folded block',
      `staticExport:\n  bundleUrl: >-\n    ${newer}\n  enabled: true\nafter: 1\n`,
      { after: 1 },
    ],
    [
      'in a sub-chart',
      `docs:\n  staticExport:\n    bundleUrl: "${newer}"\n    enabled: true\n`,
      undefined,
    ],
    [
      'first in JSON',
      `{\n  "staticExport": {\n    "bundleUrl": "${newer}",\n    "enabled": true\n  },\n  "b": 1\n}\n`,
      { b: 1 },
    ],
    ['last in JSON', `{ "staticExport": { "enabled": true, "bundleUrl": "${newer}" } }`, undefined],
    ['alone in JSON', `{ "staticExport": { "bundleUrl": "${newer}" } }`, undefined],
  ] as const) {
    it(`removes a link ${what}`, () => {
      const { values = '' } = plan(text, inSecret());
      assert.ok(!values.includes(newer));
      const { docs, ...rest } = parse(values) as { docs?: object; staticExport?: object };
      assert.deepEqual(docs ?? rest, { staticExport: { enabled: true }, ...expected });
    });
  }

  for (const [what, text] of [
    ['in the map', `x: &x {bundleUrl: ${newer}}\nstaticExport:\n  <<: *x\n  enabled: true\n`],
    [
      'beside a link of its own',
      `x: &x {bundleUrl: ${newer}}\nstaticExport:\n  <<: *x\n  bundleUrl: ${newer}\n`,
    ],
  ] as const) {
    // Shows faults.md D40.
    it(`refuses values where a merge key keeps the old link ${what}`, () => {
      assert.throws(() => plan(text, inSecret()), { code: 'values-not-usable' });
    });
  }

  // Shows faults.md D41.
  describe('of a sub-chart', () => {
    const subChart = `# Docs\ndocs:\n  staticExport:\n    enabled: true\n    bundleUrl: ${newer}\n`;
    const secretOf = (manifest: string): unknown =>
      parse((parse(manifest) as Secret).stringData['values.yaml']);

    it('puts the link of a Secret below the chart’s name', () => {
      const { values = '', manifest = '' } = plan(subChart, inSecret());
      assert.deepEqual(parse(values), { docs: { staticExport: { enabled: true } } });
      assert.deepEqual(secretOf(manifest), { docs: { staticExport: { bundleUrl: link } } });
      const [found] = bundleLinksIn(manifest);
      assert.equal(found?.url, link);
    });

    it('puts the link of an ExternalSecret below the chart’s name', () => {
      const { manifest = '' } = plan(
        'a b:\n    docs:\n        staticExport: { enabled: true }\n',
        inStore(),
      );
      const { spec } = parse(manifest) as {
        spec: { target: { template: { data: Record<string, string> } } };
      };
      assert.equal(
        spec.target.template.data['values.yaml'],
        '"a b":\n  docs:\n    staticExport:\n      bundleUrl: {{ .bundleUrl | trim | toJson }}\n',
      );
    });

    it('moves a link that an earlier version wrote at the top of the Secret', () => {
      const { manifest: atTop = '' } = plan(written, inSecret());
      for (const text of [atTop, atTop.replaceAll('\n', '\r\n')]) {
        const { manifest = '' } = plan(subChart, inSecret({ text }, newer));
        assert.deepEqual(secretOf(manifest), { docs: { staticExport: { bundleUrl: newer } } });
        assert.equal(manifest.split('stringData')[0], text.split('stringData')[0]);
      }
      const external = plan(written, inStore()).manifest ?? '';
      const { manifest = '' } = plan(subChart, inStore({ text: external }));
      const template = 'docs:\n  staticExport:\n    bundleUrl: {{ .bundleUrl | trim | toJson }}\n';
      assert.ok(manifest.includes(template.replace(/^(?=.)/gm, ' '.repeat(10))), manifest);
    });

    it('keeps the other values of the Secret, and sets the link below the chart’s name', () => {
      const { manifest: text = '' } = plan(subChart, inSecret());
      const edited = `${text}    other: 1\n`;
      const { manifest = '' } = plan(subChart, inSecret({ text: edited }, newer));
      assert.equal(manifest, edited.replace(JSON.stringify(link), JSON.stringify(newer)));
      const without = edited.replace(/ {4}docs:[^]*?(?= {4}other)/, '');
      assert.deepEqual(secretOf(plan(subChart, inSecret({ text: without })).manifest ?? ''), {
        other: 1,
        docs: { staticExport: { bundleUrl: link } },
      });
    });

    it('changes nothing the second time', () => {
      const first = plan(subChart, inSecret());
      assert.deepEqual(plan(first.values, inSecret({ text: first.manifest })), {});
      const other = plan(subChart, inStore());
      assert.deepEqual(plan(other.values, inStore({ text: other.manifest })), {});
    });
  });

  it('refuses a link that an alias shares', () => {
    const shared = `staticExport:\n  enabled: true\n  bundleUrl: &link ${newer}\ncopy: *link\n`;
    assert.throws(() => plan(shared, inSecret()), { code: 'values-not-usable' });
  });

  for (const [what, text] of [
    ['another resource', 'kind: ConfigMap\nmetadata:\n  name: docs-bundle-link\n'],
    [
      'a Secret of another name',
      'kind: Secret\nmetadata:\n  name: other\nstringData:\n  values.yaml: |\n    a: 1\n',
    ],
    [
      'a Secret in base64',
      'kind: Secret\nmetadata:\n  name: docs-bundle-link\ndata:\n  values.yaml: YQ==\n',
    ],
    [
      'an encrypted Secret',
      'kind: Secret\nmetadata:\n  name: docs-bundle-link\nstringData:\n  values.yaml: ENC[AES256_GCM,data:x]\n',
    ],
    ['a syntax error', 'kind: [Secret\n'],
    ['too deep nesting', '{a: '.repeat(5000)],
  ] as const) {
    // Shows faults.md D35.
    it(`does not change a manifest file that contains ${what}`, () => {
      assert.throws(() => plan(written, inSecret({ text })), { code: 'values-not-usable' });
      assert.throws(() => plan(written, inStore({ text })), { code: 'values-not-usable' });
    });
  }

  it('says that a manifest file is encrypted with SOPS', () => {
    const text = `${plan(written, inSecret()).manifest}sops:\n  mac: ENC[AES256_GCM,data:x]\n`;
    assert.throws(
      () => plan(written, inSecret({ text })),
      (error) =>
        error instanceof ExportError &&
        error.details.reason?.(plainTranslate).startsWith('it is encrypted with SOPS') === true,
    );
  });

  it('never quotes the link in a refusal', () => {
    for (const text of ['a: {{ x }}', 'a: [', `staticExport: [${link}]`]) {
      assert.throws(
        () => plan(text, plain),
        (error) => !String(error).includes('sig=') && !JSON.stringify(error).includes('sig='),
      );
    }
  });
});

describe('links in a Secret', () => {
  const manifest = plan(undefined, inSecret()).manifest ?? '';

  it('are found with the place of the value', () => {
    const [found, ...more] = bundleLinksIn(manifest);
    assert.ok(found && more.length === 0);
    assert.equal(found.url, link);
    assert.equal(manifest.slice(found.start, found.end), JSON.stringify(link));
    assert.match(manifest.slice(0, found.end), /\n {6}bundleUrl: "[^\n]*$/);
  });

  it('are renewed in place, also with other line ends and a deeper indentation', () => {
    for (const text of [manifest, manifest.replaceAll('\n', '\r\n'), `\uFEFF${manifest}`]) {
      const { text: renewed } = replaceBundleLinks(text, (url) => url === link, newer);
      assert.equal(renewed, text.replace(JSON.stringify(link), JSON.stringify(newer)));
    }
  });

  it('are not changed in a block that declares its own indentation', () => {
    const text =
      'stringData:\n  values.yaml: |2\n    staticExport:\n      bundleUrl: https://a.example.com/b\n';
    assert.deepEqual(bundleLinksIn(text), []);
  });
});

describe('names', () => {
  it('stand beside the values file, and follow the rules of Kubernetes', () => {
    assert.equal(manifestName('deploy/values-prod.yaml'), 'deploy/values-prod.bundle-link.yaml');
    assert.equal(manifestName('deploy.d/values'), 'deploy.d/values.bundle-link.yaml');
    for (const name of ['docs', 'docs-bundle-link', 'a.b-1']) assert.ok(isSecretName(name), name);
    for (const name of ['', 'Docs', '-a', 'a-', 'a b', 'a: b', 'a\nb', 'x'.repeat(254)]) {
      assert.ok(!isSecretName(name), name);
    }
  });
});
