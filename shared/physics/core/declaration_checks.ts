/**
 * Checks of the numbers and shapes in a declaration. Each throws a `StageError` that names the
 * part.
 */
import {
  type Archetype,
  type BodyDef,
  type Chain,
  type FixtureDef,
  type ProjectileDef,
  type Shape,
  type Spawn,
  type StageDef,
  StageError,
  type StageLimits,
} from "./types.ts";

/** Limit of declared lengths, masses and factors. A larger number is a mistake. */
const NUMBER_MAX = 1e5;

/** The properties that belong to each type of shape. */
const SHAPE_KEYS: Readonly<Record<string, readonly string[]>> = {
  circle: ["x", "y"],
  box: ["x", "y", "angle", "radius"],
  polygon: ["radius"],
  edge: [],
  capsule: ["radius"],
  chain: ["loop", "ghosts"],
};

/**
 * The names of all options of one part of a declaration; the compiler finds one that is missing
 * here.
 */
export type OptionsOf<Part> = Readonly<Record<keyof Part, 1>>;

export const STAGE_OPTIONS: OptionsOf<StageDef> = {
  gravity: 1,
  mutable: 1,
  tickHz: 1,
  substeps: 1,
  solverSteps: 1,
  velocityIterations: 1,
  positionIterations: 1,
  restitutionThreshold: 1,
  speedMax: 1,
  spinMax: 1,
  onSpeedMax: 1,
  limits: 1,
  features: 1,
  ground: 1,
  archetypes: 1,
  joints: 1,
  fields: 1,
  restitutions: 1,
  frictions: 1,
  shouldCollide: 1,
  landsOn: 1,
};
export const LIMIT_OPTIONS: OptionsOf<StageLimits> = { entities: 1, contacts: 1 };
export const ARCHETYPE_OPTIONS: OptionsOf<Archetype> = {
  name: 1,
  fields: 1,
  body: 1,
  projectile: 1,
};
export const BODY_OPTIONS: OptionsOf<BodyDef> = {
  type: 1,
  fixtures: 1,
  fixedRotation: 1,
  allowSleep: 1,
  bullet: 1,
  gravityScale: 1,
  linearDamping: 1,
  angularDamping: 1,
  mutable: 1,
  path: 1,
};
export const FIXTURE_OPTIONS: OptionsOf<FixtureDef> = {
  shape: 1,
  density: 1,
  friction: 1,
  restitution: 1,
  surfaceSpeed: 1,
  rollingResistance: 1,
  sensor: 1,
  swept: 1,
  enabled: 1,
  oneWay: 1,
  tag: 1,
  category: 1,
  mask: 1,
};
export const PROJECTILE_OPTIONS: OptionsOf<ProjectileDef> = {
  radius: 1,
  gravityScale: 1,
  restitution: 1,
  mass: 1,
  bouncesMax: 1,
  lifeTicks: 1,
  category: 1,
  mask: 1,
  expiresOn: 1,
};
// deno-lint-ignore no-explicit-any
export const SPAWN_OPTIONS: OptionsOf<Spawn<any>> = {
  x: 1,
  y: 1,
  angle: 1,
  vx: 1,
  vy: 1,
  spin: 1,
  fields: 1,
};
export const VECTOR_OPTIONS = { x: 1, y: 1 } as const;

/**
 * Refuses a misspelt option, which the compiler does not find in untyped code and behind a spread.
 * @param owner the part of the declaration, for the error
 * @throws StageError for an option that the part does not have
 */
export function checkOptions(
  part: object,
  options: Readonly<Record<string, 1>>,
  owner: { toString(): string },
): void {
  for (const name in part) {
    if (Object.hasOwn(options, name)) continue;
    const known = Object.keys(options).join(", ");
    throw new StageError(`${owner} has no "${name}"; it may have ${known}; see PLANCK.md`);
  }
}

/** Finite, at most 1e5 in magnitude. @throws StageError */
export function checkNumber(value: number, what: string): void {
  if (typeof value !== "number" || !(Math.abs(value) <= NUMBER_MAX)) {
    throw new StageError(`${what} is ${value}`);
  }
}

/** As `checkNumber`, and not below 0. @throws StageError */
export function checkNotNegative(value: number, what: string): void {
  checkNumber(value, what);
  if (value < 0) throw new StageError(`${what} is ${value}; less than 0 makes no sense`);
}

/**
 * The points of a chain are checked where it becomes segments (`chains/segments.ts`).
 * @throws StageError also for a property that the shape does not have: nothing is ignored in
 *   silence
 */
export function checkShape(shape: Shape | Chain, owner: string): void {
  const type = Object.keys(SHAPE_KEYS).find((type) => type in shape);
  if (type === undefined) throw new StageError(`${owner} has no shape`);
  for (const key of Object.keys(shape)) {
    if (key !== type && !SHAPE_KEYS[type]!.includes(key)) {
      throw new StageError(`${owner}'s ${type} has no "${key}"`);
    }
  }
  if ("chain" in shape) return;
  for (const value of allNumbersOf(shape)) checkNumber(value, `${owner}'s shape`);
  for (const size of sizesOf(shape)) {
    if (size <= 0) throw new StageError(`${owner}'s shape has no size`);
  }
}

function allNumbersOf(shape: Shape): readonly number[] {
  if ("circle" in shape) return [shape.circle, shape.x ?? 0, shape.y ?? 0];
  if ("edge" in shape) return shape.edge;
  if ("capsule" in shape) return [...shape.capsule, shape.radius];
  const { radius = 0 } = shape;
  if ("polygon" in shape) return [...shape.polygon.flat(), radius];
  return [...shape.box, shape.x ?? 0, shape.y ?? 0, shape.angle ?? 0, radius];
}

function sizesOf(shape: Shape): readonly number[] {
  if ("circle" in shape) return [shape.circle];
  if ("edge" in shape) {
    return [
      Math.max(Math.abs(shape.edge[2] - shape.edge[0]), Math.abs(shape.edge[3] - shape.edge[1])),
    ];
  }
  return "box" in shape ? shape.box : [];
}

/** @throws StageError */
export function checkInteger(
  value: number,
  what: string,
  { min, max }: { min: number; max: number },
): void {
  const fits = Number.isInteger(value) && value >= min && value <= max;
  if (!fits) throw new StageError(`${what} is ${value}; ${min} to ${max} are allowed`);
}

/** @throws StageError */
export function checkRange(
  value: number,
  what: string,
  { min, max }: { min: number; max: number },
): void {
  if (typeof value !== "number" || !(value >= min && value <= max)) {
    throw new StageError(`${what} is ${value}; ${min} to ${max} are allowed`);
  }
}

/** @throws StageError */
export function checkBits(owner: string, ...masks: readonly number[]): void {
  for (const bits of masks) {
    if ((bits & 0xffff) !== bits) {
      throw new StageError(`${owner}: category, mask and expiresOn have 16 bits, not ${bits}`);
    }
  }
}
