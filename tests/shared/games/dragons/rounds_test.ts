import { isReady, NEUTRAL, secondsLeftOf } from "../../../support/dragons.ts";
import { assert, assertEquals, assertGreater } from "@std/assert";
import {
  CHARGES_MAX,
  DELIBERATE_TICKS,
  INVULNERABLE_TICKS,
  LOOT_REACH,
  PODIUM_TICKS,
  PODIUM_TICKS_MIN,
  RESULT_TICKS,
  RESULT_TICKS_MIN,
  ROUND_TICKS,
  SUDDEN_DEATH_TICKS,
} from "../../../../shared/games/dragons/tuning.ts";
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { bareArena, Rig, STANDING } from "./rig.ts";

const SPAWN_POINTS = [{ x: 16, y: 36 }, { x: 16.2, y: STANDING }, { x: 4, y: STANDING }, {
  x: 28,
  y: STANDING,
}];

/** A match in the first tick of its result: seat 0 has won with a point. */
function finished(seats: number, spawnPoints = SPAWN_POINTS): Rig {
  const rig = new Rig(
    bareArena({ spawnPoints, crates: [{ x: 10, y: 1.4 }, { x: 11, y: 1.4 }] }),
    seats,
  );
  rig.waitOutInvulnerability();
  endRound(rig, 0);
  return rig;
}

/** Lets time run out. @param winner the seat that is ahead by a point */
function endRound(rig: Rig, winner: number): void {
  score(rig, winner, 1);
  rig.poke("stage field phaseTicksLeft", 1);
  rig.run(1);
}

function score(rig: Rig, seat: number, points: number): void {
  rig.poke(`entity ${rig.dragon(seat).id} dragon.score`, points);
}

/** Shows the result or the podium for as long as it lasts. */
function waitForNextRound(rig: Rig): void {
  rig.runUntil(() => rig.simulation.world.match.phase === "playing", PODIUM_TICKS + 1);
}

/** Everybody flaps in every second tick. */
function flapAll(rig: Rig, ticks: number): void {
  for (let i = 0; i < ticks; i += 2) {
    rig.commands.forEach((_, seat) => rig.press(seat, "flaps"));
    rig.run(2);
  }
}

Deno.test("round: it lasts 90 s, then the result is shown (SPEC 25.3)", () => {
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
  assertEquals(rig.countEvents("round"), 1);
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
    1,
    0,
  ]);
  assertEquals(rig.simulation.world.all("fireball").length, 0);
});

Deno.test("result: a flap after its first second means ready, and all ready end it, after 6.5 s at the earliest (SPEC 25.4)", () => {
  const rig = finished(3);
  rig.run(DELIBERATE_TICKS - 1);
  for (const seat of [0, 1, 2]) rig.press(seat, "flaps");
  rig.run(1);
  assertEquals(isReady(rig.simulation, 0), false, "the press was meant for the finished round");
  rig.press(0, "flaps");
  rig.press(1, "flaps");
  rig.run(1);
  assertEquals([0, 1, 2, 3].map((seat) => isReady(rig.simulation, seat)), [
    true,
    true,
    false,
    false,
  ]);
  rig.run(RESULT_TICKS_MIN - DELIBERATE_TICKS + 5);
  assertEquals(rig.simulation.world.match.phase, "result", "seat 2 still reads");
  rig.press(2, "flaps");
  rig.run(1);
  assertEquals([rig.simulation.world.match.phase, rig.simulation.world.match.round], [
    "playing",
    2,
  ]);
  assertEquals([0, 1, 2].map((seat) => isReady(rig.simulation, seat)), [false, false, false]);
});

Deno.test("result, podium: however much everybody flaps, they last 6.5 s and 8.5 s (SPEC 25.4, 25.5)", () => {
  const rig = finished(3);
  flapAll(rig, RESULT_TICKS_MIN - 2);
  assertEquals([0, 1, 2].map((seat) => isReady(rig.simulation, seat)), [true, true, true]);
  assertEquals(rig.simulation.world.match.phase, "result");
  flapAll(rig, 2);
  assertEquals(rig.simulation.world.match.phase, "playing");

  endRound(rig, 0);
  assertEquals(rig.simulation.world.match.setOver, true);
  flapAll(rig, PODIUM_TICKS_MIN - 2);
  assertEquals(rig.simulation.world.match.phase, "result");
  flapAll(rig, 2);
  assertEquals(rig.simulation.world.match.phase, "playing");
});

Deno.test("result: it waits for no player who has left, and 8 s for a player who is not ready (SPEC 25.4)", () => {
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

Deno.test("set: two of three rounds win it; the podium ends in a rematch from scratch (SPEC 25.1, 25.2, 25.5)", () => {
  const rig = finished(2);
  const { world } = rig.simulation;
  const setOf = () => [world.match.roundOfSet, world.match.setOver];
  const wins = () => [0, 1].map((seat) => rig.dragon(seat).fields.wins);
  const totals = () => dragonGame.rounds!.result(rig.simulation).scores.map(({ total }) => total);
  assertEquals([setOf(), wins(), totals()], [[1, false], [1, 0], [1, 0]]);

  // Round 2 goes to seat 1, so there is a round 3, which decides.
  waitForNextRound(rig);
  score(rig, 1, 4);
  rig.poke("stage field phaseTicksLeft", 1);
  rig.run(1);
  assertEquals([setOf(), wins(), totals()], [[2, false], [1, 1], [1, 4]]);
  waitForNextRound(rig);
  endRound(rig, 0);
  assertEquals([setOf(), wins(), totals()], [[3, true], [2, 1], [2, 4]]);
  assertEquals(secondsLeftOf(rig.simulation), 15);

  waitForNextRound(rig);
  assertEquals([setOf(), wins(), totals()], [[1, false], [0, 0], [0, 0]]);
  assertEquals([world.match.round, world.all("dragon").length], [4, 2]);

  // Who wins twice has won after two rounds.
  endRound(rig, 1);
  waitForNextRound(rig);
  endRound(rig, 1);
  assertEquals([setOf(), wins()], [[2, true], [0, 2]]);
});

Deno.test("set: the room chooses one, three or five rounds (SPEC 25.2)", () => {
  for (const [choice, of] of [[0, 3], [1, 1], [2, 5]] as const) {
    const simulation = dragonGame.start({ npcs: 0, choices: [0, 0, choice] }, 1);
    simulation.step([NEUTRAL]);
    assertEquals(dragonGame.rounds!.result(simulation).set, { round: 1, of, isOver: false });
  }
});

Deno.test("set: a round of Capture is won by all of the better team, and dragons without a team are none (SPEC 25.11, 26.13)", () => {
  const rig = new Rig(bareArena({ spawnPoints: SPAWN_POINTS }), 4, "capture");
  rig.run(2);
  rig.poke("stage field orange", 1);
  rig.poke("stage field phaseTicksLeft", 1);
  rig.run(1);
  const { scores } = dragonGame.rounds!.result(rig.simulation);
  assertEquals(
    scores.map(({ team, score, wins }) => [team, score, wins]).sort(),
    [["blue", 0, 0], ["blue", 0, 0], ["orange", 1, 1], ["orange", 1, 1]],
  );

  const melee = new Rig(bareArena({ spawnPoints: SPAWN_POINTS }), 2);
  melee.run(2);
  const result = dragonGame.rounds!.result(melee.simulation);
  assertEquals(result.scores.map(({ team }) => team), [undefined, undefined]);
});

Deno.test("reach: none while one deed may decide something for all (SPEC 8.171)", () => {
  const rig = new Rig(bareArena({ spawnPoints: SPAWN_POINTS }), 2);
  rig.run(INVULNERABLE_TICKS - 1);
  assertEquals(rig.simulation.reach, undefined, "a round begins");
  rig.run(2);
  assertEquals(rig.simulation.reach, LOOT_REACH);

  score(rig, 0, 3);
  score(rig, 1, 3);
  rig.poke("stage field phaseTicksLeft", 1);
  rig.run(1);
  assertEquals([rig.simulation.world.match.suddenDeath, rig.simulation.reach], [true, undefined]);
  score(rig, 0, 4);
  rig.run(1);
  assertEquals([rig.simulation.world.match.phase, rig.simulation.reach], ["result", undefined]);
});

Deno.test("sudden death: a tie goes on until somebody is ahead, at most 20 s (SPEC 25.3)", () => {
  const tied = () => {
    const rig = new Rig(bareArena({ spawnPoints: SPAWN_POINTS }), 3);
    rig.waitOutInvulnerability();
    score(rig, 0, 3);
    score(rig, 1, 3);
    rig.poke("stage field phaseTicksLeft", 1);
    rig.run(1);
    return rig;
  };
  const rig = tied();
  const { match } = rig.simulation.world;
  assertEquals([match.phase, match.suddenDeath, match.phaseTicksLeft], [
    "playing",
    true,
    SUDDEN_DEATH_TICKS,
  ]);
  assertEquals(rig.countEvents("suddenDeath"), 1);
  rig.run(100);
  score(rig, 2, 3);
  rig.run(1);
  assertEquals(match.phase, "playing", "three share the best score now");
  score(rig, 2, 4);
  rig.run(1);
  assertEquals([match.phase, rig.dragon(2).fields.wins], ["result", 1]);
  waitForNextRound(rig);
  assertEquals(match.suddenDeath, false);

  const endless = tied();
  endless.run(SUDDEN_DEATH_TICKS - 1);
  assertEquals(endless.simulation.world.match.phase, "playing");
  endless.run(1);
  assertEquals(endless.simulation.world.match.phase, "result");
  assertEquals([0, 1, 2].map((seat) => endless.dragon(seat).fields.wins), [0, 0, 0]);

  // A lone dragon ties with nobody.
  assertEquals(finished(1).simulation.world.match.suddenDeath, false);
});

Deno.test("result: an NPC's flaps do not request the next round", () => {
  const rig = new Rig(bareArena({ spawnPoints: SPAWN_POINTS }), 0);
  rig.poke("stage field kit npcs", 1);
  rig.commands[16] = NEUTRAL;
  rig.run(1);
  rig.poke("stage field phaseTicksLeft", 1);
  rig.run(DELIBERATE_TICKS + 5);
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
