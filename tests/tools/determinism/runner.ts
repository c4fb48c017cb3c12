/**
 * The program that every engine runs: ticks of a scene, from its start or from another engine's
 * state, with a hash for each tick; or the full scene of `/same-bits` on a physics engine. It is
 * bundled for browsers and Node, so it uses no API of a single engine. Requests and replies are
 * plain JSON.
 */
import { measure, type Measurement } from "../../../client/same_bits/measure.ts";
import type { LibraryName } from "../../../client/same_bits/table.ts";
import { visitorOf } from "../../../client/same_bits/visitor.ts";
import { hashOfSnapshot } from "../../../shared/netcode/wire/range_coder.ts";
import { Snapshot } from "../../../shared/snapshot.ts";
import { GAMES } from "../../../shared/games/registry.ts";
import type { Game, Simulation } from "../../../shared/netcode/game.ts";
import { MatchCommands } from "../../../shared/duties/match_commands.ts";
import { GoldenMatch } from "../../shared/games/dragons/golden.ts";
import type { SnapshotLabeller } from "../../shared/physics/scenes/difference.ts";
import { startScene, stepScene } from "../../shared/physics/scenes/scene.ts";
import { snapshotLabels } from "../../../shared/physics/snapshot/labels.ts";
import { LIBRARIES } from "./libraries.ts";

export interface RunRequest {
  /**
   * `stage`: the scene of the sync test, which uses every feature of a stage. `dragons`: the game's
   * golden match. Another game by its name: a match of random players and its own NPCs.
   */
  readonly scene: string;
  readonly seed: number;
  /** Ticks to run, from the start or from `state`. */
  readonly ticks: number;
  /**
   * The words of a snapshot to start from. Only for `stage`: the state of a match excludes the
   * players.
   */
  readonly state?: readonly number[];
  /**
   * For tests: after this tick, the lowest bit of the word with this label is flipped, like a
   * rounding error of an engine.
   */
  readonly nudge?: { readonly tick: number; readonly name: string };
}

export interface RunReply {
  /** The hash of the state after each tick. */
  readonly hashes: readonly number[];
  /** The words of the last state's snapshot. */
  readonly state: readonly number[];
}

/** Asks for the full scene on a physics engine. */
export interface MeasureRequest {
  readonly library: LibraryName;
  readonly ticks: number;
}

export interface MeasureReply extends Measurement {
  /** The JavaScript engine with its version: "Deno 2.9.6". */
  readonly engine: string;
}

/** What an engine is asked, and what it answers. */
export type Request = RunRequest | MeasureRequest;
export type Reply<Asked extends Request> = Asked extends RunRequest ? RunReply : MeasureReply;

/** @throws SnapshotError if the state of a `RunRequest` is not one of its scene */
export async function answer<Asked extends Request>(request: Asked): Promise<Reply<Asked>> {
  const reply = "library" in request ? await measureLibrary(request) : await run(request);
  return reply as Reply<Asked>;
}

async function measureLibrary({ library, ticks }: MeasureRequest): Promise<MeasureReply> {
  const Scene = await LIBRARIES[library]();
  const measurement = measure(() => new Scene(), { ticks, now: () => performance.now() });
  return { ...measurement, engine: engineName() };
}

/** The programs that run this, by the global that each has; Bun has Node's, too. */
function engineName(): string {
  const { Bun, Deno, process } = globalThis as unknown as {
    Bun?: { version: string };
    Deno?: { version: { deno: string } };
    process?: { versions?: { node?: string } };
  };
  if (Bun !== undefined) return `Bun ${Bun.version} (JavaScriptCore)`;
  if (Deno !== undefined) return `Deno ${Deno.version.deno}`;
  if (process?.versions?.node !== undefined) return `Node ${process.versions.node}`;
  return visitorOf(navigator.userAgent).engine;
}

/** A started scene. */
interface ActiveScene extends SnapshotLabeller {
  readonly tick: number;
  step(): void;
  save(into: Snapshot): void;
  load(from: Snapshot): void;
}

class StageScene implements ActiveScene {
  readonly #seed: number;
  readonly #stage;

  constructor(seed: number) {
    this.#seed = seed;
    this.#stage = startScene(seed);
  }

  get tick(): number {
    return this.#stage.tick;
  }

  step(): void {
    stepScene(this.#stage, this.#seed);
  }

  save(into: Snapshot): void {
    this.#stage.save(into);
  }

  load(from: Snapshot): void {
    this.#stage.load(from);
  }

  snapshotLabels(snapshot: Snapshot): readonly string[] {
    return snapshotLabels(this.#stage, snapshot);
  }
}

/** NPC seats of a match of random players. */
const NPCS = 4;

class GameMatch implements ActiveScene {
  readonly #game: Game<unknown>;
  readonly #simulation: Simulation<unknown>;
  readonly #commands: MatchCommands<unknown>;

  constructor(game: Game<unknown>, seed: number) {
    this.#game = game;
    this.#simulation = game.start({ npcs: NPCS }, seed);
    this.#commands = new MatchCommands(game, { seed });
  }

  get tick(): number {
    return this.#simulation.tick;
  }

  step(): void {
    this.#simulation.step(this.#commands.next(this.#simulation));
  }

  save(into: Snapshot): void {
    this.#simulation.save(into);
  }

  load(from: Snapshot): void {
    this.#simulation.load(from);
  }

  snapshotLabels(snapshot: Snapshot): readonly string[] {
    return this.#game.stateLabels!(this.#simulation, snapshot);
  }
}

async function begin({ scene, seed }: Pick<RunRequest, "scene" | "seed">): Promise<ActiveScene> {
  if (scene === "stage") return new StageScene(seed);
  return scene === "dragons"
    ? new GoldenMatch(seed)
    : new GameMatch((await GAMES[scene]!()).game, seed);
}

async function run(request: RunRequest): Promise<RunReply> {
  const scene = await begin(request);
  const snapshot = new Snapshot();
  const hashes: number[] = [];
  if (request.state !== undefined) scene.load(snapshotOf(request.state));
  for (let i = 0; i < request.ticks; i++) {
    scene.step();
    scene.save(snapshot);
    if (request.nudge?.tick === scene.tick) nudge(scene, snapshot, request.nudge.name);
    hashes.push(hashOfSnapshot(snapshot));
  }
  return { hashes, state: Array.from(snapshot.words.subarray(0, snapshot.length)) };
}

function nudge(scene: ActiveScene, snapshot: Snapshot, name: string): void {
  const word = scene.snapshotLabels(snapshot).indexOf(name);
  if (word < 0) throw new Error(`no word is "${name}"`);
  snapshot.words[word]! ^= 1;
  scene.load(snapshot);
}

/** A snapshot that holds these words. */
export function snapshotOf(words: readonly number[]): Snapshot {
  const snapshot = new Snapshot();
  snapshot.reserve(words.length);
  snapshot.words.set(words);
  snapshot.length = words.length;
  return snapshot;
}

/** The scene of a request at its start: it labels the words of a snapshot. */
export function labellerFor(request: RunRequest): Promise<SnapshotLabeller> {
  return begin(request);
}
