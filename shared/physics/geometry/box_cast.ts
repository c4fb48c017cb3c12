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
import { Body } from "../core/body_rows.ts";
import { Corner, Neighbour, ShapeType, ShapeValue } from "../core/shape_rows.ts";

/** Flatter motions slide along a face without a hit, as those of circles (`circle_cast.ts`). */
const GRAZING_SLOPE = 1e-6;

/** Metres. Two points that are no farther from each other along a normal count as level. */
const ALIGNED = 1e-9;

/**
 * Scratch: argument and result of `castBox`, in the world, metres. Its caller writes the argument
 * and reads the result.
 */
export const boxCast = new Float64Array(12);

/** Places in `boxCast`. */
export enum BoxCast {
  /**
   * The argument: the start of the box's centre; the cosine and sine of its angle; its half sides;
   * its motion.
   */
  CENTER_X = 0,
  CENTER_Y = 1,
  COS = 2,
  SIN = 3,
  HALF_WIDTH = 4,
  HALF_HEIGHT = 5,
  DX = 6,
  DY = 7,

  /**
   * The result: fraction of the motion before the hit, 0 … 1; the unit normal from the hull to the
   * box; the largest separation at the start, negative if the two overlap.
   */
  FRACTION = 8,
  NORMAL_X = 9,
  NORMAL_Y = 10,
  SEPARATION = 11,
}

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
  boxCast[BoxCast.FRACTION] = -1;
  boxCast[BoxCast.SEPARATION] = -Infinity;
  search[EXIT] = Infinity;
  clipByHull(shapes, a, bodies, body);
  clipByBox(shapes, a, bodies, body);
  const isOutside = boxCast[BoxCast.FRACTION]! >= 0;
  if (isOutside ? boxCast[BoxCast.FRACTION]! > search[EXIT]! : boxCast[BoxCast.SEPARATION]! > 0) {
    return false;
  }
  const isSmooth = shapes[a + ShapeValue.TYPE] === ShapeType.EDGE &&
    shapes[a + ShapeValue.NEIGHBOURS] !== 0 &&
    smoothNormal(shapes, a, bodies, body);
  if (isOutside && !isSmooth) return true;
  if (!isOutside) boxCast[BoxCast.FRACTION] = 0;
  const dx = boxCast[BoxCast.DX]!, dy = boxCast[BoxCast.DY]!;
  const inwards = -(boxCast[BoxCast.NORMAL_X]! * dx + boxCast[BoxCast.NORMAL_Y]! * dy);
  return inwards > GRAZING_SLOPE * (Math.abs(dx) + Math.abs(dy));
}

/** Clips the motion by the faces of the hull. */
function clipByHull(shapes: Float64Array, a: number, bodies: Float64Array, body: number): void {
  const c = bodies[body + Body.COS]!;
  const s = bodies[body + Body.SIN]!;
  const ux = boxCast[BoxCast.COS]!;
  const uy = boxCast[BoxCast.SIN]!;
  const x = boxCast[BoxCast.CENTER_X]! - bodies[body + Body.ORIGIN_X]!;
  const y = boxCast[BoxCast.CENTER_Y]! - bodies[body + Body.ORIGIN_Y]!;
  const end = a + ShapeValue.CORNERS + shapes[a + ShapeValue.CORNER_COUNT]! * Corner.STRIDE;
  for (let face = a + ShapeValue.CORNERS; face < end; face += Corner.STRIDE) {
    const localX = shapes[face + Corner.NORMAL_X]!;
    const localY = shapes[face + Corner.NORMAL_Y]!;
    const nx = c * localX - s * localY, ny = s * localX + c * localY;
    const offset = localX * shapes[face + Corner.X]! + localY * shapes[face + Corner.Y]!;
    const extent = boxCast[BoxCast.HALF_WIDTH]! * Math.abs(nx * ux + ny * uy) +
      boxCast[BoxCast.HALF_HEIGHT]! * Math.abs(ny * ux - nx * uy);
    clip(nx * x + ny * y - offset - extent, nx, ny);
  }
}

/** Clips the motion by the faces of the box. */
function clipByBox(shapes: Float64Array, a: number, bodies: Float64Array, body: number): void {
  const c = bodies[body + Body.COS]!;
  const s = bodies[body + Body.SIN]!;
  const ux = boxCast[BoxCast.COS]!;
  const uy = boxCast[BoxCast.SIN]!;
  const x = bodies[body + Body.ORIGIN_X]! - boxCast[BoxCast.CENTER_X]!;
  const y = bodies[body + Body.ORIGIN_Y]! - boxCast[BoxCast.CENTER_Y]!;
  const end = a + ShapeValue.CORNERS + shapes[a + ShapeValue.CORNER_COUNT]! * Corner.STRIDE;

  // The shape in the frame of the box
  let minU = Infinity;
  let maxU = -Infinity;
  let minV = Infinity;
  let maxV = -Infinity;
  for (let corner = a + ShapeValue.CORNERS; corner < end; corner += Corner.STRIDE) {
    const localX = shapes[corner + Corner.X]!, localY = shapes[corner + Corner.Y]!;
    const worldX = c * localX - s * localY + x, worldY = s * localX + c * localY + y;
    const u = ux * worldX + uy * worldY, v = ux * worldY - uy * worldX;
    minU = Math.min(minU, u);
    maxU = Math.max(maxU, u);
    minV = Math.min(minV, v);
    maxV = Math.max(maxV, v);
  }

  // Each face of the box clips by how far the shape is from it
  clip(minU - boxCast[BoxCast.HALF_WIDTH]!, -ux, -uy);
  clip(-maxU - boxCast[BoxCast.HALF_WIDTH]!, ux, uy);
  clip(minV - boxCast[BoxCast.HALF_HEIGHT]!, uy, -ux);
  clip(-maxV - boxCast[BoxCast.HALF_HEIGHT]!, -uy, ux);
}

/** Clips the motion by one half-plane. The normal leads from the hull to the box. */
function clip(separation: number, nx: number, ny: number): void {
  const dx = boxCast[BoxCast.DX]!;
  const dy = boxCast[BoxCast.DY]!;
  const closing = -(nx * dx + ny * dy);
  const isDeepest = separation > boxCast[BoxCast.SEPARATION]!;
  if (isDeepest) boxCast[BoxCast.SEPARATION] = separation;
  if (separation <= 0) {
    if (closing < 0) search[EXIT] = Math.min(search[EXIT]!, separation / closing);
    if (isDeepest && boxCast[BoxCast.FRACTION]! < 0) setNormal(nx, ny);
    return;
  }

  const isReached = closing > GRAZING_SLOPE * (Math.abs(dx) + Math.abs(dy)) &&
    separation <= closing;
  if (!isReached) {
    search[EXIT] = -1;
    return;
  }
  if (separation / closing <= boxCast[BoxCast.FRACTION]!) return;
  boxCast[BoxCast.FRACTION] = separation / closing;
  setNormal(nx, ny);
}

/**
 * Replaces the normal of `boxCast` if it leads from an end of a chain's segment into the neighbour,
 * by that of the segment on the side of the box's centre.
 * @returns whether it did
 */
export function smoothNormal(
  shapes: Float64Array,
  a: number,
  bodies: Float64Array,
  body: number,
): boolean {
  const c = bodies[body + Body.COS]!;
  const s = bodies[body + Body.SIN]!;
  const start = a + ShapeValue.CORNERS;
  const end = start + Corner.STRIDE;
  const worldX = boxCast[BoxCast.NORMAL_X]!, worldY = boxCast[BoxCast.NORMAL_Y]!;
  const nx = c * worldX + s * worldY;
  const ny = c * worldY - s * worldX;
  const neighbours = shapes[a + ShapeValue.NEIGHBOURS]!;
  const along = rise(shapes, start, end, nx, ny);

  // Along the normal of a face both ends are met.
  if (Math.abs(along) <= ALIGNED) return false;
  const isAtEnd = along > 0;
  if ((neighbours & (isAtEnd ? Neighbour.AFTER : Neighbour.BEFORE)) === 0) return false;
  if (
    rise(
      shapes,
      isAtEnd ? end : start,
      a + (isAtEnd ? ShapeValue.AFTER_END : ShapeValue.BEFORE_START),
      nx,
      ny,
    ) <= ALIGNED
  ) return false;

  // The normal of the segment instead, on the side of the box
  const x = boxCast[BoxCast.CENTER_X]! - bodies[body + Body.ORIGIN_X]!;
  const y = boxCast[BoxCast.CENTER_Y]! - bodies[body + Body.ORIGIN_Y]!;
  const ownX = shapes[start + Corner.NORMAL_X]!;
  const ownY = shapes[start + Corner.NORMAL_Y]!;
  const toX = c * x + s * y - shapes[start + Corner.X]!;
  const toY = c * y - s * x - shapes[start + Corner.Y]!;
  const sign = ownX * toX + ownY * toY >= 0 ? 1 : -1;
  setNormal(sign * (c * ownX - s * ownY), sign * (s * ownX + c * ownY));
  return true;
}

/** How much farther along a normal the second point is, metres. */
function rise(shapes: Float64Array, from: number, to: number, nx: number, ny: number): number {
  return nx * (shapes[to + Corner.X]! - shapes[from + Corner.X]!) +
    ny * (shapes[to + Corner.Y]! - shapes[from + Corner.Y]!);
}

function setNormal(nx: number, ny: number): void {
  boxCast[BoxCast.NORMAL_X] = nx;
  boxCast[BoxCast.NORMAL_Y] = ny;
}
