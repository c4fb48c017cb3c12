/**
 * The convex hull of an author's polygon, from planck's `PolygonShape`. It is the only function of
 * planck's that the geometry uses, and a game without polygons does not import it.
 */
import "./math_patch.ts";
import { Polygon, Settings } from "planck";
import "./math_restore.ts";
import { CORNERS_MAX } from "../core/shape_rows.ts";
import { LINEAR_SLOP } from "../core/tuning.ts";
import type { Hull, HullOf } from "../geometry/shapes.ts";
import type { StageFeature } from "../core/types.ts";

/**
 * planck's settings that its hull depends on. A page may have changed them for worlds of its own.
 */
const HULL_SETTINGS = {
  linearSlop: LINEAR_SLOP,
  lengthUnitsPerMeter: 1,
  maxPolygonVertices: CORNERS_MAX,
};

/**
 * @param corners 3 to `CORNERS_MAX`, convex, in either order, metres; those nearer than 2.5 mm to
 *   another are merged
 * @returns planck's hull, whatever planck's settings are
 */
function hullOf(corners: readonly (readonly [x: number, y: number])[]): Hull {
  const { linearSlop, lengthUnitsPerMeter, maxPolygonVertices } = Settings;
  Object.assign(Settings, HULL_SETTINGS);
  try {
    const polygon = new Polygon(corners.map(([x, y]) => ({ x, y })));
    return {
      corners: polygon.m_vertices.map(({ x, y }) => [x, y]),
      normals: polygon.m_normals.map(({ x, y }) => [x, y]),
      centroid: [polygon.m_centroid.x, polygon.m_centroid.y],
    };
  } finally {
    Object.assign(Settings, { linearSlop, lengthUnitsPerMeter, maxPolygonVertices });
  }
}

/** Polygons other than boxes. */
export interface PolygonsFeature extends StageFeature<"polygons"> {
  readonly hullOf: HullOf;
}

/**
 * The feature `polygons`: stages that list it in their declaration may have polygons other than
 * boxes.
 */
export const polygons: PolygonsFeature = { feature: "polygons", hullOf };
