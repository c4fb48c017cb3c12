/**
 * Names the sources in an error's stack. A page's scripts are bundles, whose inline source maps say
 * where each place comes from; browsers use them in their tools alone.
 */

/** A source map, as far as it is used: version 3 of the format. */
interface SourceMap {
  readonly sources: readonly string[];
  readonly mappings: string;
}

const FRAME = /(https?:\/\/[^\s()]+\.js):(\d+):(\d+)/g;
const INLINE_MAP = /\/\/# sourceMappingURL=data:application\/json;base64,([\w+/=]+)\s*$/;
/** A map's paths are relative to the folder of built pages. */
const BUILT = "file:///client/dist/";
const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/**
 * @param read fetches a script's text
 * @returns the stack with `file:///…` in place of each script that has a map
 */
export async function mappedStack(
  stack: string,
  read: (url: string) => Promise<string>,
): Promise<string> {
  const maps = new Map<string, SourceMap | undefined>();
  for (const [, url] of stack.matchAll(FRAME)) {
    if (!maps.has(url!)) maps.set(url!, inlineMapOf(await read(url!)));
  }
  return stack.replace(FRAME, (whole, url: string, line: string, column: string) => {
    const map = maps.get(url);
    return map && placeIn(map, { line: Number(line) - 1, column: Number(column) - 1 }) || whole;
  });
}

function inlineMapOf(script: string): SourceMap | undefined {
  const [, encoded] = INLINE_MAP.exec(script) ?? [];
  if (encoded === undefined) return undefined;
  const bytes = Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes));
}

/** Finds the source of a place in a script; both numbers from 0. */
function placeIn(
  { sources, mappings }: SourceMap,
  { line, column }: { line: number; column: number },
): string | undefined {
  // Each number of a segment is the difference from the one before: column, source, line, column.
  let source = 0, sourceLine = 0, sourceColumn = 0;
  let found: string | undefined;
  const lines = mappings.split(";").slice(0, line + 1);
  for (const [i, segments] of lines.entries()) {
    let scriptColumn = 0;
    for (const segment of segments === "" ? [] : segments.split(",")) {
      const [toColumn = 0, toSource = 0, toLine = 0, toSourceColumn = 0] = numbersIn(segment);
      scriptColumn += toColumn;
      source += toSource;
      sourceLine += toLine;
      sourceColumn += toSourceColumn;
      if (i < line || scriptColumn > column) continue;
      found = `${new URL(sources[source]!, BUILT).href}:${sourceLine + 1}:${sourceColumn + 1}`;
    }
  }
  return found;
}

/** Reads base-64 digits of five bits, the sixth saying whether another follows; the sign is last. */
function numbersIn(segment: string): number[] {
  const numbers: number[] = [];
  let value = 0, shift = 0;
  for (const letter of segment) {
    const digit = DIGITS.indexOf(letter);
    value |= (digit & 31) << shift;
    shift += 5;
    if (digit & 32) continue;
    numbers.push(value & 1 ? -(value >>> 1) : value >>> 1);
    value = shift = 0;
  }
  return numbers;
}
