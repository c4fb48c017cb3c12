/**
 * A stage's archetypes, checked once and compiled to the form that the stage uses: an index, the layout of the fields,
 * and fixtures for planck. Index 0 is the ground. Indices 1 … n are the archetypes in the order of their declaration.
 */
import { type FieldLayout, layoutOf } from "../core/fields.ts";
import { FIXTURES_MAX } from "../core/proxy_key.ts";
import { type SweptShape, sweptShapeOf } from "../collision/swept_shape.ts";
import { fixtureDef, type PlanckFixtureDef } from "../planck/planck.ts";
import {
  type Archetype,
  type BodyDef,
  type FixtureDef,
  type Path,
  type ProjectileDef,
  type Shape,
  type StageDef,
  StageError,
} from "../core/types.ts";

/** Contacts are found per fixture. A body with more parts should be several bodies. */
const BODY_FIXTURES_MAX = 64;
/** An archetype's index fits a byte. */
const ARCHETYPES_MAX = 255;
/** More world steps per tick cost more time than a match has. */
const SUBSTEPS_MAX = 8;
/**
 * A tick shorter than a millisecond makes no sense, and a path's metres per tick must keep their precision as a
 * float32.
 */
const TICK_HZ_MAX = 1000;
/** Metres. planck merges two corners that are nearer. */
const CORNER_DISTANCE_MIN = 0.003;
/** Limit of declared lengths, masses and factors. A larger number is a mistake. */
const NUMBER_MAX = 1e5;
/** A projectile with this `bouncesMax` never expires by a hit. The count of bounces is a byte and stops here. */
export const BOUNCES_UNLIMITED = 255;
/** A projectile's age has 16 bits: 54 minutes at 20 Hz. */
const LIFE_TICKS_MAX = 0xffff;

/** The parts that both sorts of archetypes have. */
interface CompiledBase {
  readonly index: number;
  // deno-lint-ignore no-explicit-any
  readonly archetype: Archetype<any>;
  readonly layout: FieldLayout;
  /** Arguments of `Body.createFixture`. Empty for a projectile. */
  readonly fixtures: readonly PlanckFixtureDef[];
}

/** An archetype with a body, or the ground. */
export interface CompiledBody extends CompiledBase {
  /** The argument of `World.createBody`. */
  readonly body: object;
  readonly projectile?: never;
  /** By fixture: the shape that projectiles hit. */
  readonly sweptShapes: readonly SweptShape[];
  readonly path: Path | undefined;
  /** By fixture: whether it is one-way. */
  readonly oneWay: readonly boolean[];
}

/** An archetype of projectiles. */
export interface CompiledProjectile extends CompiledBase {
  readonly path?: never;
  readonly oneWay?: never;
  /** The declaration with all defaults filled in. */
  readonly projectile: Required<ProjectileDef>;
  readonly body?: never;
}

/** Either sort. */
export type CompiledArchetype = CompiledBody | CompiledProjectile;

/** The ground's name in `restitutions`. */
const GROUND_NAME = "ground";

/**
 * Every declaration compiled so far. Shapes never change, so all stages of one declaration share them; shared shapes
 * are more often in the processor's caches.
 */
const compiledByDef = new WeakMap<StageDef, readonly CompiledArchetype[]>();

/**
 * @returns the ground and the archetypes by index; the same array for the same declaration, which must not change
 * @throws StageError for a declaration that is wrong; the message names the part
 */
export function compileArchetypes(def: StageDef): readonly CompiledArchetype[] {
  let archetypes = compiledByDef.get(def);
  if (archetypes === undefined) compiledByDef.set(def, archetypes = compileAll(def));
  return archetypes;
}

function compileAll(def: StageDef): readonly CompiledArchetype[] {
  checkNumber(def.gravity, "gravity");
  if (!(def.tickHz >= 1 && def.tickHz <= TICK_HZ_MAX)) throw new StageError(`tickHz is ${def.tickHz}`);
  if (!Number.isInteger(def.substeps) || def.substeps < 1 || def.substeps > SUBSTEPS_MAX) {
    throw new StageError(`substeps is ${def.substeps}; 1 to ${SUBSTEPS_MAX} are allowed`);
  }
  if (def.archetypes.length > ARCHETYPES_MAX) throw new StageError(`more than ${ARCHETYPES_MAX} archetypes`);
  const archetypes = [compileGround(def.ground), ...def.archetypes.map((each, i) => compileArchetype(each, i + 1))];
  const names = new Set(archetypes.map((compiled) => compiled.archetype.name));
  if (names.size !== archetypes.length) throw new StageError(`two archetypes have one name, or one is called "ground"`);
  return archetypes;
}

/**
 * @returns a square table by two archetype indices, row by row; -1 if the fixtures' own restitution counts
 * @throws StageError for a restitution outside 0 … 1 or between archetypes that are not declared
 */
export function compileRestitutions(def: StageDef, archetypes: readonly CompiledArchetype[]): Float64Array {
  const table = new Float64Array(archetypes.length * archetypes.length).fill(-1);
  for (const [nameA, nameB, restitution] of def.restitutions ?? []) {
    const a = archetypes.findIndex((compiled) => compiled.archetype.name === nameA);
    const b = archetypes.findIndex((compiled) => compiled.archetype.name === nameB);
    if (a < 0 || b < 0) throw new StageError(`restitution between ${nameA} and ${nameB}: one is no archetype`);
    if (!(restitution >= 0) || restitution > 1) throw new StageError(`restitution ${restitution}: 0 to 1 are allowed`);
    table[a * archetypes.length + b] = table[b * archetypes.length + a] = restitution;
  }
  return table;
}

function compileGround(ground: readonly FixtureDef[]): CompiledBody {
  if (ground.length > FIXTURES_MAX) throw new StageError(`more than ${FIXTURES_MAX} ground fixtures`);
  const fixtures = ground.map((fixture) => compileFixture(fixture, GROUND_NAME, 0));
  return {
    index: 0,
    archetype: { name: GROUND_NAME, body: { fixtures: ground }, fields: {} },
    layout: layoutOf({}, GROUND_NAME),
    body: { type: "static" },
    fixtures,
    sweptShapes: fixtures.map(({ shape }) => sweptShapeOf(shape)),
    path: undefined,
    oneWay: ground.map(isOneWay),
  };
}

function compileArchetype(archetype: Archetype, index: number): CompiledArchetype {
  const { name, body, projectile } = archetype, layout = layoutOf(archetype.fields, name);
  if ((body === undefined) === (projectile === undefined)) {
    throw new StageError(`${name} needs a body or a projectile, one of them`);
  }
  if (projectile !== undefined) {
    return { index, archetype, layout, fixtures: [], projectile: compileProjectile(projectile, name) };
  }
  if (body.fixtures.length > BODY_FIXTURES_MAX) {
    throw new StageError(`${name} has more than ${BODY_FIXTURES_MAX} fixtures`);
  }
  const fixtures = body.fixtures.map((fixture) => compileFixture(fixture, name, 1));
  const sweptShapes = fixtures.map(({ shape }) => sweptShapeOf(shape));
  const oneWay = body.fixtures.map(isOneWay);
  return { index, archetype, layout, body: compileBody(body, name), fixtures, sweptShapes, path: body.path, oneWay };
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

function compileBody(body: BodyDef, owner: string): object {
  const { fixedRotation = false, bullet = false, gravityScale = 1, linearDamping = 0, angularDamping = 0 } = body;
  checkNumber(gravityScale, `${owner}.gravityScale`);
  checkNotNegative(linearDamping, `${owner}.linearDamping`);
  checkNotNegative(angularDamping, `${owner}.angularDamping`);
  if (body.path !== undefined && typeof body.path !== "function") throw new StageError(`${owner}.path is no function`);
  const type = body.path === undefined ? "dynamic" : "kinematic";
  return { type, fixedRotation, bullet, gravityScale, linearDamping, angularDamping };
}

function compileFixture(def: FixtureDef, owner: string, defaultDensity: number): PlanckFixtureDef {
  checkShape(def.shape, owner);
  checkNotNegative(def.density ?? 0, `${owner}.density`);
  checkNotNegative(def.friction ?? 0, `${owner}.friction`);
  checkNotNegative(def.restitution ?? 0, `${owner}.restitution`);
  if ((def.restitution ?? 0) > 1) {
    throw new StageError(`${owner}.restitution is ${def.restitution}; 0 to 1 are allowed`);
  }
  checkBits(owner, def.category ?? 1, def.mask ?? 0);
  if (def.oneWay && def.sensor) throw new StageError(`${owner}: a sensor stops nobody, so it cannot be one-way`);
  return fixtureDef(def, defaultDensity);
}

function isOneWay({ oneWay }: FixtureDef): boolean {
  return oneWay === true;
}

function checkShape(shape: Shape, owner: string): void {
  if (!["circle", "box", "polygon", "edge"].some((type) => type in shape)) {
    throw new StageError(`${owner} has no shape`);
  }
  for (const value of allNumbersOf(shape)) checkNumber(value, `${owner}'s shape`);
  for (const size of sizesOf(shape)) if (size <= 0) throw new StageError(`${owner}'s shape has no size`);
  if ("polygon" in shape && shape.polygon.length > 2) checkConvex(shape.polygon, owner);
}

/** planck silently replaces any other polygon by its hull or by a box of 1 m. */
function checkConvex(corners: readonly (readonly [number, number])[], owner: string): void {
  let turns = 0;
  for (const [i, [x, y]] of corners.entries()) {
    const [nextX, nextY] = corners[(i + 1) % corners.length]!, [afterX, afterY] = corners[(i + 2) % corners.length]!;
    const dx = nextX - x, dy = nextY - y;
    if (!(dx * dx + dy * dy >= CORNER_DISTANCE_MIN * CORNER_DISTANCE_MIN)) {
      throw new StageError(`${owner}'s polygon has two corners in one place`);
    }
    turns += Math.sign(dx * (afterY - nextY) - dy * (afterX - nextX));
  }
  if (Math.abs(turns) !== corners.length) throw new StageError(`${owner}'s polygon is not convex`);
}

function allNumbersOf(shape: Shape): readonly number[] {
  if ("circle" in shape) return [shape.circle, shape.x ?? 0, shape.y ?? 0];
  if ("box" in shape) return [...shape.box, shape.x ?? 0, shape.y ?? 0, shape.angle ?? 0];
  return "edge" in shape ? shape.edge : shape.polygon.flat();
}

function sizesOf(shape: Shape): readonly number[] {
  if ("circle" in shape) return [shape.circle];
  if ("edge" in shape) {
    return [Math.max(Math.abs(shape.edge[2] - shape.edge[0]), Math.abs(shape.edge[3] - shape.edge[1]))];
  }
  return "box" in shape ? shape.box : [];
}

function checkNumber(value: number, what: string): void {
  if (typeof value !== "number" || !(Math.abs(value) <= NUMBER_MAX)) throw new StageError(`${what} is ${value}`);
}

function checkNotNegative(value: number, what: string): void {
  checkNumber(value, what);
  if (value < 0) throw new StageError(`${what} is ${value}; less than 0 makes no sense`);
}

function checkInteger(value: number, what: string, { min, max }: { min: number; max: number }): void {
  const fits = Number.isInteger(value) && value >= min && value <= max;
  if (!fits) throw new StageError(`${what} is ${value}; ${min} to ${max} are allowed`);
}

function checkBits(owner: string, ...masks: readonly number[]): void {
  for (const bits of masks) {
    if ((bits & 0xffff) !== bits) {
      throw new StageError(`${owner}: category, mask and expiresOn have 16 bits, not ${bits}`);
    }
  }
}
