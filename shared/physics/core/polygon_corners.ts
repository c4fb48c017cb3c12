/**
 * The corners of an author's polygon: those that lie on a straight side are left out, and the
 * others must be convex.
 */
import { CORNERS_MAX } from "./shape_rows.ts";
import { StageError } from "./types.ts";

/** A position, metres. */
type Corner = readonly [x: number, y: number];

/** Metres. The hull welds two corners that are nearer than 2.5 mm (`hull.ts`). */
const CORNER_DISTANCE_MIN = 0.003;
/**
 * Metres: a corner that is nearer to the line through its neighbours lies on it. Level editors
 * round to less. The smallest corner that makes a shape rounder is three times as high: 3 mm · sin
 * 15°, of twelve sides of 3 mm.
 */
const STRAIGHT_HEIGHT_MAX = 0.00025;

/**
 * Leaves out the corners on straight sides, as planck and Box2D do: they have normals of their own
 * in almost the same direction, and contacts would jump between two faces of one side.
 * @param owner the part of the declaration, for the error
 * @throws StageError for two corners in one place, for corners that all lie on one line or are not
 * convex, and for fewer than 3 or more than `CORNERS_MAX`
 */
export function convexCorners(corners: readonly Corner[], owner: string): readonly Corner[] {
  // Corners in one place
  for (let i = 0; i < corners.length; i++) {
    const [x, y] = corners[i]!;
    const [nextX, nextY] = corners[(i + 1) % corners.length]!;
    const dx = nextX - x;
    const dy = nextY - y;
    if (!(dx * dx + dy * dy >= CORNER_DISTANCE_MIN * CORNER_DISTANCE_MIN)) {
      throw new StageError(`${owner}'s polygon has two corners in one place, (${x}, ${y})`);
    }
  }

  // Corners on straight sides
  const kept = corners.slice();
  for (let i = 0; i < kept.length && kept.length > 2;) {
    const before = kept[(i + kept.length - 1) % kept.length]!;
    const after = kept[(i + 1) % kept.length]!;
    if (isOnSide(before, kept[i]!, after)) kept.splice(i, 1);
    else i++;
  }

  if (kept.length < 3 && corners.length >= 3) {
    throw new StageError(`${owner}'s polygon has no area: its corners lie on one line`);
  }
  if (kept.length < 3 || kept.length > CORNERS_MAX) {
    throw new StageError(
      `${owner}'s polygon has ${kept.length} corners; 3 to ${CORNERS_MAX} are allowed`,
    );
  }

  // Each corner is on the same side of every side: a star, whose corners all turn one way, is not
  // convex either.
  let turn = 0;
  for (let i = 0; i < kept.length; i++) {
    const from = kept[i]!;
    const to = kept[(i + 1) % kept.length]!;
    for (const corner of kept) {
      if (corner === from || corner === to) continue;
      const side = Math.sign(areaOf(from, to, corner));
      if (side === 0 || turn !== 0 && side !== turn) throw notConvex(owner, corner);
      turn = side;
    }
  }

  return kept;
}

/** Whether a corner lies on the way from the one before it to the one after it. */
function isOnSide(before: Corner, corner: Corner, after: Corner): boolean {
  const dx = after[0] - before[0], dy = after[1] - before[1];
  const goesOn = (corner[0] - before[0]) * (after[0] - corner[0]) +
      (corner[1] - before[1]) * (after[1] - corner[1]) > 0;
  return goesOn &&
    Math.abs(areaOf(before, after, corner)) <= STRAIGHT_HEIGHT_MAX * Math.sqrt(dx * dx + dy * dy);
}

/** Twice the area of a triangle, positive if it is counter-clockwise. */
function areaOf([ax, ay]: Corner, [bx, by]: Corner, [cx, cy]: Corner): number {
  return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
}

function notConvex(owner: string, [x, y]: Corner): StageError {
  return new StageError(
    `${owner}'s polygon is not convex at its corner (${x}, ${y}); use several convex ones`,
  );
}
