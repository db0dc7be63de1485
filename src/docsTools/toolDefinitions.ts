/**
 * The docs tools as models and people see them, in one table. The MCP server and the language model
 * tools of VS Code declare what is here. `npm run check:contributions` compares package.json with it.
 */
import { toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { languageModelTools } from '../common/contributions';
import { MAX_CLAIMS_TEXT, MAX_PACKAGE_LENGTH } from '../common/localDocsApi';
import { visibleProse } from '../shared/characters';
import { MAX_QUESTION_LENGTH } from '../shared/limits';
import { count } from '../shared/schemas';

/** Longest code of a question, in UTF-16 code units: several files of a usual size. */
const MAX_CODE_LENGTH = 100_000;
/** Longest path of a question's code. File systems allow 4,096 bytes. */
const MAX_PATH_LENGTH = 4096;
/** Longest search query. A longer text is a question, which `ask_docs` takes. */
const MAX_QUERY_LENGTH = 2000;
/** Longest address of a page, which browsers accept too. */
const MAX_ADDRESS_LENGTH = 4096;
/** Longest name of a version, a language or a group. */
const MAX_FILTER_LENGTH = 100;
const MAX_GROUPS = 20;
/** Most sections of a search. More would not be read before the next search. */
const MAX_SEARCH_RESULTS = 20;
export const DEFAULT_SEARCH_RESULTS = 8;

/**
 * Returns a schema of text with more than blanks, which it removes from both ends. It also removes
 * invisible characters, so that a person who confirms a question sees all of it.
 */
function text<Description extends string>(maxLength: number, description: Description) {
  return v.pipe(
    v.string(),
    v.transform(visibleProse),
    v.trim(),
    v.minLength(1, 'must not be empty'),
    v.maxLength(maxLength, `can have up to ${maxLength} characters`),
    v.description(description),
  );
}

/** Code keeps its blanks, which can be its indentation. */
const code = v.pipe(
  v.string(),
  v.maxLength(MAX_CODE_LENGTH, `can have up to ${MAX_CODE_LENGTH} characters`),
  v.description('Code that the question is about, such as the failing function.'),
);

/** @param otherwise sentence about a call without a package. */
function packageName<Otherwise extends string>(otherwise: Otherwise) {
  return v.optional(
    text(
      MAX_PACKAGE_LENGTH,
      `Only the docs of this installed package: its name, or name@version. For docs of installed packages only.${otherwise}`,
    ),
  );
}

export const askInputSchema = v.object({
  question: text(
    MAX_QUESTION_LENGTH,
    'The question in full sentences, with the names, versions and error messages that matter. It is answered without this conversation, so it must stand on its own.',
  ),
  code: v.optional(code),
  path: v.optional(
    text(MAX_PATH_LENGTH, 'Path of the file that the code is from, relative to the workspace.'),
  ),
  package: packageName(
    ' Without it, the packages that the question names or its code imports are asked.',
  ),
});

export const searchInputSchema = v.object({
  query: text(MAX_QUERY_LENGTH, 'What to look for: a few words or a short question.'),
  package: packageName(' Without it, the packages that the query names are searched.'),
  version: v.optional(
    text(MAX_FILTER_LENGTH, 'Only pages of this version of the docs, such as "v2".'),
  ),
  language: v.optional(
    text(MAX_FILTER_LENGTH, 'Only pages in this human language, as a code such as "en".'),
  ),
  groups: v.optional(
    v.pipe(
      v.array(text(MAX_FILTER_LENGTH, 'Name of a group of pages.')),
      v.maxLength(MAX_GROUPS, `can have up to ${MAX_GROUPS} names`),
      v.description('Only pages of one of these groups.'),
    ),
  ),
  limit: v.optional(
    v.pipe(
      v.number(),
      v.integer('must be a whole number'),
      v.minValue(1, 'must be at least 1'),
      v.maxValue(MAX_SEARCH_RESULTS, `must be at most ${MAX_SEARCH_RESULTS}`),
      v.description(`Most sections to return, ${DEFAULT_SEARCH_RESULTS} by default.`),
    ),
  ),
});

export const readPageInputSchema = v.object({
  page: text(
    MAX_ADDRESS_LENGTH,
    'URL or path of the page, as search_docs and ask_docs give it. With a fragment (#heading), reading starts at that section.',
  ),
  offset: v.optional(
    v.pipe(
      v.number(),
      v.integer('must be a whole number'),
      v.minValue(0, 'must be at least 0'),
      v.description('Character to read on from, as the end of an earlier result names it.'),
    ),
  ),
  package: packageName(''),
});

export const checkClaimsInputSchema = v.object({
  text: text(
    MAX_CLAIMS_TEXT,
    'Markdown with the statements to check, such as your draft of an answer. Each sentence, list item or table row is checked by itself, so name what it is about.',
  ),
  package: packageName(' Without it, all of them are compared.'),
  version: v.optional(
    text(MAX_FILTER_LENGTH, 'Only pages of this version of the docs, such as "v2".'),
  ),
  language: v.optional(
    text(MAX_FILTER_LENGTH, 'Only pages in this human language, as a code such as "en".'),
  ),
});

/** A page or section that an answer names. */
const sourceSchema = v.object({
  number: count,
  title: v.string(),
  url: v.string(),
  /** Path of the page, which `read_docs_page` takes. Known for local docs only. */
  path: v.optional(v.string()),
  heading: v.optional(v.string()),
});

export const answerSchema = v.object({
  answer: v.pipe(v.string(), v.description('The answer in Markdown.')),
  site: v.pipe(v.string(), v.description('Name of the docs that were asked.')),
  isComplete: v.pipe(
    v.boolean(),
    v.description('Whether the answer is whole: it neither broke off nor was cut to fit.'),
  ),
  problem: v.optional(
    v.pipe(v.string(), v.description('Why the answer is not whole, and what to do about it.')),
  ),
  sources: v.array(sourceSchema),
  omittedSources: v.pipe(count, v.description('Number of sources left out to fit.')),
  unproven: v.pipe(
    v.array(v.string()),
    v.description('Statements of the answer that its sources do not support.'),
  ),
  redacted: v.pipe(
    v.array(v.string()),
    v.description('Kinds of secrets that were replaced in the question before it was sent.'),
  ),
  isSections: v.optional(
    v.pipe(
      v.boolean(),
      v.description('True if no model wrote an answer: it is the sections to answer from.'),
    ),
  ),
});

const foundSectionSchema = v.object({
  title: v.string(),
  heading: v.optional(v.string()),
  url: v.string(),
  /** Path of the section, which `read_docs_page` takes. */
  path: v.string(),
  version: v.optional(v.string()),
  language: v.optional(v.string()),
  excerpt: v.pipe(
    v.string(),
    v.description('The part of the section that fits best, in Markdown.'),
  ),
});

export const searchResultSchema = v.object({
  site: v.pipe(v.string(), v.description('Name of the docs that were searched.')),
  sections: v.pipe(v.array(foundSectionSchema), v.description('Sections, best first.')),
  omittedSections: v.pipe(count, v.description('Number of sections left out to fit.')),
  isWeak: v.pipe(
    v.boolean(),
    v.description('Whether the sections only share words with the query and hardly answer it.'),
  ),
  isIndexing: v.pipe(
    v.boolean(),
    v.description('Whether pages are still being read, so that more can be found in a moment.'),
  ),
});

const claimSchema = v.object({
  statement: v.pipe(v.string(), v.description('The statement, or a name in code.')),
  verdict: v.pipe(
    v.picklist(['supported', 'unsupported']),
    v.description('Whether a page says it. An unsupported statement can still be true.'),
  ),
  reason: v.optional(v.pipe(v.string(), v.description('What the nearest section does not have.'))),
  /** Section that supports the statement, or that comes nearest. */
  source: v.optional(
    v.object({
      title: v.string(),
      heading: v.optional(v.string()),
      url: v.string(),
      /** Path of the section, which `read_docs_page` takes. */
      path: v.string(),
    }),
  ),
});

export const claimsResultSchema = v.object({
  site: v.pipe(v.string(), v.description('Name of the docs that were compared with.')),
  claims: v.pipe(v.array(claimSchema), v.description('Statements in the order of the text.')),
  omittedClaims: v.pipe(count, v.description('Number of statements left out to fit.')),
  isIndexing: v.pipe(
    v.boolean(),
    v.description('Whether pages are still being read, so that more can be supported in a moment.'),
  ),
});

export const pageSchema = v.object({
  title: v.string(),
  url: v.string(),
  path: v.string(),
  version: v.optional(v.string()),
  language: v.optional(v.string()),
  markdown: v.pipe(v.string(), v.description('The page in Markdown, from the offset on.')),
  offset: v.pipe(count, v.description('First character of the Markdown within the page.')),
  length: v.pipe(count, v.description('Characters of the whole page.')),
  nextOffset: v.optional(
    v.pipe(count, v.description('Offset to read on from. Absent at the end of the page.')),
  ),
});

export type AskInput = v.InferOutput<typeof askInputSchema>;
export type SearchInput = v.InferOutput<typeof searchInputSchema>;
export type ReadPageInput = v.InferOutput<typeof readPageInputSchema>;
export type CheckedStatement = v.InferOutput<typeof claimSchema>;
export type ClaimsResult = v.InferOutput<typeof claimsResultSchema>;
export type AskToolResult = v.InferOutput<typeof answerSchema>;
export type AskToolSource = v.InferOutput<typeof sourceSchema>;
export type SearchResult = v.InferOutput<typeof searchResultSchema>;
export type SearchedSection = v.InferOutput<typeof foundSectionSchema>;
export type ReadPageResult = v.InferOutput<typeof pageSchema>;

/** Name of a docs tool, as MCP clients and models know it. */
type ToolName = 'ask_docs' | 'search_docs' | 'read_docs_page' | 'check_claims';

/** JSON schema (draft 7) of an object. */
interface ObjectJsonSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

export interface ToolDefinition {
  readonly name: ToolName;
  /** Method of the docs tools that answers a call. */
  readonly method: 'ask' | 'search' | 'readPage' | 'checkClaims';
  /** Name for people. */
  readonly title: string;
  /** Description for a model: what the tool does, when to use it, and what it returns. */
  readonly modelDescription: string;
  /** Description for people. */
  readonly userDescription: string;
  readonly inputSchema: ObjectJsonSchema;
  readonly outputSchema: ObjectJsonSchema;
  /** Facts about the tool as VS Code declares it in package.json. */
  readonly vscode: {
    readonly name: string;
    /** Name behind `#` in a chat. */
    readonly referenceName: string;
    readonly icon: string;
    readonly tags: readonly string[];
  };
}

/** Returns the JSON schema of an object, without the name of its dialect. */
function jsonSchema(schema: v.GenericSchema): ObjectJsonSchema {
  // These change only what comes out, so the schema of the input doesn't need them.
  const ignoreActions = ['trim', 'transform'];
  const { $schema: _dialect, ...made } = toJsonSchema(schema, { ignoreActions });
  return made as unknown as ObjectJsonSchema;
}

/** Start of a sentence about `ask_docs`, which programs replace for docs that cost nothing. */
export const SPENDS_CREDIT = 'It can spend a credit of the user’s organization, so ask';

export const toolDefinitions: readonly ToolDefinition[] = [
  {
    name: 'ask_docs',
    method: 'ask',
    title: 'Ask the Docs',
    modelDescription: `Asks the assistant of the documentation that the user has set up, and returns its answer in Markdown with numbered sources. Where no model writes the answers, it returns the best sections whole instead, to answer from. Use it for questions about the documented product: how to do something, why something fails, what an option or an error means. ${SPENDS_CREDIT} one complete question instead of several small ones, and do not repeat a question that was answered.`,
    userDescription: 'Asks your docs a question and returns the answer with its sources',
    inputSchema: jsonSchema(askInputSchema),
    outputSchema: jsonSchema(answerSchema),
    vscode: {
      name: languageModelTools.ask,
      referenceName: 'askDocs',
      icon: '$(comment-discussion)',
      tags: ['documentation', 'docs', 'docs-assistant'],
    },
  },
  {
    name: 'search_docs',
    method: 'search',
    title: 'Search the Docs',
    modelDescription:
      'Searches the documentation that the user has set up and returns the best sections with titles, addresses and excerpts. Costs nothing. Use it to find pages, names, options and error messages, then read a page with read_docs_page. It works for docs on the user’s machine (a folder, an exported site, or a fetched public site) and over the MCP server of a company’s docs service. Other hosted sites can’t be searched: use ask_docs for them.',
    userDescription: 'Searches the docs on this machine and returns the best sections',
    inputSchema: jsonSchema(searchInputSchema),
    outputSchema: jsonSchema(searchResultSchema),
    vscode: {
      name: languageModelTools.search,
      referenceName: 'searchDocs',
      icon: '$(search)',
      tags: ['documentation', 'docs', 'docs-assistant'],
    },
  },
  {
    name: 'read_docs_page',
    method: 'readPage',
    title: 'Read a Docs Page',
    modelDescription:
      'Returns a page of the documentation as Markdown, by the URL or path that search_docs or ask_docs gave. A long page is cut at the end of a block, with the offset to read on from. Costs nothing. It works for the same docs as search_docs.',
    userDescription: 'Reads a page of the docs on this machine',
    inputSchema: jsonSchema(readPageInputSchema),
    outputSchema: jsonSchema(pageSchema),
    vscode: {
      name: languageModelTools.readPage,
      referenceName: 'readDocsPage',
      icon: '$(book)',
      tags: ['documentation', 'docs', 'docs-assistant'],
    },
  },
  {
    name: 'check_claims',
    method: 'checkClaims',
    title: 'Check Claims Against the Docs',
    modelDescription:
      'Compares each statement of a text with the documentation, and returns whether a page supports it, with the section. Finds numbers, names, options, files and code that the docs don’t have, and statements that turn around what they say. Costs nothing. Use it on your draft before you state facts about the product, then correct or drop what is unsupported. It works for the same docs as search_docs.',
    userDescription: 'Checks which statements of a text the docs on this machine support',
    inputSchema: jsonSchema(checkClaimsInputSchema),
    outputSchema: jsonSchema(claimsResultSchema),
    vscode: {
      name: languageModelTools.checkClaims,
      referenceName: 'checkClaims',
      icon: '$(checklist)',
      tags: ['documentation', 'docs', 'docs-assistant'],
    },
  },
];
