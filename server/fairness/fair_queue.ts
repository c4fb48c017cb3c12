/**
 * A queue whose turns go round the networks: first each /48 or /24 gets a turn, within it each
 * narrower network, and then each address. So one customer with a thousand requests delays another
 * by a single turn.
 */
import { HeldPlaces } from "./held_places.ts";
import { holdersOf } from "./networks.ts";

/** One network, and what waits there. */
interface Branch<Item> {
  /** Narrower networks, the one whose turn is next first. */
  readonly branches: Map<string, Branch<Item>>;
  /** The items of an address, the oldest first; empty for a wider network. */
  readonly items: Set<Item>;
}

export class FairQueue<Item> {
  readonly #root: Branch<Item> = newBranch();
  readonly #held = new HeldPlaces<Item>();
  readonly #blocks = new Map<Item, string>();

  get size(): number {
    return this.#held.size;
  }

  /** How many items of each network of an address wait, the widest first. */
  countsOf(addressBlock: string): number[] {
    return this.#held.countsOf(addressBlock);
  }

  /**
   * The item that has to go for one of this address, because its network has most of them;
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

  /** The item whose turn it is. It stays in the queue. */
  get next(): Item | undefined {
    let branch = this.#root;
    while (branch.items.size === 0) {
      const [narrower] = branch.branches.values();
      if (narrower === undefined) return undefined;
      branch = narrower;
    }
    return branch.items.values().next().value;
  }

  /** Takes the item whose turn it is. Its networks get their next turn after all others. */
  shift(): Item | undefined {
    const item = this.next;
    if (item === undefined) return undefined;
    const networks = holdersOf(this.#blocks.get(item)!);
    this.delete(item);

    // Each network that still waits goes behind the others.
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

  /** Takes an item out. @returns whether it waited */
  delete(item: Item): boolean {
    const addressBlock = this.#blocks.get(item);
    if (addressBlock === undefined) return false;
    this.#blocks.delete(item);
    this.#held.delete(item);
    remove(this.#root, item, holdersOf(addressBlock));
    return true;
  }
}

/** @param networks the way to the item from this branch on */
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
