/**
 * A shape as projectiles hit it: a convex hull, rounded by a radius. A circle is one corner, an edge two corners with a
 * face on either side.
 *
 *     shape = { p : distance(p, hull) ≤ radius }
 *
 * The radius is planck's own (a circle's, or the skin of the others). So a projectile of radius r touches exactly where
 * a solid circle of radius r would.
 */
import type { PlanckShape, Vector } from "../planck/planck.ts";

/** One convex shape in its body's frame, metres. */
export class SweptShape {
  readonly radius: number;
  /** Corners, counter-clockwise, metres. Face i leads from corner i to the next one. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Outward unit normals of the faces, and their lengths in metres. A single corner has no face. */
  readonly nx: Float64Array;
  readonly ny: Float64Array;
  readonly length: Float64Array;

  constructor(radius: number, corners: readonly Vector[]) {
    this.radius = radius;
    this.x = Float64Array.from(corners, ({ x }) => x);
    this.y = Float64Array.from(corners, ({ y }) => y);
    const faces = corners.length > 1 ? corners.length : 0;
    this.nx = new Float64Array(faces);
    this.ny = new Float64Array(faces);
    this.length = new Float64Array(faces);
    for (let i = 0; i < faces; i++) this.#setFace(i, (i + 1) % faces);
  }

  /** A face of length 0 gets no normal, and nothing hits it. */
  #setFace(from: number, to: number): void {
    const dx = this.x[to]! - this.x[from]!, dy = this.y[to]! - this.y[from]!;
    const length = Math.sqrt(dx * dx + dy * dy);
    this.length[from] = length;
    this.nx[from] = length > 0 ? dy / length : 0;
    this.ny[from] = length > 0 ? -dx / length : 0;
  }
}

/** @returns the swept form of one of planck's shapes */
export function sweptShapeOf(shape: PlanckShape): SweptShape {
  switch (shape.m_type) {
    case "circle":
      return new SweptShape(shape.m_radius, [shape.m_p]);
    case "edge":
      return new SweptShape(shape.m_radius, [shape.m_vertex1, shape.m_vertex2]);
    case "polygon":
      return new SweptShape(shape.m_radius, shape.m_vertices);
  }
}
