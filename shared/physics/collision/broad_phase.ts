/**
 * Which boxes overlap, and nothing else: no tree, no fat boxes, no memory. A proxy's box is what was last set plus a constant
 * margin, so the set of overlapping pairs is a function of the poses alone. planck's own tree remembers where bodies have been,
 * and pairs that it keeps too long wake bodies and change rounding.
 */
import { Axis, type Box, type Boxes } from "./sweep_and_prune.ts";
import { PairSet } from "./pair_set.ts";
import type { Bounds, PlanckBroadPhase, PlanckProxy } from "../planck/planck.ts";

/** Metres around each box, so that contacts exist a little before they touch and touching sleepers never lose theirs. */
const MARGIN = 0.05;

/** All boxes. */
class BoxTable implements Boxes {
  left = new Float64Array(64);
  bottom = new Float64Array(64);
  right = new Float64Array(64);
  top = new Float64Array(64);

  grow(): void {
    this.left = grown(this.left);
    this.bottom = grown(this.bottom);
    this.right = grown(this.right);
    this.top = grown(this.top);
  }
}

/** All boxes of one world, and the pairs of them that overlap. */
export class FlatBroadPhase implements PlanckBroadPhase {
  readonly #pairIds: (a: number, b: number) => void;
  #proxies: (PlanckProxy | undefined)[] = [];
  readonly #boxes = new BoxTable();
  readonly #axis = new Axis();
  readonly #known = new PairSet();
  /** 1 where the proxy's box was set since pairs were last looked for. */
  #moved = new Uint8Array(64);
  readonly #movedIds: number[] = [];
  readonly #freeIds: number[] = [];

  /** What `findWithin` found: its first so many. */
  found = new Int32Array(64);

  /** @param pair told by `findPairs` of every overlapping pair that is not known, once, in no particular order */
  constructor(pair: (a: PlanckProxy, b: PlanckProxy) => void) {
    this.#pairIds = (a, b) => pair(this.#proxies[a]!, this.#proxies[b]!);
    this.#known.reserve(this.#moved.length);
  }

  /** All proxies so far are the ground's: they never move and never meet each other. */
  endGround(): void {
    this.#forgetMoves();
  }

  createProxy(bounds: Bounds, proxy: PlanckProxy): number {
    const id = this.#freeIds.pop() ?? this.#proxies.length;
    if (id >= this.#moved.length) this.#grow();
    this.#proxies[id] = proxy;
    this.#axis.add(id);
    this.moveProxy(id, bounds);
    return id;
  }

  destroyProxy(id: number): void {
    this.#axis.remove(id);
    this.#moved[id] = 0;
    this.#proxies[id] = undefined;
    this.#freeIds.push(id);
  }

  moveProxy(id: number, { lowerBound, upperBound }: Bounds): void {
    const boxes = this.#boxes;
    boxes.left[id] = lowerBound.x - MARGIN;
    boxes.bottom[id] = lowerBound.y - MARGIN;
    boxes.right[id] = upperBound.x + MARGIN;
    boxes.top[id] = upperBound.y + MARGIN;
    this.#axis.change();
    this.touchProxy(id);
  }

  /** Has its pairs told of anew, although its box is as it was. */
  touchProxy(id: number): void {
    if (this.#moved[id] === 1) return;
    this.#moved[id] = 1;
    this.#movedIds.push(id);
  }

  testOverlap(a: number, b: number): boolean {
    const { left, bottom, right, top } = this.#boxes;
    return left[a]! <= right[b]! && left[b]! <= right[a]! && bottom[a]! <= top[b]! && bottom[b]! <= top[a]!;
  }

  /**
   * Looks for every box that meets this one, in no particular order: their ids are in `found` until the next call.
   * @returns how many
   */
  findWithin(within: Box): number {
    return this.#axis.findWithin(this.#boxes, within, this.found);
  }

  /** Whose box it is. */
  proxyOf(id: number): PlanckProxy {
    return this.#proxies[id]!;
  }

  /** From now on the two have what is made of a pair, and `findPairs` does not tell of them; until `forget`. */
  know(a: number, b: number): void {
    this.#known.add(a, b);
  }

  /** The two are told of again once one of them moves. */
  forget(a: number, b: number): void {
    this.#known.delete(a, b);
  }

  /** Tells of every pair that is not known and of which at least one box was set since the last call. */
  findPairs(): void {
    if (this.#movedIds.length === 0) return;
    this.#axis.findPairs(this.#boxes, { moved: this.#moved, known: this.#known }, this.#pairIds);
    this.#forgetMoves();
  }

  #forgetMoves(): void {
    for (let i = 0; i < this.#movedIds.length; i++) this.#moved[this.#movedIds[i]!] = 0;
    this.#movedIds.length = 0;
  }

  #grow(): void {
    const moved = new Uint8Array(this.#moved.length * 2);
    moved.set(this.#moved);
    this.#moved = moved;
    this.#known.reserve(moved.length);
    this.#boxes.grow();
    this.found = new Int32Array(moved.length);
  }
}

function grown(old: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(old.length * 2);
  larger.set(old);
  return larger;
}
