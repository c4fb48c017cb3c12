/**
 * The contestants of `bench physics`, each in a process of its own, because in one process a
 * garbage collection would charge one contestant for another one's allocations.
 */
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { SEATS } from "../../../../shared/netcode/game.ts";
import { Random } from "../../../../shared/random.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";
import { ScriptedControls } from "../../../shared/games/dragons/rig.ts";
import { FULL, type SceneSize, SMALL } from "../../../../client/same_bits/full_scene.ts";
import { serveTurns, TurnProcess } from "./turn_process.ts";

/**
 * How many ticks one timing covers: enough to fill cold caches and to hide the cost of reading the
 * clock. The number is even, so that the loads alternate between two snapshots equally often.
 */
const BLOCK_TICKS = 200;
/**
 * By then the compiler is done: it optimizes the last function of the stage's step after some 1,500
 * ticks.
 */
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
    // First, so that planck gets the stage's sine, cosine and arc tangent
    await import("../../../shared/physics/planck/portable_planck.ts");
    const { PlanckScene } = await import("../../../../client/same_bits/libraries/planck_scene.ts");
    return stepped(new PlanckScene());
  },
  stage: () => rolledBack(FULL),
  stageSmall: () => rolledBack(SMALL),
  box2dWasm: async () => stepped(new (await import("./box2d_scene.ts")).Box2dScene()),
  rapier: async () => {
    const { RapierScene } = await import("../../../../client/same_bits/libraries/rapier_scene.ts");
    return stepped(new RapierScene());
  },
  dragonMatch: () => Promise.resolve(stepped(new DragonMatch())),
};

export type ContestantName = keyof typeof CONTESTANTS;
export const CONTESTANT_NAMES = Object.keys(CONTESTANTS) as ContestantName[];

/** How long one run of `action` takes, averaged over a block, µs. */
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
  const scene = new (await import("../../../../client/same_bits/stage_scene.ts")).StageScene(size);
  const newest = new Snapshot();
  const oldest = new Snapshot();
  return (ticks) => {
    scene.save(oldest);
    const step = timed(ticks, () => scene.step());
    const save = timed(ticks, () => scene.save(newest));
    // A rollback loads an earlier state, and to load the present one would be cheaper. So the loads
    // alternate between two snapshots and end with the newest.
    let loads = 0;
    const load = timed(ticks, () => scene.load(loads++ % 2 === 0 ? oldest : newest));
    return { step, save, load, stateBytes: newest.length * 4 };
  };
}

/** A match with eight players and four NPCs, and with the scripted controls of the golden run. */
class DragonMatch {
  readonly #simulation = dragonGame.start({ npcs: 4 }, 1);
  readonly #random = new Random(1);
  readonly #controlsList = Array.from({ length: 8 }, () => new ScriptedControls());
  readonly #commands: (ReturnType<ScriptedControls["next"]> | undefined)[] = new Array(SEATS).fill(
    undefined,
  );

  step(): void {
    this.#controlsList.forEach((controls, seat) =>
      this.#commands[seat] = controls.next(this.#random)
    );
    for (const seat of this.#simulation.npcSeats) {
      this.#commands[seat] = this.#simulation.npcCommand(seat, []);
    }
    this.#simulation.step(this.#commands);
  }
}

/** A child process that runs one contestant. */
export class ContestantProcess {
  readonly name: ContestantName;
  /** A request is a number of ticks. */
  readonly #process: TurnProcess<number, Timing>;

  /** @param module this one as a bundle, file://… */
  constructor(name: ContestantName, module: string) {
    this.name = name;
    this.#process = new TurnProcess(module, { args: [name] });
  }

  /** Builds the scene and steps it until the compiler is done. */
  async warmUp(): Promise<void> {
    await this.#process.request(WARM_UP_TICKS);
  }

  /** Times one block. No other contestant may run meanwhile. */
  time(): Promise<Timing> {
    return this.#process.request(BLOCK_TICKS);
  }

  async end(): Promise<void> {
    await this.#process.end();
  }
}

if (import.meta.main) await serveTurns(await CONTESTANTS[Deno.args[0] as ContestantName]());
