import { assert, assertAlmostEquals, assertEquals, assertGreater, assertLess } from "@std/assert";
import { ServerMessageDecoder } from "../../../shared/netcode/wire/server_messages.ts";
import { counterGame } from "./counter_game.ts";
import { Lab } from "./lab.ts";
import { RandomCounterControls } from "./random_controls.ts";

const NETWORK = { oneWayMs: 40, jitterMs: 15 };

Deno.test("Lab: the counter game keeps every press and every definitive tick, with late commands and rollbacks [seed 11]", () => {
  const lab = new Lab({ game: counterGame, seed: 11, npcs: 3 });
  const controls = [1, 2, 3, 4].map((seed) => new RandomCounterControls(seed));
  const players = controls.map((each, i) =>
    lab.join(`p${i}`, { commandSource: each, network: NETWORK })
  );
  lab.run(120);
  for (const each of controls) each.isIdle = true;
  lab.run(5);

  const server = lab.serverSimulation!;
  players.forEach(({ session }, i) => {
    const { stats } = session;
    assertEquals(session.phase, "playing");
    assertEquals(stats.desyncs, 0);
    assertGreater(stats.commandsLate, 0);
    assertLess(stats.commandsLate / stats.commandsSent, 0.03);
    assertGreater(stats.rollbacks, 100);
    assertGreater(controls[i]!.pressTotal, 300);
    assertEquals(server.pressesOf(session.seat), controls[i]!.pressTotal);
    assertGreater(stats.npcKnownInTime / stats.npcCommands, 0.995);
    assertGreater(stats.npcCommands, 5000);

    // Without gaps: one message for every tick since the first state.
    assertEquals(
      stats.ticks,
      session.definitiveTick - firstTick(session.definitiveTick, stats.ticks) + 1,
    );
    for (let tick = session.definitiveTick - 50; tick < session.definitiveTick - 10; tick++) {
      assertEquals(session.provenHash(tick), lab.definitiveHashes.get(tick));
    }
  });
});

function firstTick(newest: number, count: number): number {
  return newest - count + 1;
}

Deno.test("Lab: with --stream state clients adopt the state of every tick and play (SPEC 6.10) [seed 12]", () => {
  const lab = new Lab({ game: counterGame, seed: 12, npcs: 2, stream: "state" });
  const controls = [5, 6].map((seed) => new RandomCounterControls(seed));
  const players = controls.map((each, i) =>
    lab.join(`p${i}`, { commandSource: each, network: NETWORK })
  );
  lab.run(60);
  for (const each of controls) each.isIdle = true;
  lab.run(5);
  const server = lab.serverSimulation!;
  players.forEach(({ session }, i) => {
    assertGreater(session.stats.statesAdopted, 1200);
    assertEquals(session.stats.desyncs, 0);
    assertEquals(server.pressesOf(session.seat), controls[i]!.pressTotal);
    assertGreater(controls[i]!.pressTotal, 100);
  });
});

Deno.test("Lab: a player's pings are piggybacked on commands and the pongs on ticks; a spectator's travel alone (SPEC 5.7, 5.24, 5.26) [seed 13]", () => {
  const lab = new Lab({ game: counterGame, seed: 13, npcs: 2 });
  const joinListening = (joinOptions: { spectate?: boolean; ordered?: boolean }) => {
    const decoder = new ServerMessageDecoder(counterGame.command);
    const pongs = { standalone: 0, piggybacked: 0, waitedTicksMax: 0 };
    const onArrival = (bytes: Uint8Array) => {
      const message = decoder.decode(bytes);
      if (message.type === "pong") pongs.standalone++;
      if (message.type !== "tick" || message.pong === undefined) return;
      pongs.piggybacked++;
      pongs.waitedTicksMax = Math.max(pongs.waitedTicksMax, message.pong.waitedTicks);
    };
    const network = { oneWayMs: 40, jitterMs: 0 };
    const commandSource = new RandomCounterControls(1);
    return { pongs, ...lab.join("p", { commandSource, network, onArrival, ...joinOptions }) };
  };
  const player = joinListening({});
  const spectator = joinListening({ spectate: true });
  const datagramPlayer = joinListening({ ordered: false });
  lab.run(5);
  const joined = player.pongs.standalone;
  lab.run(60);
  assertEquals(player.pongs.standalone, joined);
  assert(
    player.pongs.piggybacked > 55 && player.pongs.piggybacked < 85,
    `${player.pongs.piggybacked}`,
  );

  // On this link a command arrives a few ms before its tick.
  assert(
    player.pongs.waitedTicksMax > 0 && player.pongs.waitedTicksMax < 1,
    `${player.pongs.waitedTicksMax}`,
  );
  for (const { pongs } of [spectator, datagramPlayer]) {
    assert(pongs.standalone > 55 && pongs.piggybacked === 0, JSON.stringify(pongs));
  }

  // Pongs have a resolution of 1/1024 of a tick, 0.05 ms.
  for (const { session } of [player, spectator, datagramPlayer]) {
    assertAlmostEquals(session.roundTripMs, 80, 0.1);
  }
  assertAlmostEquals(player.session.leadMs, player.session.advisedLeadMs, 1);
});

Deno.test("Lab: the same seed gives the same run", () => {
  const run = () => {
    const lab = new Lab({ game: counterGame, seed: 77, npcs: 2 });
    const players = [1, 2].map((seed) =>
      lab.join("p", { commandSource: new RandomCounterControls(seed), network: NETWORK })
    );
    lab.run(20);
    return JSON.stringify([[...lab.definitiveHashes], players.map(({ session }) => session.stats)]);
  };
  assertEquals(run(), run());
  assert(run().length > 1000);
});
