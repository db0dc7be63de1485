/**
 * Stores the content of each attached file once, in a file of its own. Records stay small without
 * it, because they are written often. Uses `node:fs`.
 */
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '../../common/ports';
import { withoutUndefined } from '../../common/withoutUndefined';
import type { Attachment, Thread, ThreadMessage } from '../conversation/thread';
import { allMessages } from './threadRecord';
import { fileNameOfId } from './recordFiles';
import { ifThere, writeWholeFile, type WholeFilePorts } from './wholeFile';

/** Returns the thread without the content of its files, for a record. */
export function withoutContent(thread: Thread): Thread {
  return mapFiles(thread, (files) => files.map((file) => ({ ...file, url: '' })));
}

/**
 * Writes the files of the messages that aren't in the folder yet.
 * @param written paths of files that are known to exist. New ones are added.
 * @returns the number of written bytes.
 */
export async function writeContent(
  folder: string,
  messages: readonly ThreadMessage[],
  written: Set<string>,
  ports: WholeFilePorts,
): Promise<number> {
  let size = 0;
  for (const { id, url } of filesOf(messages)) {
    const file = path.join(folder, fileNameOfId(id));
    if (url === '' || written.has(file)) continue;
    if (!(await ifThere(stat(file)))) {
      await writeWholeFile(file, url, ports);
      size += url.length;
    }
    written.add(file);
  }
  return size;
}

/**
 * Returns the thread with the content of its files. A file whose content is lost keeps only its
 * name.
 */
export async function withContent(
  folders: readonly string[],
  thread: Thread,
  log: Log,
): Promise<Thread> {
  const contents = new Map<string, string>();
  let lost = 0;
  for (const { id, url } of filesOf(allMessages(thread))) {
    if (url !== '' || contents.has(id)) continue;
    let content: string | undefined;
    for (const folder of folders) {
      content ??= await ifThere(readFile(path.join(folder, fileNameOfId(id)), 'utf8'));
    }
    if (content?.startsWith('data:')) contents.set(id, content);
    else lost++;
  }
  if (contents.size === 0 && lost === 0) return thread;
  if (lost > 0) log.warn(`Attached files whose content is not there any more: ${lost}`);
  return mapFiles(thread, (files) =>
    files.map((file) => ({ ...file, url: file.url || (contents.get(file.id) ?? '') })),
  );
}

function filesOf(messages: readonly ThreadMessage[]): readonly Attachment[] {
  return messages.flatMap((message) => (message.role === 'user' ? (message.files ?? []) : []));
}

function mapFiles(thread: Thread, change: (files: readonly Attachment[]) => Attachment[]): Thread {
  const mapped = (message: ThreadMessage): ThreadMessage => {
    if (message.role !== 'user' || !message.files) return message;
    const { files, ...rest } = message;
    const changed = change(files);
    return changed.length > 0 ? { ...rest, files: changed } : rest;
  };
  return withoutUndefined({
    ...thread,
    messages: thread.messages.map(mapped),
    others: thread.others ? thread.others.map(mapped) : undefined,
  });
}
