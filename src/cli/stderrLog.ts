import { redact } from '../common/http/redact';
import { lineLog, type Log, silentLog } from '../common/ports';
import type { Output } from './output';
import { plainLine } from '../shared/characters';

/**
 * Returns a log that writes lines to a stream, without keys and control characters. Without a
 * stream, the log is silent.
 */
export function stderrLog(stream: Output | undefined): Log {
  if (!stream) return silentLog;
  return lineLog((line) => stream.line(plainLine(redact(line))));
}
