/**
 * The program that every engine runs: ticks of a scene, from its start or from another engine's
 * state, with a hash for each tick. It is bundled for browsers and Node, so it uses no API of a
 * single engine. Requests and replies are plain JSON.
 */
import { hashOfSnapshot } from "../../../shared/netcode/wire/range_coder.ts";
import { Snapshot } from "../../../shared/snapshot.ts";
import { GAMES } from "../../../shared/games/registry.ts";
import type { Game, Simulation } from "../../../shared/netcode/game.ts";
import { MatchCommands } from "../../games/match_commands.ts";
import { GoldenMatch } from "../../shared/games/dragons/golden.ts";
import type { SnapshotLabeller } from "../../shared/physics/scenes/difference.ts";
import { startScene, stepScene } from "../../shared/physics/scenes/scene.ts";
import { snapshotLabels } from "../../../shared/physics/snapshot/labels.ts";

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

/** @throws SnapshotError if `state` is not a state of this scene */
export async function run(request: RunRequest): Promise<RunReply> {
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
