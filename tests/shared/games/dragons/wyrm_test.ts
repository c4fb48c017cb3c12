/** The Wyrm: when it comes, what is known of its way, and whom it meets. */
import { assert, assertAlmostEquals, assertEquals, assertGreater } from "@std/assert";
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import {
  ROUND_TICKS,
  WYRM_LEG_TICKS,
  WYRM_SCORE,
  WYRM_TICK,
} from "../../../../shared/games/dragons/tuning.ts";
import { wyrmPlace } from "../../../../shared/games/dragons/wyrm.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";
import { bareArena, Rig, STANDING } from "./rig.ts";

const SPAWN_POINTS = [{ x: 2, y: STANDING }, { x: 30, y: STANDING }];

/** A player's match with the Wyrm in flight, and no invulnerability. */
function withWyrm(): Rig {
  const rig = new Rig(bareArena({ spawnPoints: SPAWN_POINTS }), 1);
  rig.waitOutInvulnerability();
  rig.poke("stage field phaseTicksLeft", ROUND_TICKS - WYRM_TICK + 1);
  rig.runUntil(() => rig.simulation.world.all("wyrm").length === 1);
  return rig;
}

Deno.test("Wyrm: it comes at 60 s of a round, and goes with it (SPEC 26.15)", () => {
  const simulation = dragonGame.start({ npcs: 0 }, 3);
  const { world } = simulation;
  const commands = [dragonGame.command.neutral];
  while (simulation.tick < WYRM_TICK) simulation.step(commands);
  assertEquals(world.all("wyrm").length, 1);
  assertEquals(simulation.events.map(({ kind }) => kind), ["wyrm"]);
  while (world.match.round === 1) simulation.step(commands);
  assertEquals(world.all("wyrm").length, 0);
});

Deno.test("Wyrm: each state tells its next 40 ticks, so a page draws them (SPEC 26.16)", () => {
  const rig = withWyrm();
  const { world } = rig.simulation;
  const known = new Map<number, { x: number; y: number }>();
  let farthest = 0;
  for (let tick = 0; tick < 6 * WYRM_LEG_TICKS; tick++) {
    const wyrm = world.one("wyrm")!;
    const foreseen = known.get(world.tick);
    if (foreseen !== undefined) {
      assertAlmostEquals(wyrm.x, foreseen.x, 1e-4);
      assertAlmostEquals(wyrm.y, foreseen.y, 1e-4);
    }
    const now = wyrmPlace(wyrm, 0);
    assertAlmostEquals(now.x, wyrm.x, 1e-4);
    known.set(world.tick + WYRM_LEG_TICKS, wyrmPlace(wyrm, WYRM_LEG_TICKS));
    const past = wyrmPlace(wyrm, -WYRM_LEG_TICKS);
    farthest = Math.max(farthest, Math.abs(wyrm.x - past.x));
    rig.run(1);
  }
  assertGreater(farthest, 8, "it is fast");
});

Deno.test("Wyrm: a lance into its jaws kills it for 3, any other touch costs the rider (SPEC 26.17)", () => {
  /** Puts the dragon on its way, before or behind it, and lets it look to one side. */
  const meet = (side: 1 | -1, looksAtIt: boolean) => {
    const rig = withWyrm();
    const { world } = rig.simulation;
    rig.runUntil(() => Math.abs(world.one("wyrm")!.vx) > 6);
    rig.press(0, "flaps");
    rig.run(3);
    const wyrm = world.one("wyrm")!;
    const { x, y } = wyrmPlace(wyrm, side > 0 ? 3 : -1);
    const toWyrm = Math.sign(wyrm.x - x);
    rig.face(0, looksAtIt ? toWyrm : -toWyrm);
    rig.place(0, x, y);
    rig.runUntil(() => rig.countEvents("slay") + rig.countEvents("devour") > 0, 5);
    return rig;
  };

  const slayer = meet(1, true);
  assertEquals([slayer.countEvents("slay"), slayer.dragon(0).fields.score], [1, WYRM_SCORE]);
  assertEquals(slayer.simulation.world.all("wyrm").length, 0);

  for (const victim of [meet(1, false), meet(-1, true), meet(-1, false)]) {
    assertEquals([victim.countEvents("devour"), victim.countEvents("egg")], [1, 1]);
    assert(victim.dragon(0).fields.dead > 0);
    assertEquals(victim.simulation.world.all("wyrm").length, 1);
  }
});

Deno.test("Wyrm: its way is state: a loaded match flies the same one (SPEC 26.16)", () => {
  const rig = withWyrm();
  const state = new Snapshot();
  rig.simulation.save(state);
  const other = rig.game.start({ npcs: 0 }, 99);
  other.load(state);
  for (let tick = 0; tick < 100; tick++) {
    rig.run(1);
    other.step(rig.commands);
  }
  const [ours, theirs] = [rig.simulation, other].map(({ world }) => world.one("wyrm")!);
  assertEquals([ours!.x, ours!.y], [theirs!.x, theirs!.y]);
});
