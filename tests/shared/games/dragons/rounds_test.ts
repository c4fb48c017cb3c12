import { isReady, NEUTRAL, secondsLeftOf } from "../../../support/dragons.ts";
import { assert, assertEquals, assertGreater } from "@std/assert";
import {
  CHARGES_MAX,
  INVULNERABLE_TICKS,
  RESULT_TICKS,
  RESULT_TICKS_MIN,
  ROUND_TICKS,
} from "../../../../shared/games/dragons/tuning.ts";
import { bareArena, Rig, STANDING } from "./rig.ts";

const SPAWN_POINTS = [{ x: 16, y: 36 }, { x: 16.2, y: STANDING }, { x: 4, y: STANDING }, {
  x: 28,
  y: STANDING,
}];

/** A match in the first tick of its result. */
function finished(seats: number, spawnPoints = SPAWN_POINTS): Rig {
  const rig = new Rig(
    bareArena({ spawnPoints, crates: [{ x: 10, y: 1.4 }, { x: 11, y: 1.4 }] }),
    seats,
  );
  rig.waitOutInvulnerability();
  rig.poke("stage field phaseTicksLeft", 1);
  rig.run(1);
  return rig;
}

Deno.test("round: it lasts 90 s, then the result is shown", () => {
  const rig = new Rig(bareArena({ spawnPoints: SPAWN_POINTS }), 1);
  rig.run(1);
  assertEquals([
    rig.simulation.world.match.round,
    rig.simulation.world.match.phase,
    secondsLeftOf(rig.simulation),
  ], [
    1,
    "playing",
    90,
  ]);
  rig.run(ROUND_TICKS - 2);
  assertEquals([
    rig.simulation.world.match.phase,
    secondsLeftOf(rig.simulation),
    rig.countEvents("round"),
  ], [
    "playing",
    1,
    0,
  ]);
  rig.run(1);
  assertEquals([rig.simulation.world.match.phase, secondsLeftOf(rig.simulation)], ["result", 8]);
  assertEquals(
    rig.simulation.events.filter(({ kind }) => kind === "round").map(({ entity }) => entity),
    [
      rig.dragon(0).id,
    ],
  );
});

Deno.test("result: no dragon is in control, every press is counted, no hit counts", () => {
  // Seat 0 still falls from the sky onto seat 1.
  const rig = finished(2, SPAWN_POINTS.slice(0, 2));
  rig.events.length = 0;
  rig.press(1, "flaps");
  rig.press(1, "fires", 2);
  rig.setControls(1, { dir: 1, flapHeld: 1 });
  rig.run(30);
  assertGreater(rig.dragon(0).vy, -10, "seat 0 has landed on seat 1");
  assert(rig.events.every(({ kind }) => kind === "land"), JSON.stringify(rig.events));
  assertEquals([rig.dragon(1).fields.flapPresses, rig.dragon(1).fields.firePresses], [1, 2]);
  assertEquals([0, 1].map((seat) => rig.dragon(seat).fields.dead + rig.dragon(seat).fields.score), [
    0,
    0,
  ]);
  assertEquals(rig.simulation.world.all("fireball").length, 0);
});

Deno.test("result: it ends when every player has flapped after its first second", () => {
  const rig = finished(3);
  rig.run(RESULT_TICKS_MIN - 2);
  for (const seat of [0, 1, 2]) rig.press(seat, "flaps");
  rig.run(1);
  assertEquals(isReady(rig.simulation, 0), false, "the press was meant for the finished round");
  rig.run(1);
  rig.press(0, "flaps");
  rig.press(1, "flaps");
  rig.run(1);
  assertEquals([0, 1, 2, 3].map((seat) => isReady(rig.simulation, seat)), [
    true,
    true,
    false,
    false,
  ]);
  rig.run(5);
  assertEquals(rig.simulation.world.match.phase, "result");
  rig.press(2, "flaps");
  rig.run(1);
  assertEquals([rig.simulation.world.match.phase, rig.simulation.world.match.round], [
    "playing",
    2,
  ]);
  assertEquals([0, 1, 2].map((seat) => isReady(rig.simulation, seat)), [false, false, false]);
});

Deno.test("result: it waits for no player who has left, and 8 s for a player who is not ready", () => {
  const rig = finished(2);
  rig.run(RESULT_TICKS_MIN);
  rig.press(0, "flaps");
  rig.run(2);
  assertEquals(rig.simulation.world.match.phase, "result");
  rig.commands[1] = undefined;
  rig.run(1);
  assertEquals(rig.simulation.world.match.phase, "playing");

  const patient = finished(1);
  patient.run(RESULT_TICKS - 1);
  assertEquals(patient.simulation.world.match.phase, "result");
  patient.run(1);
  assertEquals(patient.simulation.world.match.phase, "playing");
});

Deno.test("result: an NPC's flaps do not request the next round", () => {
  const rig = new Rig(bareArena({ spawnPoints: SPAWN_POINTS }), 0);
  rig.poke("stage field kit npcs", 1);
  rig.commands[16] = NEUTRAL;
  rig.run(1);
  rig.poke("stage field phaseTicksLeft", 1);
  rig.run(RESULT_TICKS_MIN + 5);
  rig.press(16, "flaps");
  rig.run(10);
  assertEquals([rig.simulation.world.match.phase, isReady(rig.simulation, 16)], ["result", false]);
});

Deno.test("round: the next one begins from scratch", () => {
  const rig = new Rig(bareArena({ spawnPoints: SPAWN_POINTS, crates: [{ x: 10, y: 1.4 }] }), 2);
  rig.waitOutInvulnerability();
  rig.lift(0, rig.dragon(1).x, rig.dragon(1).y + 4);
  rig.runUntil(() => rig.countEvents("joust") > 0);
  rig.press(0, "fires");
  rig.run(1);
  assertGreater(rig.dragon(0).fields.score, 0);
  const crate = rig.simulation.world.all("crate")[0]!.id;
  const teleports = [0, 1].map((seat) => rig.dragon(seat).entity.teleports);

  // Seat 17 has hatched, seat 18 is requested.
  rig.poke("stage field kit added npcs", 0b110);
  rig.commands[17] = NEUTRAL;
  rig.run(1);
  rig.poke("stage field phaseTicksLeft", 1);
  rig.run(1);
  rig.poke("stage field phaseTicksLeft", 1);
  assertEquals([
    rig.simulation.world.all("egg").length,
    rig.simulation.world.all("fireball").length,
  ], [1, 1]);
  assertGreater(rig.dragon(1).fields.dead, 0);
  rig.run(1);

  const { simulation } = rig;
  assertEquals(
    [simulation.world.match.phase, simulation.world.match.round, secondsLeftOf(simulation)],
    ["playing", 2, 90],
  );
  assertEquals(rig.countEvents("start"), 1);
  assertEquals([
    simulation.world.all("egg").length,
    simulation.world.all("fireball").length,
    simulation.world.all("crate").length,
  ], [
    0,
    0,
    1,
  ]);
  assertGreater(simulation.world.all("crate")[0]!.id, crate);
  assertEquals(simulation.world.all("dragon").map(({ seat }) => seat), [0, 1]);

  for (const seat of [0, 1]) {
    const { x, y, fields, entity: { teleports: teleported } } = rig.dragon(seat);
    assert(
      SPAWN_POINTS.some((spawnPoint) =>
        Math.abs(spawnPoint.x - x) < 1e-5 && Math.abs(spawnPoint.y - y) < 1e-5
      ),
    );
    assertEquals([fields.score, fields.dead, fields.charges], [0, 0, CHARGES_MAX]);
    assertEquals([fields.invulnerable, teleported], [INVULNERABLE_TICKS + 1, teleports[seat]! + 1]);
  }

  assertEquals(simulation.npcSeats, []);
  rig.commands[18] = NEUTRAL;
  rig.run(10);
  assertEquals(
    simulation.world.all("dragon").length,
    2,
    "commands of the last round's hatchlings have no effect",
  );
});
