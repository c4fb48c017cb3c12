/** The figures of this repository beside those of any folder: its words, sentences and folders. */
import { bannedPlaces } from "./banned_words.ts";
import { type FolderFigures, type FolderReport, measureFiles, shareOf } from "./figures.ts";
import { paragraphsOf } from "./paragraphs.ts";
import { commentBlocks, documentBlocks, type ProseBlock } from "./prose.ts";
import { type Sentence, sentencesOf } from "./sentences.ts";
import { absoluteOf, isProduct, type Place, type Repository } from "./sources.ts";

/** A longer sentence may hold more than one thought. */
const SENTENCE_WORDS = 25;

/** The names are keys of `--json`. */
export interface TextFigures {
  /** Occurrences. */
  readonly bannedWords: number;
  /** Share of the sentences that open with "who", "what" and the like in place of a noun, 0 … 1. */
  readonly headlessSentenceShare: number;
  /** For each folder, the number of source files (ts, css, html) directly in it. */
  readonly flatFiles: Readonly<Record<string, number>>;
  readonly sentencesOver25Words: number;
  /** Their share of all sentences, 0 … 1. */
  readonly sentencesOver25WordsShare: number;
}

/** Figures of this repository, and for most of them every place that they count. */
export interface Report {
  readonly figures: TextFigures & FolderFigures;
  readonly places: FolderReport["places"];
}

/** A sentence and its file. */
export type PlacedSentence = Sentence & Place;

/**
 * Measures the product's code, and the words of all code, tests and documents.
 * @throws Error if `deno lint` does not run
 */
export async function measureRepository(repository: Repository): Promise<Report> {
  const text = measureText(repository);
  const code = await measureFiles({
    sources: repository.sources.filter(({ path }) => isProduct(path)).map((source) => ({
      ...source,
      absolute: absoluteOf(source.path),
    })),
    documents: repository.documents.filter(({ path }) => path.endsWith(".md")),
  });
  return {
    figures: { ...text.figures, ...code.figures },
    places: { ...text.places, ...code.places },
  };
}

/** The part that needs no syntax tree. */
export function measureText(
  repository: Repository,
): { readonly figures: TextFigures; readonly places: FolderReport["places"] } {
  const sentences = sentencesIn(repository);
  const places = {
    bannedWords: bannedPlaces(repository),
    headlessSentences: sentences.filter(({ isHeadless }) => isHeadless),
    sentencesOver25Words: sentences.filter(({ length }) => length > SENTENCE_WORDS),
  };
  return {
    places,
    figures: {
      bannedWords: places.bannedWords.length,
      headlessSentenceShare: shareOf(places.headlessSentences.length, sentences.length),
      flatFiles: flatFiles(repository.paths),
      sentencesOver25Words: places.sentencesOver25Words.length,
      sentencesOver25WordsShare: shareOf(places.sentencesOver25Words.length, sentences.length),
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
