import type {
  DragonCommand,
  DragonSimulation,
} from "../../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { NEUTRAL } from "../../../support/dragons.ts";
import { assert, assertEquals, assertGreater, assertLess, assertThrows } from "@std/assert";
import {
  COYOTE_TICKS,
  EGGS_MAX,
  FLAP_REPEAT_TICKS,
  RUN_SPEED,
} from "../../../../shared/games/dragons/tuning.ts";
import { PoseList } from "../../../../shared/netcode/pose_list.ts";
import { Random } from "../../../../shared/random.ts";
import { Snapshot, SnapshotError } from "../../../../shared/snapshot.ts";
import { bareArena, Rig, ScriptedControls, STANDING } from "./rig.ts";

function alone(): Rig {
  const rig = new Rig(bareArena({ spawnPoints: [{ x: 10, y: STANDING }] }), 1);
  rig.waitOutInvulnerability();
  return rig;
}

Deno.test("flight: a tap lifts the dragon off, a held button keeps it up, and without input it lands", () => {
  const rig = alone();
  const standing = rig.dragon(0).y;
  assertEquals(rig.dragon(0).fields.airborne, 0);
  rig.press(0, "flaps");
  rig.run(1);
  assertEquals(rig.countEvents("flap"), 1);
  assertGreater(rig.dragon(0).vy, 4);
  rig.setControls(0, { flapHeld: 1 });
  rig.run(10 * FLAP_REPEAT_TICKS);
  assertEquals(rig.countEvents("flap"), 11);
  assertGreater(rig.dragon(0).y, 8);
  rig.setControls(0, { flapHeld: 0 });
  rig.events.length = 0;
  rig.runUntil(() => rig.countEvents("land") > 0);
  rig.run(20);
  assertLess(Math.abs(rig.dragon(0).y - standing), 0.02);
  assertEquals(rig.countEvents("land"), 1);
});

Deno.test("flight: a dragon runs at 6 m/s, stops within five ticks and falls asleep without input", () => {
  const rig = alone();
  rig.setControls(0, { dir: 1 });
  rig.run(10);
  assertGreater(rig.dragon(0).vx, RUN_SPEED - 0.3);
  assertLess(rig.dragon(0).vx, RUN_SPEED + 0.01);
  assertEquals(rig.dragon(0).fields.facing, "right");
  rig.setControls(0, { dir: 0 });
  rig.run(5);
  assertEquals(Math.abs(rig.dragon(0).vx) < 0.01, true);
  rig.run(40);
  assertEquals(rig.dragon(0).awake, false);
  rig.setControls(0, { dir: -1 });
  rig.run(1);
  assertEquals(rig.dragon(0).awake, true);
});

Deno.test("flight: a take-off two ticks after an edge is as strong as one from the ground", () => {
  const ledge = { x: 10, y: 10, width: 4, height: 0.5 };
  const rig = new Rig(bareArena({ spawnPoints: [{ x: 10, y: 10.8 }], ledges: [ledge] }), 1);
  rig.waitOutInvulnerability();
  rig.setControls(0, { dir: 1 });
  rig.runUntil(() => rig.dragon(0).fields.airborne === COYOTE_TICKS);
  assertLess(rig.dragon(0).vy, -0.5);
  rig.press(0, "flaps");
  rig.run(1);
  assertGreater(rig.dragon(0).vy, 4.2);
});

Deno.test("presence: a dragon exists exactly while its seat has a command (SPEC 1.11)", () => {
  const rig = new Rig(
    bareArena({ spawnPoints: [{ x: 4, y: STANDING }, { x: 20, y: STANDING }] }),
    0,
  );
  rig.run(1);
  assertEquals(rig.simulation.world.all("dragon").length, 0);
  rig.commands[3] = { ...NEUTRAL, flaps: 3, fires: 2 };
  rig.run(2);
  const dragon = rig.dragon(3);
  assertEquals(
    [dragon.fields.flapPresses, dragon.fields.firePresses],
    [0, 0],
    "counting begins with the first command",
  );
  assertEquals(rig.countEvents("enter"), 1);
  assertEquals(rig.countEvents("flap") + rig.countEvents("fire"), 0);
  const id = dragon.id;
  rig.commands[3] = undefined;
  rig.run(1);
  assertEquals(rig.simulation.world.player(3), undefined);
  rig.commands[3] = NEUTRAL;
  rig.run(1);
  assertGreater(rig.dragon(3).id, id);
});

Deno.test("presses: none is lost and none is doubled when commands are late or missing", () => {
  const random = new Random(5);
  const rig = new Rig(bareArena({ spawnPoints: [{ x: 10, y: STANDING }] }), 1);
  const controls = new ScriptedControls();
  rig.run(1);
  let arrived = NEUTRAL;
  let missing = 0;
  let assumed = 0;
  let made = NEUTRAL;
  let flaps = 0;
  let fires = 0;

  for (let tick = 0; tick < 3000; tick++) {
    const next = controls.next(random);
    flaps += (next.flaps - made.flaps) & 3;
    fires += (next.fires - made.fires) & 3;
    made = next;
    // At most three ticks in a row are missing: within them no scripted player presses four times.
    const late = missing < 3 && random.chance(0.4) && tick < 2999;
    missing = late ? missing + 1 : 0;
    if (late) assumed++;
    else arrived = next;
    rig.commands[0] = late ? dragonGame.assume(arrived, missing) : next;
    rig.run(1);
  }

  assertGreater(assumed, 500);
  assertGreater(flaps, 200);
  const { flapPresses, firePresses } = rig.dragon(0).fields;
  assertEquals([flapPresses, firePresses], [flaps, fires]);
});

Deno.test("DragonSimulation: poses list every entity in ascending order, with its seat", () => {
  const simulation = dragonGame.start({ npcs: 2 }, 3);
  const commands: (DragonCommand | undefined)[] = [];
  commands[2] = NEUTRAL;
  for (const seat of simulation.npcSeats) commands[seat] = NEUTRAL;
  assertEquals(simulation.npcSeats, [16, 17]);
  simulation.step(commands);
  commands[2] = { ...NEUTRAL, fires: 1 };
  simulation.step(commands);
  const poses = new PoseList();
  simulation.poses(poses);
  assertEquals(poses.count, 10 + 3 + 1 + 3 + 1, "crates, dragons, a fireball, chests, the ground");
  for (let i = 1; i < poses.count; i++) assertGreater(poses.at(i).entity, poses.at(i - 1).entity);
  assertEquals(poses.findBySeat(2)?.entity, simulation.world.player(2)?.id);
  assertEquals(poses.find(simulation.world.all("fireball")[0]!.id)?.seat, -1);
});

Deno.test("DragonSimulation: two events never have the same key", () => {
  const simulation = dragonGame.start({ npcs: 4 }, 11);
  const random = new Random(11);
  const controlsList = Array.from({ length: 16 }, () => new ScriptedControls());
  const kinds = new Set<string>();
  let eggsMost = 0;

  for (let tick = 1; tick <= 1500; tick++) {
    simulation.step(controlsList.map((controls) => controls.next(random)));
    const keys = simulation.events.map((event) => `${event.tick}/${event.kind}/${event.entity}`);
    assertEquals(new Set(keys).size, keys.length);
    eggsMost = Math.max(eggsMost, simulation.world.all("egg").length);
    for (const event of simulation.events) {
      kinds.add(event.kind);
      assertEquals(event.tick, tick);
    }
  }

  for (
    const kind of [
      "burn",
      "clash",
      "egg",
      "enter",
      "fire",
      "flap",
      "joust",
      "land",
      "respawn",
      "take",
    ]
  ) {
    assert(kinds.has(kind), kind);
  }

  assertEquals(eggsMost, EGGS_MAX, "sixteen players who leave their eggs reach the bound");
});

Deno.test("dragonGame: equal arguments give equal matches; another seed or NPC count gives another match", () => {
  const stateOf = (simulation: DragonSimulation): Snapshot => {
    const state = new Snapshot();
    simulation.save(state);
    return state;
  };
  const state = stateOf(dragonGame.start({ npcs: 4 }, 7));
  assert(state.equals(stateOf(dragonGame.start({ npcs: 4 }, 7))));
  assert(!state.equals(stateOf(dragonGame.start({ npcs: 4 }, 8))));
  assert(!state.equals(stateOf(dragonGame.start({ npcs: 3 }, 7))));
  assertEquals(dragonGame.start({ npcs: 4 }, 7).tick, 0);
  assertThrows(() => dragonGame.start({ npcs: 17 }, 1), RangeError);
});

Deno.test("DragonSimulation: load throws a SnapshotError for a state that is no match of dragons", () => {
  const simulation = dragonGame.start({ npcs: 4 }, 7);
  const random = new Random(2);
  const state = new Snapshot();
  simulation.step([NEUTRAL, NEUTRAL, NEUTRAL]);
  simulation.save(state);
  let refused = 0;

  for (let i = 0; i < 2000; i++) {
    const hostile = new Snapshot();
    hostile.copyFrom(state);
    hostile.words[random.below(state.length)] = random.bits();
    try {
      simulation.load(hostile);
      simulation.step([NEUTRAL]);
    } catch (error) {
      assert(error instanceof SnapshotError, String(error));
      refused++;
    }
  }

  assertGreater(refused, 200);
  simulation.load(state);
  assertEquals(simulation.tick, 1);
});
