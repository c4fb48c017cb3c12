/**
 * Bodies of a declaration, checked and compiled to the rows of a body at rest with its fixtures and
 * shapes.
 */
import { Body, BodyFlag, BodyInt, MotionType, NONE } from "../core/body_rows.ts";
import {
  BODY_OPTIONS,
  checkBits,
  checkNotNegative,
  checkNumber,
  checkOptions,
  checkRange,
  checkShape,
  FIXTURE_OPTIONS,
  VECTOR_OPTIONS,
} from "../core/declaration_checks.ts";
import { Fixture, FixtureFlag, FixtureInt } from "../core/fixture_rows.ts";
import { SPEED_MAX } from "../core/limits.ts";
import { FIXTURES_MAX } from "../core/proxy_key.ts";
import { convexCorners } from "../core/polygon_corners.ts";
import { ShapeValue } from "../core/shape_rows.ts";
import {
  type BodyDef,
  type Chain,
  type FixtureDef,
  type Shape,
  StageError,
} from "../core/types.ts";
import type { ChainsFeature } from "../chains/feature.ts";
import type { RoundedFeature } from "../rounded/feature.ts";
import type { BodyTemplate, FixtureTemplate } from "../dynamics/world.ts";
import { isRounded, writeShape } from "../geometry/shapes.ts";
import { setMass } from "./body_mass.ts";
import { missingFeature } from "./features.ts";

/** A shorter vector is a mistake. */
const SIDE_MIN = 1 / 128;

/** The features of a declaration that have shapes. */
interface ShapeFeatures {
  readonly chains: ChainsFeature | undefined;
  readonly rounded: RoundedFeature | undefined;
}

/** Collects the rows of all shapes. */
export class ShapeWriter {
  rows = new Float64Array(0);
  readonly features: ShapeFeatures;

  constructor(features: ShapeFeatures) {
    this.features = features;
  }

  /**
   * @param owner for errors
   * @returns the offsets of the shape's rows: one, or one for each segment of a chain
   */
  add(shape: Shape | Chain, owner: string): number[] {
    const added = this.#rowsOf(shape, owner);
    const at = this.rows.length;
    const rows = new Float64Array(at + added.length);
    rows.set(this.rows);
    rows.set(added, at);
    this.rows = rows;
    return Array.from(
      { length: added.length / ShapeValue.STRIDE },
      (_, i) => at + i * ShapeValue.STRIDE,
    );
  }

  #rowsOf(shape: Shape | Chain, owner: string): Float64Array {
    const { chains, rounded } = this.features;
    if ("chain" in shape) {
      if (chains === undefined) throw missingFeature(`${owner}'s chain`, "chains");
      return chains.segmentRows(shape, owner);
    }
    const convex = "polygon" in shape
      ? { ...shape, polygon: convexCorners(shape.polygon, owner) }
      : shape;
    if (isRounded(convex)) {
      if (rounded === undefined) throw missingFeature(`${owner}'s radius`, "rounded");
      return rounded.rowOf(convex, owner);
    }
    const row = new Float64Array(ShapeValue.STRIDE);
    writeShape(row, 0, convex);
    return row;
  }
}

/** The owner of a body for errors, its type, and the rows of its shapes. */
interface BodyContext {
  readonly name: string;
  readonly type: number;
  readonly shapes: ShapeWriter;
}

/** @throws StageError for a value that is wrong */
export function compileBody(def: BodyDef, { name, type, shapes }: BodyContext): BodyTemplate {
  const { bullet = false, gravityScale = 1, linearDamping = 0, angularDamping = 0 } = def;
  const { mutable = [] } = def;
  const fixedRotation = isRotationFixed(def, name, type);

  checkOptions(def, BODY_OPTIONS, `${name}'s body`);
  checkNumber(gravityScale, `${name}.gravityScale`);
  checkNotNegative(linearDamping, `${name}.linearDamping`);
  checkNotNegative(angularDamping, `${name}.angularDamping`);

  const fixtures = def.fixtures.flatMap((fixture, index) =>
    compileFixture(fixture, index, { name, shapes, mutable })
  );
  if (fixtures.length > FIXTURES_MAX) {
    throw new StageError(
      `${name} has more than ${FIXTURES_MAX} fixtures, segments of chains counted`,
    );
  }

  // A row for a new body
  const values = new Float64Array(Body.STRIDE);
  const ints = new Int32Array(BodyInt.STRIDE);
  ints[BodyInt.TYPE] = type;
  ints[BodyInt.FLAGS] = (type === MotionType.STATIC ? BodyFlag.AWAKE : 0) |
    BodyFlag.AABB_CURRENT | (bullet ? BodyFlag.BULLET : 0) |
    (def.allowSleep === false ? BodyFlag.SLEEPLESS : 0) |
    (fixedRotation ? BodyFlag.FIXED_ROTATION : 0);
  ints[BodyInt.FIRST_FIXTURE] = ints[BodyInt.FIRST_CONTACT] = ints[BodyInt.FIRST_OFF] = NONE;
  values[Body.COS] = 1;
  values[Body.GRAVITY_SCALE] = gravityScale;
  values[Body.LINEAR_DAMPING] = linearDamping;
  values[Body.ANGULAR_DAMPING] = angularDamping;
  const present = fixtures.filter(({ ints }) => (ints[FixtureInt.FLAGS]! & FixtureFlag.OFF) === 0);
  setMass(values, 0, {
    type,
    fixedRotation,
    fixtures: present.map(({ ints }) => ({
      shape: ints[FixtureInt.SHAPE]!,
      density: def.fixtures[ints[FixtureInt.DECLARED_INDEX]!]!.density ?? 1,
    })),
    shapes: shapes.rows,
    rounded: shapes.features.rounded?.geometry,
  });

  return { values, ints, fixtures };
}

function isRotationFixed({ fixedRotation = false }: BodyDef, name: string, type: number): boolean {
  if (typeof fixedRotation === "boolean") return fixedRotation;
  if (fixedRotation !== "upright") {
    throw new StageError(`${name}.fixedRotation is ${fixedRotation}`);
  }
  if (type !== MotionType.DYNAMIC) {
    throw new StageError(`${name} is upright, so it must be dynamic: forces turn no other body`);
  }
  return true;
}

/** @returns one part, or one for each segment of a chain */
function compileFixture(
  def: FixtureDef,
  index: number,
  { name: owner, shapes, mutable }:
    & Pick<BodyContext, "name" | "shapes">
    & Required<
      Pick<BodyDef, "mutable">
    >,
): FixtureTemplate[] {
  const {
    friction = 0.6,
    restitution = 0,
    surfaceSpeed = 0,
    rollingResistance = 0,
    sensor = false,
    swept = false,
    enabled = true,
    oneWay = false,
    category = 1,
    mask = 0xffff,
  } = def;

  checkOptions(def, FIXTURE_OPTIONS, `${owner}'s fixture ${index}`);
  checkShape(def.shape, owner);
  checkNotNegative(def.density ?? 0, `${owner}.density`);
  checkNotNegative(friction, `${owner}.friction`);
  checkNotNegative(restitution, `${owner}.restitution`);
  if (restitution > 1) {
    throw new StageError(`${owner}.restitution is ${restitution}; 0 to 1 are allowed`);
  }

  checkBits(owner, category, mask);
  if (def.tag !== undefined && typeof def.tag !== "string") {
    throw new StageError(`${owner}: a tag is ${def.tag}`);
  }
  if (oneWay && sensor) {
    throw new StageError(`${owner}: a sensor stops nobody, so it cannot be one-way`);
  }
  if (!enabled && !mutable.includes("enabled")) {
    throw new StageError(
      `${owner}: a fixture is switched off for ever; the body's mutable needs "enabled"`,
    );
  }
  if (swept && !sensor && !mutable.includes("sensor")) {
    throw new StageError(`${owner}: swept is an option of sensors, and this fixture is none`);
  }

  // The row that each of its shapes begins with.
  const values = new Float64Array(Fixture.STRIDE);
  const ints = new Int32Array(FixtureInt.STRIDE);
  values[Fixture.FRICTION] = friction;
  values[Fixture.RESTITUTION] = restitution;
  checkRange(surfaceSpeed, `${owner}.surfaceSpeed`, { min: -SPEED_MAX, max: SPEED_MAX });
  values[Fixture.SURFACE_SPEED] = surfaceSpeed;
  checkNotNegative(rollingResistance, `${owner}.rollingResistance`);
  values[Fixture.ROLLING_RESISTANCE] = rollingResistance;

  const isTurning = typeof oneWay === "object";
  if (isTurning) setSide(values, oneWay, owner);
  let sides = 0;
  if (oneWay === true) sides = FixtureFlag.ONE_WAY;
  else if (isTurning) sides = FixtureFlag.ONE_WAY | FixtureFlag.TURNING;
  ints[FixtureInt.FLAGS] = (sensor ? FixtureFlag.SENSOR : 0) | (swept ? FixtureFlag.SWEEPING : 0) |
    (enabled ? 0 : FixtureFlag.OFF) | sides;
  ints[FixtureInt.CATEGORY] = category;
  ints[FixtureInt.MASK] = mask;
  ints[FixtureInt.DECLARED_INDEX] = index;

  // A chain is a shape for each of its segments.
  return shapes.add(def.shape, owner).map((shape, segment) => {
    const own = ints.slice();
    own[FixtureInt.SHAPE] = shape;
    own[FixtureInt.SEGMENT] = segment;
    return { values, ints: own };
  });
}

/** Sets the solid side of a one-way fixture. */
function setSide(
  values: Float64Array,
  side: { readonly x: number; readonly y: number },
  owner: string,
): void {
  const { x, y } = side;
  checkOptions(side, VECTOR_OPTIONS, `${owner}.oneWay`);
  checkNumber(x, `${owner}.oneWay.x`);
  checkNumber(y, `${owner}.oneWay.y`);
  const length = Math.sqrt(x * x + y * y);
  if (length < SIDE_MIN) throw new StageError(`${owner}.oneWay is too short to have a direction`);
  values[Fixture.ONE_WAY_X] = x / length;
  values[Fixture.ONE_WAY_Y] = y / length;
}
