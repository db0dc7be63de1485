/**
 * Measures the replies that the docs of installed packages give without a model: the packages of a workspace, their
 * pages and their API, the search and the reply, in this process.
 */
import { randomUUID } from 'node:crypto';
import { systemClock } from '../../src/common/clock';
import { silentLog } from '../../src/common/ports';
import { askedDocs } from '../../src/docs/askedDocs';
import { DocsLibrary } from '../../src/docs/docsLibrary';
import { choosePackages } from '../../src/docs/packageChoice';
import { addressesAt, sourceUrl } from '../../src/docs/pages/links';
import type { FoundSection } from '../../src/docs/pages/page';
import type { SetIndex } from '../../src/docs/search/setIndex';
import type { InstalledPackage } from '../../src/docs/sources/installed/installedDocs';
import { InstalledPackages } from '../../src/docs/sources/installed/installedPackages';
import { preparedReply } from '../../src/docs/writers/preparedReply';
import { ReplyFold } from '../../src/shared/reply';
import type { AbsentQuestion, InstalledQuestion } from './installed/checkQuestions.mjs';
import { answersIn, answersInReply, holds } from './retrievalEval';

/** A source of a reply, by the package and the file that it shows. */
interface ShownSource {
  /** Name of the package that the section is from. */
  readonly package: string;
  readonly version: string;
  /** File that has the section, below the package that has the file. */
  readonly file: string;
  /** Package that has the file. It differs from `package` if that one exports names of another one. */
  readonly fileOf: string;
  /** Whether the section is from types. Its heading is the name that it describes. */
  readonly isApi: boolean;
  readonly heading: string;
  readonly text: string;
}

interface InstalledReply {
  readonly shown: readonly ShownSource[];
  readonly text: string;
  /** Text behind *Show more*. */
  readonly more: string;
  /** Whether the reply doesn't say that it may not answer. */
  readonly isSure: boolean;
}

/** A question about an installed package and its reply. */
export interface InstalledOutcome extends InstalledReply {
  readonly asked: InstalledQuestion;
}

/** A question about a package that isn't installed and its reply. */
export interface AbsentOutcome extends InstalledReply {
  readonly asked: AbsentQuestion;
}

/** Sources that a reply has unless its question asks for another number. */
const PAGE_SIZE = 5;

const addresses = addressesAt(() => 'http://127.0.0.1');

/** Libraries by package and version, which workspaces share as they share what the product keeps. */
const librariesById = new Map<string, DocsLibrary>();

/** The docs of all packages that a workspace asks for. */
export class WorkspaceDocs {
  readonly #folder: string;
  readonly #installed: InstalledPackages;
  readonly #direct: InstalledPackage[] = [];
  /** Packages that have been opened, by id. */
  readonly #packages = new Map<string, InstalledPackage>();
  /** Sections by the address that a source has. */
  readonly #sections = new Map<string, FoundSection>();

  /** @param folder of the workspace. Call {@link open} first. */
  constructor(folder: string) {
    this.#folder = folder;
    this.#installed = new InstalledPackages({
      root: folder,
      isTrusted: () => true,
      clock: systemClock,
      log: silentLog,
    });
  }

  async open(): Promise<void> {
    const { packages } = await this.#installed.list(this.#folder, new AbortController().signal);
    this.#direct.push(...packages);
    for (const each of packages) await this.#opened(each);
  }

  async #opened(each: InstalledPackage): Promise<DocsLibrary> {
    const known = librariesById.get(each.id);
    const library = known ?? (await this.#libraryOf(each));
    librariesById.set(each.id, library);
    if (this.#packages.has(each.id)) return library;
    this.#packages.set(each.id, each);
    for (const page of library.index.pages()) {
      for (const section of page.sections) {
        const url = sourceUrl(page, section, addresses);
        if (!this.#sections.has(url)) this.#sections.set(url, { page, section });
      }
    }
    return library;
  }

  async #libraryOf(each: InstalledPackage): Promise<DocsLibrary> {
    const library = new DocsLibrary({
      set: { id: each.id, label: each.id },
      source: await this.#installed.open(each),
      clock: systemClock,
      log: silentLog,
      isFollowed: false,
    });
    library.start();
    await library.whenIndexed();
    return library;
  }

  /** Returns the packages that `InstalledEngine` would ask. */
  #chosen({ q, code }: Asked): Promise<readonly InstalledPackage[]> {
    return choosePackages(
      { text: q, code: code === undefined ? [] : [{ text: code }] },
      {
        direct: this.#direct,
        find: (name) => this.#installed.find(name, this.#folder),
        importsOf: (source) => this.#installed.importsOf(source),
        indexesOf: async (packages) => {
          const indexes = new Map<string, SetIndex>();
          for (const each of packages) indexes.set(each.id, (await this.#opened(each)).index);
          return indexes;
        },
      },
    );
  }

  /** Returns every so many-th name of code that the direct packages export, at most `count`, each once. */
  exportedNames(count: number): string[] {
    const direct = new Set(this.#direct.map(({ id }) => id));
    const names = new Set<string>();
    for (const { page, section } of this.#sections.values()) {
      if (section.place === undefined || !direct.has(page.set?.id ?? '')) continue;
      if (/^\w*[a-z][A-Z]\w*$/.test(section.heading)) names.add(section.heading);
    }
    const step = Math.max(1, names.size / count);
    return [...names]
      .toSorted()
      .filter((_, position) => Math.floor(position % step) === 0)
      .slice(0, count);
  }

  async ask(asked: Asked, isChosen: boolean): Promise<InstalledReply> {
    const { q, code, language = 'typescript' } = asked;
    const ending = new AbortController();
    const libraries = new Set<DocsLibrary>();
    for (const each of isChosen ? await this.#chosen(asked) : this.#direct)
      libraries.add(await this.#opened(each));
    const { changes } = await preparedReply(
      {
        docs: askedDocs([...libraries]),
        addresses,
        clock: systemClock,
        newId: randomUUID,
        log: silentLog,
      },
      {
        text: q,
        earlier: [],
        contextItems:
          code === undefined
            ? []
            : [{ type: 'code', value: code, path: `selection.${endings[language]}` }],
        pageSize: PAGE_SIZE,
      },
      ending.signal,
    );
    const reply = new ReplyFold();
    for await (const change of changes) reply.take(change);
    const texts = reply.parts.filter((part) => part.type === 'text');
    const textOf = (isMore: boolean): string =>
      texts
        .filter(({ role }) => (role === 'more') === isMore)
        .map(({ text }) => text)
        .join('\n\n');
    return {
      shown: reply.sources.flatMap(({ url }) => this.#shown(url) ?? []),
      text: textOf(false),
      more: textOf(true),
      isSure: reply.sources.length > 0 && !reply.isClosest,
    };
  }

  #shown(url: string): ShownSource | undefined {
    const found = this.#sections.get(url);
    if (!found) return undefined;
    const { page, section } = found;
    const { name = '', version = '' } = this.#packages.get(page.set?.id ?? '') ?? {};
    const { place, heading } = section;
    return {
      package: name,
      version,
      file: place?.file ?? page.path,
      fileOf: place?.package ?? name,
      isApi: place !== undefined,
      heading,
      text: section.blocks.map(({ markdown }) => markdown).join('\n\n'),
    };
  }
}

type Asked = Pick<InstalledQuestion, 'q' | 'code' | 'language'>;

const endings = { javascript: 'js', typescript: 'ts', typescriptreact: 'tsx' } as const;

/** Returns the packages whose sections can answer: the one that is asked about, and the one that declares its names. */
function packagesOf({ package: name, through }: InstalledQuestion): readonly string[] {
  return through === undefined ? [name] : [name, through.package];
}

/** Names that a workspace is asked about. */
const NAMES = 40;

/**
 * Asks what names of code do, which the packages of a workspace export.
 * @returns how many there were, how many had their section first, and among the first five.
 */
export async function askNames(
  folder: string,
): Promise<{ of: number; first: number; inFive: number }> {
  const docs = new WorkspaceDocs(folder);
  await docs.open();
  const counts = { of: 0, first: 0, inFive: 0 };
  for (const name of docs.exportedNames(NAMES)) {
    const { shown } = await docs.ask({ q: `What does ${name} do?` }, true);
    const isOf = ({ isApi, heading }: ShownSource): boolean =>
      isApi && (heading === name || heading.endsWith(`.${name}`));
    counts.of++;
    if (shown.slice(0, 1).some(isOf)) counts.first++;
    if (shown.slice(0, PAGE_SIZE).some(isOf)) counts.inFive++;
  }
  return counts;
}

export function isPackageFirst({ asked, shown: [first] }: InstalledOutcome): boolean {
  return first !== undefined && packagesOf(asked).includes(first.package);
}

/** Returns whether the first source is the right package in the right version. */
export function isVersionFirst(outcome: InstalledOutcome): boolean {
  const { asked, shown } = outcome;
  const [first] = shown;
  if (first === undefined || !isPackageFirst(outcome)) return false;
  return first.package !== asked.package || first.version === asked.version;
}

/**
 * Returns whether a source answers: a page that is accepted, or a section of the API. A file with types has hundreds of
 * names, so the section must also have the name or a phrase that answers.
 */
function answers(
  { package: name, file, fileOf, isApi, heading, text }: ShownSource,
  asked: InstalledQuestion,
): boolean {
  const { package: wanted, accept, through, api, span } = asked;
  if (!packagesOf(asked).includes(name)) return false;
  const isAccepted =
    (fileOf === wanted && accept.includes(file)) ||
    (fileOf === through?.package && through.accept.includes(file));
  if (!isApi) return isAccepted;
  const names = heading.split('.');
  return (api !== undefined && names.includes(api)) || (isAccepted && holds(text, span));
}

export function isAnsweredInFive({ asked, shown }: InstalledOutcome): boolean {
  return shown.slice(0, PAGE_SIZE).some((source) => answers(source, asked));
}

/** Counts of the replies to the questions of one half. */
export interface InstalledFigures {
  readonly of: number;
  readonly packageFirst: number;
  readonly versionFirst: number;
  readonly inFive: number;
  readonly in60Words: number;
  readonly inReply: number;
  readonly sure: number;
}

export function figuresOf(outcomes: readonly InstalledOutcome[]): InstalledFigures {
  const count = (holdsFor: (outcome: InstalledOutcome) => boolean): number =>
    outcomes.filter(holdsFor).length;
  return {
    of: outcomes.length,
    packageFirst: count(isPackageFirst),
    versionFirst: count(isVersionFirst),
    inFive: count(isAnsweredInFive),
    in60Words: count(({ asked: { span }, text }) => answersIn(60, { span, text })),
    inReply: count(({ asked: { span }, text, more }) => answersInReply({ span, text, more })),
    sure: count(({ isSure }) => isSure),
  };
}

/** Returns whether a reply shows something of the package that isn't installed. */
export function isFromAbsent({ asked, shown }: AbsentOutcome): boolean {
  return shown.some((source) => [source.package, source.fileOf].includes(asked.about));
}

/**
 * Asks all questions of one workspace.
 * @param isChosen whether the question and its code choose the packages. All direct ones are asked otherwise.
 */
export async function askWorkspace(
  folder: string,
  questions: readonly InstalledQuestion[],
  absent: readonly AbsentQuestion[],
  isChosen: boolean,
): Promise<{ readonly outcomes: InstalledOutcome[]; readonly absent: AbsentOutcome[] }> {
  const docs = new WorkspaceDocs(folder);
  await docs.open();
  const outcomes: InstalledOutcome[] = [];
  for (const asked of questions) outcomes.push({ ...(await docs.ask(asked, isChosen)), asked });
  const absentOutcomes: AbsentOutcome[] = [];
  for (const asked of absent) absentOutcomes.push({ ...(await docs.ask(asked, isChosen)), asked });
  return { outcomes, absent: absentOutcomes };
}
