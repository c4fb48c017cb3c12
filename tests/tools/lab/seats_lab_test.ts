import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { assert, assertEquals, assertGreater, assertLess } from "@std/assert";
import { Lab } from "./lab.ts";
import { RandomDragonControls } from "./random_controls.ts";

const NETWORK = { oneWayMs: 95, jitterMs: 3 };

function idleControls(): RandomDragonControls {
  return Object.assign(new RandomDragonControls(0), { isIdle: true });
}

Deno.test("Lab: an NPC flies a disconnected player's dragon and gives it back; no client mispredicts the takeover (SPEC 3.3, 3.4, 3.10, 3.11) [seed 51]", () => {
  const lab = new Lab({ game: dragonGame, seed: 51, npcs: 2 });

  // The others never press anything, so only the takeover can cause a correction.
  const others = [1, 2].map((n) =>
    lab.join(`other ${n}`, { commandSource: idleControls(), network: NETWORK })
  );
  const rider = idleControls();
  const lost = lab.join("lost", { commandSource: rider, network: NETWORK });
  lab.run(10);
  const server = lab.serverSimulation!;
  const { seat, resume } = lost.session;
  const before = server.world.player(seat)!;
  const { id } = before;
  const flapsBefore = before.fields.flapPresses;
  const rollbacks = others.map(({ session }) => session.stats.rollbacks);

  lost.serverEnd.close(1006, "cut");
  lab.players.splice(lab.players.indexOf(lost), 1);
  lab.run(5);
  const flapsAutopiloted = server.world.player(seat)!.fields.flapPresses;
  assertGreater(flapsAutopiloted, flapsBefore, "an NPC flew it");
  assertEquals(
    others.map(({ session }) => session.stats.rollbacks),
    rollbacks,
    "all of it was known in time",
  );

  const back = lab.join("lost", { commandSource: rider, network: NETWORK, resume });
  lab.run(5);
  assertEquals(back.session.seat, seat);
  assertEquals(server.world.player(seat)!.id, id, "the same dragon");

  // From then on it is a player's dragon, with a first command that cannot be predicted.
  for (const [i, { session }] of others.entries()) {
    assertLess(session.stats.rollbacks, rollbacks[i]! + 3);
  }

  // The player is in control again, and every press counts, whatever counter the NPC left behind.
  const flapsReturned = server.world.player(seat)!.fields.flapPresses;
  rider.flapTotal = 7;
  lab.run(10);
  assertEquals(server.world.player(seat)!.fields.flapPresses, flapsReturned + 7);
  for (const { session } of [...others, back]) assertEquals(session.stats.desyncs, 0);
});

Deno.test("Lab: a spectator shows definitive ticks, smoothly and without corrections (SPEC 7.6, 7.11) [seed 52]", () => {
  const lab = new Lab({ game: dragonGame, seed: 52, npcs: 2 });
  for (const seed of [1, 2]) {
    lab.join(`p${seed}`, { commandSource: new RandomDragonControls(seed), network: NETWORK });
  }
  lab.run(5);
  const { session } = lab.join("eyes", {
    commandSource: idleControls(),
    network: NETWORK,
    spectate: true,
  });
  lab.run(30);
  assertEquals([session.seat, session.phase, session.resume], [-1, "playing", undefined]);
  assertEquals([session.stats.commandsSent, session.stats.rollbacks, session.stats.desyncs], [
    0,
    0,
    0,
  ]);
  assert(session.head <= session.definitiveTick);

  // At most two ticks behind the newest definitive tick received.
  assertLess(session.definitiveTick - session.head, 3);
  assertEquals(session.provenHash(session.head), lab.definitiveHashes.get(session.head));
  assertGreater(session.stats.ticks, 29 * dragonGame.tickHz);
});

Deno.test("Lab: an egg hatches into an NPC seat, announced far ahead; no client mispredicts it (SPEC 6.4, 6.11) [seed 53]", () => {
  const lab = new Lab({ game: dragonGame, seed: 53, npcs: 4 });
  const players = [1, 2].map((n) =>
    lab.join(`p${n}`, { commandSource: idleControls(), network: NETWORK })
  );
  lab.run(10);
  const server = lab.serverSimulation!;
  const rollbacks = players.map(({ session }) => session.stats.rollbacks);
  const seen = { requested: 0, hatched: 0, withdrawn: 0 };
  let before = server.npcSeats.length;
  lab.run(75, () => {
    const now = server.npcSeats.length;
    if (now > before) seen.requested++;
    if (now < before) seen.withdrawn++;
    seen.hatched += server.events.filter(({ kind }) => kind === "hatch").length;
    before = now;
  });
  assertGreater(seen.requested, 0);
  assertGreater(seen.hatched, 0);
  assertGreater(seen.withdrawn, 0);

  for (const [i, { session }] of players.entries()) {
    const { stats } = session;
    assertEquals(stats.desyncs, 0);
    assertEquals(stats.rollbacks, rollbacks[i]);
    assertGreater(stats.npcKnownInTime / stats.npcCommands, 0.995);
  }
});
