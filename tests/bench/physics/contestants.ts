/**
 * The contestants of `bench physics`, each in a process of its own. In one process they would slow each other down:
 *
 * - The stage and stock planck share planck's classes, so the compiled code would handle two object layouts. Stock's
 *   step then took 2.5 times as long.
 * - A garbage collection would charge one contestant for another one's allocations.
 *
 * The parent requests a block of ticks from one process after the other, so that other load on the machine affects all
 * of them alike.
 */
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { SEATS } from "../../../shared/netcode/game.ts";
import { Random } from "../../../shared/random.ts";
import { Snapshot } from "../../../shared/snapshot.ts";
import { ScriptedControls } from "../../shared/games/dragons/rig.ts";
import { FULL, type SceneSize, SMALL } from "./full_scene.ts";

/**
 * Ticks in one timing. The block is long enough to fill cold caches and to hide the cost of reading the clock. The
 * number is even, so that the loads alternate between two snapshots equally often.
 */
const BLOCK_TICKS = 200;
/** The compiler is done by then: it optimizes the last function of the stage's step after some 1,500 ticks. */
const WARM_UP_TICKS = 4000;

/** µs per tick. Only contestants with rollback have more than `step`. */
export interface Timing {
  readonly step: number;
  readonly save?: number;
  readonly load?: number;
  readonly stateBytes?: number;
}

type Contestant = (ticks: number) => Timing;

/** Factories by name. Each imports its engine lazily, so that no process holds two engines. */
const CONTESTANTS = {
  stock: async () => {
    // planck must be imported through the stage's room, so that stock planck, too, uses the portable sin, cos and
    // atan2.
    await import("../../../shared/physics/planck/planck.ts");
    return stepped(new (await import("./stock_scene.ts")).StockScene());
  },
  stage: () => rolledBack(FULL),
  stageSmall: () => rolledBack(SMALL),
  box2dWasm: async () => stepped(new (await import("./box2d_scene.ts")).Box2dScene()),
  rapier: async () => stepped(new (await import("./rapier_scene.ts")).RapierScene()),
  dragonMatch: () => Promise.resolve(stepped(new DragonMatch())),
};

export type ContestantName = keyof typeof CONTESTANTS;
export const CONTESTANT_NAMES = Object.keys(CONTESTANTS) as ContestantName[];

/** Mean time of one run of `action` over a block, µs. */
function timed(ticks: number, action: () => void): number {
  const start = performance.now();
  for (let i = 0; i < ticks; i++) action();
  return (performance.now() - start) * 1000 / ticks;
}

function stepped(scene: { step(): void }): Contestant {
  return (ticks) => ({ step: timed(ticks, () => scene.step()) });
}

/** Times the stage's step, save and load. */
async function rolledBack(size: SceneSize): Promise<Contestant> {
  const scene = new (await import("./stage_scene.ts")).StageScene(size);
  const newest = new Snapshot(), oldest = new Snapshot();
  return (ticks) => {
    scene.save(oldest);
    const step = timed(ticks, () => scene.step());
    const save = timed(ticks, () => scene.save(newest));
    // A rollback loads another state than the present one; a load of the present state would be cheaper. So the loads
    // alternate between two snapshots and end with the newest.
    let loads = 0;
    const load = timed(ticks, () => scene.load(loads++ % 2 === 0 ? oldest : newest));
    return { step, save, load, stateBytes: newest.length * 4 };
  };
}

/** A match of eight players and four NPCs with the scripted controls of the golden run. */
class DragonMatch {
  readonly #simulation = dragonGame.start({ npcs: 4 }, 1);
  readonly #random = new Random(1);
  readonly #controlsList = Array.from({ length: 8 }, () => new ScriptedControls());
  readonly #commands: (ReturnType<ScriptedControls["next"]> | undefined)[] = new Array(SEATS).fill(undefined);

  step(): void {
    this.#controlsList.forEach((controls, seat) => this.#commands[seat] = controls.next(this.#random));
    for (const seat of this.#simulation.npcSeats) this.#commands[seat] = this.#simulation.npcCommand(seat, []);
    this.#simulation.step(this.#commands);
  }
}

function linesOf(stream: ReadableStream<Uint8Array>): AsyncIterableIterator<string> {
  return createInterface({ input: Readable.from(stream) })[Symbol.asyncIterator]();
}

/** A child process that runs one contestant. */
export class ContestantProcess {
  readonly name: ContestantName;
  readonly #child: Deno.ChildProcess;
  readonly #requests: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>;
  readonly #replies: AsyncIterator<string>;

  constructor(name: ContestantName) {
    this.name = name;
    this.#child = new Deno.Command(Deno.execPath(), {
      args: ["run", "--allow-read", import.meta.url, name],
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    this.#requests = this.#child.stdin.getWriter();
    this.#replies = linesOf(this.#child.stdout);
  }

  /** Builds the scene and steps it until the compiler is done. */
  async warmUp(): Promise<void> {
    await this.#request(WARM_UP_TICKS);
  }

  /** Times one block. No other contestant may run meanwhile. */
  time(): Promise<Timing> {
    return this.#request(BLOCK_TICKS);
  }

  /** @throws Error if the process ends before it replies */
  async #request(ticks: number): Promise<Timing> {
    await this.#requests.write(new TextEncoder().encode(`${ticks}\n`));
    const { value, done } = await this.#replies.next();
    if (done) throw new Error(`the process of ${this.name} ended early`);
    return JSON.parse(value);
  }

  async end(): Promise<void> {
    await this.#requests.close();
    await this.#child.status;
  }
}

/** The child process: each input line is a number of ticks, each output line is their timing as JSON. */
async function main(name: ContestantName): Promise<void> {
  const contestant = await CONTESTANTS[name]();
  for await (const ticks of linesOf(Deno.stdin.readable)) console.log(JSON.stringify(contestant(Number(ticks))));
}

if (import.meta.main) await main(Deno.args[0] as ContestantName);
