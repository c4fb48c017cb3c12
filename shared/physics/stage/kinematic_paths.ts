/**
 * Bodies on a path: where they are is a function of the tick and their fields, so nothing about their motion can drift.
 *
 *     aim, before the world steps:   velocity = (path(n) - pose) / tick;   the solver carries and pushes with that
 *     arrive, when the tick closes:  pose = fround(path(n)), exactly
 *
 * A path that leaps is a teleport: a body cannot be shoved out of the way by something that was never between.
 */
import { ANGLE, ANGLE0, CENTER_X, CENTER_Y, SPIN, VX, VY } from "../core/body_rows.ts";
import { Aim, type BodyRecord } from "./entity.ts";
import type { FieldValues } from "../core/fields.ts";
import type { CompiledArchetype } from "./compiled_archetypes.ts";
import type { PlanckWorld } from "../planck/planck.ts";
import { checkPosition, checkWithin, roundAngle, SPEED_MAX, TURN } from "../core/limits.ts";
import type { EntityTable } from "./entity_table.ts";
import { type FieldSpec, type Spawn, StageError } from "../core/types.ts";

/** planck lets nothing go farther than this in one world step; a path that wants more leaps. Metres, radians. */
const STEP_MOVE_MAX = 2;
const STEP_TURN_MAX = Math.PI / 2;
/** What a wheel turns in a year at 30 rad/s; beyond it a double is too coarse to take whole turns off. */
const PATH_ANGLE_MAX = 1e9;

/** Whose path is asked: an entity, or one that shall be spawned. */
interface Traveller {
  readonly compiled: CompiledArchetype;
  readonly fields: FieldValues;
  toString(): string;
}

/**
 * Where its path says that it is at the end of `tick`.
 * @throws StageError naming the traveller where that is no place
 */
function askPath(who: Traveller, tick: number, into: Aim): void {
  const pose = who.compiled.path!(tick, who.fields);
  if (typeof pose !== "object" || pose === null) throw new StageError(`${who}: its path at tick ${tick} is ${pose}`);
  const { x, y, angle = 0 } = pose;
  checkPosition(who, x, y);
  checkWithin(angle, PATH_ANGLE_MAX, who, "angle");
  into.x = Math.fround(x);
  into.y = Math.fround(y);
  into.angle = roundAngle(angle);
}

/** Where one that is spawned before its path has moved it at `tick` begins. @throws StageError where it is told another place */
export function beginOfPath(
  who: Traveller,
  tick: number,
  at: Partial<Spawn<FieldSpec>>,
): Spawn<FieldSpec> {
  for (const name in at) if (name !== "fields") throw new StageError(`${who} is on a path, which gives its ${name}`);
  const aim = new Aim();
  askPath(who, tick, aim);
  return aim;
}

/** How the stage steps. */
export interface StepOfStage {
  /** World steps per tick. */
  readonly substeps: number;
  readonly tickHz: number;
}

/** What hangs on the bodies. */
export interface Hangers {
  /** Whole turns were added to an entity's angle: whatever measures against it must follow. */
  followTurns(record: BodyRecord, turns: number): void;
  /** Whatever held the entity lets go. */
  removeOf(record: BodyRecord): void;
}

/** Moves all entities of one stage that are on a path. */
export class Paths {
  readonly #world: PlanckWorld;
  readonly #entities: EntityTable;
  readonly #tickS: number;
  readonly #moveMax: number;
  readonly #turnMax: number;
  readonly #hangers: Hangers;

  constructor(world: PlanckWorld, entities: EntityTable, hangers: Hangers, step: StepOfStage) {
    this.#world = world;
    this.#entities = entities;
    this.#hangers = hangers;
    this.#tickS = 1 / step.tickHz;
    this.#moveMax = Math.min(step.substeps * STEP_MOVE_MAX, SPEED_MAX * this.#tickS);
    this.#turnMax = step.substeps * STEP_TURN_MAX;
  }

  /**
   * Before the world steps of `tick`: gives each its velocity for the whole of it.
   * @throws StageError before anything has changed, naming an entity whose path is no place
   */
  aim(tick: number): void {
    const { bodies } = this.#entities;
    for (let i = 0; i < bodies.length; i++) {
      const record = bodies[i]!;
      if (record.aim !== undefined) askPath(record, tick, record.aim);
    }
    for (let i = 0; i < bodies.length; i++) {
      const record = bodies[i]!;
      if (record.aim !== undefined) this.#send(record, record.aim);
    }
  }

  /** When `tick` closes: puts each where it aimed at; one that never aimed, because no world has stepped, where it must be. */
  arrive(tick: number): void {
    const { bodies } = this.#entities;
    for (let i = 0; i < bodies.length; i++) {
      const record = bodies[i]!, { aim } = record;
      if (aim === undefined || aim.taken) continue;
      askPath(record, tick, aim);
      this.#put(record, aim);
      aim.taken = true;
    }
    for (let i = 0; i < bodies.length; i++) {
      const record = bodies[i]!, { aim } = record;
      if (aim !== undefined) this.#entities.setCenterPose(record, aim.x, aim.y, aim.angle);
    }
  }

  /** After the tick has closed and after a load: nobody has aimed yet. */
  forget(): void {
    const { bodies } = this.#entities;
    for (let i = 0; i < bodies.length; i++) {
      const { aim } = bodies[i]!;
      if (aim !== undefined) aim.taken = false;
    }
  }

  #send(record: BodyRecord, aim: Aim): void {
    aim.taken = true;
    const { body, body: { numbers, row } } = record;
    const dx = aim.x - numbers[row + CENTER_X]!, dy = aim.y - numbers[row + CENTER_Y]!;
    const turn = this.#turnTo(record, aim.angle);
    if (this.#leaps(dx, dy, turn)) {
      this.#put(record, aim);
      return;
    }
    // what does not move may sleep, and lets sleep what lies on it
    if (dx !== 0 || dy !== 0 || turn !== 0) body.setAwake(true);
    numbers[row + VX] = dx / this.#tickS;
    numbers[row + VY] = dy / this.#tickS;
    numbers[row + SPIN] = turn / this.#tickS;
  }

  /** There at once, at rest. */
  #put(record: BodyRecord, aim: Aim): void {
    const { body, body: { numbers, row } } = record;
    numbers[row + VX] = numbers[row + VY] = numbers[row + SPIN] = 0;
    const dx = aim.x - numbers[row + CENTER_X]!, dy = aim.y - numbers[row + CENTER_Y]!;
    const turn = this.#turnTo(record, aim.angle);
    if (dx === 0 && dy === 0 && turn === 0) return;
    if (this.#leaps(dx, dy, turn)) {
      this.#hangers.removeOf(record);
      record.jumps = record.jumps + 1 & 0xff;
    }
    this.#entities.setCenterPose(record, aim.x, aim.y, aim.angle);
    this.#world.m_newFixture = true;
    body.setAwake(true);
  }

  /** The shorter way to that angle; whole turns between here and there are made at once. */
  #turnTo(record: BodyRecord, angle: number): number {
    const { numbers, row } = record.body, turns = Math.round((angle - numbers[row + ANGLE]!) / TURN);
    if (turns !== 0) {
      numbers[row + ANGLE]! += turns * TURN;
      numbers[row + ANGLE0] = numbers[row + ANGLE]!;
      this.#hangers.followTurns(record, turns);
    }
    return angle - numbers[row + ANGLE]!;
  }

  #leaps(dx: number, dy: number, turn: number): boolean {
    return dx * dx + dy * dy > this.#moveMax * this.#moveMax || Math.abs(turn) > this.#turnMax;
  }
}
