import { redact } from '../common/http/redact';
import { silentLog, type Log } from '../common/ports';
import type { Output } from './context';
import { plainLine } from '../shared/characters';

/** Returns a log of lines on a stream, without keys and controls. Without a stream, it is silent. */
export function stderrLog(stream: Output | undefined): Log {
  if (!stream) return silentLog;
  const write = (line: string): void => void stream.write(`${plainLine(redact(line))}\n`);
  return {
    info: write,
    debug: write,
    warn: (message) => write(`warning: ${message}`),
    error: (message, cause) =>
      write(`error: ${message}${cause instanceof Error ? ` (${cause.name})` : ''}`),
  };
}
