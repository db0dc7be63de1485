/** A small site on the disk and its preview, as the tests of the preview want them. */
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { startPreview, type Preview } from '../../../src/export/preview/previewServer';
import { RecordingLog } from '../../fakes/recordingLog';

/** Content of files beside the site and of its hidden files. */
export const SECRET = 'outside of the site';

export interface Answer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Sends the bytes as they are, which `fetch` would tidy up, and reads until the connection ends. */
export async function raw(port: number, head: string): Promise<Answer> {
  const socket = connect(port, '127.0.0.1');
  socket.write(head);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(socket, 'close');
  const [top = '', ...rest] = Buffer.concat(chunks).toString().split('\r\n\r\n');
  const [statusLine = '', ...lines] = top.split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: new Map(headers),
    body: rest.join('\r\n\r\n'),
  };
}

const pages: Readonly<Record<string, string>> = {
  'index.html': '<h1>Home</h1>',
  'guides.html': '<h1>Guides</h1>',
  'guides/start.html': '<h1>Start</h1>',
  'api/index.html': '<h1>API</h1>',
  'empty/note.txt': 'note',
  'app.js': 'export {};',
  'font.woff2': 'font',
  'a b/grüße & 100%.html': '<h1>Grüße</h1>',
  '.env': SECRET,
  '.git/config': SECRET,
  '.well-known/security.txt': 'Contact: us',
};

export class PreviewSite {
  private constructor(
    readonly log: RecordingLog,
    /** Holds the site, and `secret.html` beside it. */
    readonly folder: string,
    readonly root: string,
    readonly preview: Preview,
  ) {}

  static async start(): Promise<PreviewSite> {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'docs-assistant-preview-'));
    const root = path.join(folder, 'site');
    await writeFile(path.join(folder, 'secret.html'), SECRET);
    for (const [name, text] of Object.entries(pages)) await writePage(root, name, text);
    const log = new RecordingLog();
    const preview = await startPreview({ root, log });
    return new PreviewSite(log, folder, root, preview);
  }

  get port(): number {
    return Number(new URL(this.preview.url).port);
  }

  /** Starts another preview of the same site. */
  startAnother(basePath?: string): Promise<Preview> {
    const { root, log } = this;
    return startPreview({ root, log, basePath });
  }

  write(name: string, text: string): Promise<void> {
    return writePage(this.root, name, text);
  }

  get(address: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(new URL(address, this.preview.url), { headers, redirect: 'manual' });
  }

  /** @param lines headers; `Host` is added if it is not among them. */
  request(target: string, lines: readonly string[] = [], method = 'GET'): Promise<Answer> {
    const host = lines.some((line) => /^host:/i.test(line)) ? [] : [`Host: 127.0.0.1:${this.port}`];
    const head = [`${method} ${target} HTTP/1.1`, ...host, ...lines, 'Connection: close', '', ''];
    return raw(this.port, head.join('\r\n'));
  }

  /** Ends the preview, removes the site and looks at the log. */
  async stop(): Promise<void> {
    await this.preview.stop();
    await rm(this.folder, { recursive: true });
    this.log.assertNoErrors();
  }
}

async function writePage(root: string, name: string, text: string): Promise<void> {
  const file = path.join(root, ...name.split('/'));
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}
