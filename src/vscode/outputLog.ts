import * as vscode from 'vscode';
import type { Disposable } from '../common/disposable';
import { withoutControls } from '../common/plainText';
import type { Log } from '../common/ports';
import { redact } from '../common/redact';
import { logLevels, type LogLevelSetting } from './contributions';

interface OutputLogPorts {
  readonly level: () => LogLevelSetting;
  /** Keys that were read in this session: they never get through, whatever they look like. */
  readonly secrets: () => readonly string[];
}

/** The extension's one output channel. What it writes is plain text without secrets. */
export class OutputLog implements Log, Disposable {
  readonly #channel: vscode.LogOutputChannel;
  readonly #ports: OutputLogPorts;
  /** Told of each text as it is written: for tests, which cannot read the channel in every host. */
  onDidWrite: ((text: string) => void) | undefined;

  constructor(name: string, ports: OutputLogPorts) {
    this.#channel = vscode.window.createOutputChannel(name, { log: true });
    this.#ports = ports;
  }

  info(message: string): void {
    if (this.#admits('info')) this.#channel.info(this.#plain(message));
  }

  debug(message: string): void {
    if (!this.#admits('debug')) return;
    // The channel drops debug lines at VS Code's default level, which our setting overrules.
    if (this.#channel.logLevel <= vscode.LogLevel.Debug) this.#channel.debug(this.#plain(message));
    else this.#channel.info(this.#plain(message));
  }

  warn(message: string): void {
    if (this.#admits('warn')) this.#channel.warn(this.#plain(message));
  }

  error(message: string, cause?: unknown): void {
    if (!this.#admits('error')) return;
    const stack = cause instanceof Error ? (cause.stack ?? cause.message) : undefined;
    this.#channel.error(this.#plain(stack === undefined ? message : `${message}\n${stack}`));
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

  #plain(message: string): string {
    const text = withoutControls(redact(message, this.#ports.secrets()));
    this.onDidWrite?.(text);
    return text;
  }
}
