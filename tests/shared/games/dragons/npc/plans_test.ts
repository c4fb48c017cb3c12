/** What Hunters and Shadows plan for in commands that are announced long before. */
import { assert, assertEquals, assertGreater, assertLess } from "@std/assert";
import type { DragonCommand } from "../../../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../../../shared/games/dragons/game.ts";
import { SEATS } from "../../../../../shared/netcode/game.ts";
import { NEUTRAL } from "../../../../support/dragons.ts";
import { bareArena, FakeNpcController, Rig, STANDING } from "../rig.ts";

const NPC = 16;

/** A player, and a dragon on an NPC's seat whose command never changes. */
function rigWith(table: Readonly<Record<string, number>>): Rig {
  const spawnPoints = [{ x: 4, y: STANDING }, { x: 28, y: STANDING }];
  const rig = new Rig(bareArena({ spawnPoints }), 1, "melee", 1);
  rig.commands[NPC] = { ...NEUTRAL, ...table };
  rig.waitOutInvulnerability();
  rig.lift(0, 4, 20);
  // Off the ground, so that it can be placed
  rig.commands[NPC] = { ...rig.commands[NPC], flaps: 1 };
  rig.run(4);
  return rig;
}

/** The numbers of answers, as the game's description lists them. */
function numberOf(plan: string, answer: string): number {
  const part = dragonGame.description!.command!.find(({ name }) => name === `if ${plan}`)!;
  return "names" in part ? part.names!.indexOf(answer) : -1;
}

Deno.test("plans: after a clash a dragon flaps in the very next tick, up and toward its prey (SPEC 26.50)", () => {
  for (
    const [table, flaps] of [[{ "if struck": numberOf("struck", "riseLeft") }, 1], [{}, 0]] as const
  ) {
    const rig = rigWith(table);
    rig.place(NPC, 16, 12);
    rig.place(0, 15.2, 12);
    rig.push(0, 6, 0);
    rig.runUntil(() => rig.countEvents("clash") > 0, 10);
    const before = rig.countEvents("flap");
    const { vy } = rig.dragon(NPC);
    rig.run(1);
    assertEquals(rig.countEvents("flap") - before, flaps);
    assertEquals(rig.dragon(NPC).vy > vy + 3, flaps > 0);
  }
});

Deno.test("plans: a dragon gets out of the way of a dive in the dive's first tick (SPEC 26.50)", () => {
  for (const [answer, sign] of [["left", -1], ["right", 1], ["none", 0]] as const) {
    const rig = rigWith({ "if dived": Math.max(0, numberOf("dived", answer)) });
    rig.place(NPC, 16, 12);
    rig.push(NPC, 0, 0);
    rig.place(0, 16.3, 13.9);
    rig.push(0, 0, -6);
    rig.run(1);
    assertEquals(Math.sign(Math.round(10 * rig.dragon(NPC).vx)), sign, answer);
  }
});

Deno.test("plans: Hunters and Shadows announce them 8 ticks ahead and more, Drifters do not (SPEC 26.50, 8.180)", () => {
  const simulation = dragonGame.start({ npcs: 8, choices: [1, 1] }, 4);
  const npcs = new FakeNpcController();
  const commands: (DragonCommand | undefined)[] = new Array(SEATS).fill(undefined);
  const planned = new Map<string, number>();
  const clashes = { answered: 0, all: 0 };
  let struck: number[] = [];
  while (simulation.tick < 1200) {
    npcs.next(simulation, commands);
    simulation.step(commands);
    const flapped = simulation.events.filter(({ kind }) => kind === "flap")
      .map(({ entity }) => entity);
    clashes.all += struck.length;
    clashes.answered += struck.filter((entity) => flapped.includes(entity)).length;
    struck = [];
    for (const { kind, entity, other } of simulation.events) {
      if (kind !== "clash") continue;
      for (const id of [entity, other!]) {
        const dragon = simulation.world.get(id);
        const command: Record<string, number> = { ...commands[dragon?.seat ?? -1] };
        // Whoever has flapped just now cannot yet
        const canFlap = dragon?.name === "dragon" && dragon.fields.flapAge > 2;
        if (canFlap && command["if struck"]! > 0) struck.push(id);
      }
    }
    for (const seat of simulation.npcSeats) {
      const command: Record<string, number> = { ...commands[seat] };
      const kind = simulation.world.npcKind(seat)!;
      if (command["if struck"]! > 0) planned.set(kind, (planned.get(kind) ?? 0) + 1);
    }
  }
  assertGreater(planned.get("hunter")!, 500);
  assertGreater(planned.get("shadow")!, 200);
  assertEquals(planned.get("drifter"), undefined);
  assertGreater(clashes.all, 5);
  assertGreater(clashes.answered, 0.9 * clashes.all);
  assertLess(clashes.answered, clashes.all + 1);
  assert(simulation.reactionTicks(NPC) >= 8);
});
