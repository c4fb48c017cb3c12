/**
 * Which boxes overlap, and nothing else: no tree, no fat boxes, no memory. A proxy's box is what was last set plus a constant
 * margin, so the set of overlapping pairs is a function of the poses alone. planck's own tree remembers where bodies have been,
 * and pairs that it keeps too long wake bodies and change rounding.
 */
import { Grid } from "./grid.ts";
import type { Bounds, PlanckBroadPhase, PlanckProxy } from "./planck.ts";

/** Metres around each box, so that contacts exist a little before they touch and touching sleepers never lose theirs. */
const MARGIN = 0.05;
/** To compare so many moved boxes with all others takes as long as to sort all into a grid and look around in that. */
const COMPARED_MAX = 50;

/** All boxes of one world, and the pairs of them that overlap. */
export class FlatBroadPhase implements PlanckBroadPhase {
  readonly #pair: (a: PlanckProxy, b: PlanckProxy) => void;
  #proxies: (PlanckProxy | undefined)[] = [];
  #left = new Float64Array(64);
  #bottom = new Float64Array(64);
  #right = new Float64Array(64);
  #top = new Float64Array(64);
  /** 1 where the proxy's box was set since pairs were last looked for. */
  #moved = new Uint8Array(64);
  #movedIds: number[] = [];
  /** Ids in use, in no order, and each one's place in that list. */
  #liveIds: number[] = [];
  #places: number[] = [];
  #freeIds: number[] = [];
  /** Proxies below this never move and never meet each other: the ground's. */
  #groundProxies = 0;
  readonly #grid = new Grid();
  readonly #found: number[] = [];

  /** What `findWithin` found: its first so many. */
  found = new Int32Array(64);

  /** @param pair told of every overlapping pair by `findPairs`, in no particular order, some more than once */
  constructor(pair: (a: PlanckProxy, b: PlanckProxy) => void) {
    this.#pair = pair;
  }

  /** All proxies so far are the ground's. */
  endGround(): void {
    this.#groundProxies = this.#proxies.length;
    for (const id of this.#movedIds) this.#moved[id] = 0;
    this.#movedIds.length = 0;
  }

  createProxy(bounds: Bounds, proxy: PlanckProxy): number {
    const id = this.#freeIds.pop() ?? this.#proxies.length;
    if (id >= this.#left.length) this.#grow();
    this.#proxies[id] = proxy;
    this.#places[id] = this.#liveIds.length;
    this.#liveIds.push(id);
    this.moveProxy(id, bounds);
    return id;
  }

  destroyProxy(id: number): void {
    const place = this.#places[id]!, last = this.#liveIds.pop()!;
    if (last !== id) {
      this.#liveIds[place] = last;
      this.#places[last] = place;
    }
    this.#moved[id] = 0;
    this.#proxies[id] = undefined;
    this.#freeIds.push(id);
  }

  moveProxy(id: number, bounds: Bounds): void {
    this.#left[id] = bounds.lowerBound.x - MARGIN;
    this.#bottom[id] = bounds.lowerBound.y - MARGIN;
    this.#right[id] = bounds.upperBound.x + MARGIN;
    this.#top[id] = bounds.upperBound.y + MARGIN;
    if (this.#moved[id] === 1) return;
    this.#moved[id] = 1;
    this.#movedIds.push(id);
  }

  testOverlap(a: number, b: number): boolean {
    return this.#left[a]! <= this.#right[b]! && this.#left[b]! <= this.#right[a]! &&
      this.#bottom[a]! <= this.#top[b]! && this.#bottom[b]! <= this.#top[a]!;
  }

  /**
   * Looks for every box that meets this one, in no particular order: their ids are in `found` until the next call. Metres.
   * @returns how many
   */
  findWithin(left: number, bottom: number, right: number, top: number): number {
    const lefts = this.#left, bottoms = this.#bottom, rights = this.#right, tops = this.#top;
    const ids = this.#liveIds, found = this.found;
    let count = 0;
    for (let i = 0; i < ids.length; i++) {
      const id = ids[i]!;
      if (lefts[id]! > right || left > rights[id]! || bottoms[id]! > top || bottom > tops[id]!) continue;
      found[count++] = id;
    }
    return count;
  }

  /** Whose box it is. */
  proxyOf(id: number): PlanckProxy {
    return this.#proxies[id]!;
  }

  /** Tells of every pair of which at least one box was set since the last call. */
  findPairs(): void {
    const moved = this.#movedIds;
    if (moved.length > COMPARED_MAX) this.#findPairsByGrid();
    else for (let i = 0; i < moved.length; i++) if (this.#moved[moved[i]!] === 1) this.#findPairsOf(moved[i]!);
    for (let i = 0; i < moved.length; i++) this.#moved[moved[i]!] = 0;
    moved.length = 0;
  }

  /** Brute force over flat arrays: a few dozen boxes are compared faster than any structure is kept. */
  #findPairsOf(id: number): void {
    const lefts = this.#left, bottoms = this.#bottom, rights = this.#right, tops = this.#top;
    const left = lefts[id]!, bottom = bottoms[id]!, right = rights[id]!, top = tops[id]!;
    const ids = this.#liveIds;
    for (let i = 0; i < ids.length; i++) {
      const other = ids[i]!;
      // so written that a box of no numbers overlaps nobody
      if (!(lefts[other]! <= right && left <= rights[other]! && bottoms[other]! <= top && bottom <= tops[other]!)) {
        continue;
      }
      this.#tell(id, other);
    }
  }

  #findPairsByGrid(): void {
    const moved = this.#movedIds;
    this.#grid.build(this.#liveIds, { left: this.#left, bottom: this.#bottom, right: this.#right, top: this.#top });
    for (let i = 0; i < moved.length; i++) {
      const id = moved[i]!;
      if (this.#moved[id] !== 1) continue;
      const count = this.#grid.overlapping(id, this.#found);
      for (let k = 0; k < count; k++) this.#tell(id, this.#found[k]!);
    }
  }

  /** Of two moved ones the pair is told once, by the smaller id. */
  #tell(id: number, other: number): void {
    if (other === id || (other < id && other >= this.#groundProxies && this.#moved[other] === 1)) return;
    this.#pair(this.#proxies[id]!, this.#proxies[other]!);
  }

  #grow(): void {
    const grown = (old: Float64Array): Float64Array<ArrayBuffer> => {
      const larger = new Float64Array(old.length * 2);
      larger.set(old);
      return larger;
    };
    this.#left = grown(this.#left);
    this.#bottom = grown(this.#bottom);
    this.#right = grown(this.#right);
    this.#top = grown(this.#top);
    this.found = new Int32Array(this.#moved.length * 2);
    const moved = new Uint8Array(this.#moved.length * 2);
    moved.set(this.#moved);
    this.#moved = moved;
  }
}
