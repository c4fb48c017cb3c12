/**
 * The sync test of the stage: roll back on purpose, with wrong rules in between, into the live and into fresh stages, and
 * demand the same words. And the test of that test: with any kind of hidden state blanked out of the snapshots, it must fail.
 */
import { assert, assertEquals } from "@std/assert";
import { Random } from "../../../shared/random.ts";
import { Snapshot } from "../../../shared/snapshot.ts";
import { Stage } from "../../../shared/physics/stage.ts";
import { SCENE, type SceneStage, startScene, stepScene } from "./scene.ts";

const ROLLBACK_TICKS_MAX = 20;
/** More than the deepest rollback. */
const HISTORY_TICKS = 64;

/** Spoils a snapshot on its way into a stage; `names` says what its words are. */
type Spoil = (snapshot: Snapshot, names: () => readonly string[]) => void;

/** One run of the scene, straight, beside a second stage that is rolled back all the time. */
class SyncRun {
  /** That what the test is about has happened. */
  readonly tally = {
    ticksCompared: 0,
    rollbacks: 0,
    loads: 0,
    newerLoads: 0,
    contacts: 0,
    spawns: 0,
    despawns: 0,
    sleepers: 0,
    collidingIds: 0,
    jumps: 0,
    castHits: 0,
    castBounces: 0,
    castsSpent: 0,
  };
  readonly #seed: number;
  readonly #spoil: Spoil | undefined;
  readonly #chance: Random;
  readonly #straight: SceneStage;
  readonly #history = Array.from({ length: HISTORY_TICKS }, () => new Snapshot());
  readonly #first: number;
  readonly #spoilt = new Snapshot();
  readonly #probe = new Snapshot();
  #second: SceneStage = new Stage(SCENE);
  #ids = new Set<number>();

  constructor(seed: number, spoil?: Spoil) {
    this.#seed = seed;
    this.#spoil = spoil;
    this.#chance = new Random(seed);
    this.#straight = startScene(seed);
    this.#first = this.#straight.tick;
    this.#remember();
  }

  /** @returns the first difference, in words; undefined where there is none */
  run(ticks: number): string | undefined {
    let rollbackAt = this.#first;
    while (this.#straight.tick < this.#first + ticks) {
      stepScene(this.#straight, this.#seed);
      this.#remember();
      if (this.#straight.tick < rollbackAt) continue;
      rollbackAt = this.#straight.tick + 1 + this.#chance.below(7);
      const difference = this.#rollBack();
      if (difference !== undefined) return difference;
    }
    const { x, y, angle } = this.#second.ground;
    assertEquals([x, y, angle], [0, 0, 0], "the ground was moved");
    return undefined;
  }

  /** Loads an old state, goes a wrong way from it, loads that state or every second time a newer one, goes the right way. */
  #rollBack(): string | undefined {
    const { tally } = this, now = this.#straight.tick;
    const depth = Math.min(now - this.#first, 1 + this.#chance.below(ROLLBACK_TICKS_MAX));
    tally.rollbacks++;
    this.#load(now - depth);
    const wrongSeed = this.#seed + tally.rollbacks;
    for (let wrong = 1 + this.#chance.below(depth); wrong > 0; wrong--) stepScene(this.#second, wrongSeed);
    const newer = tally.rollbacks % 2 === 0 ? this.#chance.below(depth) : depth;
    if (newer < depth) tally.newerLoads++;
    tally.collidingIds += countCollidingIds(this.#second, this.#at(now - newer));
    this.#load(now - newer);
    return this.#follow();
  }

  #at(tick: number): Snapshot {
    return this.#history[tick % HISTORY_TICKS]!;
  }

  #remember(): void {
    const stage = this.#straight, { tally } = this, before = this.#ids;
    stage.save(this.#at(stage.tick));
    const entities = SCENE.archetypes.flatMap((each) => stage.all(each));
    this.#ids = new Set(entities.map((entity) => entity.id));
    for (const entity of entities) {
      if (!entity.awake) tally.sleepers++;
      if (!before.has(entity.id)) tally.spawns++;
      tally.jumps += entity.jumps;
    }
    for (const id of before) if (!this.#ids.has(id)) tally.despawns++;
    tally.contacts += stage.contactCount;
    for (const what of ["castHits", "castBounces", "castsSpent"] as const) tally[what] = stage.fields[what];
  }

  /** Every third time into a fresh stage. */
  #load(tick: number): void {
    this.#spoilt.copyFrom(this.#at(tick));
    this.#spoil?.(this.#spoilt, () => this.#straight.nameWords(this.#spoilt));
    if (++this.tally.loads % 3 === 0) this.#second = new Stage(SCENE);
    this.#second.load(this.#spoilt);
  }

  #follow(): string | undefined {
    while (this.#second.tick < this.#straight.tick) {
      stepScene(this.#second, this.#seed);
      this.#second.save(this.#probe);
      this.tally.ticksCompared++;
      const difference = firstDifference(this.#straight, this.#at(this.#second.tick), this.#probe);
      if (difference !== undefined) return `tick ${this.#second.tick}: ${difference}`;
    }
    return undefined;
  }
}

function firstDifference(stage: SceneStage, a: Snapshot, b: Snapshot): string | undefined {
  if (a.equals(b)) return undefined;
  for (let i = 0; i < a.length; i++) if (a.words[i] !== b.words[i]) return stage.describeWord(a, i);
  return "its length";
}

/** How many entities of a snapshot have the id of a live one of another archetype. */
function countCollidingIds(live: SceneStage, snapshot: Snapshot): number {
  let count = 0;
  live.nameWords(snapshot).forEach((name, i) => {
    if (!/^entity \d+ \w+ archetype$/.test(name)) return;
    const entity = live.get(snapshot.words[i - 1]!);
    if (entity !== undefined && SCENE.archetypes[snapshot.words[i]! - 1] !== entity.archetype) count++;
  });
  return count;
}

Deno.test("stage: rolled back and stepped again, it has the same bits as if it had never been (SPEC 9.1, 9.3)", () => {
  for (const seed of [1, 2, 3]) {
    const sync = new SyncRun(seed);
    assertEquals(sync.run(700), undefined, `seed ${seed}`);
    for (const [what, count] of Object.entries(sync.tally)) assert(count > 0, `seed ${seed}: no ${what}`);
    assert(sync.tally.ticksCompared > 700, `seed ${seed}: ${sync.tally.ticksCompared} ticks compared`);
  }
});

/** Blanks every word whose name ends so. */
function without(ending: string): Spoil {
  return (snapshot, names) =>
    names().forEach((name, i) => {
      if (name.endsWith(ending)) snapshot.words[i] = 0;
    });
}

const HIDDEN = ["sleepTime", "normalImpulse[0]", "tangentImpulse[1]", " awake", "jumper.hits", "jumps", "spin"];
const HIDDEN_OF_CASTS = [
  "bolt age",
  "bolt bounces",
  "dart x",
  "mote y",
  "bolt vx",
  "dart vy",
  "bolt jumps",
  "mote.shooter",
];

for (const kind of [...HIDDEN, ...HIDDEN_OF_CASTS]) {
  Deno.test(`stage: without ${kind.trim()} in its snapshots the sync test fails (SPEC 9.2)`, () => {
    assert(new SyncRun(1, without(kind)).run(300) !== undefined, "nobody noticed");
  });
}
