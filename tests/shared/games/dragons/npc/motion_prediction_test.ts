import { facingOf } from "../../../../../shared/games/dragons/flight.ts";
import type {
  DragonCommand,
  DragonSimulation,
} from "../../../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../../../shared/games/dragons/game.ts";
import { addPresses, commandOf, npcNameOf } from "../../../../support/dragons.ts";
import { assertEquals, assertGreater } from "@std/assert";
import { ROUND_TICKS } from "../../../../../shared/games/dragons/tuning.ts";
import { Snapshot } from "../../../../../shared/snapshot.ts";
import { snapshotLabels } from "../../../../../shared/physics/snapshot/labels.ts";

const TARGET = 0;
const HUNTER = 16;
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9];
/** A lane above all platforms, metres and m/s. */
const LANE_HEIGHT = 13.5;
const LANE_LEFT = 4;
const LANE_RIGHT = 28;
const LANE_SPEED = 3;

/** The room's options: a Hunter with a bow would hit from afar. */
const WITHOUT_LOOT = [0, 0, 0, 1];

/** One NPC. The test makes it a Hunter. */
function oneHunter(seed: number): DragonSimulation {
  const simulation = dragonGame.start({ npcs: 1, choices: WITHOUT_LOOT }, seed);
  const state = new Snapshot();
  simulation.save(state);
  state.words[snapshotLabels(simulation.stage, state).indexOf("stage field kit npc kinds")] = 1;
  simulation.load(state);
  assertEquals(npcNameOf(simulation, HUNTER), "Hunter Ash");
  return simulation;
}

/**
 * The target's command: it flies along the lane at constant speed and height, and turns at both
 * ends.
 */
function laneCommand(simulation: DragonSimulation, last: DragonCommand): DragonCommand {
  const own = simulation.world.player(TARGET);
  if (own === undefined) return last;
  const dir = own.x > LANE_RIGHT ? -1 : own.x < LANE_LEFT ? 1 : facingOf(own);
  const flap = own.y < LANE_HEIGHT && own.vy < 0 && own.fields.flapAge >= 3;
  const flaps = addPresses(last.flaps, flap ? 1 : 0);
  return { ...last, dir: own.vx * dir > LANE_SPEED ? 0 : dir, flaps };
}

/**
 * The number of times that the Hunter unseats the target in a round, if it decides `aheadTicks`
 * ahead.
 */
function hitsAhead(seed: number, aheadTicks: number): number {
  const simulation = oneHunter(seed);
  const commands: (DragonCommand | undefined)[] = [];
  const queue: DragonCommand[] = [];
  let hits = 0;
  let last = commandOf({ dir: 1 });
  while (simulation.tick < ROUND_TICKS - 1) {
    while (queue.length < aheadTicks) queue.push(simulation.npcCommand(HUNTER, queue));
    commands[HUNTER] = queue.shift();
    commands[TARGET] = last = laneCommand(simulation, last);
    simulation.step(commands);
    const target = simulation.world.player(TARGET)!.id;
    const hunter = simulation.world.player(HUNTER)!.id;
    for (const { kind, entity, other } of simulation.events) {
      if ((kind === "joust" || kind === "burn") && entity === target && other === hunter) hits++;
    }
  }
  return hits;
}

Deno.test("predictFlight: a Hunter that decides 20 to 40 ticks ahead hits a straight target nearly as often as at 8 ticks [seeds 1-9]", () => {
  const hits = (aheadTicks: number) =>
    SEEDS.reduce((sum, seed) => sum + hitsAhead(seed, aheadTicks), 0);
  const near = hits(8);
  assertGreater(near, 4 * SEEDS.length);
  assertGreater(hits(20), 0.8 * near);
  assertGreater(hits(30), 0.7 * near);
  assertGreater(hits(40), 0.6 * near);
});
