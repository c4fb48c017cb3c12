import { assert, assertEquals, assertGreater, assertLess } from "@std/assert";
import { counterGame } from "./counter_game.ts";
import { Lab } from "./lab.ts";
import { CountingControls } from "./riders.ts";

const LINE = { oneWayMs: 40, jitterMs: 15 };

Deno.test("Lab: the counter game keeps every press and every definitive tick, with late commands and rollbacks [seed 11]", () => {
  const lab = new Lab({ game: counterGame, seed: 11, npcs: 3 });
  const controls = [1, 2, 3, 4].map((seed) => new CountingControls(seed));
  const players = controls.map((each, i) => lab.join(`p${i}`, { controls: each, line: LINE }));
  lab.run(120);
  for (const each of controls) each.resting = true;
  lab.run(5);

  const server = lab.serverSimulation!;
  players.forEach(({ session }, i) => {
    const { counts } = session;
    assertEquals(session.phase, "playing");
    assertEquals(counts.desyncs, 0);
    assertGreater(counts.commandsLate, 0);
    assertLess(counts.commandsLate / counts.commandsSent, 0.03);
    assertGreater(counts.rollbacks, 100);
    assertGreater(controls[i]!.made, 300);
    assertEquals(server.pressesOf(session.seat), controls[i]!.made);
    assertGreater(counts.npcForeknown / counts.npcCommands, 0.995);
    assertGreater(counts.npcCommands, 5000);
    // Gapless: one message for every tick since the first state.
    assertEquals(counts.ticks, session.definitiveTick - firstTick(session.definitiveTick, counts.ticks) + 1);
    for (let tick = session.definitiveTick - 50; tick < session.definitiveTick - 10; tick++) {
      assertEquals(session.provenHash(tick), lab.definitiveHashes.get(tick));
    }
  });
});

function firstTick(newest: number, count: number): number {
  return newest - count + 1;
}

Deno.test("Lab: --stream state clients re-base on every tick and play [seed 12]", () => {
  const lab = new Lab({ game: counterGame, seed: 12, npcs: 2, stream: "state" });
  const controls = [5, 6].map((seed) => new CountingControls(seed));
  const players = controls.map((each, i) => lab.join(`p${i}`, { controls: each, line: LINE }));
  lab.run(60);
  for (const each of controls) each.resting = true;
  lab.run(5);
  const server = lab.serverSimulation!;
  players.forEach(({ session }, i) => {
    assertGreater(session.counts.statesAdopted, 1200);
    assertEquals(session.counts.desyncs, 0);
    assertEquals(server.pressesOf(session.seat), controls[i]!.made);
    assertGreater(controls[i]!.made, 100);
  });
});

Deno.test("Lab: the same seed gives the same run", () => {
  const run = () => {
    const lab = new Lab({ game: counterGame, seed: 77, npcs: 2 });
    const players = [1, 2].map((seed) => lab.join("p", { controls: new CountingControls(seed), line: LINE }));
    lab.run(20);
    return JSON.stringify([[...lab.definitiveHashes], players.map(({ session }) => session.counts)]);
  };
  assertEquals(run(), run());
  assert(run().length > 1000);
});
