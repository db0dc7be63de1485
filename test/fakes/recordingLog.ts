import type { Log } from '../../src/common/ports';

export interface LogLine {
  readonly level: 'info' | 'debug' | 'warn' | 'error';
  readonly message: string;
  readonly cause?: unknown;
}

/** Records log messages. A test that expects no errors checks at its end that `errors` is empty. */
export class RecordingLog implements Log {
  readonly lines: LogLine[] = [];

  get errors(): readonly LogLine[] {
    return this.lines.filter(({ level }) => level === 'error');
  }

  /** Returns the messages of a level, or of all levels. */
  messages(level?: LogLine['level']): readonly string[] {
    return this.lines
      .filter((line) => level === undefined || line.level === level)
      .map(({ message }) => message);
  }

  /** Returns the log, or its part of that level, as text with all stacks. Tests search it for secrets. */
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

  /** Throws if an error was logged. A test that expects errors checks `errors` instead. */
  assertNoErrors(): void {
    if (this.errors.length > 0) throw new Error(`Errors in the log:\n${this.text('error')}`);
  }
}
