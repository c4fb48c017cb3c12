/**
 * Finds words that the project has replaced, in names, comments, documents and titles of tests.
 * Texts that users read are exempt: HTML, and strings that are no title. This file and the planted
 * texts of its test are the only ones that may contain the words.
 */
import { commentBlocks, documentBlocks } from "./prose.ts";
import {
  pathOfModule,
  type Place,
  type Repository,
  type Source,
  type TextFile,
} from "./sources.ts";
import type { Token } from "./tokens.ts";

/**
 * One family of inflections in each line. Forms that are not listed are free, such as "pacing" and
 * "reminder".
 */
const BANNED = new Set(
  `tell tells telling tellings told untold retell retells retelling retold
  settle settles settled settling
  bond bonds bonded bonding
  roster rosters
  actor actors
  mind minds minded
  knock knocks knocked knocking
  pace paces paced
  heal heals healed healing
  heed heeds heeded
  complain complains complained complaining complaint complaints
  foresee foresees foreseen foresaw foresight foreknown
  tether tethers tethered
  boxed
  remind reminds reminded reminding
  neighbourhood neighbourhoods neighborhood neighborhoods
  house houses housed`.split(/\s+/),
);
/** Banned in prose alone: a name has no gender. */
const PRONOUNS = new Set(["he", "him", "his", "himself"]);
/**
 * Published keys: of `--json`, of the metrics, and of the trace file that the overlay downloads
 * (`client/debug/trace.ts`).
 */
const PUBLISHED = /\b(npcForeknown(Share)?|foreknownShare)\b/g;

const WORD = /[A-Za-z]+(?:[-_][A-Za-z]+)*/g;
/** Splits names: the parts of "HTTPServer_toldOf" are "HTTP", "Server", "told" and "Of". */
const PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g;
/**
 * Matches the text before a test's title. Functions that register tests are named like
 * `browserTest`.
 */
const BEFORE_TITLE =
  /(?:\bDeno\.test(?:\.\w+)?|\bt(?:est)?\.step|(?<![\w.])[a-z]\w*Test)\(\s*(?:\{[^{}]*?\bname:\s*)?$/;
/** `BEFORE_TITLE` sees at most this many characters. */
const BEFORE_TITLE_CHARS = 200;

/** @returns one place for each occurrence; its text is the word and its line */
export function bannedPlaces({ sources, styles, documents }: Repository): Place[] {
  const own = pathOfModule(import.meta.url);
  return [
    ...[...sources, ...styles].filter(({ path }) => path !== own).flatMap(bannedInSource),
    ...documents.flatMap(bannedInDocument),
  ];
}

function bannedInSource(source: Source): Place[] {
  const { path, lines, tokens } = source;
  const place = (line: number) => (word: string) => ({
    path,
    line,
    text: `${word}: ${lines[line - 1]?.trim()}`,
  });
  const name = path.split("/").at(-1)!.replace(/\.\w+$/, "");
  return [
    ...bannedIn(name).map((word) => ({ path, line: 1, text: `${word}: the file's name` })),
    ...commentBlocks(source).flat().flatMap(({ line, text }) =>
      bannedIn(text, PRONOUNS).map(place(line))
    ),
    ...tokens.filter(({ kind }) => kind === "name").flatMap(({ line, text }) =>
      bannedIn(text).map(place(line))
    ),
    ...titlesOf(source).flatMap(({ line, text }) => bannedIn(text, PRONOUNS).map(place(line))),
  ];
}

function bannedInDocument(document: TextFile): Place[] {
  const { path } = document;
  // All lines of a script count, because it prints most of its words.
  const lines = path.endsWith(".json")
    ? documentBlocks(document).flat()
    : document.lines.map((text, i) => ({ line: i + 1, text }));
  return lines.flatMap(({ line, text }) =>
    bannedIn(text, PRONOUNS).map((word) => ({ path, line, text: `${word}: ${text.trim()}` }))
  );
}

/** The strings that are titles of tests or of their steps. */
function titlesOf({ path, text, tokens }: Source): Token[] {
  if (!path.startsWith("tests/")) return [];
  const isTitle = ({ kind, at }: Token) =>
    kind === "string" && BEFORE_TITLE.test(text.slice(Math.max(0, at - BEFORE_TITLE_CHARS), at));
  const titles: Token[] = [];
  let isOpen = false;
  for (const token of tokens) {
    // Each later part of a template begins with the brace that closes a substitution.
    const continues = isOpen && token.kind === "string" && token.text.startsWith("}");
    if (!continues && !isTitle(token)) continue;
    titles.push(token);
    isOpen = token.text.endsWith("${");
  }
  return titles;
}

/** @returns the banned words of a text in their order, in lower case */
export function bannedIn(text: string, more: ReadonlySet<string> = new Set()): string[] {
  const found: string[] = [];
  for (const [word] of text.replace(PUBLISHED, "").matchAll(WORD)) {
    if (more.has(word.toLowerCase())) found.push(word.toLowerCase());
    const parts = [...word.matchAll(PART)].map(([part]) => part.toLowerCase());
    found.push(...parts.filter((part) => BANNED.has(part)));
    found.push(
      ...parts.filter((part, i) => part === "stand" && /^ins?$/.test(parts[i + 1] ?? "")).map(() =>
        "stand-in"
      ),
    );
  }
  return found;
}
