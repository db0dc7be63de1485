import type { Log } from '../../src/common/ports';

/** Keeps every line. `assertNoErrors` in an `afterEach` fails the test on an unexpected error. */
export class RecordingLog implements Log {
  readonly lines: { readonly level: keyof Log; readonly text: string }[] = [];

  info(message: string): void {
    this.lines.push({ level: 'info', text: message });
  }

  debug(message: string): void {
    this.lines.push({ level: 'debug', text: message });
  }

  warn(message: string): void {
    this.lines.push({ level: 'warn', text: message });
  }

  error(message: string, cause?: unknown): void {
    const reason = cause instanceof Error ? ` ${cause.stack ?? cause.message}` : '';
    this.lines.push({ level: 'error', text: message + reason });
  }

  /** All lines, or those of one level, joined. */
  text(level?: keyof Log): string {
    return this.lines
      .filter((line) => level === undefined || line.level === level)
      .map((line) => line.text)
      .join('\n');
  }

  assertNoErrors(): void {
    const errors = this.text('error');
    if (errors !== '') throw new Error(`Unexpected errors in the log:\n${errors}`);
  }
}
