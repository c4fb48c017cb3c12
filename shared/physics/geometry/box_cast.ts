/**
 * Casts a box along a segment against a convex hull, without skins. The box does not turn.
 *
 *     t = min { t in 0 … 1 : box + t · motion meets the hull }
 *
 * Two convex shapes are apart along the normal of a face of one of them. In the frame of the hull
 * each normal is a half-plane that the box enters and leaves at one time. The box hits when it has
 * entered the last of them, unless it has left another one before (Cyrus and Beck's clipping, on
 * the Minkowski difference).
 *
 * A box that begins inside hits at t = 0 if it moves deeper. On its way out it does not hit.
 *
 * A box that meets an end of a chain's segment along a normal that leads into the neighbour counts
 * as if it met the segment along its own normal.
 */
import * as bodyLayout from "../core/body_rows.ts";
import * as shapeLayout from "../core/shape_rows.ts";

const { COS, SIN, ORIGIN_X, ORIGIN_Y } = bodyLayout;
const { CORNER_COUNT, CORNERS, CORNER_STRIDE, CORNER_X, CORNER_Y, FACE_NORMAL_X, FACE_NORMAL_Y } =
  shapeLayout;
const { SHAPE_TYPE, EDGE, NEIGHBOURS, BEFORE, AFTER, BEFORE_START, AFTER_END } = shapeLayout;

/** Flatter motions slide along a face without a hit, as those of circles (`circle_cast.ts`). */
const GRAZING_SLOPE = 1e-6;

/** Metres. Two points that are no farther from each other along a normal count as level. */
const ALIGNED = 1e-9;

/**
 * Scratch: argument and result of `castBox`, in the world, metres. Its caller writes the argument
 * and reads the result.
 */
export const boxCast = new Float64Array(12);
/**
 * The argument: the start of the box's centre; the cosine and sine of its angle; its half sides;
 * its motion.
 */
export const BOX_CENTER_X = 0;
export const BOX_CENTER_Y = 1;
export const BOX_COS = 2;
export const BOX_SIN = 3;
export const HALF_WIDTH = 4;
export const HALF_HEIGHT = 5;
export const BOX_DX = 6, BOX_DY = 7;
/**
 * The result: fraction of the motion before the hit, 0 … 1; the unit normal from the hull to the
 * box; the largest separation at the start, negative if the two overlap.
 */
export const BOX_FRACTION = 8;
export const BOX_NORMAL_X = 9;
export const BOX_NORMAL_Y = 10;
export const BOX_SEPARATION = 11;

/**
 * Scratch: the time at which the box leaves the first half-plane; −1 once it cannot enter one.
 * Written by `castBox` and `clip`, read by them.
 */
const search = new Float64Array(1);
const EXIT = 0;

/**
 * Whether the box of `boxCast` hits this hull of that body. The result's separation is always set,
 * the rest if it hits.
 * @param a offset of the row of a polygon or an edge in `shapes`
 * @param body offset of the body's row in `bodies`, of which only the transform counts
 */
export function castBox(
  shapes: Float64Array,
  a: number,
  bodies: Float64Array,
  body: number,
): boolean {
  boxCast[BOX_FRACTION] = -1;
  boxCast[BOX_SEPARATION] = -Infinity;
  search[EXIT] = Infinity;
  clipByHull(shapes, a, bodies, body);
  clipByBox(shapes, a, bodies, body);
  const isOutside = boxCast[BOX_FRACTION]! >= 0;
  if (isOutside ? boxCast[BOX_FRACTION]! > search[EXIT]! : boxCast[BOX_SEPARATION]! > 0) {
    return false;
  }
  const isSmooth = shapes[a + SHAPE_TYPE] === EDGE && shapes[a + NEIGHBOURS] !== 0 &&
    smoothNormal(shapes, a, bodies, body);
  if (isOutside && !isSmooth) return true;
  if (!isOutside) boxCast[BOX_FRACTION] = 0;
  const dx = boxCast[BOX_DX]!, dy = boxCast[BOX_DY]!;
  const inwards = -(boxCast[BOX_NORMAL_X]! * dx + boxCast[BOX_NORMAL_Y]! * dy);
  return inwards > GRAZING_SLOPE * (Math.abs(dx) + Math.abs(dy));
}

/** Clips the motion by the faces of the hull. */
function clipByHull(shapes: Float64Array, a: number, bodies: Float64Array, body: number): void {
  const c = bodies[body + COS]!;
  const s = bodies[body + SIN]!;
  const ux = boxCast[BOX_COS]!;
  const uy = boxCast[BOX_SIN]!;
  const x = boxCast[BOX_CENTER_X]! - bodies[body + ORIGIN_X]!;
  const y = boxCast[BOX_CENTER_Y]! - bodies[body + ORIGIN_Y]!;
  const end = a + CORNERS + shapes[a + CORNER_COUNT]! * CORNER_STRIDE;
  for (let face = a + CORNERS; face < end; face += CORNER_STRIDE) {
    const localX = shapes[face + FACE_NORMAL_X]!;
    const localY = shapes[face + FACE_NORMAL_Y]!;
    const nx = c * localX - s * localY, ny = s * localX + c * localY;
    const offset = localX * shapes[face + CORNER_X]! + localY * shapes[face + CORNER_Y]!;
    const extent = boxCast[HALF_WIDTH]! * Math.abs(nx * ux + ny * uy) +
      boxCast[HALF_HEIGHT]! * Math.abs(ny * ux - nx * uy);
    clip(nx * x + ny * y - offset - extent, nx, ny);
  }
}

/** Clips the motion by the faces of the box. */
function clipByBox(shapes: Float64Array, a: number, bodies: Float64Array, body: number): void {
  const c = bodies[body + COS]!;
  const s = bodies[body + SIN]!;
  const ux = boxCast[BOX_COS]!;
  const uy = boxCast[BOX_SIN]!;
  const x = bodies[body + ORIGIN_X]! - boxCast[BOX_CENTER_X]!;
  const y = bodies[body + ORIGIN_Y]! - boxCast[BOX_CENTER_Y]!;
  const end = a + CORNERS + shapes[a + CORNER_COUNT]! * CORNER_STRIDE;

  // The shape in the frame of the box
  let minU = Infinity;
  let maxU = -Infinity;
  let minV = Infinity;
  let maxV = -Infinity;
  for (let corner = a + CORNERS; corner < end; corner += CORNER_STRIDE) {
    const localX = shapes[corner + CORNER_X]!, localY = shapes[corner + CORNER_Y]!;
    const worldX = c * localX - s * localY + x, worldY = s * localX + c * localY + y;
    const u = ux * worldX + uy * worldY, v = ux * worldY - uy * worldX;
    minU = Math.min(minU, u);
    maxU = Math.max(maxU, u);
    minV = Math.min(minV, v);
    maxV = Math.max(maxV, v);
  }

  // Each face of the box clips by how far the shape is from it
  clip(minU - boxCast[HALF_WIDTH]!, -ux, -uy);
  clip(-maxU - boxCast[HALF_WIDTH]!, ux, uy);
  clip(minV - boxCast[HALF_HEIGHT]!, uy, -ux);
  clip(-maxV - boxCast[HALF_HEIGHT]!, -uy, ux);
}

/** Clips the motion by one half-plane. The normal leads from the hull to the box. */
function clip(separation: number, nx: number, ny: number): void {
  const dx = boxCast[BOX_DX]!;
  const dy = boxCast[BOX_DY]!;
  const closing = -(nx * dx + ny * dy);
  const isDeepest = separation > boxCast[BOX_SEPARATION]!;
  if (isDeepest) boxCast[BOX_SEPARATION] = separation;
  if (separation <= 0) {
    if (closing < 0) search[EXIT] = Math.min(search[EXIT]!, separation / closing);
    if (isDeepest && boxCast[BOX_FRACTION]! < 0) setNormal(nx, ny);
    return;
  }

  const isReached = closing > GRAZING_SLOPE * (Math.abs(dx) + Math.abs(dy)) &&
    separation <= closing;
  if (!isReached) {
    search[EXIT] = -1;
    return;
  }
  if (separation / closing <= boxCast[BOX_FRACTION]!) return;
  boxCast[BOX_FRACTION] = separation / closing;
  setNormal(nx, ny);
}

/**
 * Replaces a normal that leads from an end of a chain's segment into the neighbour.
 * @returns whether it did
 */
function smoothNormal(
  shapes: Float64Array,
  a: number,
  bodies: Float64Array,
  body: number,
): boolean {
  const c = bodies[body + COS]!;
  const s = bodies[body + SIN]!;
  const start = a + CORNERS;
  const end = start + CORNER_STRIDE;
  const worldX = boxCast[BOX_NORMAL_X]!, worldY = boxCast[BOX_NORMAL_Y]!;
  const nx = c * worldX + s * worldY;
  const ny = c * worldY - s * worldX;
  const neighbours = shapes[a + NEIGHBOURS]!;
  const along = rise(shapes, start, end, nx, ny);

  // Along the normal of a face both ends are met.
  if (Math.abs(along) <= ALIGNED) return false;
  const isAtEnd = along > 0;
  if ((neighbours & (isAtEnd ? AFTER : BEFORE)) === 0) return false;
  if (
    rise(shapes, isAtEnd ? end : start, a + (isAtEnd ? AFTER_END : BEFORE_START), nx, ny) <= ALIGNED
  ) return false;

  // The normal of the segment instead, on the side of the box
  const x = boxCast[BOX_CENTER_X]! - bodies[body + ORIGIN_X]!;
  const y = boxCast[BOX_CENTER_Y]! - bodies[body + ORIGIN_Y]!;
  const ownX = shapes[start + FACE_NORMAL_X]!;
  const ownY = shapes[start + FACE_NORMAL_Y]!;
  const toX = c * x + s * y - shapes[start + CORNER_X]!;
  const toY = c * y - s * x - shapes[start + CORNER_Y]!;
  const sign = ownX * toX + ownY * toY >= 0 ? 1 : -1;
  setNormal(sign * (c * ownX - s * ownY), sign * (s * ownX + c * ownY));
  return true;
}

/** How much farther along a normal the second point is, metres. */
function rise(shapes: Float64Array, from: number, to: number, nx: number, ny: number): number {
  return nx * (shapes[to + CORNER_X]! - shapes[from + CORNER_X]!) +
    ny * (shapes[to + CORNER_Y]! - shapes[from + CORNER_Y]!);
}

function setNormal(nx: number, ny: number): void {
  boxCast[BOX_NORMAL_X] = nx;
  boxCast[BOX_NORMAL_Y] = ny;
}
