/** Chests on ropes, and what is in them. */
import { assert, assertAlmostEquals, assertEquals, assertGreater, assertLess } from "@std/assert";
import { type Arena, arenaOf } from "../../../../shared/games/dragons/arena.ts";
import { ARENA_WORDS, ARENAS } from "../../../../shared/games/dragons/arenas/arenas.ts";
import type { DragonCommand } from "../../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { LOOT_WORDS } from "../../../../shared/games/dragons/loot_words.ts";
import {
  ARROWS_MAX,
  CHEST_TICKS,
  FIRE_SCORE,
  JOUST_SCORE,
  LOOT_REACH,
  LOOT_TICKS,
  PELLETS,
  PELLETS_MAX,
  ROPE_CUT_DISTANCE,
  SHIELD_TICKS,
  THROWN_SPEED_MAX,
} from "../../../../shared/games/dragons/tuning.ts";
import { SEATS } from "../../../../shared/netcode/game.ts";
import { bareArena, FakeNpcController, Rig, STANDING } from "./rig.ts";

/** A chest hangs 1.5 m below (16, 8), in the air. */
const HOOK = { x: 16, y: 8, rope: 1.5 };

function withHook(): Arena {
  const spawnPoints = [{ x: 4, y: STANDING }, { x: 28, y: STANDING }, { x: 10, y: STANDING }];
  return arenaOf({ ...bareArena({ spawnPoints }), hooks: [HOOK] });
}

function rigWithHook(seats: number): Rig {
  const rig = new Rig(withHook(), seats);
  rig.waitOutInvulnerability();
  return rig;
}

function chestOf({ simulation }: Rig) {
  return simulation.world.one("chest")!;
}

function ropesOf({ simulation }: Rig): number {
  return simulation.world.joints.all("rope").length;
}

/** Seat 0 rams the chest below x from the left. */
function ram(rig: Rig, x = HOOK.x): void {
  const before = rig.countEvents("cut");
  rig.lift(0, x - 1.5, 6.7);
  rig.push(0, 7, 0);
  rig.runUntil(() => rig.countEvents("cut") > before, 10);
  rig.push(0, -7, 4);
  rig.run(3);
}

/** Lets two dragons joust at a place: seat 0 wins. */
function joustAt(rig: Rig, x: number, y: number): void {
  rig.lift(0, 3, 20);
  rig.lift(1, x - 0.25, y - 0.45);
  rig.place(0, x + 0.25, y + 0.45);
  rig.runUntil(() => rig.countEvents("joust") > 0, 10);
}

Deno.test("loot: a chest hangs on each hook's rope, swings, and comes again 20 s later at most (SPEC 26.20)", () => {
  for (const [index, word] of ARENA_WORDS.entries()) {
    const { world } = dragonGame.start({ npcs: 0, choices: [index + 1] }, 1);
    const simulation = dragonGame.start({ npcs: 0, choices: [index + 1] }, 1);
    simulation.step([]);
    assertEquals(world.all("chest").length, 0, "nothing is there before the first tick");
    const { hooks } = ARENAS[word];
    assert(hooks.length >= 2 && hooks.length <= 3, word);
    const chests = simulation.world.all("chest");
    assertEquals(chests.map(({ fields }) => fields.hook), hooks.map((_, hook) => hook));
    for (let tick = 0; tick < 2 * CHEST_TICKS; tick++) simulation.step([]);
    for (const [hook, { x, y }] of simulation.world.all("chest").entries()) {
      assertAlmostEquals(x, hooks[hook]!.x, 0.05, word);
      assertAlmostEquals(y, hooks[hook]!.y - hooks[hook]!.rope, 0.05, word);
    }
  }

  const rig = rigWithHook(1);
  rig.lift(0, 15, 6.5);
  rig.setControls(0, { dir: 1 });
  rig.run(1);
  // A slow push, which does not cut the rope
  assertEquals(ropesOf(rig), 1);
  rig.setControls(0, { dir: 0 });
  let swing = 0;
  for (let tick = 0; tick < 40 && ropesOf(rig) > 0; tick++) {
    rig.run(1);
    const { x, y } = chestOf(rig);
    swing = Math.max(swing, Math.abs(x - HOOK.x));
    assertLess(Math.hypot(x - HOOK.x, y - HOOK.y), HOOK.rope + 0.1, "the rope holds");
  }
  assertGreater(swing, 0.1);
});

Deno.test("loot: a room may do without (SPEC 26.20)", () => {
  const choices = dragonGame.description!.choices!;
  assertEquals(choices.map(({ name }) => name), ["arena", "mode", "rounds", "loot"]);
  const simulation = dragonGame.start({ npcs: 8, choices: [1, 1, 0, 1] }, 3);
  const npcs = new FakeNpcController();
  const commands: (DragonCommand | undefined)[] = new Array(SEATS).fill(undefined);
  while (simulation.tick < CHEST_TICKS + 10) {
    npcs.next(simulation, commands);
    simulation.step(commands);
    assertEquals(simulation.world.all("chest", "loot", "arrow", "pellet"), []);
  }
});

Deno.test("loot: a ram cuts the rope, the chest falls and opens, and a new one comes (SPEC 26.20 to 26.22)", () => {
  const rig = rigWithHook(1);
  ram(rig);
  assertEquals([ropesOf(rig), rig.countEvents("open")], [0, 0]);
  const { fields: { holds } } = chestOf(rig);
  const { y } = chestOf(rig);
  rig.run(4);
  assertLess(chestOf(rig).y, y - 0.5, "it falls");
  rig.runUntil(() => rig.countEvents("open") > 0);
  const loot = rig.simulation.world.one("loot")!;
  assertEquals(loot.fields.holds, holds);
  assertLess(loot.y, 2);
  assertEquals(rig.simulation.world.one("chest"), undefined);

  // Nobody takes it
  rig.run(LOOT_TICKS);
  assertEquals(rig.simulation.world.one("loot"), undefined);
  rig.runUntil(() => rig.simulation.world.one("chest") !== undefined, CHEST_TICKS);
  assertEquals(ropesOf(rig), 1);
});

Deno.test("loot: fire cuts the rope, and opens what has fallen (SPEC 26.21)", () => {
  const rig = rigWithHook(1);
  rig.lift(0, 12, 6.6);
  rig.face(0, 1);
  rig.press(0, "fires");
  rig.runUntil(() => rig.countEvents("cut") > 0);
  assertEquals(rig.countEvents("open"), 0);
  rig.place(0, 12, chestOf(rig).y - 0.6);
  rig.press(0, "fires");
  rig.runUntil(() => rig.countEvents("open") > 0);
  assertGreater(rig.simulation.world.one("loot")!.y, STANDING, "it was opened in the air");
});

Deno.test("loot: a joust beside a rope cuts it, and one farther away does not (SPEC 26.21)", () => {
  for (const [away, ropes] of [[0.9, 0], [2.4, 1]] as const) {
    const rig = rigWithHook(2);
    joustAt(rig, HOOK.x + away, HOOK.y - 0.4);
    assertEquals(ropesOf(rig), ropes, `${away} m`);
    assertEquals(rig.countEvents("cut"), 1 - ropes);
  }
  assertLess(0.55 + ROPE_CUT_DISTANCE + 1.6, LOOT_REACH.metres, "settled events know it");
  for (const { hooks } of Object.values(ARENAS)) {
    for (const { rope } of hooks) assert(rope <= 1.6, "as LOOT_REACH says");
  }
});

Deno.test("loot: who touches it holds it until the next rider, and everything fits in 8 s (SPEC 26.22)", () => {
  const rig = rigWithHook(2);
  ram(rig);
  rig.runUntil(() => rig.countEvents("open") > 0);
  const { holds } = rig.simulation.world.one("loot")!.fields;
  // The dragon stands on the floor by then
  rig.run(40);
  const loot = rig.simulation.world.one("loot")!;
  rig.lift(0, loot.x, loot.y + 0.5);
  rig.runUntil(() => rig.countEvents("grab") > 0);
  assertEquals(rig.dragon(0).fields.holds, holds);
  assertEquals(
    rig.events.find(({ kind }) => kind === "grab")!.amount,
    1 + LOOT_WORDS.indexOf(holds),
  );

  rig.hold(0, "bow", 3);
  rig.lift(0, 20, 6);
  rig.lift(1, 20, 7);
  rig.runUntil(() => rig.countEvents("joust") > 0);
  rig.runUntil(() => rig.dragon(0).fields.dead === 0);
  assertEquals([rig.dragon(0).fields.holds, rig.dragon(0).fields.shots], ["none", 0]);
});

Deno.test("loot: a bow has three arrows, which unseat for a point, and then there is fire again (SPEC 26.23)", () => {
  const rig = rigWithHook(2);
  rig.hold(0, "bow", 3);
  rig.lift(0, 8, 4);
  rig.lift(1, 18, 4);
  rig.place(0, 8, 4.2);
  rig.face(0, 1);
  const { charges } = rig.dragon(0).fields;
  rig.press(0, "fires");
  rig.runUntil(() => rig.countEvents("shoot") > 0);
  assertEquals(rig.countEvents("fire"), 0);
  assertEquals([rig.dragon(0).fields.score, rig.dragon(0).fields.shots], [FIRE_SCORE, 2]);
  assertGreater(rig.dragon(1).fields.dead, 0);
  assertEquals(rig.dragon(0).fields.charges, charges);

  for (let shot = 0; shot < 2; shot++) {
    rig.press(0, "fires");
    rig.run(2);
  }
  assertEquals([rig.countEvents("loose"), rig.dragon(0).fields.holds], [3, "none"]);
  rig.press(0, "fires");
  rig.run(1);
  assertEquals(rig.countEvents("fire"), 1);
});

Deno.test("loot: a scatter shoots five pellets that spread by the chest's number alone (SPEC 26.23, 26.25)", () => {
  const rises = [1, 1, 2].map((spread) => {
    const rig = rigWithHook(1);
    rig.hold(0, "scatter", 2);
    rig.lift(0, 8, 4);
    rig.poke(`entity ${rig.dragon(0).id} dragon.spread`, spread);
    rig.press(0, "fires");
    rig.run(1);
    const pellets = rig.simulation.world.all("pellet");
    assertEquals(pellets.length, PELLETS);
    return pellets.map(({ vy }) => vy).join();
  });
  assertEquals(rises[0], rises[1]);
  assert(rises[0] !== rises[2]);
});

Deno.test("loot: no more than so many arrows and pellets fly, and a shot beyond is not lost (SPEC 26.23)", () => {
  for (
    const [word, name, max] of [
      ["bow", "arrow", ARROWS_MAX],
      ["scatter", "pellet", PELLETS_MAX],
    ] as const
  ) {
    const rig = rigWithHook(2);
    rig.lift(0, 3, 20);
    rig.face(0, 1);
    rig.hold(0, word, 100);
    let before = 100;
    let most = 0;
    let waited = false;
    for (let tick = 0; tick < 30; tick++) {
      rig.press(0, "fires", 1);
      rig.run(1);
      most = Math.max(most, rig.simulation.world.all(name).length);
      const { shots } = rig.dragon(0).fields;
      waited ||= shots === before;
      before = shots;
    }
    assertEquals([most, waited], [max, true]);
  }
});

Deno.test("loot: a boost dashes forward at the greatest speed, three times (SPEC 26.23)", () => {
  const rig = rigWithHook(1);
  rig.lift(0, 20, 5);
  rig.hold(0, "boost", 3);
  rig.face(0, -1);
  rig.press(0, "fires");
  rig.run(1);
  assertAlmostEquals(rig.dragon(0).vx, -THROWN_SPEED_MAX, 0.3);
  assertEquals([rig.countEvents("dash"), rig.dragon(0).fields.shots], [1, 2]);
});

Deno.test("loot: a shield takes one blow, of a lance or a shot, and the next one counts (SPEC 26.24)", () => {
  const rig = rigWithHook(2);
  rig.hold(1, "shield", 0);
  rig.lift(0, 3, 20);
  rig.lift(1, 20, 6);
  rig.place(0, 20.2, 6.9);
  rig.runUntil(() => rig.countEvents("block") > 0, 10);
  assertEquals([rig.countEvents("joust"), rig.countEvents("clash")], [0, 1]);
  assertEquals([rig.dragon(1).fields.dead, rig.dragon(1).fields.holds], [0, "none"]);
  assertEquals(rig.dragon(0).fields.score, 0);
  rig.run(SHIELD_TICKS + 1);
  rig.place(1, 10, 6);
  rig.place(0, 10.2, 6.9);
  rig.runUntil(() => rig.countEvents("joust") > 0, 20);
  assertEquals(rig.dragon(0).fields.score, JOUST_SCORE);

  const shot = rigWithHook(2);
  shot.hold(1, "shield", 0);
  shot.lift(1, 20, 4);
  shot.lift(0, 16, 4.2);
  shot.face(0, 1);
  shot.press(0, "fires");
  shot.runUntil(() => shot.countEvents("block") > 0, 20);
  assertEquals([shot.countEvents("burn"), shot.dragon(1).fields.dead], [0, 0]);
});

Deno.test("loot: whoever opens which chest, all later ones hold the same (SPEC 26.25)", () => {
  const FAR = { ...HOOK, x: 24 };
  const seeds = [false, true].map((isFarRammed) => {
    const rig = new Rig(arenaOf({ ...withHook(), hooks: [FAR, HOOK] }), 1);
    rig.waitOutInvulnerability();
    ram(rig);
    if (isFarRammed) ram(rig, FAR.x);
    const before = rig.simulation.world.all("chest").map(({ fields }) => fields.seed);
    rig.runUntil(() => ropesOf(rig) === 2, CHEST_TICKS);
    const chests = rig.simulation.world.all("chest");
    const { seed } = chests.find(({ fields }) => fields.hook === 1)!.fields;
    assert(!before.includes(seed));
    return seed;
  });
  assertEquals(seeds[0], seeds[1]);
});

Deno.test("NPCs: Hunters and Shadows go for chests, and use what is in them (SPEC 26.26)", () => {
  const counts = new Map<string, number>();
  for (const [index] of ARENA_WORDS.entries()) {
    const simulation = dragonGame.start({ npcs: 8, choices: [index + 1, 1] }, 6);
    const npcs = new FakeNpcController();
    const commands: (DragonCommand | undefined)[] = new Array(SEATS).fill(undefined);
    while (simulation.tick < 1700) {
      npcs.next(simulation, commands);
      simulation.step(commands);
      for (const { kind, entity } of simulation.events) {
        const thing = simulation.world.get(entity);
        const npcKind = thing?.name === "dragon" ? simulation.world.npcKind(thing.seat) : "";
        for (const key of [kind, `${npcKind} ${kind}`]) counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
  }
  const countOf = (key: string) => counts.get(key) ?? 0;
  assertGreater(countOf("grab"), 30);
  // Of the eight, five are Drifters, who take loot by chance
  assertGreater(countOf("hunter grab") + countOf("shadow grab"), 2 * countOf("drifter grab"));
  assertGreater(countOf("loose") + countOf("dash"), 20);
});
