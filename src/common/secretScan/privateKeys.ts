/** Private keys as blocks of lines: PEM, OpenSSH, PGP, SSH2 and PuTTY. */
import { finding, type Finding } from './finding';

const header =
  /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----|---- BEGIN SSH2 (?:ENCRYPTED )?PRIVATE KEY ----|PuTTY-User-Key-File-\d:/g;

/** Characters that are searched for the end of a key. A PGP key with its subkeys has some 20,000. */
const MAX_KEY_LENGTH = 65_536;

/** Fewest characters of base64 in a key. An Ed25519 key has 64; examples are cut after a line. */
const FEWEST_CHARACTERS = 40;

/**
 * Returns the private keys in a text, also those that were cut off.
 * @param onWork called with the number of characters that were looked at, for tests.
 */
export function findPrivateKeys(
  text: string,
  onWork: (characters: number) => void = () => undefined,
): Finding[] {
  const findings: Finding[] = [];
  let readTo = 0;
  const headers = [...text.matchAll(header)];
  for (const [number, match] of headers.entries()) {
    if (match.index < readTo) continue;
    const bodyStart = match.index + match[0].length;
    // A key ends before the next one begins, however many headers a text repeats.
    const limit = Math.min(bodyStart + MAX_KEY_LENGTH, headers[number + 1]?.index ?? text.length);
    const body = text.slice(bodyStart, limit);
    const isPutty = match[0].startsWith('PuTTY');
    const end = bodyStart + (isPutty ? puttyKeyLength(body) : blockLength(body));
    onWork(end - match.index);
    readTo = end;
    if (!hasKey(text.slice(bodyStart, end))) continue;
    findings.push(finding({ rule: 'private-key', kind: 'private-key' }, match.index, end));
  }
  return findings;
}

/** Returns the length of a block: to its `END` line, or to where its base64 ends. */
function blockLength(body: string): number {
  const end = /-----END [A-Z0-9 ]{1,60}-----|---- END [A-Z0-9 ]{1,60} ----/.exec(body);
  const next = body.search(/-----BEGIN |---- BEGIN /);
  if (end && (next < 0 || end.index < next)) return end.index + end[0].length;
  // A key that was cut off, or whose end is beyond the limit.
  const rest = next < 0 ? body : body.slice(0, next);
  const base64 = /^[A-Za-z0-9+/=\s\\"',:.-]*/.exec(rest)?.[0] ?? '';
  return base64.trimEnd().length;
}

function puttyKeyLength(body: string): number {
  const mac = /^Private-(?:MAC|Hash): [0-9a-f]{20,128}/m.exec(body);
  return mac ? mac.index + mac[0].length : 0;
}

function hasKey(body: string): boolean {
  const lines = body
    .replace(/\\[nr]/g, '\n')
    .split(/\r?\n/)
    .map((line) => line.replace(/^[\s"'+#*/|]+|[\s"',\\+]+$/g, ''))
    // Headers such as `Proc-Type: 4,ENCRYPTED`, and the end.
    .filter((line) => !/^[A-Za-z-]{2,40}: |^-{4,5}/.test(line));
  const base64 = lines.filter((line) => /^[A-Za-z0-9+/=]{8,}$/.test(line)).join('');
  return base64.length >= FEWEST_CHARACTERS && new Set(base64).size >= 16;
}
