import * as vscode from 'vscode';
import type { Disposable } from '../common/disposable';
import { withoutEscapes } from '../common/text/safeText';
import type { Clock, Log } from '../common/ports';
import { redact } from '../common/http/redact';
import { logLevels, type LogLevelSetting } from '../common/contributions';

/** Most lines that are kept for *Report Issue…*, and the most characters of each. */
const MAX_RECENT = 200;
const MAX_RECENT_LENGTH = 1000;

interface OutputLogPorts {
  readonly clock: Pick<Clock, 'now'>;
  readonly level: () => LogLevelSetting;
  /** Keys that this session has read. They are redacted whatever they look like. */
  readonly secrets: () => readonly string[];
}

/** The extension's output channel. It writes plain text without secrets. */
export class OutputLog implements Log, Disposable {
  readonly #channel: vscode.LogOutputChannel;
  readonly #ports: OutputLogPorts;
  readonly #recent: string[] = [];
  /**
   * Called with each written text. Tests use it, because not every host lets them read the channel.
   */
  onDidWrite: ((text: string) => void) | undefined;

  constructor(ports: OutputLogPorts) {
    this.#channel = vscode.window.createOutputChannel('Docs Assistant', { log: true });
    this.#ports = ports;
  }

  /** Returns the last lines of this window, without secrets, oldest first. Extensions can't read channels. */
  get recent(): readonly string[] {
    return this.#recent;
  }

  info(message: string): void {
    if (this.#admits('info')) this.#channel.info(this.#plain('info', message));
  }

  debug(message: string): void {
    if (!this.#admits('debug')) return;
    // VS Code's default level drops debug lines, but our own setting decides: write them as info.
    if (this.#channel.logLevel <= vscode.LogLevel.Debug)
      this.#channel.debug(this.#plain('debug', message));
    else this.#channel.info(this.#plain('debug', message));
  }

  warn(message: string): void {
    if (this.#admits('warn')) this.#channel.warn(this.#plain('warn', message));
  }

  error(message: string, cause?: unknown): void {
    if (!this.#admits('error')) return;
    const stack = cause instanceof Error ? (cause.stack ?? cause.message) : undefined;
    this.#channel.error(
      this.#plain('error', stack === undefined ? message : `${message}\n${stack}`),
    );
  }

  show(): void {
    this.#channel.show(true);
  }

  dispose(): void {
    this.#channel.dispose();
  }

  #admits(level: LogLevelSetting): boolean {
    return logLevels.indexOf(level) <= logLevels.indexOf(this.#ports.level());
  }

  #plain(level: LogLevelSetting, message: string): string {
    const text = withoutEscapes(redact(message, this.#ports.secrets()));
    const time = new Date(this.#ports.clock.now()).toISOString();
    this.#recent.push(`${time} [${level}] ${text}`.slice(0, MAX_RECENT_LENGTH));
    if (this.#recent.length > MAX_RECENT) this.#recent.shift();
    this.onDidWrite?.(text);
    return text;
  }
}
