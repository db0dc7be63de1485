/**
 * Rules of secretlint (MIT), called one by one without secretlint's core.
 *
 * Four rules are left out: `gcp` reads the file at the path that it is given, `filter-comments` lets a
 * comment in the text turn the scan off, and `basicauth` and `database-connection-string` report the
 * whole URL, of which only the password is a secret (`linkSecrets.ts`).
 */
import { rules as recommended } from '@secretlint/secretlint-rule-preset-recommend';
import { finding, type Finding, type SecretType } from './finding';
import { isPlaceholder } from './placeholders';

/** Part of secretlint's interface of a rule that is used here. */
interface Rule {
  readonly meta: { readonly id: string };
  create(
    context: RuleContext,
    options: object,
  ): { file?: (source: RuleSource) => void | Promise<void> };
}

interface RuleSource {
  readonly content: string;
  readonly contentType: 'text';
  readonly ext: string;
  /** Empty: some rules only look at files of certain names, others read the file. */
  readonly filePath: '';
}

interface RuleContext {
  createTranslator(messages: unknown): (id: string, values?: object) => RuleMessage;
  report(report: {
    readonly message: RuleMessage;
    readonly range: readonly [number, number];
  }): void;
  ignore(): void;
}

/** Values of a message. One of them is the secret. */
interface RuleMessage {
  readonly id: string;
  readonly values: object;
}

const types: Readonly<Record<string, Omit<SecretType, 'rule'>>> = {
  '@secretlint/secretlint-rule-aws': { kind: 'key', service: 'AWS' },
  '@secretlint/secretlint-rule-privatekey': { kind: 'private-key' },
  '@secretlint/secretlint-rule-npm': { kind: 'token', service: 'npm' },
  '@secretlint/secretlint-rule-slack': { kind: 'token', service: 'Slack' },
  '@secretlint/secretlint-rule-sendgrid': { kind: 'key', service: 'SendGrid' },
  '@secretlint/secretlint-rule-shopify': { kind: 'token', service: 'Shopify' },
  '@secretlint/secretlint-rule-github': { kind: 'token', service: 'GitHub' },
  '@secretlint/secretlint-rule-openai': { kind: 'key', service: 'OpenAI' },
  '@secretlint/secretlint-rule-anthropic': { kind: 'key', service: 'Anthropic' },
  '@secretlint/secretlint-rule-linear': { kind: 'key', service: 'Linear' },
  '@secretlint/secretlint-rule-1password': { kind: 'token', service: '1Password' },
};

// The package's types refer to packages that it bundles instead of depending on them.
const rules = (recommended as unknown as readonly Rule[]).filter(({ meta }) =>
  Object.hasOwn(types, meta.id),
);

/** Returns the findings of secretlint in a text. */
export async function findBySecretlint(text: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  const source: RuleSource = { content: text, contentType: 'text', ext: '', filePath: '' };
  for (const rule of rules) {
    const { id } = rule.meta;
    const type = types[id];
    if (!type) continue;
    const context: RuleContext = {
      createTranslator: () => (messageId, values) => ({ id: messageId, values: values ?? {} }),
      report: ({ message, range }) => {
        const found = rangeOfSecret(text, message.values, range);
        if (isPlaceholder(text.slice(...found))) return;
        const name = id.replace('@secretlint/secretlint-rule-', '');
        findings.push(finding({ rule: `secretlint-${name}`, ...type }, ...found));
      },
      ignore: () => undefined,
    };
    await rule.create(context, {}).file?.(source);
  }
  return findings;
}

/**
 * Returns where the secret of a report stands. The range of some reports begins at the name of the
 * secret but has the length of the secret, so its end is missing.
 */
function rangeOfSecret(
  text: string,
  values: object,
  [start, end]: readonly [number, number],
): [number, number] {
  for (const value of Object.values(values)) {
    if (typeof value !== 'string' || value === '') continue;
    const at = text.indexOf(value, start);
    if (at >= 0) return [at, at + value.length];
  }
  return [start, end];
}
