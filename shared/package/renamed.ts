/**
 * Names of the package that a version has replaced. Each works for one more version and says its new
 * name, so that an author reads of it before it is gone.
 */
import { hashOf as hashOfNumbers } from "../random.ts";

/** The sentences that were said. A new name is said once, because rules call it in each tick. */
const said = new Set<string>();

/** Says the new name of a symbol, once. */
function sayRenamed(was: string, is: string): void {
  const sentence = `wyvern: ${was} is ${is} now; the old name goes with version 0.3`;
  if (said.has(sentence)) return;
  said.add(sentence);
  console.warn(sentence);
}

/**
 * A random unsigned 32-bit integer that is a function of its three arguments.
 * @deprecated since 0.2: `hashOfNumbers`. Beside `hashOfSnapshot` the old name reads as if it took
 * anything.
 */
export function hashOf(a: number, b: number, c = 0): number {
  sayRenamed("hashOf", "hashOfNumbers");
  return hashOfNumbers(a, b, c);
}
