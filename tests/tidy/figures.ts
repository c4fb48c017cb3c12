/**
 * The figures of a folder of sources, this project's or another's: how much air its long functions
 * have, how long its lines, functions and files are, and how its prose reads. No figure is a limit.
 */
import { commentBlocks, documentBlocks } from "./prose.ts";
import type { LocatedFile, Place, TextFile } from "./sources.ts";
import { syntaxOf } from "./syntax.ts";
import type { FileSyntax, Range } from "./syntax_plugin.ts";
import { type WordFigures, wordsIn } from "./words.ts";

/** A function whose body has as many lines, braces included, is long. */
const LONG_FUNCTION_LINES = 30;
const COLUMNS = 100;

/** The names are keys of `--json`. */
export interface FolderFigures {
  readonly files: number;
  readonly lines: number;
  /** Files that do not parse, or keep `deno lint` away: no figure but lengths counts them. */
  readonly filesUnread: number;
  readonly linesOver100: number;
  /** Lengths of files, in lines. */
  readonly fileMedian: number;
  readonly fileP90: number;
  readonly fileLongest: number;
  /** Lengths of functions that have a block, in lines, signature and closing brace included. */
  readonly functions: number;
  readonly functionMedian: number;
  readonly functionP90: number;
  readonly functionLongest: number;
  /** Functions whose body has 30 lines and more; those within another long one are its lines. */
  readonly longFunctions: number;
  /** Lines between the braces of long functions. */
  readonly longFunctionLines: number;
  /** Shares of these lines, 0 … 1: blank ones, and those that have nothing but a comment. */
  readonly longFunctionBlankShare: number;
  readonly longFunctionCommentShare: number;
  /** `...{ a, b }` and `...[a, b]`. */
  readonly literalSpreads: number;
  /** Statements that declare several variables. */
  readonly severalDeclared: number;
  /** Those of them whose names have one or two letters, such as `x` and `y`. */
  readonly severalDeclaredShort: number;
  readonly comments: WordFigures;
  readonly documents: WordFigures;
}

/** Figures, and the places that some of them count. */
export interface FolderReport {
  readonly figures: FolderFigures;
  readonly places: Readonly<Record<string, readonly Place[]>>;
}

/** Counts of one file. */
interface FileCounts {
  readonly functionLengths: readonly number[];
  readonly long: readonly LongFunction[];
  readonly literalSpreads: readonly Place[];
  readonly severalDeclared: readonly Place[];
  readonly severalDeclaredShort: number;
  readonly prose: ReturnType<typeof commentBlocks>;
}

/** A long function: its place, and the lines between its braces. */
interface LongFunction {
  readonly place: Place;
  readonly lines: number;
  readonly blank: number;
  readonly comment: number;
}

/**
 * @param files.sources in TypeScript or JavaScript
 * @param files.documents in Markdown
 * @throws Error if `deno lint` does not run
 */
export async function measureFiles(
  { sources, documents }: {
    sources: readonly LocatedFile[];
    documents: readonly TextFile[];
  },
): Promise<FolderReport> {
  const syntax = await syntaxOf(sources.map(({ absolute }) => absolute));
  const counted = sources.filter(({ absolute }) => syntax.has(absolute));
  const counts = counted.map((file) => countsOf(file, syntax.get(file.absolute)!));

  const fileLengths = sources.map(({ lines }) => lines.length);
  const functionLengths = counts.flatMap((each) => each.functionLengths);
  const long = counts.flatMap((each) => each.long);
  const longFunctionLines = sumOf(long.map(({ lines }) => lines));
  const places = {
    filesUnread: sources.filter(({ absolute }) => !syntax.has(absolute)).map(({ path }) => ({
      path,
      line: 1,
      text: "not read",
    })),
    linesOver100: sources.flatMap(longLines),
    longFunctions: long.map(({ place }) => place),
    literalSpreads: counts.flatMap((each) => each.literalSpreads),
    severalDeclared: counts.flatMap((each) => each.severalDeclared),
  };

  const figures: FolderFigures = {
    files: sources.length,
    lines: sumOf(fileLengths),
    filesUnread: places.filesUnread.length,
    linesOver100: places.linesOver100.length,
    fileMedian: percentile(fileLengths, 0.5),
    fileP90: percentile(fileLengths, 0.9),
    fileLongest: percentile(fileLengths, 1),
    functions: functionLengths.length,
    functionMedian: percentile(functionLengths, 0.5),
    functionP90: percentile(functionLengths, 0.9),
    functionLongest: percentile(functionLengths, 1),
    longFunctions: long.length,
    longFunctionLines,
    longFunctionBlankShare: shareOf(sumOf(long.map(({ blank }) => blank)), longFunctionLines),
    longFunctionCommentShare: shareOf(sumOf(long.map(({ comment }) => comment)), longFunctionLines),
    literalSpreads: places.literalSpreads.length,
    severalDeclared: places.severalDeclared.length,
    severalDeclaredShort: sumOf(counts.map((each) => each.severalDeclaredShort)),
    comments: wordsIn(counts.flatMap(({ prose }) => prose)),
    documents: wordsIn(documents.flatMap(documentBlocks)),
  };
  return { figures, places };
}

function countsOf(file: TextFile, syntax: FileSyntax): FileCounts {
  const { path, text, lines } = file;
  const lineAt = lineFinder(text);
  const placeAt = (offset: number): Place => {
    const line = lineAt(offset);
    return { path, line, text: lines[line - 1]!.trim() };
  };

  const isComment = commentLines(file, syntax.comments);
  const longOf = ({ begin, body }: FileSyntax["functions"][number]): LongFunction => {
    const inside = lines.slice(lineAt(body[0]), lineAt(body[1] - 1) - 1);
    const first = lineAt(body[0]) + 1;
    return {
      place: placeAt(begin),
      lines: inside.length,
      blank: inside.filter((line) => line.trim() === "").length,
      comment: inside.filter((_, i) => isComment.has(first + i)).length,
    };
  };

  return {
    functionLengths: syntax.functions.map(({ begin, body }) =>
      lineAt(body[1] - 1) - lineAt(begin) + 1
    ),
    long: outermost(
      syntax.functions.filter(({ body }) =>
        lineAt(body[1] - 1) - lineAt(body[0]) + 1 >= LONG_FUNCTION_LINES
      ),
    ).map(longOf),
    literalSpreads: syntax.literalSpreads.map(placeAt),
    severalDeclared: syntax.severalDeclared.map(({ at }) => placeAt(at)),
    severalDeclaredShort: syntax.severalDeclared.filter(({ isShort }) => isShort).length,
    prose: commentBlocks({
      ...file,
      tokens: syntax.comments.map(([begin, end]) => ({
        kind: "comment",
        text: text.slice(begin, end),
        at: begin,
        line: lineAt(begin),
      })),
    }),
  };
}

/** Those functions that lie within no other one of the list. */
function outermost(functions: FileSyntax["functions"]): FileSyntax["functions"] {
  return functions.filter(({ body }) =>
    !functions.some((other) => other.body[0] < body[0] && body[1] < other.body[1])
  );
}

/** The numbers of the lines, from 1, that have a comment and nothing else. */
function commentLines({ text }: TextFile, comments: readonly Range[]): ReadonlySet<number> {
  let code = "";
  let end = 0;
  for (const [begin, next] of comments) {
    // A mark that no source has says where comments were.
    code += text.slice(end, begin) + text.slice(begin, next).replace(/[^\s]/g, "\0");
    end = next;
  }
  const lines = (code + text.slice(end)).split("\n");
  return new Set(lines.flatMap((line, i) => /^\s*\0[\0\s]*$/.test(line) ? [i + 1] : []));
}

function longLines({ path, lines }: TextFile): Place[] {
  return lines.flatMap((text, i) => text.length > COLUMNS ? [{ path, line: i + 1, text }] : []);
}

/** @returns the number of the line, from 1, at an offset */
function lineFinder(text: string): (offset: number) => number {
  const begins = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return (offset) => {
    let low = 0;
    let high = begins.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (begins[middle]! <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

/**
 * The smallest value that at least `share` of the values do not exceed; 0 of none.
 * @param share 0 … 1
 */
export function percentile(values: readonly number[], share: number): number {
  const ascending = values.toSorted((a, b) => a - b);
  return ascending[Math.max(0, Math.ceil(share * ascending.length) - 1)] ?? 0;
}

/** @returns 0 … 1, rounded to four decimals */
export function shareOf(part: number, all: number): number {
  return all === 0 ? 0 : Math.round(part / all * 10_000) / 10_000;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
