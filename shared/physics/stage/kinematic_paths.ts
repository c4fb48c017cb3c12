/**
 * Bodies on a path: where they are is a function of the tick and their fields, so nothing about their motion can drift.
 *
 *     setTargets, before the world steps:    velocity = (path(n) - pose) / tick;   the solver carries and pushes with that
 *     snapToTargets, when the tick closes:   pose = fround(path(n)), exactly
 *
 * A path that leaps is a teleport: a body cannot be shoved out of the way by something that was never between.
 */
import { ANGLE, ANGLE0, CENTER_X, CENTER_Y, SPIN, VX, VY } from "../core/body_rows.ts";
import { type BodyRecord, PathTarget } from "./entity.ts";
import type { FieldValues } from "../core/fields.ts";
import type { CompiledArchetype } from "./compiled_archetypes.ts";
import type { PlanckWorld } from "../planck/planck.ts";
import { checkPosition, checkWithin, FULL_TURN, quantizeAngle, SPEED_MAX } from "../core/limits.ts";
import type { EntityTable } from "./entity_table.ts";
import { type FieldSpec, type Spawn, StageError } from "../core/types.ts";

/** planck lets nothing go farther than this in one world step; a path that wants more leaps. Metres, radians. */
const STEP_MOVE_MAX = 2;
const STEP_TURN_MAX = Math.PI / 2;
/** What a wheel turns in a year at 30 rad/s; beyond it a double is too coarse to take whole turns off. */
const PATH_ANGLE_MAX = 1e9;

/** Whose path is asked: an entity, or one that shall be spawned. */
interface PathFollower {
  readonly compiled: CompiledArchetype;
  readonly fields: FieldValues;
  toString(): string;
}

/**
 * Where its path says that it is at the end of `tick`.
 * @throws StageError naming the traveller where that is no place
 */
function evaluatePath(follower: PathFollower, tick: number, into: PathTarget): void {
  const pose = follower.compiled.path!(tick, follower.fields);
  if (typeof pose !== "object" || pose === null) {
    throw new StageError(`${follower}: its path at tick ${tick} is ${pose}`);
  }
  const { x, y, angle = 0 } = pose;
  checkPosition(follower, x, y);
  checkWithin(angle, PATH_ANGLE_MAX, follower, "angle");
  into.x = Math.fround(x);
  into.y = Math.fround(y);
  into.angle = quantizeAngle(angle);
}

/** Where one that is spawned before its path has moved it at `tick` begins. @throws StageError where it is given another place */
export function pathStart(
  follower: PathFollower,
  tick: number,
  spawn: Partial<Spawn<FieldSpec>>,
): Spawn<FieldSpec> {
  for (const name in spawn) {
    if (name !== "fields") throw new StageError(`${follower} is on a path, which gives its ${name}`);
  }
  const target = new PathTarget();
  evaluatePath(follower, tick, target);
  return target;
}

/** How the stage steps. */
export interface StepRates {
  /** World steps per tick. */
  readonly substeps: number;
  readonly tickHz: number;
}

/** What hangs on the bodies. */
export interface AttachedJoints {
  /** Whole turns were added to an entity's angle: whatever measures against it must follow. */
  shiftWholeTurns(record: BodyRecord, turns: number): void;
  /** Whatever held the entity lets go. */
  removeAllOf(record: BodyRecord): void;
}

/** Moves all entities of one stage that are on a path. */
export class KinematicPaths {
  readonly #world: PlanckWorld;
  readonly #entities: EntityTable;
  readonly #tickS: number;
  readonly #moveMax: number;
  readonly #turnMax: number;
  readonly #joints: AttachedJoints;

  constructor(world: PlanckWorld, entities: EntityTable, joints: AttachedJoints, rates: StepRates) {
    this.#world = world;
    this.#entities = entities;
    this.#joints = joints;
    this.#tickS = 1 / rates.tickHz;
    this.#moveMax = Math.min(rates.substeps * STEP_MOVE_MAX, SPEED_MAX * this.#tickS);
    this.#turnMax = rates.substeps * STEP_TURN_MAX;
  }

  /**
   * Before the world steps of `tick`: gives each its velocity for the whole of it.
   * @throws StageError before anything has changed, naming an entity whose path is no place
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

  /** When `tick` closes: puts each where it aimed at; one that never aimed, because no world has stepped, where it must be. */
  snapToTargets(tick: number): void {
    const { bodies } = this.#entities;
    for (let i = 0; i < bodies.length; i++) {
      const record = bodies[i]!, { pathTarget } = record;
      if (pathTarget === undefined || pathTarget.isSet) continue;
      evaluatePath(record, tick, pathTarget);
      this.#placeAt(record, pathTarget);
      pathTarget.isSet = true;
    }
    for (let i = 0; i < bodies.length; i++) {
      const record = bodies[i]!, { pathTarget } = record;
      if (pathTarget !== undefined) this.#entities.setCenterPose(record, pathTarget.x, pathTarget.y, pathTarget.angle);
    }
  }

  /** After the tick has closed and after a load: nobody has aimed yet. */
  clearTargets(): void {
    const { bodies } = this.#entities;
    for (let i = 0; i < bodies.length; i++) {
      const { pathTarget } = bodies[i]!;
      if (pathTarget !== undefined) pathTarget.isSet = false;
    }
  }

  #steer(record: BodyRecord, target: PathTarget): void {
    target.isSet = true;
    const { body, body: { values, offset } } = record;
    const dx = target.x - values[offset + CENTER_X]!, dy = target.y - values[offset + CENTER_Y]!;
    const turn = this.#rotationTo(record, target.angle);
    if (this.#isTeleport(dx, dy, turn)) {
      this.#placeAt(record, target);
      return;
    }
    // what does not move may sleep, and lets sleep what lies on it
    if (dx !== 0 || dy !== 0 || turn !== 0) body.setAwake(true);
    values[offset + VX] = dx / this.#tickS;
    values[offset + VY] = dy / this.#tickS;
    values[offset + SPIN] = turn / this.#tickS;
  }

  /** There at once, at rest. */
  #placeAt(record: BodyRecord, target: PathTarget): void {
    const { body, body: { values, offset } } = record;
    values[offset + VX] = values[offset + VY] = values[offset + SPIN] = 0;
    const dx = target.x - values[offset + CENTER_X]!, dy = target.y - values[offset + CENTER_Y]!;
    const turn = this.#rotationTo(record, target.angle);
    if (dx === 0 && dy === 0 && turn === 0) return;
    if (this.#isTeleport(dx, dy, turn)) {
      this.#joints.removeAllOf(record);
      record.teleports = record.teleports + 1 & 0xff;
    }
    this.#entities.setCenterPose(record, target.x, target.y, target.angle);
    this.#world.m_newFixture = true;
    body.setAwake(true);
  }

  /** The shorter way to that angle; whole turns between here and there are made at once. */
  #rotationTo(record: BodyRecord, angle: number): number {
    const { values, offset } = record.body, turns = Math.round((angle - values[offset + ANGLE]!) / FULL_TURN);
    if (turns !== 0) {
      values[offset + ANGLE]! += turns * FULL_TURN;
      values[offset + ANGLE0] = values[offset + ANGLE]!;
      this.#joints.shiftWholeTurns(record, turns);
    }
    return angle - values[offset + ANGLE]!;
  }

  #isTeleport(dx: number, dy: number, turn: number): boolean {
    return dx * dx + dy * dy > this.#moveMax * this.#moveMax || Math.abs(turn) > this.#turnMax;
  }
}
