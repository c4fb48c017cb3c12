/**
 * The golden run: one match from fixed seeds, 2,000 ticks, eight scripted players, four Drifters and what hatches. Every engine that runs
 * the rules right gets the same hashes; it imports nothing that a browser has not.
 */
import { dragonGame } from "../../../shared/dragons/game.ts";
import type { DragonCommand } from "../../../shared/dragons/command.ts";
import { hashOfSnapshot } from "../../../shared/netcode/bytes.ts";
import { SEATS } from "../../../shared/netcode/game.ts";
import { Random } from "../../../shared/random.ts";
import { Snapshot } from "../../../shared/snapshot.ts";
import { NpcDesk, ScriptedHand } from "./rig.ts";

export const GOLDEN_TICKS = 2000;
/** Ticks between two hashes. */
export const GOLDEN_EVERY = 500;
const SEED = 20_261_120;
const PLAYERS = 8;
const NPCS = 4;

export interface GoldenRun {
  /** Of the states after ticks 500, 1000, 1500 and 2000. */
  readonly hashes: readonly number[];
  /** Radians: the farthest that any crate stood from upright. The engines' angles are only compared where things rotate. */
  readonly crateTurnMax: number;
}

/** Plays the golden match. Pure; takes a fraction of a second. */
export function goldenRun(): GoldenRun {
  const simulation = dragonGame.start({ npcs: NPCS }, SEED);
  const random = new Random(SEED);
  const npcs = new NpcDesk();
  const hands = Array.from({ length: PLAYERS }, () => new ScriptedHand());
  const commands: (DragonCommand | undefined)[] = new Array(SEATS).fill(undefined);
  const state = new Snapshot();
  const hashes: number[] = [];
  let crateTurnMax = 0;
  while (simulation.tick < GOLDEN_TICKS) {
    hands.forEach((hand, seat) => commands[seat] = hand.next(random));
    npcs.next(simulation, commands);
    simulation.step(commands);
    for (const crate of simulation.crates) crateTurnMax = Math.max(crateTurnMax, Math.abs(crate.angle));
    if (simulation.tick % GOLDEN_EVERY !== 0) continue;
    simulation.save(state);
    hashes.push(hashOfSnapshot(state));
  }
  return { hashes, crateTurnMax };
}
