/**
 * The feature `rounded`: stages that list it in their declaration may have capsules, and boxes and
 * polygons with a radius.
 */
import { ShapeType, ShapeValue } from "../core/shape_rows.ts";
import { StageError, type StageFeature } from "../core/types.ts";
import type { RoundedGeometry } from "../geometry/collide.ts";
import { type RoundedShape, writeShape } from "../geometry/shapes.ts";
import { collideRounded } from "./collide_rounded.ts";
import { addRoundedMass } from "./rounded_mass.ts";

/**
 * Metres: the skin of other shapes. With less, two shapes would stop at an impact before they touch
 * (`impactDistance`).
 */
const RADIUS_MIN = 0.01;
/** Metres: b2_linearSlop. A shorter capsule is a circle. */
const LENGTH_MIN = 0.005;

/** Rounded shapes: their rows, and their geometry. */
export interface RoundedFeature extends StageFeature<"rounded"> {
  /**
   * @returns the row of a shape, whose numbers are finite
   * @throws StageError for a radius that is too small, and a capsule that is too short
   */
  rowOf(shape: RoundedShape, owner: string): Float64Array;
  readonly geometry: RoundedGeometry;
}

function rowOf(shape: RoundedShape, owner: string): Float64Array {
  const { radius } = shape;
  if (!(radius >= RADIUS_MIN)) {
    throw new StageError(`${owner}'s radius is ${radius}; at least ${RADIUS_MIN} is needed`);
  }
  if ("capsule" in shape) {
    const [x1, y1, x2, y2] = shape.capsule;
    const squared = (x2 - x1) * (x2 - x1) + (y2 - y1) * (y2 - y1);
    if (!(squared >= LENGTH_MIN * LENGTH_MIN)) {
      throw new StageError(
        `${owner}'s capsule is shorter than ${LENGTH_MIN}, so it is a circle`,
      );
    }
  }

  // The row of its hull, without what only a hull with a skin has
  const row = new Float64Array(ShapeValue.STRIDE);
  writeShape(row, 0, shape);
  row.fill(0, ShapeValue.IS_BOX, ShapeValue.CORNERS);
  row[ShapeValue.TYPE] = ShapeType.ROUNDED;
  row[ShapeValue.RADIUS] = radius;
  return row;
}

/** The feature `rounded`: stages that list it may have capsules and rounded boxes and polygons. */
export const rounded: RoundedFeature = {
  feature: "rounded",
  rowOf,
  geometry: { collide: collideRounded, addMass: addRoundedMass },
};
