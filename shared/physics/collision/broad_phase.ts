/**
 * A broad-phase without history: no tree, no fat AABBs. A proxy's AABB is the last one set plus a
 * constant margin, so the set of overlapping pairs is a function of the poses alone. planck's tree
 * keeps AABBs of earlier poses. Pairs that it keeps too long wake bodies and change rounding
 * (DESIGN 12.1).
 */
import { type Aabb, type AabbArrays, SweepAndPrune } from "./sweep_and_prune.ts";
import { RowList } from "../core/row_list.ts";
import { PairSet } from "./pair_set.ts";

/**
 * Metres around each AABB: contacts exist a little before they touch, and touching bodies that
 * sleep keep theirs.
 */
export const MARGIN = 0.05;

/** All AABBs by proxy id, margin included. */
class AabbTable implements AabbArrays {
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

/** The AABBs of one world's fixtures by the fixtures' rows, and the pairs that overlap. */
export class BroadPhase {
  readonly #onPair: (a: number, b: number) => void;
  readonly #aabbs = new AabbTable();
  readonly #sweepAndPrune = new SweepAndPrune();
  readonly #known = new PairSet();
  /** By id: 1 if the AABB was set since the last search for pairs. */
  #moved = new Uint8Array(64);
  readonly #movedIds = new RowList();

  /** Ids that the last `query` found, at the start of the array. */
  queryResults = new Int32Array(64);

  /**
   * @param onPair called by `findNewPairs` once for every overlapping pair that is not known, in no
   *   order
   */
  constructor(onPair: (a: number, b: number) => void) {
    this.#onPair = onPair;
    this.#known.reserve(this.#moved.length);
  }

  /**
   * Ends the creation of the ground's proxies. They never move, and pairs of them are never
   * reported.
   */
  endGround(): void {
    this.#clearMoved();
  }

  /** Adds a fixture. Its AABB must follow before the next search. */
  add(id: number): void {
    while (id >= this.#moved.length) this.#grow();
    this.#sweepAndPrune.add(id);
    this.touchProxy(id);
  }

  /** Removes a fixture. */
  remove(id: number): void {
    this.#sweepAndPrune.remove(id);
    this.#moved[id] = 0;
  }

  /**
   * Sets a fixture's AABB: left, bottom, right and top, metres. One within the last AABB meets
   * nothing new, so it needs no search: at the end of a tick the AABB of a fast body's way becomes
   * that of its pose. If contacts of the fixture have vanished although the AABBs overlap,
   * `touchProxy` must follow.
   */
  moveProxy(id: number, bounds: Float64Array): void {
    const aabbs = this.#aabbs;
    const left = bounds[0]! - MARGIN;
    const bottom = bounds[1]! - MARGIN;
    const right = bounds[2]! + MARGIN;
    const top = bounds[3]! + MARGIN;
    const isWithin = left >= aabbs.left[id]! && bottom >= aabbs.bottom[id]! &&
      right <= aabbs.right[id]! &&
      top <= aabbs.top[id]!;
    aabbs.left[id] = left;
    aabbs.bottom[id] = bottom;
    aabbs.right[id] = right;
    aabbs.top[id] = top;
    this.#sweepAndPrune.invalidate();
    if (!isWithin) this.touchProxy(id);
  }

  /** Makes `findNewPairs` report the proxy's pairs again, although its AABB is unchanged. */
  touchProxy(id: number): void {
    if (this.#moved[id] === 1) return;
    this.#moved[id] = 1;
    this.#movedIds.add(id);
  }

  testOverlap(a: number, b: number): boolean {
    const { left, bottom, right, top } = this.#aabbs;
    return left[a]! <= right[b]! && left[b]! <= right[a]! && bottom[a]! <= top[b]! &&
      bottom[b]! <= top[a]!;
  }

  /**
   * Finds all proxies whose AABB overlaps this one. Their ids are in `queryResults` until the next
   * call, in no order.
   * @returns their number
   */
  query(aabb: Aabb): number {
    return this.#sweepAndPrune.query(this.#aabbs, aabb, this.queryResults);
  }

  /** Excludes a pair from `findNewPairs`, because it has a contact, until `removeKnownPair`. */
  addKnownPair(a: number, b: number): void {
    this.#known.add(a, b);
  }

  /** Ends the exclusion: the pair is reported again once one of the two moves. */
  removeKnownPair(a: number, b: number): void {
    this.#known.delete(a, b);
  }

  /**
   * Reports every overlapping pair that is not known, if at least one AABB was set since the last
   * call.
   */
  findNewPairs(): void {
    if (this.#movedIds.count === 0) return;
    const moved = { moved: this.#moved, movedIds: this.#movedIds, known: this.#known };
    this.#sweepAndPrune.findNewPairs(this.#aabbs, moved, this.#onPair);
    this.#clearMoved();
  }

  /**
   * All proxies, for a search that compares all of them: as after `findNewPairs`, none counts as
   * moved.
   */
  takeAll(): Int32Array<ArrayBuffer> {
    this.#clearMoved();
    return this.#sweepAndPrune.all();
  }

  #clearMoved(): void {
    const { rows, count } = this.#movedIds;
    for (let i = 0; i < count; i++) this.#moved[rows[i]!] = 0;
    this.#movedIds.clear();
  }

  #grow(): void {
    const moved = new Uint8Array(this.#moved.length * 2);
    moved.set(this.#moved);
    this.#moved = moved;
    this.#known.reserve(moved.length);
    this.#aabbs.grow();
    this.queryResults = new Int32Array(moved.length);
  }
}

function grown(old: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(old.length * 2);
  larger.set(old);
  return larger;
}
