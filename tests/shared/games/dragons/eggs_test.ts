import { NEUTRAL, npcNameOf } from "../../../support/dragons.ts";
import { assert, assertAlmostEquals, assertEquals, assertGreater, assertLess } from "@std/assert";
import {
  DEAD_TICKS,
  EGG_CAUGHT_SCORE,
  EGG_FRESH_TICKS,
  EGG_RADIUS,
  EGG_SCORE,
  HATCH_TICKS,
  HATCHLINGS_MAX,
  JOUST_SCORE,
} from "../../../../shared/games/dragons/tuning.ts";
import { bareArena, FLOOR_TOP, Rig, STANDING } from "./rig.ts";

/** The first NPC seat; it is free until an egg requests it. */
const HATCH_SEAT = 16;
/** The x of the egg, metres. */
const NEST_X = 28;

/** Seat 0 falls on seat 1 at the right and unseats it; seat 1 respawns at the left. */
function unseated(): Rig {
  const rig = new Rig(
    bareArena({ spawnPoints: [{ x: 4, y: STANDING }, { x: NEST_X, y: STANDING }] }),
    2,
  );
  rig.waitOutInvulnerability();
  rig.lift(0, NEST_X + 0.1, 5);
  rig.runUntil(() => rig.countEvents("joust") > 0);
  return rig;
}

/** As `unseated`, and then nobody comes near the egg until the tick before it is ripe. */
function abandoned(): Rig {
  const rig = unseated();
  rig.setControls(0, { dir: -1 });
  rig.runUntil(() => rig.dragon(0).x < NEST_X - 8);
  rig.setControls(0, { dir: 0 });
  rig.runUntil(() => egg(rig).fields.age === HATCH_TICKS - 2);
  return rig;
}

/** Seat 16 has hatched, is vulnerable again, and stands on the floor. */
function hatched(): Rig {
  const rig = abandoned();
  rig.run(1);
  rig.commands[HATCH_SEAT] = NEUTRAL;
  rig.waitOutInvulnerability();
  return rig;
}

/** Seat 0 falls on the hatchling. */
function unseatHatchling(rig: Rig): void {
  rig.lift(0, rig.dragon(HATCH_SEAT).x + 0.1, 5);
  rig.events.length = 0;
  rig.runUntil(() => rig.countEvents("joust") > 0);
}

/** The dragon of `seat` runs to the egg until somebody takes it. */
function collectEgg(rig: Rig, seat: number): void {
  rig.runUntil(() => {
    if (rig.countEvents("take") === 0) {
      rig.setControls(seat, { dir: egg(rig).x > rig.dragon(seat).x ? 1 : -1 });
    }
    return rig.countEvents("take") > 0;
  });
}

function egg(rig: Rig) {
  const eggs = rig.simulation.world.all("egg");
  assertEquals(eggs.length, 1);
  return eggs[0]!;
}

Deno.test("egg: the loser's rider becomes an egg at the same place with the same velocity", () => {
  const rig = unseated();
  const loser = rig.dragon(1);
  const { x, y, vx, vy, fields } = egg(rig);
  assertEquals([x, y, vx, vy], [loser.x, loser.y, loser.vx, loser.vy]);
  assertEquals([fields.seat, fields.hatchSeat, fields.landed], [1, 0, false]);
  const emitted = rig.simulation.events.find((event) => event.kind === "egg")!;
  assertEquals([emitted.entity, emitted.other], [egg(rig).id, loser.id]);
  rig.run(8);
  assertAlmostEquals(egg(rig).y, FLOOR_TOP + EGG_RADIUS, 0.02);
  assertEquals(egg(rig).fields.landed, true);
});

Deno.test("egg: nobody can take it during its first ten ticks", () => {
  const rig = unseated();
  const isThere = () =>
    Math.abs(egg(rig).x - rig.dragon(0).x) < 0.3 && rig.dragon(0).y < STANDING + 0.1;
  rig.runUntil(() => {
    rig.poke(`entity ${egg(rig).id} egg.age`, 0);
    rig.setControls(0, { dir: isThere() ? 0 : egg(rig).x > rig.dragon(0).x ? 1 : -1 });
    return isThere();
  });
  assertEquals(rig.countEvents("take"), 0);
  rig.run(EGG_FRESH_TICKS - 1);
  assertEquals(rig.countEvents("take"), 0);
  rig.run(1);
  assertEquals(rig.countEvents("take"), 1);
});

Deno.test("egg: taken off the ground it is worth one point", () => {
  const rig = unseated();
  const { id } = egg(rig);
  collectEgg(rig, 0);
  const emitted = rig.events.find((event) => event.kind === "take")!;
  assertEquals([emitted.entity, emitted.other], [id, rig.dragon(0).id]);
  assertEquals(rig.dragon(0).fields.score, JOUST_SCORE + EGG_SCORE);
  assertEquals(rig.simulation.world.all("egg").length, 0);
});

Deno.test("egg: caught before it touches the ground or a crate it is worth two points", () => {
  // Seat 0 stands on a ledge narrower than itself; above it seat 1 rises into seat 2 and is
  // unseated.
  const ledge = { x: 10, y: 10, width: 0.8, height: 0.5 };
  const spawnPoints = [{ x: 10, y: 10.8 }, { x: 20, y: STANDING }, { x: 24, y: STANDING }];
  const rig = new Rig(bareArena({ spawnPoints, ledges: [ledge] }), 3);
  rig.waitOutInvulnerability();
  rig.lift(2, 10.1, 21);
  rig.lift(1, 10, 17);
  rig.press(1, "flaps");
  rig.runUntil(() => rig.countEvents("take") > 0);
  assertEquals(rig.events.find((event) => event.kind === "joust")!.entity, rig.dragon(1).id);
  assertEquals(rig.events.find((event) => event.kind === "take")!.other, rig.dragon(0).id);
  assertEquals(rig.dragon(0).fields.score, EGG_CAUGHT_SCORE);
});

Deno.test("egg: a dragon's own egg can be taken and is worth nothing", () => {
  const rig = unseated();
  rig.setControls(0, { dir: 1 });
  rig.runUntil(() => rig.dragon(1).fields.dead === 0);
  rig.setControls(0, { dir: 1 });
  rig.runUntil(() => rig.dragon(0).x > NEST_X + 3);
  collectEgg(rig, 1);
  assertEquals(rig.events.find((event) => event.kind === "take")!.other, rig.dragon(1).id);
  assertEquals(rig.dragon(1).fields.score, 0);
  assertEquals(rig.simulation.world.all("egg").length, 0);
});

Deno.test("egg: a riderless dragon cannot take one", () => {
  const rig = unseated();
  rig.setControls(0, { dir: -1 });
  rig.run(DEAD_TICKS - 3);
  assertGreater(egg(rig).fields.age, EGG_FRESH_TICKS);
  assertGreater(rig.dragon(1).fields.dead, 0);
  assertLess(Math.abs(egg(rig).x - rig.dragon(1).x), 0.5, "the egg lies inside of the dragon");
  assertEquals(rig.countEvents("take"), 0);
});

Deno.test("hatching: after 160 ticks an egg requests the lowest free NPC seat, and from then on nobody can take it", () => {
  const rig = abandoned();
  assertEquals(rig.simulation.npcSeats, []);
  const before = rig.simulation.npcSeats;
  assert(rig.simulation.npcSeats === before);
  rig.run(1);
  const requestedSeats = rig.simulation.npcSeats;
  assertEquals(requestedSeats, [HATCH_SEAT]);
  assertEquals(egg(rig).fields.hatchSeat, HATCH_SEAT);
  rig.setControls(0, { dir: 1 });
  rig.runUntil(() => rig.dragon(0).x > egg(rig).x + 1);
  assertEquals(rig.countEvents("take"), 0);
  assert(rig.simulation.npcSeats === requestedSeats);
});

Deno.test("hatching: the seat's dragon enters where the egg lies, as a Hunter", () => {
  const rig = abandoned();
  rig.run(10);
  const { x, id } = egg(rig);
  rig.commands[HATCH_SEAT] = NEUTRAL;
  rig.run(1);
  const dragon = rig.dragon(HATCH_SEAT);
  assertEquals(rig.simulation.world.all("egg").length, 0);
  assertAlmostEquals(dragon.x, x, 0.05);
  assertAlmostEquals(dragon.y, STANDING, 0.05);
  assertGreater(dragon.fields.invulnerable, 0);
  const emitted = rig.simulation.events.find((event) => event.kind === "hatch")!;
  assertEquals([emitted.entity, emitted.other], [dragon.id, id]);
  assertEquals(npcNameOf(rig.simulation, HATCH_SEAT), "Hunter Ash");
  assertLess(
    rig.simulation.reactionTicks(HATCH_SEAT),
    rig.simulation.reactionTicks(HATCH_SEAT + 1),
  );
});

Deno.test("hatching: an egg withers if the match has all its hatchlings", () => {
  const rig = abandoned();
  rig.poke("stage field kit added npcs", (1 << HATCHLINGS_MAX) - 1 << 3);
  rig.run(1);
  assertEquals(rig.simulation.world.all("egg").length, 0);
  assertEquals(rig.countEvents("wither"), 1);
  assertEquals(rig.simulation.npcSeats, [19, 20, 21, 22]);
});

Deno.test("hatchling: after losing its rider its seat is not requested; it tumbles until its commands end and stays away", () => {
  const rig = hatched();
  assertEquals(rig.simulation.npcSeats, [HATCH_SEAT]);
  const { teleports } = rig.dragon(HATCH_SEAT).entity;
  unseatHatchling(rig);
  assertEquals(rig.simulation.npcSeats, []);
  assertEquals(npcNameOf(rig.simulation, HATCH_SEAT), "Hunter Ash", "as long as it is visible");
  assertEquals(egg(rig).fields.seat, HATCH_SEAT);
  rig.setControls(HATCH_SEAT, { dir: 1 });
  rig.press(HATCH_SEAT, "flaps");
  rig.run(2 * DEAD_TICKS);
  assertEquals(rig.countEvents("respawn"), 0);
  assertGreater(rig.dragon(HATCH_SEAT).fields.dead, 0);
  assertEquals(rig.dragon(HATCH_SEAT).entity.teleports, teleports);
  assertEquals(rig.countEvents("flap"), 0);
  rig.commands[HATCH_SEAT] = undefined;
  rig.run(1);
  assertEquals(rig.simulation.world.player(HATCH_SEAT), undefined);
  rig.commands[HATCH_SEAT] = NEUTRAL;
  rig.run(1);
  assertEquals(rig.simulation.world.player(HATCH_SEAT), undefined, "the seat was not requested");
});

Deno.test("hatchling: its seat is not requested again while its dragon tumbles", () => {
  const rig = hatched();
  unseatHatchling(rig);
  rig.setControls(0, { dir: -1 });
  rig.run(5);
  rig.poke(`entity ${egg(rig).id} egg.age`, HATCH_TICKS - 1);
  rig.run(1);
  assertEquals(rig.simulation.npcSeats, [HATCH_SEAT + 1]);
});
