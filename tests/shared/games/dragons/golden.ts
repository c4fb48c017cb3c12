/**
 * The golden run: one match from one seed, 2,000 ticks with eight scripted players, four NPCs and
 * their hatchlings; then a scene in each arena, with each mode and the Wyrm. Every engine must
 * reproduce its hashes. This module imports only what a browser can run.
 */
import type {
  DragonCommand,
  DragonSimulation,
} from "../../../../shared/games/dragons/declaration.ts";
import { ARENA_WORDS } from "../../../../shared/games/dragons/arenas/arenas.ts";
import { MODE_WORDS } from "../../../../shared/games/dragons/modes/mode.ts";
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { hashOfSnapshot } from "../../../../shared/netcode/wire/range_coder.ts";
import { SEATS } from "../../../../shared/netcode/game.ts";
import { Random } from "../../../../shared/random.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";
import { FakeNpcController, ScriptedControls } from "./rig.ts";
import { snapshotLabels } from "../../../../shared/physics/snapshot/labels.ts";

export const GOLDEN_TICKS = 2000;
/** Ticks between two hashes. */
export const GOLDEN_EVERY = 500;
export const GOLDEN_SEED = 20_261_120;
/** The arena and the mode of each scene, as the numbers of the room's choices. */
const SCENES = [
  { arena: "ledges", mode: "storm_walls" },
  { arena: "foundry", mode: "capture" },
  { arena: "sky_wells", mode: "egg_rush" },
  { arena: "cavern", mode: "melee" },
] as const;
/** Long enough for the Wyrm to cross the arena. */
const SCENE_TICKS = 1320;
const PLAYERS = 8;
const NPCS = 4;

export interface GoldenRun {
  /** The hashes of the states after ticks 500, 1000, 1500 and 2000, and of the scenes' last states. */
  readonly hashes: readonly number[];
  /**
   * Radians: the largest angle of any crate. Engines' angles are only compared if something
   * rotates.
   */
  readonly crateTurnMax: number;
}

/**
 * The match of the golden run, tick by tick. Its players come from the same seed and are not part
 * of its state.
 */
export class GoldenMatch {
  readonly simulation: DragonSimulation;
  readonly #random: Random;
  readonly #npcs = new FakeNpcController();
  readonly #controlsList = Array.from({ length: PLAYERS }, () => new ScriptedControls());
  readonly #commands: (DragonCommand | undefined)[] = new Array(SEATS).fill(undefined);

  /** @param choices of the room; by default arenas and modes rotate */
  constructor(seed: number, choices: readonly number[] = []) {
    this.simulation = dragonGame.start({ npcs: NPCS, choices }, seed);
    this.#random = new Random(seed);
  }

  get tick(): number {
    return this.simulation.tick;
  }

  step(): void {
    this.#controlsList.forEach((controls, seat) =>
      this.#commands[seat] = controls.next(this.#random)
    );
    this.#npcs.next(this.simulation, this.#commands);
    this.simulation.step(this.#commands);
  }

  save(into: Snapshot): void {
    this.simulation.save(into);
  }

  load(from: Snapshot): void {
    this.simulation.load(from);
  }

  snapshotLabels(snapshot: Snapshot): readonly string[] {
    return snapshotLabels(this.simulation.stage, snapshot);
  }
}

/** Ticks of the golden set: three rounds of two people and two Drifters, the podium, a rematch. */
const SET_TICKS = 6400;
const SET_SEED = 20_261_130;

/** What the golden set came to. */
export interface GoldenSet {
  /** The hash of the state at its end. */
  readonly hash: number;
  /** The phases in order, each with its round: "3 podium". */
  readonly phases: readonly string[];
}

/** Plays a whole set and the beginning of the next one: those who are ready say so. Pure. */
export function goldenSet(): GoldenSet {
  const simulation = dragonGame.start({ npcs: 2 }, SET_SEED);
  const random = new Random(SET_SEED);
  const npcs = new FakeNpcController();
  const people = [new ScriptedControls(), new ScriptedControls()];
  const commands: (DragonCommand | undefined)[] = new Array(SEATS).fill(undefined);
  const { match } = simulation.world;
  const phases: string[] = [];
  while (simulation.tick < SET_TICKS) {
    people.forEach((controls, seat) => commands[seat] = controls.next(random));
    npcs.next(simulation, commands);
    simulation.step(commands);
    const result = match.setOver ? "podium" : match.phase;
    const phase = `${match.round} ${match.suddenDeath && result === "playing" ? "sudden" : result}`;
    if (phases.at(-1) !== phase) phases.push(phase);
  }
  const state = new Snapshot();
  simulation.save(state);
  return { hash: hashOfSnapshot(state), phases };
}

/** Plays the golden match. Pure; it takes a fraction of a second. */
export function goldenRun(): GoldenRun {
  const match = new GoldenMatch(GOLDEN_SEED);
  const state = new Snapshot();
  const hashes: number[] = [];
  let crateTurnMax = 0;
  while (match.tick < GOLDEN_TICKS) {
    match.step();
    for (const crate of match.simulation.world.all("crate")) {
      crateTurnMax = Math.max(crateTurnMax, Math.abs(crate.angle));
    }
    if (match.tick % GOLDEN_EVERY !== 0) continue;
    match.save(state);
    hashes.push(hashOfSnapshot(state));
  }
  for (const { arena, mode } of SCENES) {
    const scene = new GoldenMatch(
      GOLDEN_SEED,
      [1 + ARENA_WORDS.indexOf(arena), 1 + MODE_WORDS.indexOf(mode)],
    );
    while (scene.tick < SCENE_TICKS) scene.step();
    scene.save(state);
    hashes.push(hashOfSnapshot(state));
  }
  return { hashes, crateTurnMax };
}
