/** Finds the author's line in an error's stack. */

/** A place in a source. */
export interface SourcePlace {
  /** Relative to the project's folder. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
}

/** A frame in a TypeScript source: a bundle's frames have one by its source map. */
const FRAME = /^\s*at .*?\(?((?:file|https?):\/\/\S+\.ts):(\d+):(\d+)\)?$/gm;
/** What stands before the last of the project's folders in a path. */
const BEFORE_PROJECT =
  /^.*\/(?=tests\/|(?<!\/tests\/)(?:shared|client|server)\/|(?<!\/(?:shared|client|tests)\/)games\/)/;
/** What calls an author's functions. The template is an author's game. */
const MACHINERY = /^(?:shared|client|server)\/(?!games\/|game_kit\/template\/)/;

/**
 * Finds the newest call in a stack that is no machinery: the line of a rule, or of a view's
 * drawing. It is for people to read, because engines word stacks differently.
 * @returns undefined if no frame is in an author's TypeScript source
 */
export function authorsPlace(stack = ""): SourcePlace | undefined {
  for (const [, url, line, column] of stack.matchAll(FRAME)) {
    const file = url!.replace(BEFORE_PROJECT, "");
    if (!MACHINERY.test(file)) return { file, line: Number(line), column: Number(column) };
  }
  return undefined;
}
