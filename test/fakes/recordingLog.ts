import type { Log } from '../../src/common/ports';

export interface LogLine {
  readonly level: 'info' | 'debug' | 'warn' | 'error';
  readonly message: string;
  readonly cause?: unknown;
}

/** Keeps what was logged. Look at `errors` at the end: a test that planned for none expects none. */
export class RecordingLog implements Log {
  readonly lines: LogLine[] = [];

  get errors(): readonly LogLine[] {
    return this.lines.filter(({ level }) => level === 'error');
  }

  /** Messages of that level, or of all. */
  messages(level?: LogLine['level']): readonly string[] {
    return this.lines
      .filter((line) => level === undefined || line.level === level)
      .map(({ message }) => message);
  }

  /** All that was logged, or of that level, with the stacks of causes: to look for what must not be there. */
  text(level?: LogLine['level']): string {
    return this.lines
      .filter((line) => level === undefined || line.level === level)
      .map(({ message, cause }) => (cause instanceof Error ? `${message} ${cause.stack}` : message))
      .join('\n');
  }

  info(message: string): void {
    this.lines.push({ level: 'info', message });
  }

  debug(message: string): void {
    this.lines.push({ level: 'debug', message });
  }

  warn(message: string): void {
    this.lines.push({ level: 'warn', message });
  }

  error(message: string, cause?: unknown): void {
    this.lines.push({ level: 'error', message, cause });
  }

  /** Fails on any error line: a test that planned for one looks at `errors` instead. */
  assertNoErrors(): void {
    if (this.errors.length > 0) throw new Error(`Errors in the log:\n${this.text('error')}`);
  }
}
