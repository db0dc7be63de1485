/**
 * Runs the commands `export`, `bundle` and `values` in this process, with canaries for the key and the
 * link. Tests that kill or interrupt a command start it as a process of its own.
 */
import assert from 'node:assert/strict';
import path from 'node:path';
import type { Clock } from '../../../src/common/ports';
import type { CannedResponse, Fault } from '../../fakes/faults';
import { assertNoTrace, everythingIn, filesBelow } from '../../builders/canary';
import { hurriedClock } from '../export/exporting';
import { docsFolder } from '../service/localServiceAsking';
import { runHere } from './running';

export const adminKey = 'local_admin_Canary7Qx2mVb9Kt4Wn3Lp5';

/** Parameters of a signature: those of the local docs service and of the object store of the tests. */
const signature = /X-(?:Amz-)?Signature=|QUERYCANARY/i;

/** One event of `--json`. */
export interface PrintedEvent extends Readonly<Record<string, unknown>> {
  readonly event: string;
}

export interface RanHere {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Events of stdout. Fails if a line is none. */
  readonly events: () => readonly PrintedEvent[];
}

export interface HereOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
  /** Whether the link may be in the output. */
  readonly isLinkPrinted?: boolean;
  /** Called with everything that was printed so far. */
  readonly onOutput?: (text: string) => void;
}

/** A folder to work in, with a state folder and a cache of its own. */
export class ExportingCli {
  readonly folder: string;
  readonly #work: Awaited<ReturnType<typeof docsFolder>>;

  private constructor(work: Awaited<ReturnType<typeof docsFolder>>) {
    this.#work = work;
    this.folder = work.root;
  }

  static async make(
    files: Readonly<Record<string, string | Uint8Array>> = {},
  ): Promise<ExportingCli> {
    return new ExportingCli(await docsFolder(files));
  }

  /** Deletes the folder, after a look for the canaries in everything that was written. */
  async remove(): Promise<void> {
    const files = [...filesBelow(this.folder)].map(([name, bytes]) => [
      name,
      bytes.toString('latin1'),
    ]);
    assertNoTrace(adminKey, files);
    for (const [name = '', text = ''] of files) {
      if (!/(?:link|values)[^/]*$/.test(name)) assert.doesNotMatch(text, signature, name);
    }
    await this.#work.remove();
  }

  pathOf(...names: string[]): string {
    return path.join(this.folder, ...names);
  }

  write(name: string, content: string): Promise<void> {
    return this.#work.write(name, content);
  }

  /** Returns the environment of a command against an API. */
  envFor(apiUrl: string): Record<string, string> {
    return {
      DOCS_ASSISTANT_ADMIN_KEY: adminKey,
      DOCS_ASSISTANT_API_URL: apiUrl,
      DOCS_ASSISTANT_DOMAIN: 'sample',
      DOCS_ASSISTANT_STATE: this.pathOf('state'),
      DOCS_ASSISTANT_CACHE: this.pathOf('cache'),
    };
  }

  /** Runs a command in this process, and fails if the key or the link gets out. */
  async run(args: readonly string[], options: HereOptions = {}): Promise<RanHere> {
    const { isLinkPrinted = false, stdin: input = '', ...others } = options;
    const { code, stdout, stderr } = await runHere(args, {
      cwd: this.folder,
      input,
      // These wait for a job, second by second.
      clock: args[1] === 'run' || args[1] === 'watch' ? hurriedClock() : undefined,
      ...others,
    });
    assertNoTrace(adminKey, stdout + stderr);
    if (!isLinkPrinted) assert.doesNotMatch(stdout + stderr, signature);
    const events = (): PrintedEvent[] => eventsOf(stdout);
    return { code, stdout, stderr, events };
  }
}

/** Returns the events on the lines of stdout. */
export function eventsOf(stdout: string): PrintedEvent[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => {
      const event = JSON.parse(line) as PrintedEvent & { readonly time: string };
      assert.equal(event['version'], 1, line);
      assert.equal(new Date(event.time).toISOString(), event.time);
      return event;
    });
}

/** Returns the fields of an event, or none if there is no event. */
export function fieldsOf(event: PrintedEvent | undefined): Readonly<Record<string, unknown>> {
  return event ?? {};
}

/** Returns the names of the events, without those that repeat the one before. */
export function namesOf(events: readonly PrintedEvent[]): string[] {
  return events.map(({ event }) => event).filter((name, index, names) => name !== names[index - 1]);
}

/** Returns an answer in JSON that replaces the service's. */
export function json(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): CannedResponse {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}

/** Returns the fault, limited to requests about the status of a job. */
export function atStatus(fault: Fault): Fault {
  return { when: { method: 'GET' }, ...fault };
}

/** Fails if a value has the canaries, such as the requests that a proxy has seen. */
export function assertNoKey(value: unknown): void {
  assertNoTrace(adminKey, everythingIn(value));
}
