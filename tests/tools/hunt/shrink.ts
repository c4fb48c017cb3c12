/**
 * Shrinks a failing list to a shortest one that still fails, by delta debugging (Zeller and
 * Hildebrandt, 2002).
 */

/** Limits the tries, because each is a run. */
const TRIES_MAX = 300;

/**
 * @param fails whether a part of the list still fails; the whole list does
 * @param options.goesOn asked before each try; once it returns false, the shortest list so far
 * counts
 * @returns a part that fails, in its original order. If no limit was reached, it passes without any
 * single one of its elements
 */
export async function shrink<Item>(
  list: readonly Item[],
  fails: (part: readonly Item[]) => Promise<boolean>,
  { goesOn = () => true }: { goesOn?: () => boolean } = {},
): Promise<readonly Item[]> {
  let kept = list;
  let chunks = 2;
  let tries = 0;
  const stillFails = async (part: readonly Item[]) => {
    tries++;
    return await fails(part);
  };
  if (list.length > 0 && await stillFails([])) return [];

  while (kept.length > 1 && tries < TRIES_MAX && goesOn()) {
    const smaller = await smallerOf(kept, { chunks, stillFails, goesOn });
    if (smaller !== undefined) {
      chunks = Math.max(
        2,
        Math.min(smaller.length, smaller.length < kept.length / 2 ? 2 : chunks - 1),
      );
      kept = smaller;
    } else if (chunks >= kept.length) return kept;
    else chunks = Math.min(kept.length, 2 * chunks);
  }

  return kept;
}

/** One of the chunks, or the list without one of them; undefined if all of these pass. */
async function smallerOf<Item>(
  list: readonly Item[],
  { chunks, stillFails, goesOn }: {
    chunks: number;
    stillFails: (part: readonly Item[]) => Promise<boolean>;
    goesOn: () => boolean;
  },
): Promise<readonly Item[] | undefined> {
  const boundary = (chunk: number) => Math.round(chunk * list.length / chunks);
  // The last chunks come first, because a failure usually has to do with what came last.
  for (let chunk = chunks - 1; chunk >= 0 && goesOn(); chunk--) {
    const part = list.slice(boundary(chunk), boundary(chunk + 1));
    if (part.length < list.length && await stillFails(part)) return part;
  }
  if (chunks === 2) return undefined;
  for (let chunk = 0; chunk < chunks && goesOn(); chunk++) {
    const rest = [...list.slice(0, boundary(chunk)), ...list.slice(boundary(chunk + 1))];
    if (await stillFails(rest)) return rest;
  }
  return undefined;
}
