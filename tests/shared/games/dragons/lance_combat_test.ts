import { NEUTRAL } from "../../../support/dragons.ts";
import { assert, assertEquals, assertGreater, assertLess } from "@std/assert";
import {
  DEAD_TICKS,
  INVULNERABLE_TICKS,
  JOUST_SCORE,
  RESPAWN_CHARGES,
  RUN_SPEED,
  TRUCE_TICKS,
} from "../../../../shared/games/dragons/tuning.ts";
import { bareArena, Rig, STANDING } from "./rig.ts";

/** Metres: a dragon that falls from here lands when nobody is invulnerable any more. */
const SKY = 36;

/** Seat 0 falls on seat 1, a little beside its centre. */
function fallOnto(): Rig {
  const rig = new Rig(bareArena({ spawnPoints: [{ x: 16, y: SKY }, { x: 16.2, y: STANDING }] }), 2);
  rig.runUntil(() => rig.countEvents("joust") > 0);
  return rig;
}

Deno.test("joust: the higher lance wins two points, the lower dragon loses its rider", () => {
  const rig = fallOnto();
  const winner = rig.dragon(0);
  const loser = rig.dragon(1);
  assertEquals(winner.fields.score, JOUST_SCORE);
  assertEquals(loser.fields.score, 0);
  assertGreater(loser.fields.dead, 0);
  assertEquals(winner.fields.dead, 0);
  const event = rig.events.find((emitted) => emitted.kind === "joust")!;
  assertEquals([event.entity, event.other], [loser.id, winner.id]);
  assertEquals(event.tick, rig.simulation.tick);
  assertGreater(winner.vy, 0);
});

Deno.test("joust: the riderless dragon is without control and blocks no dragon until it respawns", () => {
  const spawnPoints = [{ x: 16, y: SKY }, { x: 16.2, y: STANDING }, { x: 20, y: STANDING }];

  // Seat 1 enters at x = 20, farthest from the sky. Seat 2 gets the last spawn point, where seat 0
  // falls on it.
  const rig = new Rig(bareArena({ spawnPoints }), 3);
  rig.runUntil(() => rig.countEvents("joust") > 0);
  rig.setControls(2, { dir: 1, flapHeld: 1 });
  rig.press(2, "flaps");
  rig.press(2, "fires");
  rig.setControls(1, { dir: -1 });
  rig.run(5);

  // Seat 1 runs through the place of the loser.
  let slowest = -RUN_SPEED;
  rig.runUntil(() => {
    slowest = Math.max(slowest, rig.dragon(1).vx);
    return rig.dragon(1).x < 15;
  }, DEAD_TICKS - 7);
  assertLess(slowest, -RUN_SPEED + 0.5);
  const { dead, flapPresses } = rig.dragon(2).fields;
  assertGreater(dead, 0);
  assertLess(Math.abs(rig.dragon(2).x - 16.2), 1);
  assertEquals(flapPresses, 1, "presses count all the same");
  assertEquals(rig.countEvents("fire") + rig.countEvents("flap") + rig.countEvents("clash"), 0);
});

Deno.test("respawn: 30 ticks after the joust, at the spawn point farthest from all riders, invulnerable, by a teleport", () => {
  const spawnPoints = [{ x: 16, y: SKY }, { x: 16.2, y: STANDING }, { x: 3, y: STANDING }, {
    x: 30,
    y: STANDING,
  }];
  const rig = new Rig(bareArena({ spawnPoints }), 0);

  // Seat 0 enters first and gets the first spawn point, in the sky. Seat 1 gets the one farthest
  // from there.
  rig.commands[0] = NEUTRAL;
  rig.run(1);
  assertLess(Math.abs(rig.dragon(0).x - 16), 0.01);
  rig.commands[1] = rig.commands[0];
  rig.run(1);
  assertLess(Math.abs(rig.dragon(1).x - 30), 0.01, "14 m aside and as deep beats 13 m");

  const jousting = fallOnto();
  const id = jousting.dragon(1).id;
  const teleports = jousting.dragon(1).entity.teleports;
  jousting.run(DEAD_TICKS - 2);
  assertEquals(jousting.dragon(1).entity.teleports, teleports);
  jousting.run(1);
  const back = jousting.dragon(1);
  assertEquals(back.id, id);
  assertEquals(back.entity.teleports, teleports + 1);
  assertEquals([back.vx, back.vy], [0, 0]);
  assertEquals(back.y, SKY);
  assertEquals([back.fields.dead, back.fields.charges, back.fields.invulnerable], [
    0,
    RESPAWN_CHARGES,
    INVULNERABLE_TICKS + 1,
  ]);
  assertEquals(jousting.countEvents("respawn"), 1);
});

Deno.test("joust: one lance over two dragons wins both jousts of the tick", () => {
  const spawnPoints = [{ x: 16.6, y: SKY }, { x: 16, y: STANDING }, { x: 17.2, y: STANDING }];
  const rig = new Rig(bareArena({ spawnPoints }), 3);
  rig.runUntil(() => rig.countEvents("joust") > 0);
  assertEquals(rig.countEvents("joust"), 2);
  assertEquals(rig.dragon(0).fields.score, 2 * JOUST_SCORE);
  assertEquals(
    rig.simulation.events.flatMap((event) => event.kind === "joust" ? [event.entity] : []),
    [
      rig.dragon(1).id,
      rig.dragon(2).id,
    ],
  );
});

Deno.test("joust: the loser of one joust still wins another of the same tick", () => {
  // Seat 2 falls on seat 1, bounces up and meets seat 0, which falls right behind it.
  const spawnPoints = [{ x: 16, y: SKY + 1.15 }, { x: 16, y: STANDING }, { x: 16, y: SKY }];
  const rig = new Rig(bareArena({ spawnPoints }), 3);
  rig.runUntil(() => rig.countEvents("joust") > 0);
  const losers = rig.simulation.events.flatMap((event) =>
    event.kind === "joust" ? [event.entity] : []
  );
  assertEquals(losers.sort(), [rig.dragon(1).id, rig.dragon(2).id].sort());
  assertEquals([0, 1, 2].map((seat) => rig.dragon(seat).fields.score), [
    JOUST_SCORE,
    0,
    JOUST_SCORE,
  ]);
});

Deno.test("joust: a rider who loses two jousts in a tick gives points once, to the winner with the lowest id", () => {
  const spawnPoints = [{ x: 15.4, y: SKY }, { x: 16, y: STANDING }, { x: 16.6, y: SKY }];
  const rig = new Rig(bareArena({ spawnPoints }), 3);
  rig.runUntil(() => rig.countEvents("joust") > 0);
  const scores = [0, 1, 2].map((seat) => rig.dragon(seat).fields.score).sort();
  assertEquals(scores, [0, 0, JOUST_SCORE]);
  assertEquals(rig.countEvents("joust"), 1);
  const first = [0, 1, 2].map((seat) => rig.dragon(seat)).filter((dragon) =>
    dragon.fields.dead === 0
  )
    .sort((a, b) => a.id - b.id)[0]!;
  assertEquals(first.fields.score, JOUST_SCORE);
});

Deno.test("joust: at the same height both are thrown back, keep their riders and have a truce", () => {
  const rig = new Rig(
    bareArena({ spawnPoints: [{ x: 12, y: STANDING }, { x: 20, y: STANDING }] }),
    2,
  );
  rig.waitOutInvulnerability();
  rig.setControls(0, { dir: 1 });
  rig.setControls(1, { dir: -1 });
  rig.runUntil(() => rig.countEvents("clash") > 0);
  const clashTick = rig.simulation.tick;
  assertLess(rig.dragon(0).vx, -2);
  assertGreater(rig.dragon(1).vx, 2);
  assertEquals([rig.dragon(0).fields.dead, rig.dragon(1).fields.dead], [0, 0]);
  rig.runUntil(() => rig.countEvents("clash") > 1);
  assert(rig.simulation.tick - clashTick >= TRUCE_TICKS);
  assertEquals(rig.countEvents("joust"), 0);
});

Deno.test("joust: two dragons that touch slowly still part", () => {
  const rig = new Rig(
    bareArena({ spawnPoints: [{ x: 15.4, y: STANDING }, { x: 16.55, y: STANDING }] }),
    2,
  );
  rig.waitOutInvulnerability();
  rig.setControls(0, { dir: 1 });
  rig.run(1);
  rig.setControls(0, { dir: 0 });
  rig.runUntil(() => rig.countEvents("clash") > 0);
  rig.runUntil(() => rig.dragon(1).x - rig.dragon(0).x > 1.5, 20);
});

Deno.test("joust: an invulnerable dragon neither wins nor loses", () => {
  const rig = new Rig(bareArena({ spawnPoints: [{ x: 16, y: 5 }, { x: 16.2, y: STANDING }] }), 2);
  rig.runUntil(() => rig.simulation.contactsBegun > 0, INVULNERABLE_TICKS - 2);
  assertEquals(rig.countEvents("joust") + rig.countEvents("clash"), 0);
});
