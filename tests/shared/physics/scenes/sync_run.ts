/**
 * Rolls back on purpose. One stage runs the scene straight. A second stage loads an old state,
 * steps with a wrong seed, loads that state or a newer one, and steps with the right seed. Some
 * wrong steps end in the middle of a tick. The second stage must then have the same words as the
 * first one in every tick:
 *
 *     load(S(n)); step …   =   step … straight        word by word, in live and in fresh stages
 *
 * The first stage always saves all of its state. The second one does so half of the time; in the
 * other half it saves and loads only what may differ.
 */
import { Random } from "../../../../shared/random.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import type { Archetype, JointDef } from "../../../../shared/physics/core/types.ts";
import { type Difference, firstDifference } from "./difference.ts";
import { INTERNALS } from "../../../../shared/physics/stage/internals.ts";
import { NOT_SAVED } from "../../../../shared/physics/core/contact_rows.ts";
import { Header } from "../../../../shared/physics/snapshot/layout.ts";
import { countPebbles } from "./scene_chains.ts";
import { NOTHING_MOVED, tallyMoving } from "./scene_moving.ts";
import { NOTHING_ROUND, tallyRound } from "./scene_round.ts";
import { JOINTS } from "./scene_joints.ts";
import {
  PARTS_OF_STEP,
  SCENE,
  type SceneStage,
  startScene,
  stepPartly,
  stepScene,
} from "./scene.ts";
import { snapshotLabels } from "../../../../shared/physics/snapshot/labels.ts";

const ROLLBACK_TICKS_MAX = 20;
/** Straight ticks between two rollbacks, at most. */
const TICKS_BETWEEN_ROLLBACKS_MAX = 7;
/** More than the deepest rollback. */
const HISTORY_TICKS = 64;

/** Corrupts a snapshot before a stage loads it. @param names returns the labels of the words */
export type Corruption = (snapshot: Snapshot, names: () => readonly string[]) => void;

/** The entities of one tick, by id. */
type Present = Map<number, Archetype>;
/** The joints of one tick by id, with the entities that they join. */
type HeldPairs = Map<number, { kind: JointDef; a: number; b: number }>;

/** One run of the scene from one seed. */
export class SyncRun {
  /** Counts of everything that the test must cover. Each must be above 0 over all seeds. */
  readonly tally = Object.assign(
    {
      ticksCompared: 0,
      rollbacks: 0,
      loads: 0,
      newerLoads: 0,
      wholeLoads: 0,
      entitiesKept: 0,
      contactsKept: 0,
      loadsWithinTick: 0,
      contacts: 0,
      spawns: 0,
      despawns: 0,
      sleepers: 0,
      collidingIds: 0,
      jumps: 0,
      castHits: 0,
      castBounces: 0,
      castsSpent: 0,
      ...NOTHING_MOVED,
      ...NOTHING_ROUND,
      pebblesInBarrel: 0,
      joints: 0,
      jointsMade: 0,
      jointsBroken: 0,
      jointsExpired: 0,
      collidingJointIds: 0,
    },
    Object.fromEntries(JOINTS.map(({ name }) => [`${name} joints`, 0])) as Record<
      `${string} joints`,
      number
    >,
  );
  /** Every second seed has several solver steps: its snapshots and bits differ, its rules do not. */
  readonly #def: typeof SCENE;
  readonly #seed: number;
  readonly #corrupt: Corruption | undefined;
  readonly #chance: Random;
  readonly #straight: SceneStage;
  readonly #history = Array.from({ length: HISTORY_TICKS }, () => new Snapshot());
  readonly #present = Array.from({ length: HISTORY_TICKS }, (): Present => new Map());
  readonly #joints = Array.from({ length: HISTORY_TICKS }, (): HeldPairs => new Map());
  readonly #first: number;
  readonly #corrupted = new Snapshot();
  readonly #probe = new Snapshot();
  #second: SceneStage;
  #rollbackAt: number;

  constructor(seed: number, corrupt?: Corruption) {
    this.#seed = seed;
    this.#corrupt = corrupt;
    this.#chance = new Random(seed);
    this.#def = seed % 2 === 0 ? { ...SCENE, solverSteps: 4 } : SCENE;
    this.#second = new Stage(this.#def, { savesWhole: true });
    this.#straight = startScene(seed, new Stage(this.#def, { savesWhole: true }));
    this.#first = this.#rollbackAt = this.#straight.tick;
    this.#record();
  }

  /**
   * Runs so many straight ticks. It compares about twice as many.
   * @returns the first difference, or undefined
   * @throws SnapshotError for a corrupted snapshot that is no state any more
   */
  run(ticks: number): Difference | undefined {
    const end = this.#straight.tick + ticks;
    while (this.#straight.tick < end) {
      stepScene(this.#straight, this.#seed, ({ joints: { broken } }) => {
        this.tally.jointsBroken += broken.length;
        this.tally.jointsExpired -= broken.length;
      });
      this.#record();
      if (this.#straight.tick < this.#rollbackAt) continue;
      this.#rollbackAt = this.#straight.tick + 1 + this.#chance.below(TICKS_BETWEEN_ROLLBACKS_MAX);
      const difference = this.#rollBack();
      if (difference !== undefined) return difference;
    }

    Object.assign(this.tally, tallyMoving(this.#straight), {
      pebblesInBarrel: countPebbles(this.#straight),
    });
    const { x, y, angle } = this.#second.ground;
    return x === 0 && y === 0 && angle === 0
      ? undefined
      : { tick: end, entity: "entity 0 ground", field: "x, y, angle" };
  }

  /**
   * Loads an old state, mispredicts, loads that state or every second time a newer one, and catches
   * up.
   */
  #rollBack(): Difference | undefined {
    const { tally } = this;
    const now = this.#straight.tick;
    const depth = Math.min(now - this.#first, 1 + this.#chance.below(ROLLBACK_TICKS_MAX));
    tally.rollbacks++;
    this.#load(now - depth);
    const wrongSeed = this.#seed + tally.rollbacks;
    for (let wrong = 1 + this.#chance.below(depth); wrong > 0; wrong--) {
      stepScene(this.#second, wrongSeed);
    }

    if (tally.rollbacks % 4 === 3) {
      stepPartly(
        this.#second,
        wrongSeed,
        PARTS_OF_STEP[(tally.rollbacks >> 2) % PARTS_OF_STEP.length]!,
      );
      tally.loadsWithinTick++;
    }

    const newer = tally.rollbacks % 2 === 0 ? this.#chance.below(depth) : depth;
    if (newer < depth) tally.newerLoads++;
    this.#countCollidingIds(now - newer);
    this.#countCollidingJoints(now - newer);
    this.#load(now - newer);
    return this.#catchUp();
  }

  #stateAt(tick: number): Snapshot {
    return this.#history[tick % HISTORY_TICKS]!;
  }

  #presentAt(tick: number): Present {
    return this.#present[tick % HISTORY_TICKS]!;
  }

  #record(): void {
    const stage = this.#straight;
    const { tally } = this;
    const before = this.#presentAt(stage.tick - 1);
    const now = this.#presentAt(stage.tick);
    stage.save(this.#stateAt(stage.tick));
    now.clear();

    for (const kind of SCENE.archetypes) {
      for (const entity of stage.all(kind)) {
        now.set(entity.id, kind);
        if (!entity.awake) tally.sleepers++;
        if (!before.has(entity.id)) tally.spawns++;
        tally.jumps += entity.teleports;
      }
    }

    for (const id of before.keys()) if (!now.has(id)) tally.despawns++;
    tally.contacts += stage.contactCount;
    tallyRound(stage, tally);
    for (const what of ["castHits", "castBounces", "castsSpent"] as const) {
      tally[what] = stage.fields[what];
    }
    this.#recordJoints();
  }

  #recordJoints(): void {
    const { tick, joints } = this.#straight;
    const { tally } = this;
    const before = this.#joints[(tick + HISTORY_TICKS - 1) % HISTORY_TICKS]!;
    const now = this.#joints[tick % HISTORY_TICKS]!;
    now.clear();
    for (const kind of JOINTS) {
      for (const { id, a, b } of joints.all(kind)) {
        now.set(id, { kind, a: a.id, b: b.id });
        if (!before.has(id)) tally.jointsMade++;
        tally[`${kind.name} joints`]!++;
      }
    }
    const gone = [...before.keys()].filter((id) => !now.has(id)).length;
    tally.joints += joints.count;
    tally.jointsExpired += gone;
  }

  /**
   * Counts the ids of that tick that belong to another archetype on the live stage: the load must
   * replace these entities.
   */
  #countCollidingIds(tick: number): void {
    for (const [id, kind] of this.#presentAt(tick)) {
      if ((this.#second.get(id)?.archetype ?? kind) !== kind) this.tally.collidingIds++;
    }
  }

  /**
   * Counts the same for joints, also if the live id is an entity's or its joint joins other
   * entities.
   */
  #countCollidingJoints(tick: number): void {
    for (const [id, { kind, a, b }] of this.#joints[tick % HISTORY_TICKS]!) {
      const live = this.#second.joints.get(id);
      const same = live?.definition === kind && live.a.id === a && live.b.id === b;
      if (this.#second.get(id) !== undefined || (live !== undefined && !same)) {
        this.tally.collidingJointIds++;
      }
    }
  }

  /** Loads a state, every third time into a fresh stage. */
  #load(tick: number): void {
    let state = this.#stateAt(tick);
    if (this.#corrupt !== undefined) {
      this.#corrupted.copyFrom(state);
      this.#corrupt(this.#corrupted, () => snapshotLabels(this.#straight, this.#corrupted));
      state = this.#corrupted;
    }
    const { tally } = this;
    const loads = ++tally.loads;
    // Half of the time the second stage saves and loads everything.
    if (loads % 3 === 0) this.#second = new Stage(this.#def, { savesWhole: loads % 2 === 0 });
    if (loads % 6 < 3) tally.wholeLoads++;
    this.#second.load(state);
    const { check: { isSame, sameAt } } = this.#second[INTERNALS];
    const { words } = state;
    tally.entitiesKept += countKept(words[Header.ENTITY_COUNT]!, (i) => isSame[i] === 1);
    tally.contactsKept += countKept(words[Header.CONTACT_COUNT]!, (i) => sameAt[i] !== NOT_SAVED);
  }

  #catchUp(): Difference | undefined {
    while (this.#second.tick < this.#straight.tick) {
      stepScene(this.#second, this.#seed);
      this.#second.save(this.#probe);
      this.tally.ticksCompared++;
      const expected = this.#stateAt(this.#second.tick);
      if (expected.equals(this.#probe)) continue;
      return firstDifference({
        expected,
        actual: this.#probe,
        namer: { snapshotLabels: (snapshot) => snapshotLabels(this.#straight, snapshot) },
      });
    }
    return undefined;
  }
}

function countKept(count: number, isKept: (index: number) => boolean): number {
  let kept = 0;
  for (let i = 0; i < count; i++) if (isKept(i)) kept++;
  return kept;
}
