/** Counts the words by which a translation shows, in comments and in documents. */
import { paragraphsOf } from "./paragraphs.ts";
import type { ProseBlock } from "./prose.ts";

/** Occurrences in 1,000 words. */
export interface WordRates {
  /** "has" or "have". */
  readonly hasHave: number;
  readonly of: number;
  /** "nobody", "whoever" or "whose". */
  readonly nobodyWhoeverWhose: number;
  readonly you: number;
  /** "is no" or "are no". */
  readonly isNo: number;
}

/** Words of prose, and how often some of them occur. */
export interface WordFigures {
  readonly words: number;
  readonly perThousand: WordRates;
}

/** A code span or an address counts as one word. */
const CODE = /`[^`]*`|\bhttps?:\/\/\S*[\w/]/g;
const WORD = /\p{L}[\p{L}\p{N}-]*/gu;

/** Counts the sentences' words; code, tables and headings have none. */
export function wordsIn(blocks: readonly ProseBlock[]): WordFigures {
  const words = blocks.flatMap(paragraphsOf).flatMap(({ lines }) => {
    const text = lines.map((line) => line.text).join(" ").replace(CODE, " X ");
    return text.toLowerCase().match(WORD) ?? [];
  });
  const rate = (counts: (word: string, next: string | undefined) => boolean) => {
    const count = words.filter((word, i) => counts(word, words[i + 1])).length;
    return words.length === 0 ? 0 : Math.round(10_000 * count / words.length) / 10;
  };

  return {
    words: words.length,
    perThousand: {
      hasHave: rate((word) => word === "has" || word === "have"),
      of: rate((word) => word === "of"),
      nobodyWhoeverWhose: rate((word) => /^(nobody|whoever|whose)$/.test(word)),
      you: rate((word) => word === "you"),
      isNo: rate((word, next) => (word === "is" || word === "are") && next === "no"),
    },
  };
}
