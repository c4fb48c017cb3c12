/**
 * The mass of a rounded shape, exactly: its hull, a rectangle on each face, and a sector of a disc
 * at each corner. A capsule's hull has no area. Box2D has the same for capsules; it takes a rounded
 * polygon for one with corners that are pushed out.
 *
 *     sector of angle α at p, from face normal m to face normal n, around p:
 *     area = α r² / 2,    ∫ s dA = r³ / 3 · (n − m turned by −90°),    ∫ |s|² dA = α r⁴ / 4
 */
import { Corner, ShapeValue } from "../core/shape_rows.ts";
import { atan2 } from "../core/math.ts";
import { addPolygon, INERTIA, MASS, MOMENT_X, MOMENT_Y } from "../geometry/mass.ts";

/** Adds a rounded shape's mass to a sum. @param density kg/m² */
export function addRoundedMass(
  shapes: Float64Array,
  at: number,
  density: number,
  into: Float64Array,
): void {
  const radius = shapes[at + ShapeValue.RADIUS]!;
  const count = shapes[at + ShapeValue.CORNER_COUNT]!;
  if (count > 2) addPolygon(shapes, at, density, into);

  const first = at + ShapeValue.CORNERS;
  for (let i = 0; i < count; i++) {
    const corner = first + i * Corner.STRIDE;
    const before = first + (i + count - 1) % count * Corner.STRIDE;
    addFace(shapes, corner, radius, density, into);
    addSector(shapes, before, corner, radius, density, into);
  }
}

/** The rectangle on the face from a corner to the next one. */
function addFace(
  shapes: Float64Array,
  corner: number,
  radius: number,
  density: number,
  into: Float64Array,
): void {
  const nx = shapes[corner + Corner.NORMAL_X]!;
  const ny = shapes[corner + Corner.NORMAL_Y]!;
  const length = shapes[corner + Corner.LENGTH]!;

  // The next corner is to the left of the normal.
  const x = shapes[corner + Corner.X]! - 0.5 * length * ny + 0.5 * radius * nx;
  const y = shapes[corner + Corner.Y]! + 0.5 * length * nx + 0.5 * radius * ny;
  const mass = density * length * radius;
  into[MASS]! += mass;
  into[MOMENT_X]! += mass * x;
  into[MOMENT_Y]! += mass * y;
  into[INERTIA]! += mass * ((length * length + radius * radius) / 12 + (x * x + y * y));
}

/** The sector between the normals of the faces before and after a corner. */
function addSector(
  shapes: Float64Array,
  before: number,
  corner: number,
  radius: number,
  density: number,
  into: Float64Array,
): void {
  const mx = shapes[before + Corner.NORMAL_X]!;
  const my = shapes[before + Corner.NORMAL_Y]!;
  const nx = shapes[corner + Corner.NORMAL_X]!;
  const ny = shapes[corner + Corner.NORMAL_Y]!;
  const x = shapes[corner + Corner.X]!;
  const y = shapes[corner + Corner.Y]!;

  // A capsule's end is half a disc, and the sine of its angle may be −0.
  const angle = Math.abs(atan2(mx * ny - my * nx, mx * nx + my * ny));
  const squared = radius * radius;
  const area = 0.5 * angle * squared;
  const aroundX = squared * radius / 3 * (ny - my);
  const aroundY = squared * radius / 3 * (mx - nx);
  into[MASS]! += density * area;
  into[MOMENT_X]! += density * (area * x + aroundX);
  into[MOMENT_Y]! += density * (area * y + aroundY);
  into[INERTIA]! += density * (0.25 * angle * squared * squared +
    2 * (x * aroundX + y * aroundY) + area * (x * x + y * y));
}
