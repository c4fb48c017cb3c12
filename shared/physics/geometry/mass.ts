/**
 * Mass, centre of mass and inertia of bodies, by Box2D's formulas in planck's order of operations,
 * bit by bit.
 */
import { Corner, ShapeType, ShapeValue } from "../core/shape_rows.ts";

/** A sum over shapes: mass, kg; mass · centre, kg·m; inertia about the body's origin, kg·m². */
export const MASS = 0;
export const MOMENT_X = 1;
export const MOMENT_Y = 2;
export const INERTIA = 3;
const MASS_STRIDE = 4;

/** One fixture of a body: the offset of its shape's row, and its density in kg/m². */
export interface MassiveFixture {
  readonly shape: number;
  readonly density: number;
}

/** The mass of a dynamic body as the solver uses it. */
export interface BodyMass {
  /** 1/kg. */
  readonly inverseMass: number;
  /** About the centre of mass, 1/(kg·m²); 0 if the body never turns. */
  readonly inverseInertia: number;
  /** Centre of mass in the body's frame, metres. */
  readonly centerX: number;
  readonly centerY: number;
}

/**
 * @param fixtures in the order of their declaration
 * @param addRounded needed for rounded shapes only
 * @returns the mass of a dynamic body. A body without mass gets 1 kg, as in planck.
 */
export function massOf(
  shapes: Float64Array,
  fixtures: readonly MassiveFixture[],
  fixedRotation: boolean,
  addRounded?: typeof addMass,
): BodyMass {
  const sum = new Float64Array(MASS_STRIDE);
  // planck's list of fixtures has the last declared one first.
  for (const { shape, density } of fixtures.toReversed()) {
    const isRounded = shapes[shape + ShapeValue.TYPE] === ShapeType.ROUNDED;
    (isRounded ? addRounded! : addMass)(shapes, shape, density, sum);
  }
  const hasMass = sum[MASS]! > 0;
  const mass = hasMass ? sum[MASS]! : 1;
  const inverseMass = 1 / mass;
  const centerX = hasMass ? inverseMass * sum[MOMENT_X]! : sum[MOMENT_X]!;
  const centerY = hasMass ? inverseMass * sum[MOMENT_Y]! : sum[MOMENT_Y]!;
  const turns = sum[INERTIA]! > 0 && !fixedRotation;
  const inverseInertia = turns
    ? 1 / (sum[INERTIA]! - mass * (centerX * centerX + centerY * centerY))
    : 0;
  return { inverseMass, inverseInertia, centerX, centerY };
}

/** Adds one shape's mass to a sum. An edge has none. @param density kg/m² */
export function addMass(
  shapes: Float64Array,
  at: number,
  density: number,
  into: Float64Array,
): void {
  const type = shapes[at + ShapeValue.TYPE]!;
  if (type === ShapeType.EDGE) return;
  if (type === ShapeType.CIRCLE) addCircle(shapes, at, density, into);
  else addPolygon(shapes, at, density, into);
}

function addCircle(shapes: Float64Array, at: number, density: number, into: Float64Array): void {
  const radius = shapes[at + ShapeValue.RADIUS]!;
  const x = shapes[at + ShapeValue.CORNERS + Corner.X]!;
  const y = shapes[at + ShapeValue.CORNERS + Corner.Y]!;
  const mass = density * Math.PI * radius * radius;
  into[MASS]! += mass;
  into[MOMENT_X]! += mass * x;
  into[MOMENT_Y]! += mass * y;
  into[INERTIA]! += mass * (0.5 * radius * radius + (x * x + y * y));
}

/**
 * Sums over the triangles between the corners' mean and each face; u and v lead from the mean to a
 * face's ends.
 */
export function addPolygon(
  shapes: Float64Array,
  at: number,
  density: number,
  into: Float64Array,
): void {
  const count = shapes[at + ShapeValue.CORNER_COUNT]!;
  const third = 1 / 3;
  const first = at + ShapeValue.CORNERS;
  const end = first + count * Corner.STRIDE;

  // The mean of the corners
  let meanX = 0, meanY = 0;
  for (let i = first; i < end; i += Corner.STRIDE) {
    meanX += shapes[i + Corner.X]!;
    meanY += shapes[i + Corner.Y]!;
  }
  meanX *= 1 / count;
  meanY *= 1 / count;

  // The triangles, from the mean
  let area = 0;
  let x = 0;
  let y = 0;
  let inertia = 0;
  for (let i = first; i < end; i += Corner.STRIDE) {
    const next = i + Corner.STRIDE < end ? i + Corner.STRIDE : first;
    const ux = shapes[i + Corner.X]! - meanX, uy = shapes[i + Corner.Y]! - meanY;
    const vx = shapes[next + Corner.X]! - meanX;
    const vy = shapes[next + Corner.Y]! - meanY;
    const cross = ux * vy - uy * vx;
    const triangleArea = 0.5 * cross;
    const share = triangleArea * third;
    area += triangleArea;
    x += share * ux + share * vx;
    y += share * uy + share * vy;
    inertia += 0.25 * third * cross * (ux * ux + vx * ux + vx * vx + (uy * uy + vy * uy + vy * vy));
  }

  // From sums to a centre of mass and moments
  x *= 1 / area;
  y *= 1 / area;
  const mass = density * area;
  const centerX = x + meanX;
  const centerY = y + meanY;
  into[MASS]! += mass;
  into[MOMENT_X]! += mass * centerX;
  into[MOMENT_Y]! += mass * centerY;
  into[INERTIA]! += density * inertia +
    mass * (centerX * centerX + centerY * centerY - (x * x + y * y));
}
