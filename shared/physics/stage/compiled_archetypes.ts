/**
 * A stage's archetypes, checked once and compiled to the form that the stage uses. Each has an
 * index, the layout of its fields, and the rows of a body at rest. Index 0 is the ground. Indices 1
 * … n are the archetypes in the order of their declaration.
 */
import { type FieldLayout, layoutOf } from "../core/fields.ts";
import { FIXTURES_MAX } from "../core/proxy_key.ts";
import { BodyFlag, BodyInt, MotionType } from "../core/body_rows.ts";
import { FixtureFlag, FixtureInt } from "../core/fixture_rows.ts";
import type { BodyTemplate, WorldParameters } from "../dynamics/world.ts";
import { compileBody, ShapeWriter } from "./compiled_bodies.ts";
import {
  ARCHETYPE_OPTIONS,
  checkBits,
  checkInteger,
  checkNotNegative,
  checkNumber,
  checkOptions,
  PROJECTILE_OPTIONS,
  STAGE_OPTIONS,
} from "../core/declaration_checks.ts";
import { compileParameters } from "../dynamics/world_parameters.ts";
import type { ChainsFeature } from "../chains/feature.ts";
import { featureOf, missingFeature } from "./features.ts";
import type { RoundedFeature } from "../rounded/feature.ts";
import {
  type Archetype,
  type BodyDef,
  type BodyType,
  type FixtureDef,
  type MutableProperty,
  type Path,
  type ProjectileDef,
  type StageDef,
  StageError,
  type StageFeature,
} from "../core/types.ts";

/** Contacts are found per fixture. A body with more parts should be several bodies. */
const BODY_FIXTURES_MAX = 64;
/** An archetype's index fits a byte. */
const ARCHETYPES_MAX = 255;
/**
 * A projectile with this `bouncesMax` never expires by a hit. The count of bounces is a byte and
 * stops here.
 */
export const BOUNCES_UNLIMITED = 255;
/** A projectile's age has 16 bits: 54 minutes at 20 Hz. */
const LIFE_TICKS_MAX = 0xffff;

/** One word of every entity of an archetype: a property that may change. */
export interface MutableWord {
  readonly property: MutableProperty;
  /**
   * Index of the fixture in the declaration, or of the first one of those that share the word; -1
   * for a property of the body.
   */
  readonly fixture: number;
  readonly type: "u8" | "u16" | "f32";
  /** The greatest value. */
  readonly max: number;
}

/** The part of the feature `properties` that compiles a declaration. */
export interface PropertyCompiler extends StageFeature<"properties"> {
  /** @throws StageError for a property that is unknown, listed twice, or of no use to the body */
  compileWords(def: BodyDef, body: BodyTemplate, owner: string): readonly MutableWord[];
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
  /** The place of its type among them; -1 if that never changes. */
  readonly typeAt: number;
}

/** An archetype of projectiles. */
export interface CompiledProjectile extends CompiledBase {
  readonly path?: never;
  readonly mutable?: never;
  readonly typeAt?: never;
  /** The declaration with all defaults filled in. */
  readonly projectile: Required<ProjectileDef>;
  readonly body?: never;
}

/** Either sort. */
export type CompiledArchetype = CompiledBody | CompiledProjectile;

/** Whether only teleports move the entities of this archetype, as it is declared. */
export function isStatic({ body }: CompiledArchetype): boolean {
  return body !== undefined && body.ints[BodyInt.TYPE] === MotionType.STATIC;
}

/** Whether the solver may ever move the entities of this archetype. */
export function mayBeDynamic({ body, typeAt = -1 }: CompiledArchetype): boolean {
  return body !== undefined && (typeAt >= 0 || body.ints[BodyInt.TYPE] === MotionType.DYNAMIC);
}

/** Whether the angle of this archetype's entities is 0 for ever. */
export function isUpright({ archetype: { body } }: Pick<CompiledArchetype, "archetype">): boolean {
  return body?.fixedRotation === "upright";
}

/** Whether the entities of this archetype never fall asleep. */
export function isSleepless({ body }: CompiledArchetype): boolean {
  return body !== undefined && (body.ints[BodyInt.FLAGS]! & BodyFlag.SLEEPLESS) !== 0;
}

/** The ground's name in `restitutions`. */
const GROUND_NAME = "ground";

/**
 * All archetypes of a declaration by index, the rows of their shapes (`shape_rows.ts`), and the
 * world's parameters.
 */
export interface CompiledStage {
  readonly archetypes: readonly CompiledArchetype[];
  readonly shapes: Float64Array;
  /** Undefined if the declaration does not list chains, or rounded shapes. */
  readonly segments: ChainsFeature["segments"] | undefined;
  readonly rounded: RoundedFeature["geometry"] | undefined;
  readonly parameters: WorldParameters;
}

/**
 * Every declaration compiled so far. Shapes never change, so all stages of one declaration share
 * them; shared shapes are more often in the processor's caches.
 */
const compiledByDef = new WeakMap<StageDef, CompiledStage>();

/**
 * @returns the ground and the archetypes; the same object for the same declaration, which must not
 *   change
 * @throws StageError for a declaration that is wrong; the message names the part
 */
export function compileStage(def: StageDef): CompiledStage {
  let compiled = compiledByDef.get(def);
  if (compiled === undefined) compiledByDef.set(def, compiled = compileAll(def));
  return compiled;
}

function compileAll(def: StageDef): CompiledStage {
  checkOptions(def, STAGE_OPTIONS, "the stage");
  const parameters = compileParameters(def);
  if (def.archetypes.length > ARCHETYPES_MAX) {
    throw new StageError(`more than ${ARCHETYPES_MAX} archetypes`);
  }
  const chains = featureOf<ChainsFeature>(def, "chains");
  const rounded = featureOf<RoundedFeature>(def, "rounded");
  const shapes = new ShapeWriter({ chains, rounded });
  const archetypes = [
    compileGround(def.ground, shapes),
    ...def.archetypes.map((each, i) => compileArchetype(each, i + 1, shapes, def)),
  ];
  const names = new Set(archetypes.map((compiled) => compiled.archetype.name));
  if (names.size !== archetypes.length) {
    throw new StageError(`two archetypes have one name, or one is called "ground"`);
  }
  const geometry = {
    shapes: shapes.rows,
    segments: chains?.segments,
    rounded: rounded?.geometry,
  };
  const sweepsSensors = haveSweptSensors(archetypes);
  return { archetypes, ...geometry, parameters: { ...parameters, ...geometry, sweepsSensors } };
}

/** Whether a sensor asks to see what passes it, or there are both sensors and bullets. */
function haveSweptSensors(archetypes: readonly CompiledArchetype[]): boolean {
  const bodies = archetypes.flatMap(({ body }) => body === undefined ? [] : [body]);
  const flags = bodies.flatMap(({ fixtures }) =>
    fixtures.map(({ ints }) => ints[FixtureInt.FLAGS]!)
  );
  if (flags.some((flag) => (flag & FixtureFlag.SWEEPING) !== 0)) return true;
  const mayBe = (property: MutableProperty) =>
    archetypes.some(({ archetype: { body } }) => body?.mutable?.includes(property));
  return (mayBe("sensor") || flags.some((flag) => (flag & FixtureFlag.SENSOR) !== 0)) &&
    (mayBe("bullet") ||
      bodies.some(({ ints }) => (ints[BodyInt.FLAGS]! & BodyFlag.BULLET) !== 0));
}

function compileGround(ground: readonly FixtureDef[], shapes: ShapeWriter): CompiledBody {
  return {
    index: 0,
    archetype: { name: GROUND_NAME, body: { fixtures: ground }, fields: {} },
    layout: layoutOf({}, GROUND_NAME),
    body: compileBody({ fixtures: ground }, { name: GROUND_NAME, type: MotionType.STATIC, shapes }),
    path: undefined,
    mutable: [],
    typeAt: -1,
  };
}

function compileArchetype(
  archetype: Archetype,
  index: number,
  shapes: ShapeWriter,
  def: StageDef,
): CompiledArchetype {
  const { name, body, projectile } = archetype;
  const layout = layoutOf(archetype.fields, name);

  checkOptions(archetype, ARCHETYPE_OPTIONS, `archetype ${name}`);
  if ((body === undefined) === (projectile === undefined)) {
    throw new StageError(`${name} needs a body or a projectile, one of them`);
  }

  // A projectile
  if (projectile !== undefined) {
    return { index, archetype, layout, projectile: compileProjectile(projectile, name) };
  }

  // A body
  const { path, fixtures, mutable = [] } = body;
  const type = typeOf(body, name);
  const isStaticForEver = type === MotionType.STATIC && !mutable.includes("type");
  const max = isStaticForEver ? FIXTURES_MAX : BODY_FIXTURES_MAX;
  if (fixtures.length > max) throw new StageError(`${name} has more than ${max} fixtures`);

  if (path !== undefined && typeof path !== "function") {
    throw new StageError(`${name}.path is no function`);
  }
  if (path !== undefined && featureOf(def, "paths") === undefined) {
    throw missingFeature(`${name}.path`, "paths");
  }

  const template = compileBody(body, { name, type, shapes });
  const words = compileMutable(body, template, name, def);
  return {
    index,
    archetype,
    layout,
    body: template,
    path,
    mutable: words,
    typeAt: words.findIndex(({ property }) => property === "type"),
  };
}

function compileMutable(body: BodyDef, template: BodyTemplate, name: string, def: StageDef) {
  const { mutable = [] } = body;
  if (mutable.length === 0) return [];
  const feature = featureOf<PropertyCompiler>(def, "properties");
  if (feature === undefined) throw missingFeature(`${name}.mutable`, "properties");
  return feature.compileWords(body, template, name);
}

const TYPES: Readonly<Record<BodyType, number>> = {
  static: MotionType.STATIC,
  kinematic: MotionType.KINEMATIC,
  dynamic: MotionType.DYNAMIC,
};

function typeOf(
  { path, type = path === undefined ? "dynamic" : "kinematic" }: BodyDef,
  name: string,
): number {
  if (!Object.hasOwn(TYPES, type)) {
    throw new StageError(`${name} has the type ${type}: static, kinematic or dynamic`);
  }
  if (path !== undefined && type !== "kinematic") {
    throw new StageError(`${name} has a path, so it is not ${type}`);
  }
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
  checkOptions(def, PROJECTILE_OPTIONS, `${owner}'s projectile`);
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
