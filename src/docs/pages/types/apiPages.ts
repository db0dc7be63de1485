/** The API of a package as pages of docs. */
import { visibleText } from '../../../shared/characters';
import { codeSpan, escapeMarkdown, fenced } from '../markup/markdownWriter';
import { markdown, type DocsPage } from '../page';
import {
  boldBlock,
  NOT_EXPORTED,
  type Section,
  type SectionBlock,
  type SectionPlace,
  sectionsOf,
} from '../sections';
import type { Env } from 'markdown-it';
import type { ApiDeclaration, ApiModule, ApiReference, ApiSymbol, PackageApi } from './apiModules';
import {
  deprecationMarkdown,
  type DocComment,
  docCommentMarkdown,
  indented,
  readDocComment,
} from './docComment';
import type { Member } from './members';

/** Characters of members' docs up to which they are a list in the section of their parent. */
const MAX_LISTED = 1500;
/** Maximum characters of the code at the top of a section. */
const MAX_CODE = 6000;
/** Maximum characters of a member's signature in a list. */
const MAX_INLINE = 160;
/** Maximum number of names that a list of references has in one section. */
const REFERENCES_PER_SECTION = 100;

/** Returns the API of a package as pages, one for each module. */
export async function apiPages(api: PackageApi, pause: () => Promise<void>): Promise<DocsPage[]> {
  const pages: DocsPage[] = [];
  const paths = new Set<string>();
  for (const module of api.modules) {
    const page = new PageWriter(module);
    page.writeTop();
    for (const symbol of module.symbols) {
      for (const member of page.writeSymbol(symbol)) {
        page.writeMember(symbol, member);
        await pause();
      }
      await pause();
    }
    page.writeReferences();
    pages.push(page.toPage(paths));
  }
  return pages;
}

/** Markdown, or a block of code. */
type Part = string | SectionBlock;

class PageWriter {
  readonly #module: ApiModule;
  readonly #sections: Section[] = [];
  readonly #references: Record<string, string> = {};
  readonly #slugs = new Set<string>();

  constructor(module: ApiModule) {
    this.#module = module;
  }

  toPage(paths: Set<string>): DocsPage {
    const { name, file, doc } = this.#module;
    // An ambient module shares its file with others, and so does one of another package.
    const path = paths.has(file) ? `${file}/${name}` : file;
    paths.add(path);
    const [description = ''] = doc.text.split(/\n\s*\n/);
    return {
      path,
      route: `api/${name}`,
      title: name,
      description: description.replace(/\s+/g, ' ').slice(0, 300),
      groups: [],
      sections: this.#sections,
      references: this.#references,
      problems: [],
    };
  }

  writeTop(): void {
    const { name, place, doc, wholePackages } = this.#module;
    const parts: Part[] = [docCommentMarkdown(doc)];
    for (const other of wholePackages)
      parts.push(`This module also exports everything from ${codeSpan(other)}.`);
    this.#add(name, [], '', parts, place);
  }

  /** Writes the section of a name. Returns the members that need sections of their own. */
  writeSymbol(symbol: ApiSymbol): readonly DocumentedMember[] {
    const { name, place, declarations, exportDoc } = symbol;
    const parts: Part[] = [];
    const isDeprecated = declarations.every(
      ({ docComment }) => docComment.deprecated !== undefined,
    );
    const deprecated =
      exportDoc.deprecated ?? (isDeprecated ? declarations[0]?.docComment.deprecated : undefined);
    if (deprecated !== undefined) parts.push(deprecationMarkdown(deprecated));
    const told = accessNote(symbol);
    if (told !== '') parts.push(told);
    for (const group of signatureGroups(declarations)) {
      parts.push(codeBlock(group.code));
      const doc = withoutDeprecation(group.doc, deprecated);
      const said = docCommentMarkdown(doc);
      if (said !== '') parts.push(said);
    }
    const exported = docCommentMarkdown(withoutDeprecation(exportDoc, deprecated));
    if (exported !== '') parts.push(exported);
    if (place.package !== undefined) parts.push(`From the package ${codeSpan(place.package)}.`);
    if (symbol.aliases.length > 0) {
      const names = symbol.aliases.map((alias) =>
        alias === 'default' ? 'the default export' : codeSpan(alias),
      );
      parts.push(`Also exported as ${names.join(', ')}.`);
    }
    const members = documentedMembers(declarations);
    const isList = members.length > 0 && !areLong(members);
    if (isList) parts.push(members.map((member) => memberItem(member)).join('\n'));
    this.#add(name, [], name, parts, place);
    return isList ? [] : members;
  }

  writeMember(
    { name: parent }: ApiSymbol,
    { name, doc, signatures, place, members }: DocumentedMember,
  ): void {
    const heading = name.startsWith('[') ? `${parent}${name}` : `${parent}.${name}`;
    const parts: Part[] = [];
    if (doc.deprecated !== undefined) parts.push(deprecationMarkdown(doc.deprecated));
    parts.push(codeBlock(signatures.join('\n')));
    const said = docCommentMarkdown(withoutDeprecation(doc, doc.deprecated));
    if (said !== '') parts.push(said);
    if (members.length > 0) parts.push(members.map((member) => memberItem(member)).join('\n'));
    this.#add(heading, [parent], heading, parts, place);
  }

  writeReferences(): void {
    const byModule = new Map<string, ApiReference[]>();
    for (const reference of this.#module.references) {
      if (reference.exportDoc.deprecated !== undefined || reference.as === '*') {
        this.#writeReference(reference);
        continue;
      }
      const found = byModule.get(reference.module);
      if (found) found.push(reference);
      else byModule.set(reference.module, [reference]);
    }
    for (const [module, references] of byModule) {
      for (let at = 0; at < references.length; at += REFERENCES_PER_SECTION) {
        const some = references.slice(at, at + REFERENCES_PER_SECTION);
        const names = some.map(({ name, as }) =>
          name === as ? codeSpan(name) : `${codeSpan(name)} (${codeSpan(as)} there)`,
        );
        const heading = `Exports from ${module}`;
        const text = `This module also exports from ${codeSpan(module)}: ${names.join(', ')}.`;
        const [first] = some;
        if (first) this.#add(heading, [], heading, [text], first.place);
      }
    }
  }

  #writeReference({ name, module, as, exportDoc, place }: ApiReference): void {
    const what =
      as === '*'
        ? `The names of the module ${codeSpan(module)}.`
        : `${codeSpan(as)} of ${codeSpan(module)}.`;
    const said = docCommentMarkdown(withoutDeprecation(exportDoc, exportDoc.deprecated));
    const { deprecated } = exportDoc;
    const note = deprecated === undefined ? '' : deprecationMarkdown(deprecated);
    const parts = [note, what, said];
    this.#add(name, [], name, parts, place);
  }

  #add(
    heading: string,
    ancestors: readonly string[],
    slug: string,
    parts: readonly Part[],
    place: SectionPlace,
  ): void {
    const blocks: SectionBlock[] = [];
    let text = '';
    for (const part of [...parts, undefined]) {
      if (typeof part === 'string') {
        if (part !== '') text += text === '' ? part : `\n\n${part}`;
        continue;
      }
      if (text !== '') blocks.push(...this.#blocksOf(text));
      text = '';
      if (part) blocks.push(part);
    }
    if (blocks.length === 0) return;
    this.#sections.push({
      heading,
      ancestors,
      slug: this.#slug(slug),
      blocks,
      place,
    });
  }

  /** Returns the blocks of a Markdown text. Its headings become labels. */
  #blocksOf(text: string): SectionBlock[] {
    const env: Env = {};
    const tokens = markdown.parse(text, env);
    for (const [name, { href }] of Object.entries(env.references ?? {})) {
      if (!Object.hasOwn(this.#references, name)) this.#references[name] = href;
    }
    return sectionsOf(tokens, text.split('\n'), '').flatMap(({ heading, blocks }) =>
      heading === '' ? blocks : [boldBlock(heading), ...blocks],
    );
  }

  /** Returns a fragment that no other section of the page has. */
  #slug(wanted: string): string {
    const plain = wanted.replace(/[^\p{L}\p{N}._$-]+/gu, '-').replace(/^-|-$/g, '');
    let slug = plain;
    for (let count = 1; slug !== '' && this.#slugs.has(slug); count++) slug = `${plain}-${count}`;
    this.#slugs.add(slug);
    return slug;
  }
}

function withoutDeprecation(doc: DocComment, told: string | undefined): DocComment {
  return told === undefined ? doc : { ...doc, deprecated: undefined };
}

function accessNote({ access, target }: ApiSymbol): string {
  switch (access) {
    case 'export':
      return '';
    case 'export=':
      return 'The module itself (`export =`).';
    case 'global':
      return 'Global: it needs no import.';
    case 'augmentation':
      return `Added to the module ${codeSpan(target ?? '')}.`;
    case 'internal':
      return NOT_EXPORTED;
  }
}

interface SignatureGroup {
  readonly code: string;
  readonly doc: DocComment;
}

/** Returns the signatures of a name, each with the docs that follow it. Overloads share the docs before them. */
function signatureGroups(declarations: readonly ApiDeclaration[]): SignatureGroup[] {
  const groups: { codes: string[]; doc: DocComment }[] = [];
  const byComment = new Map<string, { codes: string[] }>();
  for (const declaration of declarations) {
    const { doc: comment, docComment: doc } = declaration;
    const code = declarationCode(declaration);
    const known = comment === '' ? groups.at(-1) : byComment.get(comment);
    if (known) {
      known.codes.push(code);
      continue;
    }
    const group = { codes: [code], doc };
    byComment.set(comment, group);
    groups.push(group);
  }
  return groups.map(({ codes, doc }) => ({ code: codes.join('\n'), doc }));
}

/** Returns the code of a declaration, with the members of its body. */
function declarationCode({ kind, signature, members }: ApiDeclaration): string {
  if (kind === 'namespace') return `${signature} { … }`;
  if (kind !== 'class' && kind !== 'interface' && kind !== 'enum') return signature;
  if (members.length === 0) return `${signature} {}`;
  const lines: string[] = [];
  let length = 0;
  for (const { signature: member } of members) {
    length += member.length;
    if (length > MAX_CODE) {
      lines.push('  // …');
      break;
    }
    lines.push(`  ${member.replaceAll('\n', '\n  ')}${kind === 'enum' ? ',' : ';'}`);
  }
  return `${signature} {\n${lines.join('\n')}\n}`;
}

/** Returns code as a block. Markdown that has it would have to be parsed, which takes most of the time. */
function codeBlock(code: string): SectionBlock {
  const plain = visibleText(code);
  const text = plain.length > MAX_CODE + 1000 ? `${plain.slice(0, MAX_CODE)}\n// …` : plain;
  return { kind: 'code', markdown: fenced(text, 'ts'), text, codeLanguage: 'typescript' };
}

interface DocumentedMember {
  readonly name: string;
  readonly signatures: readonly string[];
  readonly doc: DocComment;
  readonly place: SectionPlace;
  readonly members: readonly DocumentedMember[];
}

/** Returns the members that have docs, with the overloads of one name together. */
function documentedMembers(
  parents: readonly { readonly members: readonly Member[]; readonly place: SectionPlace }[],
): DocumentedMember[] {
  const found = new Map<
    string,
    { signatures: string[]; comments: Set<string>; place: SectionPlace; members: Member[] }
  >();
  for (const { members, place } of parents) {
    for (const { name, signature, doc, line, isStatic, members: nested } of members) {
      const key = `${isStatic ? 'static ' : ''}${name}`;
      const known = found.get(key);
      if (known) {
        known.signatures.push(signature);
        if (doc !== '') known.comments.add(doc);
        known.members.push(...nested);
        continue;
      }
      found.set(key, {
        signatures: [signature],
        comments: new Set(doc === '' ? [] : [doc]),
        place: { ...place, line },
        members: [...nested],
      });
    }
  }
  const documented: DocumentedMember[] = [];
  for (const [key, { signatures, comments, place, members: nested }] of found) {
    const members = documentedMembers([{ members: nested, place }]);
    if (comments.size === 0 && members.length === 0) continue;
    const doc = joinedDocs([...comments]);
    documented.push({ name: key.replace(/^static /, ''), signatures, doc, place, members });
  }
  return documented;
}

/** Joins the docs of overloads. What several of them say is said once. */
function joinedDocs(comments: readonly string[]): DocComment {
  const docs = comments.map((comment) => readDocComment(comment));
  const texts = new Set(docs.map((doc) => doc.text));
  const tags = docs.flatMap((doc) => doc.tags);
  return {
    text: [...texts].filter(Boolean).join('\n\n'),
    tags: [...new Map(tags.map((tag) => [`${tag.name} ${tag.text}`, tag])).values()],
    deprecated: docs.every((doc) => doc.deprecated !== undefined) ? docs[0]?.deprecated : undefined,
    defaultValue: docs.find((doc) => doc.defaultValue !== undefined)?.defaultValue,
  };
}

/** Returns whether the docs of members are too long for a list in the section of their parent. */
function areLong(members: readonly DocumentedMember[]): boolean {
  let length = 0;
  for (const { doc } of members) {
    if (doc.tags.some(({ name }) => name === 'example') || doc.text.includes('```')) return true;
    length += doc.text.length + 40;
    for (const { text } of doc.tags) length += text.length;
  }
  return length > MAX_LISTED;
}

function memberItem({ name, signatures, doc, members }: DocumentedMember): string {
  const flat = visibleText(signatures[0] ?? '').replace(/\s+/g, ' ');
  const code = flat.length > MAX_INLINE ? `${flat.slice(0, MAX_INLINE)} …` : flat;
  const said = indented(docCommentMarkdown(doc));
  const items = members.map((member) => `\n  ${indented(memberItem(member))}`).join('');
  const isShown = flat.includes(name) || name.endsWith('()');
  const title = isShown ? codeSpan(code) : `**${escapeMarkdown(name)}** ${codeSpan(code)}`;
  return `- ${title}${said === '' ? '' : `: ${said}`}${items}`;
}
