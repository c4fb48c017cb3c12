/** The strengths of NPCs beside a beginner and beside each other, over whole rounds. */
import { assertGreater, assertLess } from "@std/assert";
import { dragonGame } from "../../../../../shared/games/dragons/game.ts";
import type { DragonCommand } from "../../../../../shared/games/dragons/declaration.ts";
import { ROUND_TICKS } from "../../../../../shared/games/dragons/tuning.ts";
import { PLAYER_SEATS, SEATS } from "../../../../../shared/netcode/game.ts";
import { FakeNpcController } from "../rig.ts";
import { Beginner } from "./beginner.ts";

const ROUNDS = 10;
const NPCS = 8;

/** The mean score of a round by who played: the beginner, and each kind of NPC. */
function meanScores(): Record<string, number> {
  const sums: Record<string, { points: number; seats: number }> = {};
  for (let seed = 1; seed <= ROUNDS; seed++) {
    const simulation = dragonGame.start({ npcs: NPCS }, seed);
    const npcs = new FakeNpcController();
    const beginner = new Beginner(0, seed);
    const commands: (DragonCommand | undefined)[] = new Array(SEATS).fill(undefined);
    const { world } = simulation;
    while (simulation.tick < ROUND_TICKS - 1) {
      commands[0] = beginner.next(world);
      npcs.next(simulation, commands);
      simulation.step(commands);
    }

    for (const { seat, fields } of world.all("dragon")) {
      // Hatchlings were there for a part of the round only
      if (seat >= PLAYER_SEATS + NPCS) continue;
      const sum = sums[world.npcKind(seat) ?? "beginner"] ??= { points: 0, seats: 0 };
      sum.points += fields.score;
      sum.seats++;
    }
  }
  return Object.fromEntries(
    Object.entries(sums).map(([who, { points, seats }]) => [who, points / seats]),
  );
}

Deno.test("NPCs: a beginner keeps up with Drifters, and Hunters and Shadows are stronger (SPEC 26.4)", () => {
  const { beginner, drifter, hunter, shadow } = meanScores();
  const found = JSON.stringify({ beginner, drifter, hunter, shadow });
  assertGreater(beginner!, 0.8 * drifter!, found);
  assertGreater(hunter!, drifter!, found);
  assertGreater(shadow!, hunter!, found);
  assertLess(shadow!, 2 * beginner!, found);
});
