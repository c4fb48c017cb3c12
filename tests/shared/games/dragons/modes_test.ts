/** The modes of a round: what each of them changes. */
import { assert, assertEquals, assertGreater, assertLess } from "@std/assert";
import { ARENA_WORDS } from "../../../../shared/games/dragons/arenas/arenas.ts";
import type { DragonCommand } from "../../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { MODE_WORDS, type ModeWord } from "../../../../shared/games/dragons/modes/mode.ts";
import {
  CAPTURE_SCORE,
  DRAGON_RADIUS,
  EGG_FRESH_TICKS,
  ROUND_TICKS,
  STORM_CALM_TICKS,
} from "../../../../shared/games/dragons/tuning.ts";
import { SEATS } from "../../../../shared/netcode/game.ts";
import { bareArena, FakeNpcController, Rig, STANDING } from "./rig.ts";

const SPAWN_POINTS = [{ x: 14, y: STANDING }, { x: 18, y: STANDING }, { x: 10, y: STANDING }, {
  x: 22,
  y: STANDING,
}];

/** Players in a mode, on a bare floor, without invulnerability. */
function rigIn(mode: ModeWord, seats: number): Rig {
  const rig = new Rig(bareArena({ spawnPoints: SPAWN_POINTS }), seats, mode);
  rig.waitOutInvulnerability();
  return rig;
}

/** Seat 0 comes down on seat 1. */
function joust(rig: Rig): void {
  rig.lift(1, 16, 5);
  rig.lift(0, 16.1, 6.6);
  rig.runUntil(() => rig.countEvents("joust") + rig.countEvents("clash") > 0);
}

Deno.test("modes: rounds go through all of them, and in sixteen rounds each arena has had each (SPEC 26.11)", () => {
  const simulation = dragonGame.start({ npcs: 0 }, 1);
  const { world } = simulation;
  const pairs: string[] = [];
  for (let round = 1; round <= 16; round++) {
    while (world.match.round < round) simulation.step([dragonGame.command.neutral]);
    pairs.push(`${world.match.arena} ${world.match.mode}`);
  }
  assertEquals(pairs.slice(0, 5), [
    "ledges melee",
    "foundry egg_rush",
    "sky_wells capture",
    "cavern storm_walls",
    "ledges egg_rush",
  ]);
  assertEquals(new Set(pairs).size, ARENA_WORDS.length * MODE_WORDS.length);
});

Deno.test("egg rush: eggs alone count, one falls each two seconds, and none hatches (SPEC 26.12)", () => {
  const rig = rigIn("egg_rush", 2);
  joust(rig);
  assertEquals([rig.countEvents("joust"), rig.dragon(0).fields.score], [1, 0]);

  const { world } = rig.simulation;
  rig.run(EGG_FRESH_TICKS);
  const egg = world.all("egg").find(({ fields }) => fields.seat === 32)!;
  rig.lift(0, egg.x, egg.y + 0.3);
  rig.runUntil(() => rig.dragon(0).fields.score > 0);
  assertGreater(rig.countEvents("take"), 0);

  rig.run(400);
  assertEquals([rig.countEvents("hatch"), rig.simulation.npcSeats], [0, []]);
  assertGreater(rig.countEvents("wither"), 2);
});

Deno.test("capture: teams are even, mates only clash, rivals unseat each other (SPEC 26.13)", () => {
  const rig = rigIn("capture", 4);
  const teams = [0, 1, 2, 3].map((seat) => rig.dragon(seat).fields.team);
  assertEquals(teams, ["blue", "orange", "blue", "orange"]);
  joust(rig);
  assertEquals(rig.countEvents("joust"), 1, "seats 0 and 1 are rivals");

  const mates = rigIn("capture", 4);
  mates.lift(2, 16, 5);
  mates.lift(0, 16.1, 6.6);
  mates.runUntil(() => mates.countEvents("joust") + mates.countEvents("clash") > 0);
  assertEquals([mates.countEvents("joust"), mates.countEvents("clash")], [0, 1]);
});

Deno.test("capture: who touches the golden egg brings it home for its team, or drops it (SPEC 26.13)", () => {
  const rig = rigIn("capture", 2);
  const { world } = rig.simulation;
  const take = () => {
    rig.runUntil(() => world.all("relic").length === 1);
    const relic = world.one("relic")!;
    rig.lift(0, relic.x, relic.y + DRAGON_RADIUS);
    rig.runUntil(() => world.match.carrier?.seat === 0);
    assertEquals(world.all("relic").length, 0);
  };

  take();
  rig.lift(0, 2, 8);
  rig.run(1);
  assertEquals([world.match.blue, world.match.orange], [1, 0]);
  assertEquals([rig.countEvents("capture"), rig.dragon(0).fields.score], [1, CAPTURE_SCORE]);
  assertEquals(rig.game.rounds!.result(rig.simulation).scores.map(({ score }) => score), [1, 0]);

  // The rival's lance takes it away
  take();
  rig.lift(0, 16, 5);
  rig.lift(1, 16.1, 6.6);
  rig.runUntil(() => rig.countEvents("drop") === 1);
  assertEquals([world.match.carrier, world.all("relic").length], [undefined, 1]);
});

Deno.test("storm walls: after a calm they come in, and blow out what gets into them (SPEC 26.14)", () => {
  const rig = rigIn("storm_walls", 1);
  rig.lift(0, 2, 10);
  rig.run(3);
  assertLess(Math.abs(rig.dragon(0).vx), 0.5, "the calm");

  rig.poke("stage field phaseTicksLeft", (ROUND_TICKS - STORM_CALM_TICKS) / 2);
  rig.lift(0, 2, 10);
  rig.run(6);
  assertGreater(rig.dragon(0).vx, 5);
  rig.runUntil(() => rig.dragon(0).x > 32 * 0.16);
});

Deno.test("NPCs: they know each mode: eggs are taken, the golden egg comes home to both, the storms are empty (SPEC 26.11)", () => {
  for (const [index, mode] of MODE_WORDS.entries()) {
    const simulation = dragonGame.start({ npcs: 8, choices: [1, index + 1] }, 9);
    const { world } = simulation;
    const npcs = new FakeNpcController();
    const commands: (DragonCommand | undefined)[] = new Array(SEATS).fill(undefined);
    let inStorm = 0;
    let late = 0;
    let taken = 0;
    while (simulation.tick < ROUND_TICKS - 10) {
      npcs.next(simulation, commands);
      simulation.step(commands);
      taken += simulation.events.filter(({ kind }) => kind === "take").length;
      if (simulation.tick < 1500) continue;
      for (const { x } of world.all("dragon")) {
        late++;
        if (x < 7 || x > 25) inStorm++;
      }
    }
    if (mode === "egg_rush") assertGreater(taken, 60);
    if (mode === "capture") assert(world.match.blue > 0 && world.match.orange > 0, "both");
    if (mode === "storm_walls") assertLess(inStorm, 0.05 * late);
    else assertGreater(inStorm, 0.2 * late, "the measure tells the modes apart");
  }
});
