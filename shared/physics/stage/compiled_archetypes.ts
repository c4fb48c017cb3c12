/**
 * A stage's archetypes, checked once and compiled to the form that the stage uses. Each has an index, the layout of its
 * fields, and the rows of a body at rest. Index 0 is the ground. Indices 1 … n are the archetypes in the order of their declaration.
 */
import { type FieldLayout, layoutOf } from "../core/fields.ts";
import { SPEED_MAX } from "../core/limits.ts";
import { FIXTURES_MAX } from "../core/proxy_key.ts";
import * as bodyLayout from "../core/body_rows.ts";
import * as fixtureLayout from "../core/fixture_rows.ts";
import { SHAPE_STRIDE } from "../core/shape_rows.ts";
import { extentOf, maxSlowMotionOf } from "../collision/aabb.ts";
import type { BodyTemplate, FixtureTemplate, WorldParameters } from "../dynamics/world.ts";
import {
  checkBits,
  checkInteger,
  checkNotNegative,
  checkNumber,
  checkRange,
  checkShape,
} from "../core/declaration_checks.ts";
import { compileParameters } from "../dynamics/world_parameters.ts";
import { massOf } from "../geometry/mass.ts";
import { type HullOf, writeShape } from "../geometry/shapes.ts";
import type { ChainsFeature } from "../chains/feature.ts";
import { featureOf, missingFeature } from "./features.ts";
import type { PolygonsFeature } from "../planck/polygon_hull.ts";
import {
  type Archetype,
  type BodyDef,
  type BodyType,
  type Chain,
  type FixtureDef,
  type MutableProperty,
  type Path,
  type ProjectileDef,
  type Shape,
  type StageDef,
  StageError,
  type StageFeature,
} from "../core/types.ts";

const {
  BODY_STRIDE,
  BODY_INTS,
  BODY_TYPE,
  BODY_FLAGS,
  STATIC,
  KINEMATIC,
  DYNAMIC,
  AWAKE,
  BULLET,
  SLEEPLESS,
  AABB_CURRENT,
  NONE,
  COS,
} = bodyLayout;
const { INVERSE_MASS, INVERSE_INERTIA, LOCAL_CENTER_X, LOCAL_CENTER_Y, MAX_EXTENT, MAX_SLOW_MOTION } = bodyLayout;
const { GRAVITY_SCALE, LINEAR_DAMPING, ANGULAR_DAMPING } = bodyLayout;
const { FIXTURE_VALUES, FIXTURE_INTS, FIXTURE_SHAPE, FIXTURE_FLAGS, CATEGORY, MASK, SENSOR, ONE_WAY } = fixtureLayout;
const { FRICTION_COEFFICIENT, RESTITUTION, SURFACE_SPEED, TURNING, ONE_WAY_X, ONE_WAY_Y } = fixtureLayout;
const { DECLARED_INDEX, SEGMENT } = fixtureLayout;

/** Contacts are found per fixture. A body with more parts should be several bodies. */
const BODY_FIXTURES_MAX = 64;
/** An archetype's index fits a byte. */
const ARCHETYPES_MAX = 255;
/** A shorter vector is a mistake. */
const SIDE_MIN = 1 / 128;
/** A projectile with this `bouncesMax` never expires by a hit. The count of bounces is a byte and stops here. */
export const BOUNCES_UNLIMITED = 255;
/** A projectile's age has 16 bits: 54 minutes at 20 Hz. */
const LIFE_TICKS_MAX = 0xffff;

/** One word of every entity of an archetype: a property that may change. */
export interface MutableWord {
  readonly property: MutableProperty;
  /** Index of the fixture in the declaration; -1 for a property of the body. */
  readonly fixture: number;
  readonly type: "u16" | "f32";
}

/** The part of the feature `properties` that compiles a declaration. */
export interface PropertyCompiler extends StageFeature<"properties"> {
  /** @throws StageError for a property that is unknown or listed twice */
  compileWords(mutable: readonly MutableProperty[], body: BodyTemplate, owner: string): readonly MutableWord[];
}

/** The parts that both sorts of archetypes have. */
interface CompiledBase {
  readonly index: number;
  // deno-lint-ignore no-explicit-any
  readonly archetype: Archetype<any>;
  readonly layout: FieldLayout;
}

/** An archetype with a body, or the ground. */
export interface CompiledBody extends CompiledBase {
  readonly body: BodyTemplate;
  readonly projectile?: never;
  readonly path: Path | undefined;
  /** The words of its properties that may change, in the order of the snapshot. */
  readonly mutable: readonly MutableWord[];
}

/** An archetype of projectiles. */
export interface CompiledProjectile extends CompiledBase {
  readonly path?: never;
  readonly mutable?: never;
  /** The declaration with all defaults filled in. */
  readonly projectile: Required<ProjectileDef>;
  readonly body?: never;
}

/** Either sort. */
export type CompiledArchetype = CompiledBody | CompiledProjectile;

/** Whether only teleports move the entities of this archetype. */
export function isStatic({ body }: CompiledArchetype): boolean {
  return body !== undefined && body.ints[BODY_TYPE] === STATIC;
}

/** Whether the angle of this archetype's entities is 0 for ever. */
export function isUpright({ archetype: { body } }: Pick<CompiledArchetype, "archetype">): boolean {
  return body?.fixedRotation === "upright";
}

/** Whether the entities of this archetype never fall asleep. */
export function isSleepless({ body }: CompiledArchetype): boolean {
  return body !== undefined && (body.ints[BODY_FLAGS]! & SLEEPLESS) !== 0;
}

/** The ground's name in `restitutions`. */
const GROUND_NAME = "ground";

/** All archetypes of a declaration by index, the rows of their shapes (`shape_rows.ts`), and the world's parameters. */
export interface CompiledStage {
  readonly archetypes: readonly CompiledArchetype[];
  readonly shapes: Float64Array;
  /** Undefined if the declaration does not list chains. */
  readonly segments: ChainsFeature["segments"] | undefined;
  readonly parameters: WorldParameters;
}

/**
 * Every declaration compiled so far. Shapes never change, so all stages of one declaration share them; shared shapes
 * are more often in the processor's caches.
 */
const compiledByDef = new WeakMap<StageDef, CompiledStage>();

/**
 * @returns the ground and the archetypes; the same object for the same declaration, which must not change
 * @throws StageError for a declaration that is wrong; the message names the part
 */
export function compileStage(def: StageDef): CompiledStage {
  let compiled = compiledByDef.get(def);
  if (compiled === undefined) compiledByDef.set(def, compiled = compileAll(def));
  return compiled;
}

function compileAll(def: StageDef): CompiledStage {
  const parameters = compileParameters(def);
  if (def.archetypes.length > ARCHETYPES_MAX) throw new StageError(`more than ${ARCHETYPES_MAX} archetypes`);
  const chains = featureOf<ChainsFeature>(def, "chains");
  const shapes = new ShapeWriter(featureOf<PolygonsFeature>(def, "polygons")?.hullOf, chains);
  const archetypes = [
    compileGround(def.ground, shapes),
    ...def.archetypes.map((each, i) => compileArchetype(each, i + 1, shapes, def)),
  ];
  const names = new Set(archetypes.map((compiled) => compiled.archetype.name));
  if (names.size !== archetypes.length) throw new StageError(`two archetypes have one name, or one is called "ground"`);
  const geometry = { shapes: shapes.rows, segments: chains?.segments };
  return { archetypes, ...geometry, parameters: { ...parameters, ...geometry } };
}

/** Collects the rows of all shapes. */
class ShapeWriter {
  rows = new Float64Array(0);
  readonly #hullOf: HullOf | undefined;
  readonly #chains: ChainsFeature | undefined;

  constructor(hullOf: HullOf | undefined, chains: ChainsFeature | undefined) {
    this.#hullOf = hullOf;
    this.#chains = chains;
  }

  /** @param owner for errors @returns the offsets of the shape's rows: one, or one for each segment of a chain */
  add(shape: Shape | Chain, owner: string): number[] {
    const added = this.#rowsOf(shape, owner), at = this.rows.length, rows = new Float64Array(at + added.length);
    rows.set(this.rows);
    rows.set(added, at);
    this.rows = rows;
    return Array.from({ length: added.length / SHAPE_STRIDE }, (_, i) => at + i * SHAPE_STRIDE);
  }

  #rowsOf(shape: Shape | Chain, owner: string): Float64Array {
    if ("chain" in shape) {
      if (this.#chains === undefined) throw missingFeature(`${owner}'s chain`, "chains");
      return this.#chains.segmentRows(shape, owner);
    }
    if ("polygon" in shape && this.#hullOf === undefined) throw missingFeature(`${owner}'s polygon`, "polygons");
    const row = new Float64Array(SHAPE_STRIDE);
    writeShape(row, 0, shape, this.#hullOf);
    return row;
  }
}

function compileGround(ground: readonly FixtureDef[], shapes: ShapeWriter): CompiledBody {
  return {
    index: 0,
    archetype: { name: GROUND_NAME, body: { fixtures: ground }, fields: {} },
    layout: layoutOf({}, GROUND_NAME),
    body: compileBody({ fixtures: ground }, { name: GROUND_NAME, type: STATIC, shapes }),
    path: undefined,
    mutable: [],
  };
}

function compileArchetype(
  archetype: Archetype,
  index: number,
  shapes: ShapeWriter,
  def: StageDef,
): CompiledArchetype {
  const { name, body, projectile } = archetype, layout = layoutOf(archetype.fields, name);
  if ((body === undefined) === (projectile === undefined)) {
    throw new StageError(`${name} needs a body or a projectile, one of them`);
  }
  if (projectile !== undefined) return { index, archetype, layout, projectile: compileProjectile(projectile, name) };
  const { path, fixtures } = body, type = typeOf(body, name), max = type === STATIC ? FIXTURES_MAX : BODY_FIXTURES_MAX;
  if (fixtures.length > max) throw new StageError(`${name} has more than ${max} fixtures`);
  if (path !== undefined && typeof path !== "function") throw new StageError(`${name}.path is no function`);
  if (path !== undefined && featureOf(def, "paths") === undefined) throw missingFeature(`${name}.path`, "paths");
  const template = compileBody(body, { name, type, shapes });
  return { index, archetype, layout, body: template, path, mutable: compileMutable(body, template, name, def) };
}

function compileMutable({ mutable = [] }: BodyDef, template: BodyTemplate, name: string, def: StageDef) {
  if (mutable.length === 0) return [];
  const feature = featureOf<PropertyCompiler>(def, "properties");
  if (feature === undefined) throw missingFeature(`${name}.mutable`, "properties");
  return feature.compileWords(mutable, template, name);
}

const TYPES: Readonly<Record<BodyType, number>> = { static: STATIC, kinematic: KINEMATIC, dynamic: DYNAMIC };

function typeOf({ path, type = path === undefined ? "dynamic" : "kinematic" }: BodyDef, name: string): number {
  if (!Object.hasOwn(TYPES, type)) throw new StageError(`${name} has the type ${type}: static, kinematic or dynamic`);
  if (path !== undefined && type !== "kinematic") throw new StageError(`${name} has a path, so it is not ${type}`);
  return TYPES[type];
}

function compileProjectile(def: ProjectileDef, owner: string): Required<ProjectileDef> {
  const projectile = {
    gravityScale: 1,
    restitution: 0,
    mass: 0,
    bouncesMax: 0,
    category: 1,
    mask: 0xffff,
    expiresOn: 0,
    ...def,
  };
  checkNumber(projectile.gravityScale, `${owner}.gravityScale`);
  checkNotNegative(projectile.radius, `${owner}.radius`);
  checkNotNegative(projectile.mass, `${owner}.mass`);
  checkNotNegative(projectile.restitution, `${owner}.restitution`);
  if (projectile.restitution > 1) {
    throw new StageError(`${owner}.restitution is ${projectile.restitution}; 0 to 1 are allowed`);
  }
  checkInteger(projectile.bouncesMax, `${owner}.bouncesMax`, { min: 0, max: BOUNCES_UNLIMITED });
  checkInteger(projectile.lifeTicks, `${owner}.lifeTicks`, { min: 1, max: LIFE_TICKS_MAX });
  checkBits(owner, projectile.category, projectile.mask, projectile.expiresOn);
  return projectile;
}

/** The owner of a body for errors, its type, and the rows of its shapes. */
interface BodyContext {
  readonly name: string;
  readonly type: number;
  readonly shapes: ShapeWriter;
}

function compileBody(def: BodyDef, { name, type, shapes }: BodyContext): BodyTemplate {
  const { bullet = false, gravityScale = 1, linearDamping = 0, angularDamping = 0 } = def;
  const fixedRotation = isRotationFixed(def, name, type);
  checkNumber(gravityScale, `${name}.gravityScale`);
  checkNotNegative(linearDamping, `${name}.linearDamping`);
  checkNotNegative(angularDamping, `${name}.angularDamping`);
  const fixtures = def.fixtures.flatMap((fixture, index) => compileFixture(fixture, index, { name, shapes }));
  if (fixtures.length > FIXTURES_MAX) {
    throw new StageError(`${name} has more than ${FIXTURES_MAX} fixtures, segments of chains counted`);
  }
  const values = new Float64Array(BODY_STRIDE), ints = new Int32Array(BODY_INTS);
  ints.set([
    type,
    (type === STATIC ? AWAKE : 0) | AABB_CURRENT | (bullet ? BULLET : 0) | (def.allowSleep === false ? SLEEPLESS : 0),
    NONE,
    NONE,
  ]);
  values[COS] = 1;
  values[GRAVITY_SCALE] = gravityScale;
  values[LINEAR_DAMPING] = linearDamping;
  values[ANGULAR_DAMPING] = angularDamping;
  if (type === DYNAMIC) setMass(values, def.fixtures, fixtures, { shapes: shapes.rows, fixedRotation });
  values[MAX_SLOW_MOTION] = Infinity;
  for (const { ints: fixture } of fixtures) {
    const shape = fixture[FIXTURE_SHAPE]!;
    const extent = extentOf(shapes.rows, shape, values[LOCAL_CENTER_X]!, values[LOCAL_CENTER_Y]!);
    values[MAX_EXTENT] = Math.max(values[MAX_EXTENT]!, extent);
    values[MAX_SLOW_MOTION] = Math.min(values[MAX_SLOW_MOTION]!, maxSlowMotionOf(shapes.rows, shape));
  }
  return { values, ints, fixtures };
}

function isRotationFixed({ fixedRotation = false }: BodyDef, name: string, type: number): boolean {
  if (typeof fixedRotation === "boolean") return fixedRotation;
  if (fixedRotation !== "upright") throw new StageError(`${name}.fixedRotation is ${fixedRotation}`);
  if (type !== DYNAMIC) throw new StageError(`${name} is upright, so it must be dynamic: forces turn no other body`);
  return true;
}

function setMass(
  values: Float64Array,
  defs: readonly FixtureDef[],
  fixtures: readonly FixtureTemplate[],
  { shapes, fixedRotation }: { readonly shapes: Float64Array; readonly fixedRotation: boolean },
): void {
  const massive = fixtures.map(({ ints }) => {
    return { shape: ints[FIXTURE_SHAPE]!, density: defs[ints[DECLARED_INDEX]!]!.density ?? 1 };
  });
  const { inverseMass, inverseInertia, centerX, centerY } = massOf(shapes, massive, fixedRotation);
  values[INVERSE_MASS] = inverseMass;
  values[INVERSE_INERTIA] = inverseInertia;
  values[LOCAL_CENTER_X] = centerX;
  values[LOCAL_CENTER_Y] = centerY;
}

/** @returns one part, or one for each segment of a chain */
function compileFixture(
  def: FixtureDef,
  index: number,
  { name: owner, shapes }: Pick<BodyContext, "name" | "shapes">,
): FixtureTemplate[] {
  const {
    friction = 0.6,
    restitution = 0,
    surfaceSpeed = 0,
    sensor = false,
    oneWay = false,
    category = 1,
    mask = 0xffff,
  } = def;
  checkShape(def.shape, owner);
  checkNotNegative(def.density ?? 0, `${owner}.density`);
  checkNotNegative(friction, `${owner}.friction`);
  checkNotNegative(restitution, `${owner}.restitution`);
  if (restitution > 1) throw new StageError(`${owner}.restitution is ${restitution}; 0 to 1 are allowed`);
  checkBits(owner, category, mask);
  if (def.tag !== undefined && typeof def.tag !== "string") throw new StageError(`${owner}: a tag is ${def.tag}`);
  if (oneWay && sensor) throw new StageError(`${owner}: a sensor stops nobody, so it cannot be one-way`);
  const values = new Float64Array(FIXTURE_VALUES), ints = new Int32Array(FIXTURE_INTS);
  values[FRICTION_COEFFICIENT] = friction;
  values[RESTITUTION] = restitution;
  checkRange(surfaceSpeed, `${owner}.surfaceSpeed`, { min: -SPEED_MAX, max: SPEED_MAX });
  values[SURFACE_SPEED] = surfaceSpeed;
  const isTurning = typeof oneWay === "object";
  if (isTurning) setSide(values, oneWay, owner);
  ints[FIXTURE_FLAGS] = (sensor ? SENSOR : 0) | (oneWay === true ? ONE_WAY : isTurning ? ONE_WAY | TURNING : 0);
  ints[CATEGORY] = category;
  ints[MASK] = mask;
  ints[DECLARED_INDEX] = index;
  return shapes.add(def.shape, owner).map((shape, segment) => {
    const own = ints.slice();
    own[FIXTURE_SHAPE] = shape;
    own[SEGMENT] = segment;
    return { values, ints: own };
  });
}

/** Sets the solid side of a one-way fixture. */
function setSide(values: Float64Array, { x, y }: { readonly x: number; readonly y: number }, owner: string): void {
  checkNumber(x, `${owner}.oneWay.x`);
  checkNumber(y, `${owner}.oneWay.y`);
  const length = Math.sqrt(x * x + y * y);
  if (length < SIDE_MIN) throw new StageError(`${owner}.oneWay is too short to have a direction`);
  values[ONE_WAY_X] = x / length;
  values[ONE_WAY_Y] = y / length;
}
