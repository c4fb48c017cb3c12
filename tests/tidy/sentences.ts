/**
 * Splits paragraphs into sentences. It counts their words, and finds headless ones: those that open
 * with a word in place of a noun.
 *
 * Code spans, links and addresses are masked by as many letters, so that a dot inside them ends no
 * sentence.
 */
import type { Paragraph } from "./paragraphs.ts";

export interface Sentence {
  /** Its first line in the file, from 1. */
  readonly line: number;
  readonly text: string;
  /** Number of words. A code span and a hyphenated word count as one. */
  readonly length: number;
  readonly isHeadless: boolean;
}

/**
 * Marks that end a sentence, and closing marks behind them. "0 … 1" and "e.g. this" do not end one.
 */
const END = /(?:[.!?]+|…(?=\S*\s+\p{Lu}))[)\]"'”’*_]*(?=\s|$)/gu;
const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|cf|vs|approx|resp)\.$/;

/** A statement that opens with one of these is headless. */
const RELATIVES = new Set(["who", "whose", "whom", "whoever", "what", "whatever", "where"]);
/** Before one of these words, "that" is no determiner of a noun. */
const AFTER_HEADLESS_THAT = new Set(
  ("a an the this these those it he she they we you i one both all some any no each every nobody everybody anybody nothing " +
    "everything something who what which there its his her their our your are were can could may might must shall should " +
    "will would have had do did came went made took gave kept left meant got let cost put so too also not never")
    .split(
      " ",
    ),
);
/**
 * Endings of singular nouns in "-s". Any other word in "-s" is a verb, or a plural that "that"
 * cannot determine.
 */
const SINGULAR_IN_S = /(?:ss|us|is|as|lens|chaos)$/;

/**
 * @returns the sentences of one paragraph; a fragment such as a docstring's "Metres." counts as one
 */
export function sentencesOf({ lines, tag }: Paragraph): Sentence[] {
  const text = lines.map((line) => line.text).join(" ");
  const masked = withMasks(text);
  const sentences: Sentence[] = [];
  let begin = 0;

  for (const end of [...endsIn(masked), masked.length]) {
    const shown = masked.slice(begin, end);
    const length = shown.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
    if (length > 0) {
      const at = begin + shown.length - shown.trimStart().length;
      const isHeadless = !/\?\W*$/.test(shown) && opensHeadless(shown, tag);
      sentences.push({
        line: lineAt(lines, at),
        text: text.slice(at, end).trim(),
        length,
        isHeadless,
      });
    }
    begin = end;
  }

  return sentences;
}

function endsIn(masked: string): number[] {
  return [...masked.matchAll(END)].map(({ 0: mark, index }) => index + mark.length).filter((end) =>
    !ABBREVIATION.test(masked.slice(0, end))
  );
}

/**
 * @param masked a statement
 * @param tag in a docstring tag only relatives are headless: "@returns that body" names a noun
 */
function opensHeadless(masked: string, tag: string | undefined): boolean {
  const [, word, clitic, next] =
    /^[^\p{L}\p{N}]*(\p{L}+)(?:['’](\w+))?[*_)"”’]*(?=[\s,.;:]|$)\s*(\S*)/u.exec(masked) ??
      [];
  const first = word?.toLowerCase();
  if (first === undefined) return false;
  if (RELATIVES.has(first)) return true;
  if (tag !== undefined) return false;
  if (first === "of") return next !== "course" && next !== "course,";
  return first === "that" && (clitic !== undefined || !isNoun(next!));
}

/**
 * Classifies the word after "that" by a list and by its ending. Code, numbers and names cannot
 * follow a determiner.
 */
function isNoun(word: string): boolean {
  const [plain] = /^\p{Ll}[\p{Ll}-]*(?=[\s,.;:'’]|$)/u.exec(word) ?? [];
  if (plain === undefined || AFTER_HEADLESS_THAT.has(plain)) return false;
  return !plain.endsWith("s") ||
    SINGULAR_IN_S.test(plain) && plain !== "is" && plain !== "was" && plain !== "has";
}

function withMasks(text: string): string {
  const blank = (found: string) => " ".repeat(found.length);
  const letters = (found: string) => "X".repeat(found.length);
  return text
    .replace(/`[^`]*`/g, letters)
    .replace(/!\[[^\]]*\]\([^)]*\)/g, blank)
    .replace(
      /\[([^\]]*)\](\([^)]*\))/g,
      (_, label: string, target: string) => ` ${label} ${blank(target)}`,
    )
    .replace(/\bhttps?:\/\/\S*[\w/]/g, letters);
}

function lineAt(lines: Paragraph["lines"], offset: number): number {
  let begin = 0;
  for (const { line, text } of lines) {
    begin += text.length + 1;
    if (offset < begin) return line;
  }
  return lines.at(-1)!.line;
}
