import { errorCodeOrName } from '../../common/errorCode';
import { redact } from '../../common/http/redact';
import type { Clock, Log } from '../../common/ports';
import type { EndedRequest } from './companyApp';

/** Log of the service: one JSON object for each line, without content of questions, replies and pages. */
interface ServiceLog extends Log {
  request(request: EndedRequest): void;
}

/** Returns a log that writes lines. */
export function jsonLog(write: (line: string) => void, clock: Clock): ServiceLog {
  const line = (level: string, fields: object): void =>
    write(`${JSON.stringify({ time: new Date(clock.now()).toISOString(), level, ...fields })}\n`);
  const message =
    (level: string) =>
    (text: string): void =>
      line(level, { message: redact(text) });
  return {
    info: message('info'),
    debug: () => undefined,
    warn: message('warn'),
    error: (text, cause) =>
      line('error', {
        message: redact(text),
        cause: cause === undefined ? undefined : errorCodeOrName(cause),
        // The message of an error can repeat what a reader has sent. Its frames can't.
        frames: cause instanceof Error ? framesOf(cause) : undefined,
      }),
    request: (request) => line('info', { event: 'request', ...request }),
  };
}

const MAX_FRAMES = 8;

function framesOf({ stack = '' }: Error): string[] {
  const frames = stack.split('\n').filter((frame) => /^\s+at /.test(frame));
  return frames.slice(0, MAX_FRAMES).map((frame) => frame.trim());
}
