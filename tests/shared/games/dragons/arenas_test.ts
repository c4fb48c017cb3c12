/** The arenas: which one a round has, and what each of them does. */
import { assert, assertAlmostEquals, assertEquals, assertGreater, assertLess } from "@std/assert";
import {
  type Arena,
  arenaOf,
  CRATE_HALF,
  wayAcross,
  WRAP_MARGIN,
  wrapped,
} from "../../../../shared/games/dragons/arena.ts";
import { ARENA_WORDS, ARENAS } from "../../../../shared/games/dragons/arenas/arenas.ts";
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import type { DragonCommand } from "../../../../shared/games/dragons/declaration.ts";
import { burntShare } from "../../../../shared/games/dragons/bridge.ts";
import {
  BRIDGE_FLAME_TICKS,
  BRIDGE_HALF,
  BRIDGE_TICK,
  DRAGON_RADIUS,
  GRIP_FLAPS,
  GRIP_TICKS,
  LIFT_HALF,
  LIFT_TURN_TICKS,
} from "../../../../shared/games/dragons/tuning.ts";
import { SEATS } from "../../../../shared/netcode/game.ts";
import { bareArena, FakeNpcController, Rig, STANDING } from "./rig.ts";

/** One player's dragon without invulnerability, lifted to a place. */
function placed(arena: Arena, x: number, y: number, seats = 1): Rig {
  const rig = new Rig(arena, seats);
  rig.waitOutInvulnerability();
  rig.lift(0, x, y);
  return rig;
}

Deno.test("arenas: rounds go through all of them in turns, each with its ground alone (SPEC 26.5)", () => {
  const simulation = dragonGame.start({ npcs: 0 }, 1);
  const { world } = simulation;
  const commands: (DragonCommand | undefined)[] = [dragonGame.command.neutral];
  const seen: unknown[] = [];
  for (let round = 1; round <= 5; round++) {
    while (world.match.round < round) simulation.step(commands);
    const grounds = world.all(...ARENA_WORDS).map(({ name }) => name);
    seen.push([world.match.arena, ...grounds, world.all("lift").length]);
  }
  assertEquals(seen, [
    ["ledges", "ledges", 0],
    ["foundry", "foundry", 1],
    ["sky_wells", "sky_wells", 0],
    ["cavern", "cavern", 0],
    ["ledges", "ledges", 0],
  ]);
});

Deno.test("arenas: a room may choose one for all rounds (SPEC 26.5)", () => {
  const choices = dragonGame.description!.choices![0]!;
  assertEquals([choices.name, ...choices.names], ["arena", "rotation", ...ARENA_WORDS]);
  const simulation = dragonGame.start({ npcs: 0, choices: [4] }, 1);
  for (const round of [1, 2]) {
    while (simulation.world.match.round < round) simulation.step([dragonGame.command.neutral]);
    assertEquals(simulation.world.match.arena, "cavern");
  }
});

Deno.test("arenas: spawn points stand free on ground, and lanes cross without a platform (SPEC 26.6)", () => {
  for (const { name, platforms, spawnPoints, lanes, width, lift, lava } of Object.values(ARENAS)) {
    for (const { x, y } of spawnPoints) {
      const under = platforms.find((platform) =>
        Math.abs(x - platform.x) < platform.width / 2 && y > platform.y &&
        y - DRAGON_RADIUS - platform.y - platform.height / 2 < 0.35
      );
      assert(under !== undefined, `${name} ${x} ${y} hangs in the air`);
      assert(x > DRAGON_RADIUS && x < width - DRAGON_RADIUS && y > lava + 1, `${name} ${x} ${y}`);
      const isInShaft = lift !== undefined && Math.abs(x - lift.x) < LIFT_HALF[0] + DRAGON_RADIUS;
      assert(!isInShaft, `${name} ${x} ${y}`);
    }
    for (const lane of lanes) {
      const isFree = platforms.every(({ y, height }) =>
        Math.abs(lane - y) > height / 2 + DRAGON_RADIUS
      );
      assert(isFree, `${name}: the lane at ${lane} m meets a platform`);
    }
  }
});

Deno.test("NPCs: they play in each arena: riders are unseated, and few NPCs come low (SPEC 26.6)", () => {
  for (const [index, word] of ARENA_WORDS.entries()) {
    const simulation = dragonGame.start({ npcs: 8, choices: [index + 1] }, 5);
    const npcs = new FakeNpcController();
    const commands: (DragonCommand | undefined)[] = new Array(SEATS).fill(undefined);
    const counts = new Map<string, number>();
    let onTheFloor = 0;
    let flown = 0;
    while (simulation.tick < 1700) {
      npcs.next(simulation, commands);
      simulation.step(commands);
      for (const { kind } of simulation.events) counts.set(kind, (counts.get(kind) ?? 0) + 1);
      for (const { y, fields } of simulation.world.all("dragon")) {
        if (fields.dead > 0) continue;
        flown++;
        if (y < STANDING + 0.2) onTheFloor++;
      }
    }
    assertGreater(counts.get("joust")!, 30, word);
    assertLess(onTheFloor, 0.15 * flown, word);
    assertLess(counts.get("grip") ?? 0, 10, "they keep out of the lava");
  }
});

Deno.test("arenas: a player flies once around Sky Wells, and against a wall of the others (SPEC 26.7)", () => {
  for (const [index, word] of ARENA_WORDS.entries()) {
    const simulation = dragonGame.start({ npcs: 0, choices: [index + 1, 1] }, 2);
    const { world } = simulation;
    const command = { ...dragonGame.command.neutral, dir: 1, flapHeld: 1 } as const;
    let crossings = 0;
    let before = 0;
    for (let tick = 0; tick < 300; tick++) {
      simulation.step([command]);
      const { x } = world.player(0)!;
      if (x < before - 20) crossings++;
      before = x;
    }
    assertEquals(crossings > 1, word === "sky_wells", word);
  }
});

const SPAWN_POINTS = [{ x: 4, y: STANDING }, { x: 28, y: STANDING }];
const WRAPPING = arenaOf({ ...bareArena({ spawnPoints: SPAWN_POINTS }), wraps: true });

Deno.test("wrap: who leaves by an edge comes in at the other with the same motion, as a teleport (SPEC 26.7)", () => {
  const rig = placed(WRAPPING, 1, 8);
  const { teleports } = rig.dragon(0).entity;
  rig.setControls(0, { dir: -1, flapHeld: 1 });
  let before = rig.dragon(0).vx;
  rig.runUntil(() => {
    const isAcross = rig.dragon(0).x > 16;
    if (!isAcross) before = rig.dragon(0).vx;
    return isAcross;
  });
  assertEquals(rig.dragon(0).entity.teleports, teleports + 1);
  assertGreater(rig.dragon(0).x, 32);
  assertLess(Math.abs(rig.dragon(0).vx - before), 2.6, "one tick of steering and a flap");
});

Deno.test("wrap: ways, goals and places go through the edges where that is shorter (SPEC 26.7)", () => {
  const round = 32 + 2 * WRAP_MARGIN;
  assertAlmostEquals(wayAcross(WRAPPING, 1, 31), 30 - round);
  assertAlmostEquals(wayAcross(WRAPPING, 31, 1), round - 30);
  assertEquals(wayAcross(WRAPPING, 10, 20), 10);
  assertEquals(wayAcross(ARENAS.ledges, 1, 31), 30);
  assertEquals([wrapped(WRAPPING, -0.5), wrapped(ARENAS.ledges, -5)], [-0.5, -5]);
  assertAlmostEquals(wrapped(WRAPPING, -WRAP_MARGIN - 0.1), 32 + WRAP_MARGIN - 0.1);
});

const BELT = 3;
const WITH_BELT = bareArena({
  spawnPoints: [{ x: 4, y: 5.85 }],
  ledges: [{ x: 8, y: 5, width: 12, height: 0.5, belt: BELT }],
});

Deno.test("belt: it carries who stands on it, and legs run relative to it (SPEC 26.8)", () => {
  const rig = new Rig(WITH_BELT, 1);
  rig.run(15);
  assertAlmostEquals(rig.dragon(0).vx, BELT, 0.2);
  rig.setControls(0, { dir: -1 });
  rig.run(12);
  assertAlmostEquals(rig.dragon(0).vx, BELT - 6, 0.4);
});

Deno.test("lift: its motor carries a dragon up and down, and waits for what is below it (SPEC 26.8)", () => {
  const lift = ARENAS.foundry.lift!;
  const simulation = dragonGame.start({ npcs: 0, choices: [2] }, 1);
  const { world } = simulation;
  const heights: number[] = [];
  for (let tick = 0; tick < 2 * LIFT_TURN_TICKS; tick++) {
    simulation.step([]);
    heights.push(world.one("lift")!.y);
  }
  assertAlmostEquals(Math.max(...heights), lift.high, 0.1);
  // The belts have brought a crate below it
  assertAlmostEquals(heights.at(-1)!, lift.low + 2 * CRATE_HALF - 0.1, 0.1);
  assertLess(Math.max(...heights.map((y, i) => Math.abs(y - heights[Math.max(0, i - 1)]!))), 0.2);
});

const LAVA = arenaOf({
  ...bareArena({ spawnPoints: [{ x: 4, y: 6.85 }, { x: 28, y: 6.85 }] }),
  platforms: [
    { x: 16, y: -0.5, width: 32, height: 1 },
    { x: 4, y: 6, width: 6, height: 0.6 },
    { x: 28, y: 6, width: 6, height: 0.6 },
  ],
  lava: 1.2,
});

Deno.test("lava: the hand grips below its surface, holds against few flaps, and five within 2 s free (SPEC 26.10)", () => {
  const rig = placed(LAVA, 16, 1.5);
  rig.runUntil(() => rig.countEvents("grip") > 0);
  const { joints } = rig.simulation.world;
  assertEquals(joints.all("hand").length, 1);
  for (let flap = 1; flap < GRIP_FLAPS; flap++) {
    rig.press(0, "flaps");
    rig.run(4);
    assertLess(rig.dragon(0).y, 1.9, `after ${flap} flaps`);
  }
  assertEquals([joints.all("hand").length, rig.countEvents("free")], [1, 0]);

  rig.press(0, "flaps");
  rig.run(1);
  assertEquals([joints.all("hand").length, rig.countEvents("free")], [0, 1]);
  rig.run(6);
  assertGreater(rig.dragon(0).y, 2.4);
  assertEquals(rig.countEvents("sink"), 0);
});

Deno.test("lava: who does not get free within 2 s sinks without an egg, and respawns (SPEC 26.10)", () => {
  const rig = placed(LAVA, 16, 1.5);
  rig.runUntil(() => rig.countEvents("grip") > 0);
  rig.run(GRIP_TICKS - 1);
  assertEquals([rig.dragon(0).fields.dead, rig.countEvents("sink")], [0, 0]);
  rig.run(1);
  assertGreater(rig.dragon(0).fields.dead, 0);
  assertEquals([rig.countEvents("sink"), rig.countEvents("egg")], [1, 0]);
  assertEquals(rig.simulation.world.joints.all("hand").length, 0);
  rig.runUntil(() => rig.dragon(0).fields.dead === 0);
  assertGreater(rig.dragon(0).y, 6);
});

Deno.test("lava: an egg in it is lost, and a crate burns (SPEC 26.10)", () => {
  const rig = new Rig(
    arenaOf({
      ...LAVA,
      crates: [{ x: 12, y: 3 }],
      spawnPoints: [{ x: 16, y: 9 }, { x: 16, y: 7 }],
    }),
    2,
  );
  rig.waitOutInvulnerability();
  rig.lift(1, 16, 3);
  rig.lift(0, 16.2, 4);
  rig.runUntil(() => rig.countEvents("egg") > 0);
  rig.runUntil(() => rig.simulation.world.all("egg").length === 0);
  assertEquals([rig.countEvents("wither"), rig.countEvents("take")], [1, 0]);
  rig.runUntil(() => rig.simulation.world.all("crate").some(({ fields }) => fields.burning > 0));
});

Deno.test("bridge: it burns for 5 s, is gone at 45 s of each round, and who slept on it falls (SPEC 26.30)", () => {
  const bridge = { x: 16, y: 8 };
  const rig = new Rig(
    arenaOf({ ...bareArena({ spawnPoints: [{ x: 4, y: STANDING }] }), bridge }),
    1,
  );
  const { world } = rig.simulation;
  rig.run(40);
  rig.lift(0, 16, 9.5);
  rig.run(BRIDGE_TICK - BRIDGE_FLAME_TICKS - rig.simulation.tick);
  const standing = bridge.y + BRIDGE_HALF[1] + DRAGON_RADIUS;
  assertAlmostEquals(rig.dragon(0).y, standing, 0.02);
  assertEquals([burntShare(world), rig.dragon(0).awake], [0, false]);
  rig.run(1);
  assertGreater(burntShare(world), 0);
  rig.run(BRIDGE_FLAME_TICKS - 2);
  assertEquals([world.all("bridge").length, rig.countEvents("collapse")], [1, 0]);
  assertLess(burntShare(world), 1);
  rig.run(1);
  assertEquals([world.all("bridge").length, rig.countEvents("collapse")], [0, 1]);
  rig.run(20);
  assertAlmostEquals(rig.dragon(0).y, STANDING, 2);

  // The next round has a whole one, unlike the result before it
  rig.runUntil(() => world.match.phase === "result", 2000);
  assertEquals([world.all("bridge").length, burntShare(world)], [0, 1]);
  rig.runUntil(() => world.match.round === 2, 400);
  assertEquals([world.all("bridge").length, burntShare(world)], [1, 0]);
});

Deno.test("bridge: the Cavern has one, beside whose flames NPCs fly, and other arenas have none (SPEC 26.30)", () => {
  for (const [index, word] of ARENA_WORDS.entries()) {
    const simulation = dragonGame.start({ npcs: 0, choices: [index + 1] }, 1);
    simulation.step([]);
    const bridges = simulation.world.all("bridge");
    assertEquals(bridges.length, word === "cavern" ? 1 : 0, word);
    for (const { x, y } of bridges) {
      const isOnRocks = [-1, 1].every((side) =>
        ARENAS[word].platforms.some((platform) =>
          Math.abs(platform.y - y) < 0.3 &&
          Math.abs(x + side * (BRIDGE_HALF[0] + 0.15) - platform.x) < platform.width / 2
        )
      );
      assert(isOnRocks, "it ends at a rock on each side");
    }
    for (const lane of ARENAS[word].lanes) {
      assert(bridges.every(({ y }) => Math.abs(lane - y) > BRIDGE_HALF[1] + DRAGON_RADIUS), word);
    }
  }
});
