/**
 * Spoilt snapshots, one after another. A stage must refuse each with a `SnapshotError`, or load it
 * and save the same words. Right afterwards it must load a good state. The results depend on
 * `--seed` and `--count` alone.
 *
 * With `--games`, hostile states of each game are loaded, and those that it accepts are stepped
 * (`states/`).
 *
 *     deno task soak snapshots [--games] [--count] [--seed] [--json]
 */
import * as z from "zod";
import { type FlagValues, present, UsageError, wholeNumber } from "../../../shared/flags.ts";
import { archetype } from "../../../shared/physics/core/types.ts";
import { snapshotLabels } from "../../../shared/physics/snapshot/labels.ts";
import { ENTITIES_MAX, Stage } from "../../../shared/physics/stage/stage.ts";
import { Random } from "../../../shared/random.ts";
import { Snapshot, SnapshotError } from "../../../shared/snapshot.ts";
import {
  SCENE,
  type SceneStage,
  startScene,
  stepScene,
} from "../../shared/physics/scenes/scene.ts";
import { Progress } from "../../support/progress.ts";
import { runTool } from "../../support/tool.ts";
import { type GoodState, indicesByKind, SPOILINGS } from "./spoilings.ts";
import { SOAKED_GAMES } from "./states/match_states.ts";
import { StateSoak, type StatesReport } from "./states/state_soak.ts";

/** Defaults of `--count`. */
const SNAPSHOTS = 40_000;
const STATES = 20_000;

/**
 * Which ticks supply good states: the first, an early one, and two with sleepers, chains and many
 * projectiles.
 */
const GOOD_TICKS = [1, 40, 300, 700];
const GOOD_SEEDS = [1, 2];
/** How far apart the crowd's bodies are at first, metres. */
const CROWD_SPACING_M = 2;
/** How many ticks follow a spoilt snapshot that the stage has loaded. */
const STEPPED_TICKS = 20;

const FLAGS = {
  games: {
    schema: z.string().transform((list) => list.split(",")).optional(),
    about: "load and step hostile states of these games instead; all for each",
    allowed: `all, or some of ${Object.keys(SOAKED_GAMES).join(",")}`,
  },
  count: {
    schema: wholeNumber(4_000_000_000, 1).optional(),
    about: "snapshots to spoil [40000], or states of each game [20000]",
    allowed: "a whole number 1 to 4000000000",
  },
  seed: {
    schema: wholeNumber(4_000_000_000).default(1),
    about: "number of the first snapshot [1]",
    allowed: "a whole number",
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

/** Counts of snapshots by their end. */
export interface Outcomes {
  /** With a `SnapshotError`. */
  refused: number;
  loaded: number;
}

/** The object that `--json` prints. */
export interface SnapshotsReport extends Outcomes {
  readonly tried: number;
  /** Loaded snapshots whose next ticks have run. */
  readonly stepped: number;
  readonly bySpoiling: Readonly<Record<string, Outcomes>>;
  readonly slowestLoadMs: number;
  /**
   * How long it takes to load as many bodies as a stage may contain, all at one place: half a
   * million contacts.
   */
  readonly crowdLoadMs: number;
  /** The snapshot with this number was the slowest to load or to refuse. */
  readonly slowest: { readonly number: number; readonly spoiling: string };
  readonly firstFailure: {
    readonly number: number;
    readonly spoiling: string;
    readonly problem: string;
  } | null;
  readonly seconds: number;
}

/** Thrown if a stage did something that it must never do with a snapshot. */
class Failure extends Error {}

/** @returns good states of the sync test's scene, which contains every kind of state */
function goodStates(): GoodState[] {
  return GOOD_SEEDS.flatMap((seed) => {
    const stage = startScene(seed);
    return GOOD_TICKS.map((tick) => {
      while (stage.tick < tick) stepScene(stage, seed);
      const snapshot = new Snapshot();
      stage.save(snapshot);
      return { snapshot, indicesOf: indicesByKind(snapshotLabels(stage, snapshot)) };
    });
  });
}

/**
 * Loads the snapshot with the most contacts that a stage accepts.
 * @returns milliseconds
 */
function loadCrowd(): number {
  const ball = archetype({
    name: "ball",
    body: { fixtures: [{ shape: { circle: 0.5 } }] },
    fields: {},
  });
  const stage = new Stage({ ...SCENE, archetypes: [ball], joints: [], restitutions: [] });
  const apart = new Snapshot();
  for (let i = 0; i < ENTITIES_MAX; i++) stage.spawn(ball, { x: i * CROWD_SPACING_M, y: 100 });
  stage.endTick();
  stage.save(apart);
  const together = new Snapshot();
  const after = new Snapshot();
  together.copyFrom(apart);
  snapshotLabels(stage, apart).forEach((label, at) => {
    if (label.endsWith(" x")) together.floats[at] = 0;
  });
  const beganMs = performance.now();
  stage.load(together);
  const ms = performance.now() - beganMs;
  stage.load(apart);
  stage.save(after);
  if (!after.equals(apart)) throw new Failure("a good state is not loaded right after a crowd");
  return ms;
}

/** Spoils snapshots and loads them into one stage. */
export class SnapshotSoak {
  readonly #good = goodStates();
  readonly #stage: SceneStage = new Stage(SCENE);
  readonly #spoilt = new Snapshot();
  readonly #saved = new Snapshot();
  readonly #bySpoiling: Record<string, Outcomes> = Object.fromEntries(
    Object.keys(SPOILINGS).map((name) => [name, { refused: 0, loaded: 0 }]),
  );
  #stepped = 0;
  #slowestLoadMs = 0;
  #slowest = { number: 0, spoiling: "" };

  /**
   * Stops at the first failure.
   * @param onProgress called with the number of snapshots that are done
   */
  run(
    { count, seed }: { count: number; seed: number },
    onProgress: (done: number) => void,
  ): SnapshotsReport {
    const beganMs = performance.now();
    const names = Object.keys(SPOILINGS);
    let tried = 0;
    let firstFailure: SnapshotsReport["firstFailure"] = null;

    while (tried < count && firstFailure === null) {
      const number = seed + tried++;
      const spoiling = names[number % names.length]!;
      try {
        this.#tryOne(number, spoiling);
      } catch (error) {
        firstFailure = {
          number,
          spoiling,
          problem: error instanceof Failure ? error.message : String(error),
        };
      }
      onProgress(tried);
    }

    const outcomes = Object.values(this.#bySpoiling);
    return {
      tried,
      refused: outcomes.reduce((sum, { refused }) => sum + refused, 0),
      loaded: outcomes.reduce((sum, { loaded }) => sum + loaded, 0),
      stepped: this.#stepped,
      bySpoiling: this.#bySpoiling,
      slowestLoadMs: Number(this.#slowestLoadMs.toFixed(2)),
      slowest: this.#slowest,
      crowdLoadMs: Number(loadCrowd().toFixed(2)),
      firstFailure,
      seconds: Number(((performance.now() - beganMs) / 1000).toFixed(1)),
    };
  }

  /**
   * @throws Failure if the stage's state differs from its snapshot; any error that the stage may
   * not throw
   */
  #tryOne(number: number, spoiling: string): void {
    const random = new Random(number);
    const some = () => this.#good[random.below(this.#good.length)]!;
    const good = some();
    const source = some();
    this.#loadGood(good);
    this.#spoilt.copyFrom(source.snapshot);
    SPOILINGS[spoiling]!(this.#spoilt, source, random);
    let { wasLoaded, ms } = this.#load();

    if (ms > this.#slowestLoadMs) {
      // Once more, because another process may have taken the core.
      this.#loadGood(good);
      ms = Math.min(ms, this.#load().ms);
      if (ms > this.#slowestLoadMs) {
        [this.#slowestLoadMs, this.#slowest] = [ms, { number, spoiling }];
      }
    }

    this.#bySpoiling[spoiling]![wasLoaded ? "loaded" : "refused"]++;

    if (wasLoaded) {
      this.#stage.save(this.#saved);
      if (!this.#saved.equals(this.#spoilt)) {
        throw new Failure("the stage saves other words than it has loaded");
      }
      if (random.chance(0.5)) this.#step();
    }

    this.#loadGood(good);
  }

  #loadGood({ snapshot }: GoodState): void {
    this.#stage.load(snapshot);
    this.#stage.save(this.#saved);
    if (!this.#saved.equals(snapshot)) throw new Failure("a good state is not loaded right");
  }

  /**
   * Loads the spoilt snapshot.
   * @returns whether the stage accepted it, and after how many milliseconds
   */
  #load(): { wasLoaded: boolean; ms: number } {
    const beganMs = performance.now();
    let wasLoaded = true;
    try {
      this.#stage.load(this.#spoilt);
    } catch (error) {
      if (!(error instanceof SnapshotError)) throw error;
      wasLoaded = false;
    }
    return { wasLoaded, ms: performance.now() - beganMs };
  }

  #step(): void {
    for (let tick = 0; tick < STEPPED_TICKS; tick++) {
      this.#stage.advance();
      this.#stage.endTick();
    }
    this.#stepped++;
  }
}

async function soak(flags: FlagValues<typeof FLAGS>): Promise<number> {
  const { games, count } = flags;
  if (games === undefined) return soakSnapshots({ ...flags, count: count ?? SNAPSHOTS });
  return await soakGames(games, { ...flags, count: count ?? STATES });
}

/** @returns the exit code */
async function soakGames(
  names: readonly string[],
  { count, seed, json }: SoakOptions,
): Promise<number> {
  const chosen = names.join() === "all" ? Object.keys(SOAKED_GAMES) : names;
  const unknown = chosen.find((name) => !Object.hasOwn(SOAKED_GAMES, name));
  if (unknown !== undefined) throw new UsageError(`--games: there is no game "${unknown}"`);
  const reports: Record<string, StatesReport> = {};

  for (const name of chosen) {
    const progress = new Progress(count, `states of ${name}`);
    const { game } = await SOAKED_GAMES[name]!();
    const report = reports[name] = new StateSoak(game).run({ count, seed }, (done) => {
      if (done % 100 === 0 || done === count) progress.show(done);
    });
    progress.end();
    if (report.firstThrow === null) continue;
    const { number, mutation, problem } = report.firstThrow;
    console.error(
      `${name}: ${report.throws} states threw. State ${number} (${mutation}), ${problem}`,
    );
    console.error(
      `To see it again: deno task soak snapshots --games ${name} --seed ${number} --count 1`,
    );
  }

  if (json) console.log(JSON.stringify(reports));
  else {for (const [name, report] of Object.entries(reports)) {
      console.log(name.padEnd(16), JSON.stringify(report));
    }}
  return Object.values(reports).some(({ throws }) => throws > 0) ? 1 : 0;
}

interface SoakOptions {
  readonly count: number;
  readonly seed: number;
  readonly json: boolean;
}

function soakSnapshots({ count, seed, json }: SoakOptions): number {
  const progress = new Progress(count, "snapshots");
  const report = new SnapshotSoak().run({ count, seed }, (done) => {
    if (done % 100 === 0 || done === count) progress.show(done);
  });
  progress.end();
  const { firstFailure } = report;

  if (firstFailure !== null) {
    console.error(
      `Snapshot ${firstFailure.number}, spoilt by ${firstFailure.spoiling}: ${firstFailure.problem}`,
    );
    console.error(
      `To see it again: deno task soak snapshots --seed ${firstFailure.number} --count 1`,
    );
  }

  if (json) console.log(JSON.stringify(report));
  else {for (const [key, value] of Object.entries(report)) {
      console.log(key.padEnd(16), JSON.stringify(value));
    }}
  return firstFailure === null ? 0 : 1;
}

if (import.meta.main) Deno.exit(await runTool("soak snapshots", { flags: FLAGS, run: soak }));
