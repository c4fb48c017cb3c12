/** A chain as the rows of its segments (`core/shape_rows.ts`): edges with their neighbours. */
import { checkNumber } from "../core/declaration_checks.ts";
import { Corner, Neighbour, ShapeValue } from "../core/shape_rows.ts";
import { type Chain, type ChainPoint, StageError } from "../core/types.ts";
import { writeShape } from "../geometry/shapes.ts";

/** Metres: b2_linearSlop. A shorter segment is a mistake. */
const SEGMENT_MIN = 0.005;

/**
 * Metres by which the faces of two neighbours overlap at their joint, so that no ray slips through
 * it by a rounding error. Only casts and closest points use the length of a face.
 */
const OVERLAP = 1e-9;

/** Scratch: the row of a neighbour. Written by `segmentRows`, read by `copyNeighbour`. */
const neighbour = new Float64Array(ShapeValue.STRIDE);

/**
 * @param owner for the error
 * @returns the rows of all segments in the order of the points
 * @throws StageError for a chain that is wrong
 */
export function segmentRows(chain: Chain, owner: string): Float64Array {
  const points = pointsOf(chain, owner);
  const segments = points.length - 3;
  const rows = new Float64Array(segments * ShapeValue.STRIDE);

  for (let i = 0; i < segments; i++) {
    const [before, start, end, after] = points.slice(i, i + 4);
    const at = i * ShapeValue.STRIDE;
    writeEdge(rows, at, start!, end!);

    if (before) {
      rows[at + ShapeValue.NEIGHBOURS]! |= Neighbour.BEFORE;
      writeEdge(neighbour, 0, before, start!);
      copyNeighbour(rows, at + ShapeValue.BEFORE_START, before);
      // The second face leads from the segment's end to its start.
      rows[at + ShapeValue.CORNERS + Corner.STRIDE + Corner.LENGTH]! += OVERLAP;
    }

    if (after) {
      rows[at + ShapeValue.NEIGHBOURS]! |= Neighbour.AFTER;
      writeEdge(neighbour, 0, end!, after);
      copyNeighbour(rows, at + ShapeValue.AFTER_END, after);
      rows[at + ShapeValue.CORNERS + Corner.LENGTH]! += OVERLAP;
    }
  }

  return rows;
}

/**
 * @returns all points of the line, from the ghost before the first segment to the one after the
 *   last; null for none
 */
function pointsOf(
  { chain, loop = false, ghosts }: Chain,
  owner: string,
): readonly (ChainPoint | null)[] {
  const least = loop ? 3 : 2;
  if (chain.length < least) {
    throw new StageError(
      `${owner}'s chain of ${chain.length} points; at least ${least} are needed`,
    );
  }

  if (loop && ghosts !== undefined) {
    throw new StageError(`${owner}'s chain is a loop and has no ghosts`);
  }

  // The points with those before and after, which only smooth the ends
  const [before, after] = ghosts ?? [null, null];
  const points = loop ? [chain.at(-1)!, ...chain, chain[0]!, chain[1]!] : [before, ...chain, after];

  // Every number, and points in one place
  for (const point of points) {
    for (const value of point?.slice(0, 2) ?? []) checkNumber(value, `${owner}'s chain`);
  }
  points.forEach((point, i) => {
    const next = points[i + 1];
    if (point && next && !(squaredDistance(point, next) > SEGMENT_MIN * SEGMENT_MIN)) {
      throw new StageError(`${owner}'s chain has two points in one place`);
    }
  });
  return points;
}

function squaredDistance([x1, y1]: ChainPoint, [x2, y2]: ChainPoint): number {
  return (x2 - x1) * (x2 - x1) + (y2 - y1) * (y2 - y1);
}

function writeEdge(
  rows: Float64Array,
  at: number,
  [x1, y1]: ChainPoint,
  [x2, y2]: ChainPoint,
): void {
  writeShape(rows, at, { edge: [x1, y1, x2, y2] });
}

/** Writes the far end and the normal of `neighbour`. */
function copyNeighbour(rows: Float64Array, to: number, [x, y]: ChainPoint): void {
  rows[to + Corner.X] = x;
  rows[to + Corner.Y] = y;
  rows[to + Corner.NORMAL_X] = neighbour[ShapeValue.CORNERS + Corner.NORMAL_X]!;
  rows[to + Corner.NORMAL_Y] = neighbour[ShapeValue.CORNERS + Corner.NORMAL_Y]!;
}
