/**
 * Rows of bodies, fixtures, contacts and joints are used again. Which row something has must change
 * no bit, and the tables must not grow with the number of all spawns.
 */
import { assert, assertEquals, assertGreater, assertLessOrEqual } from "@std/assert";
import * as workshop from "../scenes/workshop.ts";
import { BodyInt } from "../../../../shared/physics/core/body_rows.ts";
import { ContactInt } from "../../../../shared/physics/core/contact_rows.ts";
import { FixtureInt } from "../../../../shared/physics/core/fixture_rows.ts";
import type { JointDef } from "../../../../shared/physics/core/types.ts";
import { INTERNALS } from "../../../../shared/physics/stage/internals.ts";
import { type Entity, Stage } from "../../../../shared/physics/stage/stage.ts";
import { Random } from "../../../../shared/random.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";

const { BLOCK, WEIGHT, FLOATER, HINGE, LIFT, ROPE, SPRING, WELD, WORKSHOP } = workshop;
const BODIES = [BLOCK, WEIGHT, FLOATER];
const JOINTS = [HINGE, LIFT, ROPE, SPRING, WELD];
/** More entities than the smallest tables have rows, in turn with few. */
const CROWD = 60;
const FEW = 12;
const CROWD_TICKS = 40;
const TICKS = 480;
const SEEDS = 4;
/** Ticks between two rollbacks, and between two fresh stages. */
const ROLLBACK_TICKS = 5;
const FRESH_TICKS = 15;

/** The tables that `rowsOf` and `capacitiesOf` count, in their order. */
const TABLES = ["bodies", "fixtures", "contacts", "joints"];

/** Counts of what the rules did. */
interface Tally {
  spawns: number;
  despawns: number;
  joined: number;
  unjoined: number;
}

/**
 * Acts as a game's rules, a function of the state and the seed: spawns, despawns, joins and
 * separates.
 */
function act(stage: Stage, seed: number, tally?: Tally): void {
  const random = new Random(seed * 100_000 + stage.tick);
  const bodies = () => BODIES.flatMap((each) => stage.all(each));
  const count = Math.floor(stage.tick / CROWD_TICKS) % 2 === 0 ? CROWD : FEW;

  for (let i = 0; i < 8; i++) {
    const all = bodies();
    const one = all[random.below(Math.max(all.length, 1))];
    if (one !== undefined && (all.length > count || random.chance(0.4))) {
      stage.despawn(one);
      if (tally !== undefined) tally.despawns++;
    } else if (all.length < count) {
      const x = random.fraction() * 16 - 8, y = 0.5 + random.fraction() * 8;
      stage.spawn(BODIES[random.below(BODIES.length)]!, {
        x,
        y,
        angle: random.fraction(),
        vx: random.fraction() - 0.5,
      });
      if (tally !== undefined) tally.spawns++;
    }
  }

  for (let i = 0; i < 4; i++) join(stage, random, bodies(), tally);
  const joints = JOINTS.flatMap((each) => [...stage.joints.all(each)]);
  while (joints.length > 20 || joints.length > 0 && random.chance(0.5)) {
    stage.joints.remove(joints.splice(random.below(joints.length), 1)[0]!);
    if (tally !== undefined) tally.unjoined++;
  }
}

/** Joins two bodies, or one and the ground. */
function join(
  stage: Stage,
  random: Random,
  bodies: readonly Entity[],
  tally: Tally | undefined,
): void {
  if (bodies.length === 0) return;
  const definition = JOINTS[random.below(JOINTS.length)]! as JointDef;
  const isFlexible = definition === ROPE || definition === SPRING;
  const a = random.below(4) === 0 ? stage.ground : bodies[random.below(bodies.length)]!;
  const b = bodies[random.below(bodies.length)]!;
  if (a === b || isFlexible && Math.hypot(b.x - a.x, b.y - a.y) < 0.1) return;
  const at = { x: a === stage.ground ? b.x : a.x, y: a === stage.ground ? b.y + 1 : a.y };
  const axis = definition === LIFT ? { axis: { x: 0, y: 1 } } : {};
  const ends = isFlexible ? { bx: b.x, by: b.y } : {};
  stage.joints.add(definition, a, b, { ...at, ...axis, ...ends });
  if (tally !== undefined) tally.joined++;
}

/** @returns the contact events of the tick as text */
function endTick(stage: Stage): string[] {
  stage.advance();
  const events = eventsOf(stage);
  stage.endTick();
  return events;
}

function eventsOf(stage: Stage): string[] {
  return stage.contactEvents.map(({ a, b, began, approachSpeed }) =>
    `${a.id} ${b.id} ${began} ${approachSpeed}`
  );
}

/** @returns the numbers of rows in use: bodies, fixtures, contacts, joints */
function rowsOf(stage: Stage): number[] {
  const { entities: { bodies, ground }, world: { contacts } } = stage[INTERNALS];
  const fixtures = (each: typeof ground) => each.compiled.archetype.body!.fixtures.length;
  const fixtureCount = [ground, ...bodies].reduce((sum, each) => sum + fixtures(each), 0);
  return [bodies.length + 1, fixtureCount, contacts.count, stage.joints.count];
}

/** @returns the numbers of rows for which there is room, in the same order */
function capacitiesOf(stage: Stage): number[] {
  const { world: { bodies, fixtures, contacts }, joints } = stage[INTERNALS];
  const [bodyRows, fixtureRows] = [
    bodies.ints.length / BodyInt.STRIDE,
    fixtures.ints.length / FixtureInt.STRIDE,
  ];
  return [
    bodyRows,
    fixtureRows,
    contacts.ints.length / ContactInt.STRIDE,
    joints?.all[0]?.rows.capacity ?? 0,
  ];
}

/**
 * One stage that runs straight, one that rolls back all the time, and one that is ever again a
 * fresh one.
 */
class Trio {
  readonly straight = new Stage(WORKSHOP);
  readonly rolledBack = new Stage(WORKSHOP);
  fresh = new Stage(WORKSHOP);
  readonly tally: Tally = { spawns: 0, despawns: 0, joined: 0, unjoined: 0 };
  /** The most rows that were in use at the end of a tick, on any stage. */
  readonly peak = [0, 0, 0, 0];
  readonly #seed: number;
  readonly #states = Array.from({ length: ROLLBACK_TICKS + 1 }, () => new Snapshot());
  readonly #state = new Snapshot();

  constructor(seed: number) {
    this.#seed = seed;
    this.straight.save(this.#stateAt(0));
  }

  /** Advances all three, and asserts that they are equal. */
  step(): void {
    const tick = this.straight.tick;
    if (tick % ROLLBACK_TICKS === 0) this.#rollBack(tick);
    if (tick % FRESH_TICKS === 0) {
      this.fresh = new Stage(WORKSHOP);
      this.fresh.load(this.#stateAt(tick));
    }
    const events = this.#stepOne(this.straight, this.#seed, this.tally);
    const expected = this.#stateAt(tick + 1);
    this.straight.save(expected);

    for (const stage of [this.rolledBack, this.fresh]) {
      const own = this.#stepOne(stage, this.#seed);
      stage.save(this.#state);
      const name = stage === this.fresh ? "fresh" : "rolled-back";
      assert(
        this.#state.equals(expected),
        `seed ${this.#seed}, tick ${tick}: the ${name} stage differs`,
      );
      assertEquals(own, events, `seed ${this.#seed}, tick ${tick}: events of the ${name} stage`);
    }
  }

  /** Mispredicts from an old state with other rules, and loads the newest. */
  #rollBack(tick: number): void {
    this.rolledBack.load(this.#stateAt(Math.max(0, tick - ROLLBACK_TICKS)));
    for (let i = 0; i < ROLLBACK_TICKS; i++) this.#stepOne(this.rolledBack, this.#seed + 1000);
    this.rolledBack.load(this.#stateAt(tick));
  }

  #stepOne(stage: Stage, seed: number, tally?: Tally): string[] {
    act(stage, seed, tally);
    const events = endTick(stage);
    rowsOf(stage).forEach((rows, i) => this.peak[i] = Math.max(this.peak[i]!, rows));
    return events;
  }

  #stateAt(tick: number): Snapshot {
    return this.#states[tick % this.#states.length]!;
  }
}

Deno.test("stage: rows that are used again change no bit, and no table grows beyond its peak (SPEC 9.1, 9.36)", () => {
  const total: Tally = { spawns: 0, despawns: 0, joined: 0, unjoined: 0 };
  for (let seed = 1; seed <= SEEDS; seed++) {
    const trio = new Trio(seed);
    for (let tick = 0; tick < TICKS; tick++) trio.step();
    for (const stage of [trio.straight, trio.rolledBack]) {
      capacitiesOf(stage).forEach((capacity, i) => {
        // Capacities double. Within a tick more rows may be in use than at its end.
        assertLessOrEqual(capacity, 4 * trio.peak[i]!, `${TABLES[i]}`);
      });
    }
    for (const what of Object.keys(total) as (keyof Tally)[]) total[what] += trio.tally[what];
  }
  for (const [what, count] of Object.entries(total)) assertGreater(count, 2000, what);
});
