import { assert, assertEquals, assertGreater, assertLess } from "@std/assert";
import {
  CHARGES_MAX,
  CRATE_BURN_TICKS,
  CRATE_DROP_TICKS,
  EGG_RADIUS,
  FIRE_SCORE,
  FIREBALL_RADIUS,
  FIREBALL_TICKS,
  RECHARGE_TICKS,
  RUN_SPEED,
  STUN_TICKS,
} from "../../../../shared/games/dragons/tuning.ts";
import { bareArena, Rig, STANDING } from "./rig.ts";

/** Two dragons on the floor that face right, the second one in front of the first. */
function twoInARow(): Rig {
  return new Rig(bareArena({ spawnPoints: [{ x: 4, y: STANDING }, { x: 12, y: STANDING }] }), 2);
}

Deno.test("fire: a fireball unseats the rider that it hits, scores a point and is gone", () => {
  const rig = twoInARow();
  rig.waitOutInvulnerability();
  rig.press(0, "fires");
  rig.run(1);
  assertEquals(rig.simulation.world.all("fireball").length, 1);
  assertGreater(rig.simulation.world.all("fireball")[0]!.vx, 11);
  rig.runUntil(() => rig.countEvents("burn") > 0, FIREBALL_TICKS);
  assertEquals(rig.dragon(0).fields.score, FIRE_SCORE);
  assertGreater(rig.dragon(1).fields.dead, 0);
  assertEquals(rig.simulation.world.all("fireball").length, 0);
  const burn = rig.events.find((event) => event.kind === "burn")!;
  assertEquals([burn.entity, burn.other], [rig.dragon(1).id, rig.dragon(0).id]);
});

Deno.test("fire: it does not hurt an invulnerable rider, and breathing it ends one's own invulnerability", () => {
  const rig = twoInARow();
  rig.run(5);
  rig.press(0, "fires");
  rig.run(1);
  assertEquals(rig.dragon(0).fields.invulnerable, 0);
  rig.run(20);
  assertGreater(rig.dragon(1).fields.invulnerable, 0);
  assertEquals(rig.countEvents("burn"), 0);
});

Deno.test("fire: a fireball ends at an invulnerable dragon", () => {
  const rig = twoInARow();
  rig.run(20);
  rig.press(0, "fires");
  rig.run(1);
  assertEquals(rig.simulation.world.all("fireball").length, 1);
  rig.runUntil(() => rig.simulation.world.all("fireball").length === 0, 20);
  assertGreater(rig.dragon(1).fields.invulnerable, 0);
  assertEquals([rig.countEvents("burn"), rig.dragon(1).fields.dead], [0, 0]);
});

Deno.test("fire: it passes through a riderless dragon and hits the one behind, its only victim", () => {
  const rig = new Rig(
    bareArena({ spawnPoints: [4, 8, 12, 13.3].map((x) => ({ x, y: STANDING })) }),
    4,
  );
  rig.waitOutInvulnerability();
  rig.poke(`entity ${rig.dragon(1).id} dragon.dead`, 30);
  rig.press(0, "fires");
  rig.runUntil(() => rig.countEvents("burn") > 0, FIREBALL_TICKS);
  const burn = rig.events.find((event) => event.kind === "burn")!;
  assertEquals([burn.entity, rig.simulation.world.all("fireball").length], [rig.dragon(2).id, 0]);
  rig.run(20);
  assertEquals(rig.countEvents("burn"), 1);
  assertEquals(rig.dragon(3).fields.dead, 0);
});

Deno.test("fire: it passes through an egg", () => {
  // Two matches lay the same egg; a second fireball follows only in the first match.
  const [shotAt, left] = [0, 1].map((each) => {
    const rig = twoInARow();
    rig.waitOutInvulnerability();
    rig.press(0, "fires");
    rig.runUntil(() => rig.simulation.world.all("egg").length > 0, FIREBALL_TICKS);
    if (each === 0) rig.press(0, "fires");
    return rig;
  }) as [Rig, Rig];
  let closest = Infinity;

  for (let i = 0; i < 25; i++) {
    for (const rig of [shotAt, left]) rig.run(1);
    const egg = shotAt.simulation.world.all("egg")[0]!;
    const twin = left.simulation.world.all("egg")[0]!;
    const fireball = shotAt.simulation.world.all("fireball")[0];
    assertEquals([egg.x, egg.y, egg.vx, egg.spin], [twin.x, twin.y, twin.vx, twin.spin]);
    if (fireball === undefined) continue;
    closest = Math.min(closest, Math.sqrt((egg.x - fireball.x) ** 2 + (egg.y - fireball.y) ** 2));
  }

  assertLess(closest, EGG_RADIUS + FIREBALL_RADIUS);
});

Deno.test("fire: it flies through the dragon that breathed it and ends after its time", () => {
  const rig = new Rig(bareArena({ spawnPoints: [{ x: 30.5, y: STANDING }] }), 1);
  rig.waitOutInvulnerability();
  rig.setControls(0, { dir: 1 });
  rig.press(0, "fires");
  rig.run(1);
  rig.setControls(0, { dir: 0 });
  const fireball = rig.simulation.world.all("fireball")[0]!.id;
  // The fireball bounces off the wall, passes its owner and flies on to the left.
  rig.runUntil(() => rig.simulation.world.all("fireball")[0]!.x < 28, 20);
  assertEquals(rig.dragon(0).fields.dead, 0);
  assertLess(Math.abs(rig.dragon(0).vx), 0.5);
  assertEquals(rig.simulation.world.all("fireball")[0]!.id, fireball);
  rig.runUntil(() => rig.simulation.world.all("fireball").length === 0);
  assertEquals(rig.simulation.tick, 41 + FIREBALL_TICKS - 1);
});

Deno.test("fire: a dragon has three charges and regains one in 40 ticks; presses that come at once fire one a tick", () => {
  const rig = new Rig(bareArena({ spawnPoints: [{ x: 4, y: STANDING }] }), 1);
  rig.waitOutInvulnerability();
  rig.press(0, "fires", 3);
  rig.run(1);
  assertEquals(rig.countEvents("fire"), 1);
  rig.run(2);
  assertEquals(rig.countEvents("fire"), CHARGES_MAX);
  rig.press(0, "fires");
  rig.run(1);
  assertEquals(rig.countEvents("fire"), CHARGES_MAX, "no charge, no fire");
  assertEquals(rig.dragon(0).fields.firePresses, 4);
  rig.run(RECHARGE_TICKS);
  assertEquals(rig.countEvents("fire"), CHARGES_MAX, "nor later");
  rig.press(0, "fires");
  rig.run(1);
  assertEquals(rig.countEvents("fire"), CHARGES_MAX + 1);
});

Deno.test("fire: a crate that is hit burns for 60 ticks and is gone; a crate from the sky replaces it", () => {
  const rig = new Rig(
    bareArena({ spawnPoints: [{ x: 4, y: STANDING }], crates: [{ x: 8, y: 1.4 }] }),
    1,
  );
  rig.waitOutInvulnerability();
  const crate = rig.simulation.world.all("crate")[0]!.id;
  rig.press(0, "fires");
  rig.runUntil(() => rig.countEvents("ignite") > 0, 20);
  assertEquals(rig.events.find((event) => event.kind === "ignite")!.entity, crate);
  assertEquals(rig.simulation.world.all("fireball").length, 0);
  const hitTick = rig.simulation.tick;
  rig.runUntil(() => !rig.simulation.world.all("crate").some((one) => one.id === crate));
  assertEquals(rig.simulation.tick - hitTick, CRATE_BURN_TICKS - 1);
  const crates = rig.simulation.world.all("crate").length;
  rig.runUntil(() => rig.simulation.world.all("crate").length > crates, CRATE_DROP_TICKS + 1);
  assertEquals(rig.simulation.tick % CRATE_DROP_TICKS, 0);
  assertGreater(rig.simulation.world.all("crate").at(-1)!.y, 38);
});

Deno.test("crush: a crate from above stuns for 12 ticks: no control has effect, every press is counted", () => {
  const rig = new Rig(
    bareArena({ spawnPoints: [{ x: 4, y: STANDING }], crates: [{ x: 4.1, y: 38.5 }] }),
    1,
  );
  rig.runUntil(() => rig.countEvents("crush") > 0);
  const crush = rig.events.find((event) => event.kind === "crush")!;
  assertEquals([crush.entity, crush.other], [
    rig.dragon(0).id,
    rig.simulation.world.all("crate")[0]!.id,
  ]);
  rig.setControls(0, { dir: -1, flapHeld: 1 });
  rig.press(0, "flaps");
  rig.press(0, "fires");
  rig.run(STUN_TICKS - 1);
  assertEquals(rig.countEvents("flap") + rig.countEvents("fire"), 0);
  assertGreater(rig.dragon(0).vx, -0.5);
  assertEquals([rig.dragon(0).fields.flapPresses, rig.dragon(0).fields.firePresses], [1, 1]);
  rig.run(1);
  assertEquals(rig.countEvents("flap"), 1, "the held button flaps again");
  assertEquals(rig.countEvents("fire"), 0, "the press of a stunned rider is spent");
  assert(rig.dragon(0).vx < -1 && rig.dragon(0).vx >= -RUN_SPEED);
});

Deno.test("crush: a gentle touch of a crate stuns nobody", () => {
  const rig = new Rig(
    bareArena({ spawnPoints: [{ x: 4, y: STANDING }], crates: [{ x: 7, y: 1.4 }] }),
    1,
  );
  rig.waitOutInvulnerability();
  rig.setControls(0, { dir: 1 });
  rig.runUntil(() => rig.simulation.world.all("crate")[0]!.x > 8);
  assertEquals(rig.countEvents("crush"), 0);
});
