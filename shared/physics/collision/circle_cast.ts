/**
 * Casts a circle along a segment against a convex shape.
 *
 *     t = min { t in 0 … 1 : distance(start + t · motion, hull) ≤ shape's radius + circle's radius }
 *
 * The shape grows by the circle's radius, and the circle becomes a point. The point enters through the last of the
 * faces' half-planes that it crosses. Beyond the ends of that face it enters through the circle around a corner. This
 * is Cyrus and Beck's clipping, with corners by Voronoi region (Ericson, "Real-Time Collision Detection", 5.5).
 *
 * A circle that begins inside hits at t = 0 if it moves deeper. On its way out it does not hit.
 */
import { type BodyRow, COS, ORIGIN_X, ORIGIN_Y, SIN } from "../core/body_rows.ts";
import type { SweptShape } from "./swept_shape.ts";

/**
 * Flatter motions slide along a face without a hit. Rounding to 32 bits changes a direction by as much, and sliding
 * would otherwise be a series of hits. At 500 m/s such a motion sinks 13 µm in a world step; a shape's skin is 10 mm.
 */
const GRAZING_SLOPE = 1e-6;

/** One circle's segment, and the results of `intersect`. Reused, so that a cast allocates nothing. Metres. */
export class CircleCast {
  /** Start of the centre and its motion, relative to the target's motion. */
  x = 0;
  y = 0;
  dx = 0;
  dy = 0;
  radius = 0;
  /** Result: fraction of the motion before the hit, 0 … 1, and the unit normal from the target to the circle. */
  fraction = 0;
  nx = 0;
  ny = 0;
  /** Result: depth at the start, metres; 0 if the circle began outside. */
  depth = 0;
  // The same segment in the target's frame, and the sum of both radii.
  #x = 0;
  #y = 0;
  #dx = 0;
  #dy = 0;
  #combinedRadius = 0;

  /** Whether the circle hits this shape of that body. If so, `fraction`, `nx`, `ny` and `depth` are set. */
  intersect(shape: SweptShape, { values, offset }: BodyRow): boolean {
    const c = values[offset + COS]!, s = values[offset + SIN]!;
    const x = this.x - values[offset + ORIGIN_X]!, y = this.y - values[offset + ORIGIN_Y]!;
    this.#x = c * x + s * y;
    this.#y = c * y - s * x;
    this.#dx = c * this.dx + s * this.dy;
    this.#dy = c * this.dy - s * this.dx;
    this.#combinedRadius = shape.radius + this.radius;
    this.depth = 0;
    const isHit = shape.nx.length === 0 ? this.#intersectCorner(shape, 0) : this.#intersectFaces(shape);
    if (!isHit) return false;
    const { nx, ny } = this;
    this.nx = c * nx - s * ny;
    this.ny = s * nx + c * ny;
    return true;
  }

  #intersectFaces(shape: SweptShape): boolean {
    const x = this.#x, y = this.#y, dx = this.#dx, dy = this.#dy, combinedRadius = this.#combinedRadius;
    const grazing = GRAZING_SLOPE * (Math.abs(dx) + Math.abs(dy));
    let entryFace = -1, entryTime = -1, nearestFace = 0, maxSeparation = -Infinity;
    for (let i = 0; i < shape.nx.length; i++) {
      const nx = shape.nx[i]!, ny = shape.ny[i]!;
      const separation = nx * (x - shape.x[i]!) + ny * (y - shape.y[i]!) - combinedRadius;
      const normalMotion = nx * dx + ny * dy;
      if (separation > maxSeparation) {
        maxSeparation = separation;
        nearestFace = i;
      }
      if (separation > 0) {
        if (-normalMotion <= grazing || separation > -normalMotion) return false; // half-plane not reached
        const t = separation / -normalMotion;
        if (t <= entryTime) continue;
        entryTime = t;
        entryFace = i;
      }
    }
    // A point that has left another half-plane by then is beyond the face's ends and misses the corner there.
    if (entryFace >= 0) return this.#intersectFace(shape, entryFace, entryTime);
    this.depth = -maxSeparation;
    return this.#intersectFace(shape, nearestFace, 0);
  }

  /** Tests the face whose half-plane the point crosses last, at `t`: between the face's ends, or at a corner. */
  #intersectFace(shape: SweptShape, face: number, t: number): boolean {
    const nx = shape.nx[face]!, ny = shape.ny[face]!, dx = this.#dx, dy = this.#dy;
    const along = nx * (this.#y + t * dy - shape.y[face]!) - ny * (this.#x + t * dx - shape.x[face]!);
    if (along < 0) return this.#intersectCorner(shape, face);
    if (along > shape.length[face]!) return this.#intersectCorner(shape, face + 1 < shape.nx.length ? face + 1 : 0);
    return (t > 0 || this.#isDeepening(nx, ny)) && this.#setHit(t, nx, ny);
  }

  #intersectCorner(shape: SweptShape, corner: number): boolean {
    const x = this.#x - shape.x[corner]!, y = this.#y - shape.y[corner]!, dx = this.#dx, dy = this.#dy;
    const distance = Math.sqrt(x * x + y * y), gap = distance - this.#combinedRadius;
    if (gap <= 0) {
      if (distance === 0) return false; // every direction leads out
      const nx = x / distance, ny = y / distance;
      this.depth = -gap;
      return this.#isDeepening(nx, ny) && this.#setHit(0, nx, ny);
    }
    // |p + t d|² = r², with p from the corner to the point and r the sum of the radii: a t² − 2 b t + c = 0.
    const a = dx * dx + dy * dy, b = -(x * dx + y * dy), c = gap * (distance + this.#combinedRadius);
    const discriminant = b * b - a * c;
    if (b <= 0 || discriminant <= 0) return false; // moves away, misses or grazes
    // The smaller root, in the form without cancellation.
    const t = c / (b + Math.sqrt(discriminant));
    if (t > 1) return false;
    const hitX = x + t * dx, hitY = y + t * dy, length = Math.sqrt(hitX * hitX + hitY * hitY);
    return length > 0 && this.#setHit(t, hitX / length, hitY / length);
  }

  #isDeepening(nx: number, ny: number): boolean {
    const dx = this.#dx, dy = this.#dy;
    return -(nx * dx + ny * dy) > GRAZING_SLOPE * (Math.abs(dx) + Math.abs(dy));
  }

  #setHit(t: number, nx: number, ny: number): true {
    this.fraction = t;
    this.nx = nx;
    this.ny = ny;
    return true;
  }
}
