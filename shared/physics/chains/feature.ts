/**
 * The feature `chains`: stages that list it in their declaration may have chains and loops of
 * edges.
 */
import type { Chain, StageFeature } from "../core/types.ts";
import type { SegmentGeometry } from "../geometry/collide.ts";
import { chooseSide, collideSegment } from "./collide_segment.ts";
import { isGhostHit, isNearerToNeighbour } from "./neighbours.ts";
import { segmentRows } from "./segments.ts";

/** Chains: their declaration, and the geometry of their segments. */
export interface ChainsFeature extends StageFeature<"chains"> {
  /**
   * @returns the rows of a chain's segments
   * @throws StageError for a chain that is wrong; it names the owner
   */
  segmentRows(chain: Chain, owner: string): Float64Array;
  readonly segments: SegmentGeometry;
}

/** The feature `chains`: stages that list it may have chains and loops. */
export const chains: ChainsFeature = {
  feature: "chains",
  segmentRows,
  segments: { collide: collideSegment, chooseSide, isNearerToNeighbour, isGhostHit },
};
