/**
 * Binary search in lists that ascend by a whole number, such as an id. No two items of a list have
 * the same number.
 *
 * Each search takes about log2(n) comparisons. A list is a plain array, so that loops over it stay
 * simple.
 */

/** An item of a list that ascends by id. */
interface Identified {
  readonly id: number;
}

/**
 * @param keyOf the number by which the list ascends
 * @param end only the items before this index count
 * @returns the index of the first item whose key is not less than `key`; `end` if there is none
 */
export function lowerBound<Item>(
  list: readonly Item[],
  key: number,
  keyOf: (item: Item) => number,
  end: number = list.length,
): number {
  let low = 0;
  let high = end;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (keyOf(list[middle]!) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** @returns the item with this key among those before `end`, or undefined */
export function findByKey<Item>(
  list: readonly Item[],
  key: number,
  keyOf: (item: Item) => number,
  end: number = list.length,
): Item | undefined {
  const index = lowerBound(list, key, keyOf, end);
  const item = index < end ? list[index]! : undefined;
  return item !== undefined && keyOf(item) === key ? item : undefined;
}

/** @returns the item with this id, or undefined */
export function findById<Item extends Identified>(
  list: readonly Item[],
  id: number,
): Item | undefined {
  return findByKey(list, id, idOf);
}

/** A longer list is sorted by `sort`. */
const INSERTED_MAX = 64;

/**
 * Sorts the first `count` items by a total order; a longer list may lose the others. It is for
 * lists that are short or nearly in order. Up to some dozens of items it inserts, in a fraction of
 * the time of `sort` and without allocations.
 */
export function sortShort<Item>(
  list: Item[],
  count: number,
  isBefore: (a: Item, b: Item) => boolean,
): void {
  if (count > INSERTED_MAX) {
    list.length = count;
    list.sort((a, b) => isBefore(a, b) ? -1 : 1);
    return;
  }
  for (let i = 1; i < count; i++) {
    const item = list[i]!;
    let to = i;
    for (; to > 0 && isBefore(item, list[to - 1]!); to--) list[to] = list[to - 1]!;
    list[to] = item;
  }
}

/** Removes the item with this id, which the list must have. */
export function removeById(list: Identified[], id: number): void {
  list.splice(lowerBound(list, id, idOf), 1);
}

function idOf({ id }: Identified): number {
  return id;
}
