/**
 * A stage's declarations, checked once and brought into the form that the stage works with: a kind is an archetype with its
 * number, its fields' layout and its fixtures ready for planck. Kind 0 is the ground; kinds 1 … n are the archetypes in the
 * order of their declaration.
 */
import { type FieldLayout, layoutOf } from "./fields.ts";
import { fixtureDef } from "./planck.ts";
import { type Archetype, type BodyDef, type FixtureDef, type Shape, type StageDef, StageError } from "./types.ts";

/** A proxy's key is entity id * 256 + fixture index, so this is what fits. */
const GROUND_FIXTURES_MAX = 256;
/** Contacts are found per fixture: a body of more parts should be several bodies. */
const BODY_FIXTURES_MAX = 64;
/** A kind is a byte. */
const ARCHETYPES_MAX = 255;
/** More world steps per tick cost more than any match can pay. */
const SUBSTEPS_MAX = 8;
/** Declared lengths, masses and factors; what is larger is a slip. */
const NUMBER_MAX = 1e5;

export interface Kind {
  readonly index: number;
  // deno-lint-ignore no-explicit-any
  readonly archetype: Archetype<any>;
  readonly layout: FieldLayout;
  /** For `World.createBody`. */
  readonly body: object;
  /** For `Body.createFixture`. */
  readonly fixtures: readonly object[];
}

/** The name under which the ground stands in `restitutions`. */
const GROUND_NAME = "ground";

/** @throws StageError naming what is wrong with the declaration */
export function compileKinds(def: StageDef): readonly Kind[] {
  check(def.gravity, "gravity");
  if (!(def.tickHz > 0) || !Number.isFinite(def.tickHz)) throw new StageError(`tickHz is ${def.tickHz}`);
  if (!Number.isInteger(def.substeps) || def.substeps < 1 || def.substeps > SUBSTEPS_MAX) {
    throw new StageError(`substeps is ${def.substeps}; 1 to ${SUBSTEPS_MAX} are allowed`);
  }
  if (def.archetypes.length > ARCHETYPES_MAX) throw new StageError(`more than ${ARCHETYPES_MAX} archetypes`);
  const kinds = [compileGround(def.ground), ...def.archetypes.map((each, i) => compileArchetype(each, i + 1))];
  const names = new Set(kinds.map((kind) => kind.archetype.name));
  if (names.size !== kinds.length) throw new StageError(`two archetypes have one name, or one is called "ground"`);
  return kinds;
}

/** By (kind, kind), row by row; -1 where the fixtures' own restitution counts. @throws StageError */
export function compileRestitutions(def: StageDef, kinds: readonly Kind[]): Float64Array {
  const table = new Float64Array(kinds.length * kinds.length).fill(-1);
  for (const [nameA, nameB, restitution] of def.restitutions ?? []) {
    const a = kinds.findIndex((kind) => kind.archetype.name === nameA);
    const b = kinds.findIndex((kind) => kind.archetype.name === nameB);
    if (a < 0 || b < 0) throw new StageError(`restitution between ${nameA} and ${nameB}: one is no archetype`);
    if (!(restitution >= 0) || restitution > 1) throw new StageError(`restitution ${restitution}: 0 to 1 are allowed`);
    table[a * kinds.length + b] = table[b * kinds.length + a] = restitution;
  }
  return table;
}

function compileGround(ground: readonly FixtureDef[]): Kind {
  if (ground.length > GROUND_FIXTURES_MAX) throw new StageError(`more than ${GROUND_FIXTURES_MAX} ground fixtures`);
  return {
    index: 0,
    archetype: { name: GROUND_NAME, body: { fixtures: ground }, fields: {} },
    layout: layoutOf({}, GROUND_NAME),
    body: { type: "static" },
    fixtures: ground.map((fixture) => compileFixture(fixture, GROUND_NAME, 0)),
  };
}

function compileArchetype(archetype: Archetype, index: number): Kind {
  const { name, body } = archetype;
  if (body.fixtures.length > BODY_FIXTURES_MAX) {
    throw new StageError(`${name} has more than ${BODY_FIXTURES_MAX} fixtures`);
  }
  return {
    index,
    archetype,
    layout: layoutOf(archetype.fields, name),
    body: compileBody(body, name),
    fixtures: body.fixtures.map((fixture) => compileFixture(fixture, name, 1)),
  };
}

function compileBody(body: BodyDef, owner: string): object {
  const { fixedRotation = false, bullet = false, gravityScale = 1, linearDamping = 0, angularDamping = 0 } = body;
  check(gravityScale, `${owner}.gravityScale`);
  checkPositive(linearDamping, `${owner}.linearDamping`);
  checkPositive(angularDamping, `${owner}.angularDamping`);
  return { type: "dynamic", fixedRotation, bullet, gravityScale, linearDamping, angularDamping };
}

function compileFixture(def: FixtureDef, owner: string, defaultDensity: number): object {
  for (const value of numbersOf(def.shape)) check(value, `${owner}'s shape`);
  for (const size of sizesOf(def.shape)) if (size <= 0) throw new StageError(`${owner}'s shape has no size`);
  checkPositive(def.density ?? 0, `${owner}.density`);
  checkPositive(def.friction ?? 0, `${owner}.friction`);
  checkPositive(def.restitution ?? 0, `${owner}.restitution`);
  for (const bits of [def.category ?? 1, def.mask ?? 0]) {
    if ((bits & 0xffff) !== bits) throw new StageError(`${owner}: category and mask have 16 bits, not ${bits}`);
  }
  return fixtureDef(def, defaultDensity);
}

function numbersOf(shape: Shape): readonly number[] {
  if ("circle" in shape) return [shape.circle, shape.x ?? 0, shape.y ?? 0];
  if ("box" in shape) return [...shape.box, shape.x ?? 0, shape.y ?? 0, shape.angle ?? 0];
  return "edge" in shape ? shape.edge : shape.polygon.flat();
}

function sizesOf(shape: Shape): readonly number[] {
  if ("circle" in shape) return [shape.circle];
  return "box" in shape ? shape.box : [];
}

function check(value: number, what: string): void {
  if (!(Math.abs(value) <= NUMBER_MAX)) throw new StageError(`${what} is ${value}`);
}

function checkPositive(value: number, what: string): void {
  check(value, what);
  if (value < 0) throw new StageError(`${what} is ${value}; less than 0 makes no sense`);
}
