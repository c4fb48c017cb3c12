import { npcNameOf } from "../../../../support/dragons.ts";
import type {
  DragonCommand,
  DragonSimulation,
} from "../../../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../../../shared/games/dragons/game.ts";
import { assertEquals, assertGreater, assertLess } from "@std/assert";
import { INVULNERABLE_TICKS, ROUND_TICKS } from "../../../../../shared/games/dragons/tuning.ts";
import { Snapshot } from "../../../../../shared/snapshot.ts";
import { FakeNpcController } from "../rig.ts";
import { snapshotLabels } from "../../../../../shared/physics/snapshot/labels.ts";

const DRIFTERS = [16, 18];
const HUNTERS = [17, 19];
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const TICKS_AT_A_PLACE_MAX = 100;
const PLACE_METRES = 1.5;

/** Four initial NPCs. The test makes two of them Hunters. */
function twoHuntersTwoDrifters(seed: number): DragonSimulation {
  const simulation = dragonGame.start({ npcs: 4 }, seed);
  const state = new Snapshot();
  simulation.save(state);
  state.words[snapshotLabels(simulation.stage, state).indexOf("stage field kit npc kinds")] =
    0b01_00_01_00;
  simulation.load(state);
  assertEquals(simulation.npcSeats.map((seat) => npcNameOf(simulation, seat)), [
    "Drifter Ash",
    "Hunter Briar",
    "Drifter Coal",
    "Hunter Dusk",
  ]);
  return simulation;
}

/** Plays one round. Nothing hatches, so no other NPC scores. */
function play(seed: number) {
  const simulation = twoHuntersTwoDrifters(seed);
  const npcController = new FakeNpcController();
  const commands: (DragonCommand | undefined)[] = [];
  const stay = new Map(HUNTERS.map((seat) => [seat, [] as { x: number; y: number }[]]));
  const won = { hunters: 0, drifters: 0, longestStay: 0 };

  while (simulation.tick < ROUND_TICKS - 1) {
    npcController.next(simulation, commands, 20);
    simulation.step(commands);
    for (const { kind, entity, other } of simulation.events) {
      const winner = simulation.world.all("dragon").find(({ id }) => id === other)?.seat ??
        -1;
      const loser = simulation.world.all("dragon").find(({ id }) => id === entity)?.seat ??
        -1;
      if (kind !== "joust" && kind !== "burn") continue;
      if (HUNTERS.includes(winner) && DRIFTERS.includes(loser)) won.hunters++;
      if (DRIFTERS.includes(winner) && HUNTERS.includes(loser)) won.drifters++;
    }
    for (const [seat, places] of stay) {
      const { x, y, fields } = simulation.world.player(seat)!;
      if (fields.dead > 0) places.length = 0;
      else places.push({ x, y });
      while (places.some((at) => (at.x - x) ** 2 + (at.y - y) ** 2 > PLACE_METRES ** 2)) {
        places.shift();
      }
      won.longestStay = Math.max(won.longestStay, places.length);
    }
  }

  const scoreOf = (seats: number[]): number =>
    seats.reduce((sum, seat) => sum + simulation.world.player(seat)!.fields.score, 0);
  return { ...won, hunterScore: scoreOf(HUNTERS), drifterScore: scoreOf(DRIFTERS) };
}

Deno.test("hunterPolicy: in fifteen seeded minutes Hunters unseat Drifters at least 1.5 times as often as vice versa", () => {
  const total = { hunters: 0, drifters: 0, hunterScore: 0, drifterScore: 0, longestStay: 0 };
  for (const seed of SEEDS) {
    const round = play(seed);
    total.hunters += round.hunters;
    total.drifters += round.drifters;
    total.hunterScore += round.hunterScore;
    total.drifterScore += round.drifterScore;
    total.longestStay = Math.max(total.longestStay, round.longestStay);
  }
  assertGreater(total.drifters, 10);
  assertGreater(total.hunters / total.drifters, 1.5);
  assertGreater(total.hunterScore / total.drifterScore, 1.5);
  assertLess(total.longestStay, TICKS_AT_A_PLACE_MAX, "ticks at one place: stuck");
});

/** Makes all dragons invulnerable for the next tick, also those that have just breathed fire. */
function protectAll(simulation: DragonSimulation, scratch: Snapshot): void {
  simulation.save(scratch);
  const names = snapshotLabels(simulation.stage, scratch);
  names.forEach((name, word) => {
    if (name.endsWith(" dragon.invulnerable")) scratch.words[word] = INVULNERABLE_TICKS;
  });
  simulation.load(scratch);
}

Deno.test("hunterPolicy: without prey a Hunter breathes fire as often as a Drifter", () => {
  const presses = new Map([...DRIFTERS, ...HUNTERS].map((seat) => [seat, 0]));
  for (const seed of SEEDS) {
    const simulation = twoHuntersTwoDrifters(seed);
    const npcController = new FakeNpcController();
    const scratch = new Snapshot();
    const commands: (DragonCommand | undefined)[] = [];
    const before: (DragonCommand | undefined)[] = [];
    while (simulation.tick < ROUND_TICKS - 1) {
      protectAll(simulation, scratch);
      npcController.next(simulation, commands, 20);
      simulation.step(commands);
      for (const [seat, count] of presses) {
        if (before[seat] !== undefined && commands[seat]!.fires !== before[seat].fires) {
          presses.set(seat, count + 1);
        }
        before[seat] = commands[seat];
      }
    }
  }

  const [drifters, hunters] = [DRIFTERS, HUNTERS].map((seats) =>
    seats.reduce((n, seat) => n + presses.get(seat)!, 0)
  );
  assertGreater(drifters!, 100);
  assertGreater(hunters!, 0.75 * drifters!);
  assertLess(hunters!, 1.33 * drifters!);
});

Deno.test("npcCommand: is pure for a Hunter: the same state and queue give the same command in any simulation", () => {
  const simulation = twoHuntersTwoDrifters(9);
  const npcController = new FakeNpcController();
  const commands: (DragonCommand | undefined)[] = [];
  const before = new Snapshot();
  const after = new Snapshot();
  for (let i = 0; i < 200; i++) {
    npcController.next(simulation, commands);
    simulation.step(commands);
  }
  simulation.save(before);
  const other = dragonGame.start({ npcs: 4 }, 9);
  other.load(before);
  const queue: DragonCommand[] = [];
  for (let i = 0; i < 40; i++) {
    const command = simulation.npcCommand(17, queue);
    assertEquals(other.npcCommand(17, queue), command);
    queue.push(command);
  }

  simulation.save(after);
  assertEquals(after.equals(before), true);
  assertGreater(
    new Set(queue.map(({ flaps, dir }) => `${flaps} ${dir}`)).size,
    2,
    "the queue has several commands",
  );
});

Deno.test("npcCommand: a Drifter plays a player's seat and reacts more slowly than a Hunter", () => {
  const simulation = twoHuntersTwoDrifters(3);
  assertEquals([3, 15, 16, 17].map((seat) => simulation.reactionTicks(seat)), [20, 20, 20, 12]);
});
