/**
 * Speed of physics, as ratios to stock planck within one interleaved run: what else the machine does falls on all alike. The full scene on
 * this stage, box2d-wasm and rapier; the small one on the stage alone.
 */
import { dragonGame } from "../../shared/dragons/game.ts";
import { type FlagValues, present, wholeNumber } from "../../shared/flags.ts";
import { SEATS } from "../../shared/netcode/game.ts";
import { Random } from "../../shared/random.ts";
import { Snapshot } from "../../shared/snapshot.ts";
import { ScriptedHand } from "../shared/dragons/rig.ts";
import { FULL, type SceneSize, SMALL } from "./full_scene.ts";
import { measureBytesPerStep } from "./garbage.ts";
// The stage's door to planck comes before planck itself: both scenes run on the same portable sin, cos and atan2.
import { StageScene } from "./stage_scene.ts";
import { StockScene } from "./stock_scene.ts";
import { Box2dScene } from "./box2d_scene.ts";
import { RapierScene } from "./rapier_scene.ts";

export const FLAGS = {
  rounds: {
    schema: wholeNumber(10_000, 3).default(60),
    about: "how often each is timed [60]",
    allowed: "a whole number 3 to 10000",
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

/** Ticks in one timing: long enough that the clock's own cost vanishes; even, so that as many loads go back as come again. */
const BLOCK_TICKS = 20;
const WARM_UP_ROUNDS = 10;

/** Eight players and four NPCs, as the golden run plays them. */
class DragonMatch {
  readonly #simulation = dragonGame.start({ npcs: 4 }, 1);
  readonly #random = new Random(1);
  readonly #hands = Array.from({ length: 8 }, () => new ScriptedHand());
  readonly #commands: (ReturnType<ScriptedHand["next"]> | undefined)[] = new Array(SEATS).fill(undefined);

  step(): void {
    this.#hands.forEach((hand, seat) => this.#commands[seat] = hand.next(this.#random));
    for (const seat of this.#simulation.npcSeats) this.#commands[seat] = this.#simulation.think(seat, []);
    this.#simulation.step(this.#commands);
  }
}

/** µs for one run of `action`, in the mean of a block. */
function timed(action: () => void): number {
  const start = performance.now();
  for (let i = 0; i < BLOCK_TICKS; i++) action();
  return (performance.now() - start) * 1000 / BLOCK_TICKS;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

/** One stage with its snapshots: how long it takes to step, to save, and to go back. */
class RolledBack {
  readonly #scene: StageScene;
  readonly #newest = new Snapshot();
  readonly #oldest = new Snapshot();
  readonly timings = { step: [] as number[], save: [] as number[], load: [] as number[] };

  constructor(size: SceneSize) {
    this.#scene = new StageScene(size);
  }

  time(isWarm: boolean): void {
    const scene = this.#scene, { timings } = this;
    scene.save(this.#oldest);
    const step = timed(() => scene.step());
    const save = timed(() => scene.save(this.#newest));
    // There and back in turns, as a rollback does it, the last time to the newest: a load of what is there already would be cheaper.
    let loads = 0;
    const load = timed(() => scene.load(loads++ % 2 === 0 ? this.#oldest : this.#newest));
    if (!isWarm) return;
    timings.step.push(step);
    timings.save.push(save);
    timings.load.push(load);
  }

  get stateBytes(): number {
    return this.#newest.length * 4;
  }

  /** Resimulated within 8 ms: one load, then a step and a save for each tick. */
  get ticksIn8Ms(): number {
    const { step, save, load } = this.timings;
    return Math.floor((8000 - median(load)) / (median(step) + median(save)));
  }
}

/** Times all engines and the dragon match. @returns what `--json` prints */
export async function measurePhysics({ rounds }: FlagValues<typeof FLAGS>): Promise<Record<string, unknown>> {
  const full = new RolledBack(FULL), small = new RolledBack(SMALL);
  const others = {
    stock: new StockScene(),
    box2dWasm: new Box2dScene(),
    rapier: new RapierScene(),
    dragonMatch: new DragonMatch(),
  };
  const names = Object.keys(others) as (keyof typeof others)[];
  const timings = { stock: [], box2dWasm: [], rapier: [], dragonMatch: [] } as Record<keyof typeof others, number[]>;
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    full.time(round >= 0);
    small.time(round >= 0);
    for (const name of names) {
      const micros = timed(() => others[name].step());
      if (round >= 0) timings[name].push(micros);
    }
    if (round >= 0 && round % 10 === 9) console.error(`${round + 1}/${rounds} rounds`);
  }
  const stock = median(timings.stock);
  const ratio = (micros: readonly number[]) => Number((median(micros) / stock).toFixed(3));
  return {
    ratioToStock: {
      stage: ratio(full.timings.step),
      box2dWasm: ratio(timings.box2dWasm),
      rapier: ratio(timings.rapier),
      dragonMatch: ratio(timings.dragonMatch),
    },
    saveToStock: ratio(full.timings.save),
    loadToStock: ratio(full.timings.load),
    stateBytes: full.stateBytes,
    ticksIn8Ms: { full: full.ticksIn8Ms, small: small.ticksIn8Ms },
    bytesPerStep: await measureBytesPerStep(),
    stockStepMicros: Number(stock.toFixed(1)),
    rounds,
  };
}
