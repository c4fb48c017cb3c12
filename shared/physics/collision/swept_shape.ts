/**
 * What a projectile meets of a shape: the corners of its hull, rounded by a radius. A circle is one corner, an edge two with a face
 * on either side, a polygon its own. The radius is the one at which planck's solver keeps shapes apart, so a projectile of radius r
 * touches exactly where a solid circle of radius r would.
 *
 *     shape = { p : |p - hull| <= radius }
 */
import type { PlanckShape, Vector } from "../planck/planck.ts";

/** One convex shape in its body's frame, metres. */
export class SweptShape {
  readonly radius: number;
  /** Corners, counter-clockwise; face i leads from corner i to the next one. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Of each face: the unit vector away from the shape, and the face's length. No faces where there is one corner. */
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

  /** A face between two corners in the same place has no direction and meets nothing. */
  #setFace(from: number, to: number): void {
    const dx = this.x[to]! - this.x[from]!, dy = this.y[to]! - this.y[from]!;
    const length = Math.sqrt(dx * dx + dy * dy);
    this.length[from] = length;
    this.nx[from] = length > 0 ? dy / length : 0;
    this.ny[from] = length > 0 ? -dx / length : 0;
  }
}

/** The shape of one of planck's shapes. */
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
