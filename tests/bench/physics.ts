/** Speed of physics, as ratios to stock planck within one interleaved run: what else the machine does falls on all alike. */
import { dragonGame } from "../../shared/dragons/game.ts";
import { type FlagValues, present, wholeNumber } from "../../shared/flags.ts";
import { SEATS } from "../../shared/netcode/game.ts";
import { Random } from "../../shared/random.ts";
import { Snapshot } from "../../shared/snapshot.ts";
import { ScriptedHand } from "../shared/dragons/rig.ts";
// The stage's door to planck comes before planck itself: both scenes run on the same portable sin, cos and atan2.
import { StageScene } from "./stage_scene.ts";
import { StockScene } from "./stock_scene.ts";

export const FLAGS = {
  rounds: {
    schema: wholeNumber(10_000, 3).default(60),
    about: "how often each is timed [60]",
    allowed: "a whole number 3 to 10000",
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

/** Ticks in one timing: long enough that the clock's own cost vanishes. */
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

/** Times both engines and the dragon match. @returns what `--json` prints */
export function measurePhysics({ rounds }: FlagValues<typeof FLAGS>): Record<string, unknown> {
  const stock = new StockScene(), stage = new StageScene(), dragons = new DragonMatch();
  const snapshot = new Snapshot(), back = new Snapshot();
  const timings: Record<"stock" | "stage" | "save" | "load" | "dragons", number[]> = {
    stock: [],
    stage: [],
    save: [],
    load: [],
    dragons: [],
  };
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    stage.save(back);
    const block = {
      stock: timed(() => stock.step()),
      stage: timed(() => stage.step()),
      save: timed(() => stage.save(snapshot)),
      // There and back, as a rollback does it: the state of twenty ticks ago, then the newest again.
      load: (timed(() => stage.load(back)) + timed(() => stage.load(snapshot))) / 2,
      dragons: timed(() => dragons.step()),
    };
    if (round < 0) continue;
    for (const name of Object.keys(timings) as (keyof typeof timings)[]) timings[name].push(block[name]);
    if (round % 10 === 9) console.error(`${round + 1}/${rounds} rounds`);
  }
  const [stockUs, stageUs, saveUs, loadUs, dragonsUs] = Object.values(timings).map(median) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const ratio = (us: number) => Number((us / stockUs).toFixed(3));
  return {
    ratioToStock: { stage: ratio(stageUs), dragonMatch: ratio(dragonsUs) },
    saveToStock: ratio(saveUs),
    loadToStock: ratio(loadUs),
    stateBytes: snapshot.length * 4,
    ticksIn8Ms: { full: Math.floor((8000 - loadUs) / (stageUs + saveUs)) },
    stockStepMicros: Number(stockUs.toFixed(1)),
    rounds,
  };
}
