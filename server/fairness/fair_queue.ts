/**
 * A queue in which networks take turns: first each /48 or /24, within it each narrower network, and
 * within that each address. So a customer with a thousand requests delays another by a single turn.
 */
import { HeldPlaces } from "./held_places.ts";
import { holdersOf } from "./networks.ts";

/** One network, and what waits in it. */
interface Branch<Item> {
  /** Narrower networks, in the order of their next turns. */
  readonly branches: Map<string, Branch<Item>>;
  /** An address's items, oldest first; empty for a wider network. */
  readonly items: Set<Item>;
}

export class FairQueue<Item> {
  readonly #root: Branch<Item> = newBranch();
  readonly #held = new HeldPlaces<Item>();
  readonly #blocks = new Map<Item, string>();

  get size(): number {
    return this.#held.size;
  }

  /** Counts the waiting items in each of an address's networks, the widest first. */
  countsOf(addressBlock: string): number[] {
    return this.#held.countsOf(addressBlock);
  }

  /**
   * The item that has to give way to one from this address, because its network holds most of them;
   * undefined if all stay.
   */
  itemFor(addressBlock: string): Item | undefined {
    return this.#held.placeFor({ addressBlock, isIdle: true }, () => 0);
  }

  push(item: Item, addressBlock: string): void {
    this.#held.add(item, addressBlock);
    this.#blocks.set(item, addressBlock);

    let branch = this.#root;
    for (const network of holdersOf(addressBlock)) {
      let narrower = branch.branches.get(network);
      if (narrower === undefined) branch.branches.set(network, narrower = newBranch());
      branch = narrower;
    }
    branch.items.add(item);
  }

  /** The item at the front, which stays in the queue. */
  get next(): Item | undefined {
    let branch = this.#root;
    while (branch.items.size === 0) {
      const [narrower] = branch.branches.values();
      if (narrower === undefined) return undefined;
      branch = narrower;
    }
    return branch.items.values().next().value;
  }

  /** Takes the item at the front. Its networks' next turn comes after all others'. */
  shift(): Item | undefined {
    const item = this.next;
    if (item === undefined) return undefined;
    const networks = holdersOf(this.#blocks.get(item)!);
    this.delete(item);

    // Each of its networks that still waits goes behind the others.
    let branch: Branch<Item> | undefined = this.#root;
    for (const network of networks) {
      const narrower: Branch<Item> | undefined = branch.branches.get(network);
      if (narrower === undefined) break;
      // A map keeps the order of insertion.
      branch.branches.delete(network);
      branch.branches.set(network, narrower);
      branch = narrower;
    }
    return item;
  }

  /** Takes an item out. @returns whether it was waiting */
  delete(item: Item): boolean {
    const addressBlock = this.#blocks.get(item);
    if (addressBlock === undefined) return false;
    this.#blocks.delete(item);
    this.#held.delete(item);
    remove(this.#root, item, holdersOf(addressBlock));
    return true;
  }
}

/** @param networks the path to the item from this branch on */
function remove<Item>(
  branch: Branch<Item>,
  item: Item,
  [network, ...narrower]: readonly string[],
): void {
  if (network === undefined) return void branch.items.delete(item);
  const next = branch.branches.get(network)!;
  remove(next, item, narrower);
  if (next.items.size === 0 && next.branches.size === 0) branch.branches.delete(network);
}

function newBranch<Item>(): Branch<Item> {
  return { branches: new Map(), items: new Set() };
}
