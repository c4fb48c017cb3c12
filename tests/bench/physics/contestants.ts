/**
 * Who is timed by `bench physics`, each in a process of its own. In one process they would spoil each other: planck's classes are shared
 * by the stage and by stock planck, whose compiled code then has to serve two kinds of object (stock's step took 2.5 times as long), and
 * what one allocates another's collection pays for. The parent asks one process after the other for a block of ticks, so that what else
 * the machine does falls on all alike.
 */
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { SEATS } from "../../../shared/netcode/game.ts";
import { Random } from "../../../shared/random.ts";
import { Snapshot } from "../../../shared/snapshot.ts";
import { ScriptedControls } from "../../shared/games/dragons/rig.ts";
import { FULL, type SceneSize, SMALL } from "./full_scene.ts";

/** Ticks in one timing: long enough that the clock's own cost vanishes and cold caches fill; even, as many loads go back as come again. */
const BLOCK_TICKS = 200;
/** Until the compiler has nothing left to do: the last function of the stage's step is compiled after some 1,500 ticks. */
const WARM_UP_TICKS = 4000;

/** µs per tick. Only who can go back in time has more than a step. */
export interface Timing {
  readonly step: number;
  readonly save?: number;
  readonly load?: number;
  readonly stateBytes?: number;
}

type Contestant = (ticks: number) => Timing;

/** Each name's maker. Imported only where it runs: no process holds two engines. */
const CONTESTANTS = {
  stock: async () => {
    // The stage's door to planck comes before planck itself: both run on the same portable sin, cos and atan2.
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

/** µs for one run of `action`, in the mean of a block. */
function timed(ticks: number, action: () => void): number {
  const start = performance.now();
  for (let i = 0; i < ticks; i++) action();
  return (performance.now() - start) * 1000 / ticks;
}

function stepped(scene: { step(): void }): Contestant {
  return (ticks) => ({ step: timed(ticks, () => scene.step()) });
}

/** The stage with its snapshots: how long it takes to step, to save, and to go back. */
async function rolledBack(size: SceneSize): Promise<Contestant> {
  const scene = new (await import("./stage_scene.ts")).StageScene(size);
  const newest = new Snapshot(), oldest = new Snapshot();
  return (ticks) => {
    scene.save(oldest);
    const step = timed(ticks, () => scene.step());
    const save = timed(ticks, () => scene.save(newest));
    // There and back in turns, as a rollback does it, the last time to the newest: a load of what is there already would be cheaper.
    let loads = 0;
    const load = timed(ticks, () => scene.load(loads++ % 2 === 0 ? oldest : newest));
    return { step, save, load, stateBytes: newest.length * 4 };
  };
}

/** Eight players and four NPCs, as the golden run plays them. */
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

/** A process that runs one contestant and nothing else. */
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

  /** Builds the scene and steps it until it is fast. */
  async warmUp(): Promise<void> {
    await this.#request(WARM_UP_TICKS);
  }

  /** One block's timing; nobody else may run meanwhile. */
  time(): Promise<Timing> {
    return this.#request(BLOCK_TICKS);
  }

  /** @throws Error where the process ended instead of answering */
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

/** The child: a line in names a number of ticks, a line out has their timing. */
async function main(name: ContestantName): Promise<void> {
  const contestant = await CONTESTANTS[name]();
  for await (const ticks of linesOf(Deno.stdin.readable)) console.log(JSON.stringify(contestant(Number(ticks))));
}

if (import.meta.main) await main(Deno.args[0] as ContestantName);
