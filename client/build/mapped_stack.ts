/**
 * Names the sources in an error's stack. A page's scripts are bundles, whose inline source maps say
 * where each place comes from; browsers use them in their tools alone.
 */
import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";

const FRAME = /(https?:\/\/[^\s()]+\.js):(\d+):(\d+)/g;
const INLINE_MAP = /\/\/# sourceMappingURL=data:application\/json;base64,([\w+/=]+)\s*$/;
/** A map's paths are relative to the folder of built pages. */
const BUILT = "file:///client/dist/";

/**
 * @param read fetches a script's text
 * @returns the stack with `file:///…` in place of each script that has a map
 */
export async function mappedStack(
  stack: string,
  read: (url: string) => Promise<string>,
): Promise<string> {
  const maps = new Map<string, TraceMap | undefined>();
  for (const [, url] of stack.matchAll(FRAME)) {
    if (!maps.has(url!)) maps.set(url!, inlineMapOf(await read(url!)));
  }

  return stack.replace(FRAME, (whole, url: string, line: string, column: string) => {
    const map = maps.get(url);
    if (map === undefined) return whole;
    // Maps count columns from 0, and stacks from 1.
    const found = originalPositionFor(map, { line: Number(line), column: Number(column) - 1 });
    if (found.source === null) return whole;
    return `${new URL(found.source, BUILT).href}:${found.line}:${found.column + 1}`;
  });
}

function inlineMapOf(script: string): TraceMap | undefined {
  const [, encoded] = INLINE_MAP.exec(script) ?? [];
  if (encoded === undefined) return undefined;
  const bytes = Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0));
  return new TraceMap(new TextDecoder().decode(bytes));
}
