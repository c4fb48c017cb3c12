/** The figures of `deno task chore tidy`, and the places that each of them counts. */
import { bannedPlaces } from "./banned_words.ts";
import { functionsIn, percentile } from "./functions.ts";
import { importCircles } from "./imports.ts";
import { paragraphsOf } from "./paragraphs.ts";
import { commentBlocks, documentBlocks, type ProseBlock } from "./prose.ts";
import { danglingPlaces } from "./references.ts";
import { type Sentence, sentencesOf } from "./sentences.ts";
import { isProduct, type Place, type Repository, type Source } from "./sources.ts";

/** A longer file holds more than one idea. */
export const FILE_LINES_MAX = 450;
/** A longer sentence holds more than one thought. */
const SENTENCE_WORDS_MAX = 25;

/** The figures that the command prints. The names are keys of `--json`. */
export interface Figures {
  /** Occurrences. */
  readonly bannedWords: number;
  /** Share of the sentences that open with "who", "what" and the like in place of a noun, 0 … 1. */
  readonly headlessSentenceShare: number;
  /** For each folder, the number of source files (ts, css, html) directly in it. */
  readonly flatFiles: Readonly<Record<string, number>>;
  /** Lengths of the product's functions, in lines. */
  readonly functionMedian: number;
  readonly functionP90: number;
  readonly functionLongest: number;
  /** Files of code and tests over `FILE_LINES_MAX`. */
  readonly filesOver400: number;
  readonly danglingReferences: number;
  readonly importCircles: number;
  readonly sentencesOver25Words: number;
  /** Their share of all sentences, 0 … 1. */
  readonly sentencesOver25WordsShare: number;
}

export interface Report {
  readonly figures: Figures;
  /** For each figure, every place that it counts. */
  readonly places: Readonly<Record<string, readonly Place[]>>;
}

/** A sentence and its file. */
export type PlacedSentence = Sentence & Place;

export function measure(repository: Repository): Report {
  const { paths, sources } = repository;
  const sentences = sentencesIn(repository);
  const lengths = sources.filter(({ path }) => isProduct(path)).flatMap(functionsIn).map((
    { length },
  ) => length);
  const places = {
    bannedWords: bannedPlaces(repository),
    headlessSentences: sentences.filter(({ isHeadless }) => isHeadless),
    filesOver400: longFiles(sources),
    danglingReferences: danglingPlaces(repository),
    importCircles: importCircles(sources).map((circle) => ({
      path: circle[0]!,
      line: 1,
      text: circle.join(", "),
    })),
    sentencesOver25Words: sentences.filter(({ length }) => length > SENTENCE_WORDS_MAX),
  };
  return {
    places,
    figures: {
      bannedWords: places.bannedWords.length,
      headlessSentenceShare: shareOf(places.headlessSentences, sentences),
      flatFiles: flatFiles(paths),
      functionMedian: percentile(lengths, 0.5),
      functionP90: percentile(lengths, 0.9),
      functionLongest: percentile(lengths, 1),
      filesOver400: places.filesOver400.length,
      danglingReferences: places.danglingReferences.length,
      importCircles: places.importCircles.length,
      sentencesOver25Words: places.sentencesOver25Words.length,
      sentencesOver25WordsShare: shareOf(places.sentencesOver25Words, sentences),
    },
  };
}

/** The sentences of all comments and documents. */
export function sentencesIn({ sources, styles, documents }: Repository): PlacedSentence[] {
  const placed = (path: string, blocks: readonly ProseBlock[]) =>
    blocks.flatMap(paragraphsOf).flatMap(sentencesOf).map((sentence) => ({ ...sentence, path }));
  return [
    ...[...sources, ...styles].flatMap((source) => placed(source.path, commentBlocks(source))),
    ...documents.flatMap((document) => placed(document.path, documentBlocks(document))),
  ];
}

/**
 * @returns for each code folder and every folder below it, ascending, the number of source files
 *   directly in it
 */
export function flatFiles(paths: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const folders = path.split("/").slice(0, -1);
    if (!/^(server|client|shared|tests)$/.test(folders[0] ?? "")) continue;
    for (let depth = 1; depth <= folders.length; depth++) {
      const folder = folders.slice(0, depth).join("/");
      const isDirect = depth === folders.length && /\.(ts|css|html)$/.test(path);
      counts.set(folder, (counts.get(folder) ?? 0) + (isDirect ? 1 : 0));
    }
  }
  return Object.fromEntries([...counts].sort(([a], [b]) => a < b ? -1 : 1));
}

function longFiles(sources: readonly Source[]): Place[] {
  return sources.filter(({ lines }) => lines.length > FILE_LINES_MAX).map(({ path, lines }) => ({
    path,
    line: 1,
    text: `${lines.length} lines`,
  }));
}

/** @returns 0 … 1, rounded to four decimals */
function shareOf(part: readonly unknown[], all: readonly unknown[]): number {
  return all.length === 0 ? 0 : Math.round(part.length / all.length * 10_000) / 10_000;
}
