/**
 * Finds mentions, in comments and documents, of targets that the repository lacks: files, folders,
 * documents, numbered rules and sections, headings, and targets of Markdown links.
 *
 * A mentioned path exists if it is a whole path, a path relative to the file, or the end of a whole
 * path. Web addresses are skipped.
 */
import { commentBlocks, documentBlocks, type ProseLine } from "./prose.ts";
import type { Place, Repository, TextFile } from "./sources.ts";

/** Excludes matches inside a longer path, a package's name or a pattern with placeholders. */
const NOT_INSIDE = String.raw`(?<![\w@*<>{}$./:-])`;
const FILE = new RegExp(
  String
    .raw`${NOT_INSIDE}((?:\.{1,2}\/)*(?:[\w-]+\/)*[\w-]+(?:\.[\w-]+)*\.(?:ts|md|css|html|json|png))\b(?![\w*(/-])`,
  "g",
);
const FOLDER = new RegExp(
  String.raw`${NOT_INSIDE}((?:server|client|shared|tests)\/[\w/-]*\w)\b(?![\w.*({<-])`,
  "g",
);
/**
 * Names of this project's documents, past and planned. `FILE` matches other documents by their
 * ".md".
 */
const DOCUMENT =
  /(?<![\w`/])(SPEC|README|DESIGN|WIRE|GLOSSARY|FACTS|GAME|HOUSE|STYLE)\b(?:\.md)?(?:,? (§? ?\d+(?:\.\d+)*(?:(?:, | and | to )\d+\.\d+)*)| "([^"]+)")?/g;
/** A bare number in parentheses cites a rule of the same document. */
const OWN_RULES = /\((\d+\.\d+(?:, \d+\.\d+)*)\)/g;
/** The same of sections. A section of an RFC is no reference. */
const OWN_SECTIONS =
  /(?<!RFC \d+,? )\b[Ss]ections? (\d+(?:\.\d+)*(?:(?:, | and | to )\d+(?:\.\d+)*)*)/g;
/** A file of an author's own project, of which examples speak. */
const OWN_PROJECT = /^(?:\.\/)?games\/\w+\/|^\.\/ship\.png$/;
const LINK = /\]\(([^)\s]+)\)|\bsrc="([^"]+)"/g;
const ADDRESS = /\b[a-z]+:\/\/\S+/g;

/** @returns one place for each mention; its text is the missing target and the line */
export function danglingPlaces(repository: Repository): Place[] {
  const index = new ReferenceIndex(repository);
  const { sources, styles, documents } = repository;
  return [
    ...[...sources, ...styles].map((source) => ({
      path: source.path,
      blocks: commentBlocks(source),
    })),
    ...documents.map((document) => ({ path: document.path, blocks: documentBlocks(document) })),
  ].flatMap(({ path, blocks }) =>
    blocks.flat().flatMap((line) =>
      index.missingIn(path, line).map((missing) => ({
        path,
        line: line.line,
        text: `${missing}: ${line.text.trim()}`,
      }))
    )
  );
}

class ReferenceIndex {
  /** Every file and folder, and every end of their paths. */
  readonly #ends = new Set<string>();
  readonly #whole = new Set<string>();
  readonly #documents: ReadonlyMap<string, TextFile>;

  constructor({ paths, documents }: Repository) {
    this.#documents = new Map(documents.map((document) => [document.path, document]));
    for (const path of paths) {
      const names = path.split("/");
      for (let end = 1; end <= names.length; end++) {
        this.#whole.add(names.slice(0, end).join("/"));
        for (let begin = 0; begin < end; begin++) this.#ends.add(names.slice(begin, end).join("/"));
      }
    }
  }

  /** @returns the missing targets that this line mentions, once each */
  missingIn(path: string, { text }: ProseLine): string[] {
    const plain = text.replace(ADDRESS, " ");
    const links = path.endsWith(".md")
      ? [...plain.matchAll(LINK)].map(([, link, src]) => (link ?? src)!)
      : [];
    const prose = plain.replace(LINK, " ");
    const files = [...prose.matchAll(FILE)].map(([, file]) => file!);
    const folders = [...prose.replace(FILE, " ").matchAll(FOLDER)].map(([, folder]) => folder!);
    return [
      ...new Set([
        ...links.filter((link) => !this.#hasLink(path, link)),
        ...files.filter((file) => !this.#has(path, file) && !OWN_PROJECT.test(file)),
        ...folders.filter((folder) => !this.#has(path, folder) && !this.#has(path, `${folder}.ts`)),
        ...this.#missingSections(path, prose),
      ]),
    ];
  }

  #has(from: string, mentioned: string): boolean {
    // The build's output is not in the repository.
    if (/(^|\/)dist(\/|$)/.test(mentioned)) return true;
    const relative = new URL(mentioned, `http://x/${from}`).pathname.slice(1);
    return this.#ends.has(mentioned) || this.#whole.has(relative);
  }

  #hasLink(from: string, link: string): boolean {
    if (/^[a-z]+:/.test(link)) return true;
    const [file, anchor] = link.split("#");
    const target = file === "" ? from : new URL(file!, `http://x/${from}`).pathname.slice(1);
    if (!this.#whole.has(target.replace(/\/$/, ""))) return false;
    const document = this.#documents.get(target);
    return anchor === undefined || document === undefined ||
      document.lines.some((line) =>
        line.startsWith("#") && slugOf(line.replace(/^#+ /, "")) === anchor
      );
  }

  *#missingSections(from: string, prose: string): Generator<string> {
    for (const [, name, numbers, heading] of prose.matchAll(DOCUMENT)) {
      const document = this.#documents.get(`${name}.md`);
      if (document === undefined) {
        // A mention with ".md" was already checked as a file.
        if (!prose.includes(`${name}.md`)) yield name!;
        continue;
      }
      const known = sectionsOf(document);
      for (const [number] of (numbers ?? "").matchAll(/\d+(?:\.\d+)*/g)) {
        if (!known.has(number)) yield `${name} ${number}`;
      }
      if (heading !== undefined && !headingsOf(document).includes(heading)) {
        yield `${name} "${heading}"`;
      }
    }

    const own = this.#documents.get(from);
    if (own === undefined) return;
    const sections = sectionsOf(own);
    if (sections.size === 0) return;
    const lists = [
      ...prose.matchAll(OWN_SECTIONS),
      ...(sections.has("1.1") ? prose.matchAll(OWN_RULES) : []),
    ];
    for (const [, list] of lists) {
      for (const [number] of list!.matchAll(/\d+(?:\.\d+)*/g)) {
        if (!sections.has(number)) yield `${from} ${number}`;
      }
    }
  }
}

const sectionCache = new WeakMap<TextFile, ReadonlySet<string>>();

/** @returns the numbers of headings, as in "## 4 Wire", and of rules, as in "4.2 A client …" */
function sectionsOf(document: TextFile): ReadonlySet<string> {
  const known = sectionCache.get(document);
  if (known !== undefined) return known;
  const numbers = document.lines.flatMap((line) => {
    const [, number] = /^#+ §?(\d+(?:\.\d+)*)\b/.exec(line) ??
      /^(?:- |\| )?\**(\d+\.\d+)\b/.exec(line) ?? [];
    return number === undefined ? [] : [number];
  });
  const sections = new Set(numbers);
  sectionCache.set(document, sections);
  return sections;
}

/** Titles of headings, without their numbers. */
function headingsOf({ lines }: TextFile): string[] {
  return lines.filter((line) => /^#+ /.test(line)).map((line) =>
    line.replace(/^#+ (?:§?[\d.]+ )?/, "")
  );
}

/** A heading's anchor, by GitHub's rules. */
function slugOf(heading: string): string {
  return heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-");
}
