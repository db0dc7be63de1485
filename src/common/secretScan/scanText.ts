/**
 * Finds secrets in a text before it leaves this machine. Load it with `import()`: its rules are only
 * needed once something is about to be sent.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { findAssignedSecrets } from './assignedSecrets';
import { findAuthorization, findJsonWebTokens } from './authorization';
import { findCommandSecrets } from './commandSecrets';
import { finding, joinedFindings, redactedText, type Finding } from './finding';
import { findLinkSecrets } from './linkSecrets';
import { isPlaceholder } from './placeholders';
import { findPrivateKeys } from './privateKeys';
import { findBySecretlint } from './secretlintRules';
import { isPublicKey } from './secretValues';
import { findTokens } from './tokenRules';

interface ScanOptions {
  /** Secrets that are known, such as the keys in secret storage. Each is found wherever it stands. */
  readonly known?: readonly string[];
}

/**
 * Characters that the rules see at once. Between two pieces the event loop gets a turn. The time that
 * a regular expression takes can grow with the square of its text, but never beyond that of a piece.
 */
const PIECE_LENGTH = 16_384;

/**
 * Characters behind a piece that are read with it. What the longest rule reads fits in: the command or the
 * link that a secret belongs to, and the secret. So whatever begins in a piece is found with that piece.
 */
const LOOK_AHEAD = 10_240;

/** Characters before a piece, so that a rule sees that a secret doesn't begin at the cut. */
const LOOK_BEHIND = 256;

/** Characters behind a secret that a rule looks at, such as the rest of its line. */
const CUT_MARGIN = 512;

/** Shortest known secret that is looked for. */
const SHORTEST_KNOWN = 12;

/**
 * Returns the secrets in a text, in order and without overlaps. The assistant keys of docs sites are
 * not among them, because their service documents them as public.
 */
export async function scanText(text: string, options: ScanOptions = {}): Promise<Finding[]> {
  const findings = [...findKnown(text, options.known ?? []), ...findPrivateKeys(text)];
  for (let start = 0; start < text.length; start += PIECE_LENGTH) {
    if (start > 0) await nextTurn();
    const from = Math.max(0, start - LOOK_BEHIND);
    const end = start + PIECE_LENGTH;
    const until = end + LOOK_AHEAD;
    // A secret at the cut can go on behind it.
    const last = until < text.length ? until - CUT_MARGIN : text.length;
    for (const found of await scanPiece(text.slice(from, until))) {
      const at = from + found.start;
      if (at < start || (at >= end && from + found.end > last)) continue;
      findings.push({ ...found, start: at, end: from + found.end });
    }
  }
  return joinedFindings(findings);
}

async function scanPiece(text: string): Promise<Finding[]> {
  return [
    ...findTokens(text),
    ...findJsonWebTokens(text),
    ...findAuthorization(text),
    ...findLinkSecrets(text),
    ...findAssignedSecrets(text),
    ...findCommandSecrets(text),
    ...(await findBySecretlint(text)),
  ];
}

/** Returns the known secrets, and keys with the same prefix as a known key of a docs site. */
export function findKnown(text: string, known: readonly string[]): Finding[] {
  const findings: Finding[] = [];
  const secrets = known.filter((secret) => secret.length >= SHORTEST_KNOWN && !isPublicKey(secret));
  for (const secret of secrets) {
    for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + secret.length)) {
      findings.push(finding({ rule: 'known-secret', kind: 'key' }, at, at + secret.length));
    }
  }
  for (const prefix of new Set(known.flatMap(keyPrefix))) {
    const pattern = new RegExp(`(?<![A-Za-z0-9_-])${prefix}_(?!dsc_)[A-Za-z0-9_-]{12,200}`, 'g');
    for (const match of text.matchAll(pattern)) {
      const [key] = match;
      if (!/\d/.test(key) || isPlaceholder(key)) continue;
      const type = { rule: 'docs-key', kind: 'key', service: 'docs site' } as const;
      findings.push(finding(type, match.index, match.index + key.length));
    }
  }
  return findings;
}

function keyPrefix(key: string): string[] {
  const prefix = /^([A-Za-z][A-Za-z0-9-]{0,30})_(?:dsc_|us_)?[A-Za-z0-9_-]{12,}$/.exec(key)?.[1];
  return prefix === undefined ? [] : [prefix];
}

/** A text without its secrets, and what they were. */
interface RedactedText {
  readonly text: string;
  /** English names of the secrets, each once. Empty if nothing was redacted. */
  readonly labels: readonly string[];
}

/** Returns the text with `[redacted: …]` in place of each secret that a scan finds. */
export async function redactSecrets(
  text: string,
  options: ScanOptions = {},
): Promise<RedactedText> {
  const findings = await scanText(text, options);
  return {
    text: redactedText(text, findings),
    labels: [...new Set(findings.map(({ label }) => label))],
  };
}
