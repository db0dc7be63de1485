/** The stores of a service without a database: small files, each replaced in one step. Uses `node:fs`. */
import { createHash, randomUUID } from 'node:crypto';
import {
  appendFile,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import { systemErrorCode } from '../../common/errorCode';
import type { Clock } from '../../common/ports';
import { parsedJson } from '../../common/text/strings';
import { readJson } from '../../common/onDisk';
import { parsedAs } from '../../shared/schemas';
import type { StoredTurn } from '../server/askedQuestion';
import { RequestLimiter, type RequestLimits } from '../server/requestChecks';
import { MAX_TURNS, type ThreadStore } from '../server/serviceThreads';
import {
  type KeyRecord,
  type KeyRecords,
  keyRecordSchema,
  type Miss,
  type MissRecords,
  ownerOf,
  type Stores,
  THREAD_LIFETIME_MS,
  turnsSchema,
} from './stores';

/** Folder of the keys, below that of the data. */
export const KEYS_FOLDER = 'keys';

const ONLY_FOR_THE_SERVICE = { mode: 0o600 };
const CLEANING_MS = 60 * 60 * 1000;
/** Maximum bytes of the questions of one site in one week. */
const MAX_MISSES_BYTES = 1024 * 1024;

const threadSchema = v.object({ owner: v.string(), turns: turnsSchema });
const missSchema = v.object({ question: v.string() });

/** Opens the stores in a folder, which is made if it isn't there. */
export async function openFileStores(folder: string, clock: Clock): Promise<Stores> {
  const made = async (name: string): Promise<string> => {
    const below = path.join(folder, name);
    await mkdir(below, { recursive: true, mode: 0o700 });
    return below;
  };
  const allThreads = new ThreadFiles(await made('threads'), clock);
  return {
    keys: new KeyFiles(await made(KEYS_FOLDER)),
    misses: new MissFiles(await made('misses')),
    threadsOf: (scope) => allThreads.of(scope),
    countsWith: (limits: RequestLimits) => new RequestLimiter(limits),
    check: async () => void (await stat(folder)),
    close: () => allThreads.whenIdle(),
  };
}

/** One file for each key, named by the hash of the key. So commands and the service need no lock. */
class KeyFiles implements KeyRecords {
  constructor(private readonly folder: string) {}

  /** @throws for a file that can't be read, such as one of another user. Its key may be valid. */
  async find(hash: string): Promise<KeyRecord | undefined> {
    try {
      const text = await readFile(path.join(this.folder, `${hash}.json`), 'utf8');
      return parsedAs(keyRecordSchema, parsedJson(text));
    } catch (error) {
      if (systemErrorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  async list(): Promise<readonly KeyRecord[]> {
    const found = await Promise.all((await this.#hashes()).map((hash) => this.find(hash)));
    return found
      .filter((key) => key !== undefined)
      .toSorted((one, other) => one.createdAt - other.createdAt);
  }

  async add(hash: string, record: KeyRecord): Promise<void> {
    await replace(path.join(this.folder, `${hash}.json`), JSON.stringify(record));
  }

  async remove(id: string): Promise<boolean> {
    for (const hash of await this.#hashes()) {
      if ((await this.find(hash))?.id !== id) continue;
      await rm(path.join(this.folder, `${hash}.json`), { force: true });
      return true;
    }
    return false;
  }

  async #hashes(): Promise<string[]> {
    const names = await readdir(this.folder);
    return names.flatMap((name) => /^([0-9a-f]{64})\.json$/.exec(name)?.[1] ?? []);
  }
}

/** One file for each thread. Changes of a thread wait for each other. */
class ThreadFiles {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #writing = new Map<string, Promise<unknown>>();
  #cleanedAt = -Infinity;

  constructor(folder: string, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  of(scope: string): ThreadStore {
    return {
      turns: async (id, fp) => {
        const thread = await this.#read(id);
        return thread?.owner === ownerOf(scope, fp) ? thread.turns : undefined;
      },
      record: (id = randomUUID(), fp, turn) =>
        this.#inTurn(id, () => this.#add(id, ownerOf(scope, fp), turn)),
    };
  }

  async whenIdle(): Promise<void> {
    await Promise.allSettled(this.#writing.values());
  }

  async #add(id: string, owner: string, turn: StoredTurn): Promise<string> {
    const earlier = (await this.#read(id))?.turns ?? [];
    const turns = [...earlier, turn].slice(-MAX_TURNS);
    await replace(this.#fileOf(id), JSON.stringify({ owner, turns }));
    this.#clean();
    return id;
  }

  async #inTurn<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#writing.get(id) ?? Promise.resolve();
    const own = before.then(work, work);
    this.#writing.set(id, own);
    try {
      return await own;
    } finally {
      if (this.#writing.get(id) === own) this.#writing.delete(id);
    }
  }

  async #read(id: string): Promise<v.InferOutput<typeof threadSchema> | undefined> {
    return readJson(this.#fileOf(id), threadSchema);
  }

  /** Returns the file of a thread. Clients send any text as its ID, so its hash is the name. */
  #fileOf(id: string): string {
    return path.join(this.#folder, `${createHash('sha256').update(id).digest('hex')}.json`);
  }

  /** Removes old threads in the background. */
  #clean(): void {
    const now = this.#clock.now();
    if (now - this.#cleanedAt < CLEANING_MS) return;
    this.#cleanedAt = now;
    const cleaning = this.#removeOlderThan(now - THREAD_LIFETIME_MS).catch(() => undefined);
    this.#writing.set('', cleaning);
  }

  async #removeOlderThan(time: number): Promise<void> {
    for (const name of await readdir(this.#folder)) {
      const file = path.join(this.#folder, name);
      const stats = await stat(file).catch(() => undefined);
      if (stats && stats.mtimeMs < time) await rm(file, { force: true });
    }
  }
}

/** One file for each site and week, to which questions are added. */
class MissFiles implements MissRecords {
  constructor(private readonly folder: string) {}

  async add({ domain, week, question }: Omit<Miss, 'count'>): Promise<void> {
    const file = path.join(this.folder, `${domain}.${week}.jsonl`);
    const size = await stat(file).then(
      (stats) => stats.size,
      () => 0,
    );
    if (size > MAX_MISSES_BYTES) return;
    await appendFile(file, `${JSON.stringify({ question })}\n`, ONLY_FOR_THE_SERVICE);
  }

  async list(domain: string | undefined, week: string | undefined): Promise<readonly Miss[]> {
    const misses: Miss[] = [];
    for (const name of (await readdir(this.folder)).toSorted().toReversed()) {
      const [, itsDomain, itsWeek] = /^([a-z0-9-]+)\.(\d{4}-W\d\d)\.jsonl$/.exec(name) ?? [];
      if (itsDomain === undefined || itsWeek === undefined) continue;
      if (domain !== undefined && domain !== itsDomain) continue;
      if (week !== undefined && week !== itsWeek) continue;
      const counts = new Map<string, number>();
      for (const line of (await readFile(path.join(this.folder, name), 'utf8')).split('\n')) {
        const question = questionOf(line);
        if (question !== undefined) counts.set(question, (counts.get(question) ?? 0) + 1);
      }
      for (const [question, count] of counts) {
        misses.push({ domain: itsDomain, week: itsWeek, question, count });
      }
    }
    return misses;
  }
}

function questionOf(line: string): string | undefined {
  // The last line of a process that was killed isn't whole.
  return parsedAs(missSchema, parsedJson(line))?.question;
}

async function replace(file: string, text: string): Promise<void> {
  const part = `${file}.${randomUUID()}.part`;
  try {
    await writeFile(part, text, ONLY_FOR_THE_SERVICE);
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
