/**
 * Bodies on a path. Their pose is a function of the tick and of their fields, so it cannot drift.
 *
 *     setTargets, before the world steps of tick n:   velocity = ( path(n) − pose ) / length of a tick
 *     snapToTargets, at the end of tick n:            pose = fround( path(n) )
 *
 * The solver uses the velocity to carry and push other bodies. A path that moves farther than a
 * body can in one tick, by default 2 m or a quarter turn per world step, teleports the body: it
 * pushes nothing on its way.
 */
import { Body } from "../core/body_rows.ts";
import { type BodyRecord, PathTarget } from "./entity.ts";
import type { FieldValues } from "../core/fields.ts";
import type { CompiledArchetype } from "./compiled_archetypes.ts";
import { isExactlyAt } from "../collision/aabb.ts";
import type { World } from "../dynamics/world.ts";
import {
  checkPosition,
  checkWithin,
  FULL_TURN,
  POSITION_MAX,
  quantizeAngle,
  SPEED_MAX,
  within,
} from "../core/limits.ts";
import type { EntityTable } from "./entity_table.ts";
import { type FieldSpec, type Spawn, StageError, type StageFeature } from "../core/types.ts";

/** Radians: a year at 30 rad/s. Beyond it a double is too coarse to take whole turns off. */
const PATH_ANGLE_MAX = 1e9;

/** An entity on a path, or one that is about to be spawned. */
interface PathFollower {
  readonly compiled: CompiledArchetype;
  readonly fields: FieldValues;
  toString(): string;
}

/**
 * Sets `into` to the follower's pose at the end of `tick`. A path that leads out of the world ends
 * at its edge: the fields of a state from outside may lead it anywhere.
 * @throws StageError for a pose that is missing, and for one that is not a number
 */
function evaluatePath(follower: PathFollower, tick: number, into: PathTarget): void {
  const pose = follower.compiled.path!(tick, follower.fields);
  if (typeof pose !== "object" || pose === null) {
    throw new StageError(`${follower}: its path at tick ${tick} is ${pose}`);
  }
  const x = within(pose.x, POSITION_MAX), y = within(pose.y, POSITION_MAX);
  const angle = within(pose.angle ?? 0, PATH_ANGLE_MAX);
  checkPosition(follower, x, y);
  checkWithin(angle, PATH_ANGLE_MAX, follower, "angle");
  into.x = Math.fround(x);
  into.y = Math.fround(y);
  into.angle = quantizeAngle(angle);
}

/**
 * The pose of an entity that is spawned on its path.
 * @param tick the path's pose at the end of this tick counts
 * @throws StageError for a pose that is invalid, and if the spawn gives more than fields
 */
function pathStart(
  follower: PathFollower,
  tick: number,
  spawn: Partial<Spawn<FieldSpec>>,
): Spawn<FieldSpec> {
  for (const name in spawn) {
    if (name !== "fields") {
      throw new StageError(`${follower} is on a path, which gives its ${name}`);
    }
  }
  const target = new PathTarget();
  evaluatePath(follower, tick, target);
  return target;
}

/** How often a stage steps. */
interface StepRates {
  /** World steps per tick. */
  readonly substeps: number;
  readonly tickHz: number;
}

/** The joints of the bodies, as far as paths change them. */
interface AttachedJoints {
  /** Corrects the joints' reference angles after whole turns were added to the body's angle. */
  shiftWholeTurns(record: BodyRecord, turns: number): void;
  /** Removes all joints of the body. */
  removeAllOf(record: BodyRecord): void;
}

/** Moves all bodies of one stage that are on a path. */
export class KinematicPaths {
  readonly #world: World;
  readonly #entities: EntityTable;
  readonly #tickS: number;
  readonly #moveMax: number;
  readonly #turnMax: number;
  readonly #joints: AttachedJoints | undefined;

  constructor(
    world: World,
    entities: EntityTable,
    joints: AttachedJoints | undefined,
    rates: StepRates,
  ) {
    this.#world = world;
    this.#entities = entities;
    this.#joints = joints;
    this.#tickS = 1 / rates.tickHz;
    this.#moveMax = Math.min(rates.substeps * world.translationMax, SPEED_MAX * this.#tickS);
    this.#turnMax = rates.substeps * world.rotationMax;
  }

  /**
   * Sets each body's velocity for the world steps of `tick`.
   * @throws StageError for an invalid pose; then nothing has changed
   */
  setTargets(tick: number): void {
    const { bodies } = this.#entities;
    for (let i = 0; i < bodies.length; i++) {
      const record = bodies[i]!;
      if (record.pathTarget !== undefined) evaluatePath(record, tick, record.pathTarget);
    }
    for (let i = 0; i < bodies.length; i++) {
      const record = bodies[i]!;
      if (record.pathTarget !== undefined) this.#steer(record, record.pathTarget);
    }
  }

  /**
   * Sets each body to its target at the end of `tick`. A body without a target, because no world
   * step ran in this tick, moves there at once.
   * @throws StageError for an invalid pose
   */
  snapToTargets(tick: number): void {
    const { bodies } = this.#entities;
    for (let i = 0; i < bodies.length; i++) {
      const record = bodies[i]!;
      const { pathTarget } = record;
      if (pathTarget === undefined || pathTarget.isSet) continue;
      evaluatePath(record, tick, pathTarget);
      this.#placeAt(record, pathTarget);
      pathTarget.isSet = true;
    }

    for (let i = 0; i < bodies.length; i++) {
      const record = bodies[i]!;
      const { pathTarget } = record;
      if (pathTarget === undefined) continue;
      const { x, y, angle } = pathTarget;
      if (!isExactlyAt(this.#world.bodies, record.row, x, y, angle)) {
        this.#entities.setCenterPose(record, x, y, angle);
      }
    }
  }

  /** Removes all targets, after the end of a tick and after a load. */
  clearTargets(): void {
    const { bodies } = this.#entities;
    for (let i = 0; i < bodies.length; i++) {
      const { pathTarget } = bodies[i]!;
      if (pathTarget !== undefined) pathTarget.isSet = false;
    }
  }

  /** Sets the velocity that leads to the target, or teleports. */
  #steer(record: BodyRecord, target: PathTarget): void {
    target.isSet = true;
    const { values, offset } = record;
    const dx = target.x - values[offset + Body.CENTER_X]!;
    const dy = target.y - values[offset + Body.CENTER_Y]!;
    const turn = this.#rotationTo(record, target.angle);
    if (this.#isTeleport(dx, dy, turn)) {
      this.#placeAt(record, target);
      return;
    }

    // A body that does not move may sleep, and so may the bodies on it.
    if (dx !== 0 || dy !== 0 || turn !== 0) this.#world.wake(record.row);
    const vx = dx / this.#tickS;
    const vy = dy / this.#tickS;
    const spin = turn / this.#tickS;
    if (
      values[offset + Body.VX] === vx && values[offset + Body.VY] === vy &&
      values[offset + Body.SPIN] === spin
    ) return;
    this.#world.edit(record.row);
    values[offset + Body.VX] = vx;
    values[offset + Body.VY] = vy;
    values[offset + Body.SPIN] = spin;
  }

  /** Moves the body to the target at once, at rest. */
  #placeAt(record: BodyRecord, target: PathTarget): void {
    const { values, offset } = record;
    this.#world.edit(record.row);
    values[offset + Body.VX] = values[offset + Body.VY] = values[offset + Body.SPIN] = 0;
    const dx = target.x - values[offset + Body.CENTER_X]!;
    const dy = target.y - values[offset + Body.CENTER_Y]!;
    const turn = this.#rotationTo(record, target.angle);
    if (dx === 0 && dy === 0 && turn === 0) return;
    if (this.#isTeleport(dx, dy, turn)) {
      this.#joints?.removeAllOf(record);
      record.teleports = record.teleports + 1 & 0xff;
    }
    this.#entities.setCenterPose(record, target.x, target.y, target.angle);
    this.#world.hasNewPairs = true;
    this.#world.wake(record.row);
  }

  /**
   * Adds the whole turns between both angles to the body.
   * @returns the rotation that remains, −π … π
   */
  #rotationTo(record: BodyRecord, angle: number): number {
    const { values, offset } = record;
    const turns = Math.round((angle - values[offset + Body.ANGLE]!) / FULL_TURN);
    if (turns !== 0) {
      values[offset + Body.ANGLE]! += turns * FULL_TURN;
      values[offset + Body.ANGLE0] = values[offset + Body.ANGLE]!;
      this.#joints?.shiftWholeTurns(record, turns);
    }
    return angle - values[offset + Body.ANGLE]!;
  }

  #isTeleport(dx: number, dy: number, turn: number): boolean {
    return dx * dx + dy * dy > this.#moveMax * this.#moveMax || Math.abs(turn) > this.#turnMax;
  }
}

/** Bodies on a path. */
export interface PathsFeature extends StageFeature<"paths"> {
  create(
    world: World,
    entities: EntityTable,
    joints: AttachedJoints | undefined,
    rates: StepRates,
  ): KinematicPaths;
  /**
   * @returns the pose of an entity that is spawned on its path
   * @throws StageError for a pose that is invalid
   */
  startOf(follower: PathFollower, tick: number, spawn: Partial<Spawn<FieldSpec>>): Spawn<FieldSpec>;
}

/** The feature `paths`: archetypes of stages that list it in their declaration may have a path. */
export const paths: PathsFeature = {
  feature: "paths",
  create: (world, entities, joints, rates) => new KinematicPaths(world, entities, joints, rates),
  startOf: pathStart,
};
