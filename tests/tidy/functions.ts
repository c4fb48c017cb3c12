/**
 * Begin and end of each function. No parser is needed, because `deno fmt` closes a body at the
 * indentation of its opening line. An arrow function without braces is an expression and does not
 * count.
 */
import type { Place, Source } from "./sources.ts";

/**
 * A line whose last `{` follows parameters, a return type or an arrow. It opens a function's body,
 * or a statement's block.
 */
const OPENER = /(\)(: .+)?|=>) \{$/;
const STATEMENT = /^(\} )?(else )?(if|for|while|switch|catch|with)\b/;

/** First line of a function's signature and last line of its body, both from 0. */
interface Block {
  readonly begin: number;
  readonly end: number;
}

/** A function and its length in lines, signature and closing brace included. */
export interface FunctionPlace extends Place {
  readonly length: number;
}

/** @returns every function that has braces, nested ones and methods included */
export function functionsIn({ path, lines }: Source): FunctionPlace[] {
  return [...blocksIn(lines)].map(({ begin, end }) => ({
    path,
    line: begin + 1,
    text: lines[begin]!.trim(),
    length: end - begin + 1,
  }));
}

function* blocksIn(lines: readonly string[]): Generator<Block> {
  for (const [i, line] of lines.entries()) {
    if (!OPENER.test(line)) continue;
    const indent = indentOf(line);
    const closes = (at: number) =>
      indentOf(lines[at]!) === indent && lines[at]!.trimStart().startsWith("}");
    let end = i + 1;
    while (end < lines.length && !closes(end)) end++;
    let begin = i;
    // A signature over several lines ends with ") {". Its first line is above.
    if (line.trimStart().startsWith(")")) {
      while (begin > 0 && (begin === i || indentOf(lines[begin]!) > indent)) begin--;
    }
    if (!STATEMENT.test(lines[begin]!.trimStart())) yield { begin, end };
  }
}

/** Number of blanks at the line's begin. */
export function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/**
 * The smallest value that at least `share` of the values do not exceed; 0 of none.
 * @param share 0 … 1
 */
export function percentile(values: readonly number[], share: number): number {
  const ascending = values.toSorted((a, b) => a - b);
  return ascending[Math.max(0, Math.ceil(share * ascending.length) - 1)] ?? 0;
}
