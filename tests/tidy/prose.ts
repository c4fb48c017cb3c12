/** Comments and documents as blocks of lines, without the comment marks. */
import type { Source, TextFile } from "./sources.ts";
import type { Token } from "./tokens.ts";

/** One line of prose. */
export interface ProseLine {
  /** Number of the line in its file, from 1. */
  readonly line: number;
  readonly text: string;
}

/** Lines that belong together: one comment, or one document. */
export type ProseBlock = readonly ProseLine[];

/** Comments for tools. They contain no sentences. */
const DIRECTIVE = /^\s*(deno-(lint|fmt)-ignore|@ts-|shellcheck |!)/;

/** @returns every comment; `//` comments that fill adjacent lines are one block */
export function commentBlocks({ lines, tokens }: Source): ProseBlock[] {
  const blocks: ProseLine[][] = [];
  let open: ProseLine[] | undefined;
  for (const token of tokens) {
    const isLine = token.kind === "comment" && token.text.startsWith("//");
    const standsAlone = isLine && lines[token.line - 1]!.trimStart().startsWith("//");
    const follows = open !== undefined && standsAlone && open.at(-1)!.line === token.line - 1;
    const block = follows ? open! : [];
    if (token.kind === "comment") {
      block.push(...linesOf(token).filter(({ text }) => !DIRECTIVE.test(text)));
      if (!follows && block.length > 0) blocks.push(block);
    }
    open = standsAlone && block.length > 0 ? block : undefined;
  }
  return blocks;
}

/**
 * @returns all of a Markdown file, the task descriptions of a JSON file, or the comments of a shell
 *   script
 */
export function documentBlocks({ path, text, lines }: TextFile): ProseBlock[] {
  if (path.endsWith(".json")) return descriptionsOf(text).map((each) => [each]);
  const numbered = lines.map((text, i) => ({ line: i + 1, text }));
  if (path.endsWith(".md")) return [numbered];
  const comments = numbered.filter(({ text }) => /^\s*#/.test(text)).map(({ line, text }) => ({
    line,
    text: text.replace(/^\s*# ?/, ""),
  }));
  return adjacent(comments.filter(({ text }) => !DIRECTIVE.test(text)));
}

function linesOf({ text, line }: Token): ProseLine[] {
  if (text.startsWith("//")) return [{ line, text: text.replace(/^\/\/+ ?/, "") }];
  const inner = text.replace(/^\/\*+ ?/, "").replace(/\s*\*+\/$/, "");
  return inner.split("\n").map((each, i) => ({
    line: line + i,
    text: i === 0 ? each : /^\s*\*/.test(each) ? each.replace(/^\s*\* ?/, "") : each.trimStart(),
  }));
}

function descriptionsOf(text: string): ProseLine[] {
  return [...text.matchAll(/"description":\s*("(?:[^"\\]|\\.)*")/g)].map((
    { 1: quoted, index },
  ) => ({
    line: text.slice(0, index).split("\n").length,
    text: JSON.parse(quoted!),
  }));
}

function adjacent(lines: readonly ProseLine[]): ProseBlock[] {
  const blocks: ProseLine[][] = [];
  for (const line of lines) {
    const open = blocks.at(-1);
    if (open !== undefined && open.at(-1)!.line === line.line - 1) open.push(line);
    else blocks.push([line]);
  }
  return blocks;
}
