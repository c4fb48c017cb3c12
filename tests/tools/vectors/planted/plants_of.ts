/** Lists of plants, by the file that they change. */
import type { Mistake } from "../../../support/project_copy.ts";
import type { FileName } from "../files.ts";

export interface Plant extends Mistake {
  /** The vectors that should notice it. They are checked first. */
  readonly vectors: readonly FileName[];
}

/** Plants in one file. @param changes the text to find, and its replacement */
export function plantsIn(
  file: string,
  vectors: readonly FileName[],
  changes: readonly (readonly [text: string, replacement: string])[],
): Plant[] {
  return changes.map(([text, replacement]) => ({ file, text, replacement, vectors }));
}

/** The same for files of `shared/netcode/wire/`. */
export function plantsInWire(
  name: string,
  ...rest: [readonly FileName[], Parameters<typeof plantsIn>[2]]
): Plant[] {
  return plantsIn(`shared/netcode/wire/${name}`, ...rest);
}
