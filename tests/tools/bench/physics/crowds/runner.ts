/** The child process that builds one crowd on one engine, steps it and counts. */
import { ENGINES } from "../../../engines/engines.ts";
import type { Engine, EngineName, World } from "../../../engines/scene.ts";
import type { StageWorld } from "../../../engines/stage_engine.ts";
import { Snapshot } from "../../../../../shared/snapshot.ts";
import { serveTurns, TurnProcess } from "../turn_process.ts";
import { BLOCK_TICKS, type Crowd, type CrowdName, CROWDS, RATE } from "./scenes.ts";

/**
 * A pass is one `begin`, then one `block` for each of the crowd's blocks, then `state` on a stage.
 */
type Turn = "begin" | "block" | "count" | "state";

/** A crowd's bodies and contacts, without bodies on a path. */
export interface Count {
  readonly bodies: number;
  readonly awake: number;
  readonly contacts: number;
}

/** Times of one call in µs, and the snapshot's size. */
export interface StateTiming {
  readonly save: number;
  /**
   * Into the stage that runs. The loads alternate between its first state and the newest, so every
   * body differs.
   */
  readonly load: number;
  /** Into a stage that contains only the ground; to create that stage does not count. */
  readonly loadFresh: number;
  readonly snapshotBytes: number;
}

/**
 * How many calls one timing of the state covers. The number is even, so that the loads end with the
 * newest state.
 */
const STATE_CALLS = 20;
/** How many new stages one pass loads into. */
const FRESH_LOADS = 10;

/** A call's mean time, µs. */
function timed(calls: number, action: (call: number) => void): number {
  const start = performance.now();
  for (let call = 0; call < calls; call++) action(call);
  return (performance.now() - start) * 1000 / calls;
}

class CrowdRunner {
  readonly #engine: Engine;
  readonly #crowd: Crowd;
  readonly #first = new Snapshot();
  readonly #newest = new Snapshot();
  #world: World;

  constructor(engine: Engine, crowd: Crowd) {
    this.#engine = engine;
    this.#crowd = crowd;
    this.#world = engine.build(crowd.scene, RATE);
  }

  take(turn: Turn): number | Count | StateTiming {
    if (turn === "begin") return this.#begin();
    if (turn === "block") return this.#block();
    if (turn === "count") return this.#count();
    return this.#state();
  }

  /** @throws Error if a body is awake that should be asleep */
  #begin(): number {
    this.#world.free();
    this.#world = this.#engine.build(this.#crowd.scene, RATE);
    if ("stage" in this.#world) (this.#world as StageWorld).stage.save(this.#first);
    for (let tick = 0; tick < this.#crowd.leadTicks; tick++) this.#world.tick();
    if (this.#crowd.isAsleep) {
      const { awake } = this.#count();
      if (awake > 0) {
        throw new Error(`${awake} bodies are still awake after ${this.#crowd.leadTicks} ticks`);
      }
    }
    return this.#crowd.leadTicks;
  }

  /** @returns µs per tick */
  #block(): number {
    return timed(BLOCK_TICKS, () => this.#world.tick());
  }

  #count(): Count {
    const moving = this.#crowd.scene.bodies.flatMap(({ turning }, i) =>
      turning === undefined ? [i] : []
    );
    return {
      bodies: moving.length,
      awake: moving.filter((i) => this.#world.isAwake(i)).length,
      contacts: this.#world.countContacts(),
    };
  }

  #state(): StateTiming {
    const { stage, newStage } = this.#world as StageWorld;
    const newest = this.#newest;
    const save = timed(STATE_CALLS, () => stage.save(newest));
    const load = timed(STATE_CALLS, (call) => stage.load(call % 2 === 0 ? this.#first : newest));
    const fresh = Array.from({ length: FRESH_LOADS }, newStage);
    const loadFresh = timed(FRESH_LOADS, (call) => fresh[call]!.load(newest));
    return { save, load, loadFresh, snapshotBytes: newest.length * 4 };
  }
}

/** A process with one engine and one crowd. While it takes a turn, no other one may. */
export class CrowdProcess {
  readonly engine: EngineName;
  readonly #process: TurnProcess<Turn, number | Count | StateTiming>;

  /** @param module this one as a bundle, file://… */
  constructor(crowd: CrowdName, engine: EngineName, module: string) {
    this.engine = engine;
    this.#process = new TurnProcess(module, { args: [crowd, engine] });
  }

  /** Builds the crowd anew and runs the ticks before the timed ones. */
  async begin(): Promise<void> {
    await this.#process.request("begin");
  }

  /** Runs the next block. @returns µs per tick */
  async block(): Promise<number> {
    return await this.#process.request("block") as number;
  }

  async count(): Promise<Count> {
    return await this.#process.request("count") as Count;
  }

  /** Times save and load. Only on the stage. */
  async state(): Promise<StateTiming> {
    return await this.#process.request("state") as StateTiming;
  }

  async end(): Promise<void> {
    await this.#process.end();
  }
}

if (import.meta.main) {
  const [crowd, engine] = Deno.args as [CrowdName, EngineName];
  const runner = new CrowdRunner(await ENGINES[engine](), CROWDS[crowd]);
  await serveTurns((turn: Turn) => runner.take(turn));
}
