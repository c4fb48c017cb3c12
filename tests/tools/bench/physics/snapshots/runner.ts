/** The child process of one engine and one number of bodies: it saves, loads, and compares. */
import type { Snapshot } from "../../../../../shared/snapshot.ts";
import { serveTurns, TurnProcess } from "../turn_process.ts";
import { type BodyCount, FIRST_TICK, pile, TICKS_BETWEEN } from "./scene.ts";
import { rapierWorld, type SavedWorld, stageWorld } from "./saved_worlds.ts";

export const SAVING_ENGINES = ["stage", "rapier"] as const;
export type SavingEngine = typeof SAVING_ENGINES[number];

/** Loads in one timing: an even number, so that they alternate and end with the newest state. */
const LOADS = 20;
const FRESH_LOADS = 5;
/** Ticks after which a world that was loaded is compared with one that ran on. */
const COMPARED_TICKS = 60;

/** µs for one call. */
export interface SnapshotTiming {
  /** After a tick, as a rollback needs it. */
  readonly save: number;
  /** Of one of two states, in turns: every body differs. */
  readonly load: number;
  /** Into a world that has only the ground. */
  readonly loadFresh: number;
}

/** Whether a world that was loaded goes on as the one that ran on did. */
export interface SnapshotFacts {
  readonly bytes: number;
  /** Bodies that are awake in the state; all, or a save would copy some of them. */
  readonly awake: number;
  /** Motions of all bodies after a second, bit by bit: in the same world, and in another one. */
  readonly sameMotions: boolean;
  readonly sameMotionsFresh: boolean;
  /** The bytes of a snapshot after that second. */
  readonly sameBytes: boolean;
  readonly sameBytesFresh: boolean;
}

type Turn = "time" | "facts";

function micros(action: () => void): number {
  const start = performance.now();
  action();
  return (performance.now() - start) * 1000;
}

class SnapshotRunner<State> {
  readonly #build: () => SavedWorld<State>;

  constructor(build: () => SavedWorld<State>) {
    this.#build = build;
  }

  take(turn: Turn): SnapshotTiming | SnapshotFacts {
    return turn === "time" ? this.#time() : this.#facts();
  }

  #time(): SnapshotTiming {
    const world = this.#build();
    run(world, FIRST_TICK);
    const first = world.save(world.newState());

    // A save after each tick
    const reused = world.newState();
    let newest = first;
    let save = 0;
    for (let i = 0; i < TICKS_BETWEEN; i++) {
      world.tick();
      save += micros(() => newest = world.save(reused));
    }

    // Loads of both states, then into worlds without bodies
    const load = micros(() => {
      for (let i = 0; i < LOADS; i++) world.load(i % 2 === 0 ? first : newest);
    });
    let loadFresh = 0;
    for (let i = 0; i < FRESH_LOADS; i++) {
      world.forget();
      loadFresh += micros(() => world.load(newest));
    }

    return {
      save: save / TICKS_BETWEEN,
      load: load / LOADS,
      loadFresh: loadFresh / FRESH_LOADS,
    };
  }

  #facts(): SnapshotFacts {
    const world = this.#build();
    run(world, FIRST_TICK);
    const first = world.save(world.newState());
    const bytes = world.bytesOf(first).length;
    const awake = world.awake();
    const goneOn = this.#aSecondLater(world);
    world.load(first);
    const same = this.#aSecondLater(world);
    world.forget();
    world.load(first);
    const fresh = this.#aSecondLater(world);
    return {
      bytes,
      awake,
      sameMotions: isSame(goneOn.motions, same.motions),
      sameMotionsFresh: isSame(goneOn.motions, fresh.motions),
      sameBytes: isSame(goneOn.bytes, same.bytes),
      sameBytesFresh: isSame(goneOn.bytes, fresh.bytes),
    };
  }

  #aSecondLater(world: SavedWorld<State>) {
    run(world, COMPARED_TICKS);
    return {
      motions: world.motions(),
      bytes: world.bytesOf(world.save(world.newState())).slice(),
    };
  }
}

function run(world: { tick(): void }, ticks: number): void {
  for (let i = 0; i < ticks; i++) world.tick();
}

function isSame(a: Float64Array | Uint8Array, b: Float64Array | Uint8Array): boolean {
  return a.length === b.length && a.every((value, i) => Object.is(value, b[i]));
}

/** A process that saves and loads. While it takes a turn, no other one may. */
export class SnapshotProcess {
  readonly #process: TurnProcess<Turn, SnapshotTiming | SnapshotFacts>;

  /** @param module this one as a bundle, file://… */
  constructor(engine: SavingEngine, bodies: BodyCount, module: string) {
    this.#process = new TurnProcess(module, { args: [engine, String(bodies)] });
  }

  async time(): Promise<SnapshotTiming> {
    return await this.#process.request("time") as SnapshotTiming;
  }

  async facts(): Promise<SnapshotFacts> {
    return await this.#process.request("facts") as SnapshotFacts;
  }

  async end(): Promise<void> {
    await this.#process.end();
  }
}

function runnerOf(engine: SavingEngine, bodies: number) {
  const scene = pile(bodies);
  return engine === "stage"
    ? new SnapshotRunner<Snapshot>(() => stageWorld(scene))
    : new SnapshotRunner<Uint8Array>(() => rapierWorld(scene));
}

if (import.meta.main) {
  const [engine, bodies] = Deno.args as [SavingEngine, string];
  const runner = runnerOf(engine, Number(bodies));
  await serveTurns((turn: Turn) => runner.take(turn));
}
