import { redact } from '../common/http/redact';
import { silentLog, type Log } from '../common/ports';
import type { Output } from './output';
import { plainLine } from '../shared/characters';

/**
 * Returns a log that writes lines to a stream, without keys and control characters. Without a
 * stream, the log is silent.
 */
export function stderrLog(stream: Output | undefined): Log {
  if (!stream) return silentLog;
  const write = (line: string): void => stream.line(plainLine(redact(line)));
  return {
    info: write,
    debug: write,
    warn: (message) => write(`warning: ${message}`),
    error: (message, cause) =>
      write(`error: ${message}${cause instanceof Error ? ` (${cause.name})` : ''}`),
  };
}
