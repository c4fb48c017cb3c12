/**
 * The whole system over datagrams that are lost in bursts, duplicated and reordered, which must not
 * change the match.
 */
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertGreater,
  assertLess,
  assertLessOrEqual,
} from "@std/assert";
import type { Session } from "../../../client/session/session.ts";
import type { Simulation, Tick } from "../../../shared/netcode/game.ts";
import type { NetworkModel } from "../../../shared/netcode/simulated_network/network_model.ts";
import {
  CLIENT_MESSAGE_BYTES_MAX,
  SERVER_DATAGRAM_BYTES_MAX,
} from "../../../shared/netcode/wire/messages.ts";
import { ClientMessageDecoder } from "../../../shared/netcode/wire/client_messages.ts";
import { Snapshot } from "../../../shared/snapshot.ts";
import { counterGame } from "./counter_game.ts";
import { Lab } from "./lab.ts";
import type { LossyCounts, LossyLink, LossyModel } from "./links/lossy_link.ts";
import { RandomCounterControls, RandomDragonControls } from "./random_controls.ts";

const NETWORK: LossyModel = {
  oneWayMs: 45,
  jitterMs: 40,
  loss: 0.05,
  duplicated: 0.01,
  delayed: 0.03,
};
const NO_LOSS: LossyModel = { ...NETWORK, loss: 0, duplicated: 0, delayed: 0 };

/** Asserts that datagrams were lost, duplicated and reordered in both directions. */
function assertImpaired(players: readonly { readonly link: LossyLink }[], loss: number): void {
  for (const direction of ["up", "down"] as const) {
    const counts = players.map(({ link }) => link.counts[direction]);
    const sum = (key: keyof LossyCounts) => counts.reduce((sum, each) => sum + each[key], 0);
    assertGreater(sum("datagrams"), 600 * players.length);
    assertGreater(sum("lost") / sum("datagrams"), loss * 0.6);
    assertGreater(sum("duplicated"), 2 * players.length);
    assertGreater(sum("reordered"), 4 * players.length);
    const longestMax = direction === "up" ? CLIENT_MESSAGE_BYTES_MAX : SERVER_DATAGRAM_BYTES_MAX;
    for (const { longestDatagram } of counts) assertLessOrEqual(longestDatagram, longestMax);
    // Up: the hello. Down: the welcome and the state.
    assertEquals(sum("streamed"), (direction === "up" ? 1 : 2) * players.length);
  }
}

/**
 * Asserts that the client's hashes of the newest hundred ticks equal the server's, as far as the
 * client has them, which is nearly all.
 */
function assertProven<Command, Sim extends Simulation<Command>>(
  { definitiveHashes }: Lab<Command, Sim>,
  session: Session<Command, Sim>,
): void {
  assertEquals(session.phase, "playing", session.closeReason);
  assertEquals(session.stats.desyncs, 0);
  assert(session.isInSync);
  const proven = (tick: Tick) => session.provenHash(tick);
  let compared = 0;
  for (let tick = session.definitiveTick - 100; tick <= session.definitiveTick; tick++) {
    if (proven(tick) === undefined) continue;
    assertEquals(proven(tick), definitiveHashes.get(tick), `tick ${tick}`);
    compared++;
  }
  assertGreater(compared, 95);
}

for (const loss of [0.05, 0.3]) {
  Deno.test(`Lab: the counter game at ${loss * 100} % loss has every press and every tick once (SPEC 1.2, 1.8, 2.4, 2.11, 8.5, 8.9) [seed 61]`, () => {
    const lab = new Lab({ game: counterGame, seed: 61, npcs: 3 });
    const controls = [1, 2, 3, 4].map((seed) => new RandomCounterControls(seed));
    const network = { ...NETWORK, loss };
    const players = controls.map((each, i) =>
      lab.joinByDatagrams(`p${i}`, { commandSource: each, network })
    );
    lab.run(60);
    for (const each of controls) each.isIdle = true;
    lab.run(5);
    let sent = 0;
    let late = 0;
    assertImpaired(players, loss);
    players.forEach(({ session }, i) => {
      const { stats } = session;
      assertProven(lab, session);
      assertGreater(stats.rollbacks, 100);
      assertGreater(controls[i]!.pressTotal, 150);
      assertEquals(lab.serverSimulation!.pressesOf(session.seat), controls[i]!.pressTotal);
      // Without gaps: one state, then each tick that the server ran, except the few in flight.
      assertEquals(stats.statesAdopted, 1);
      const missing = lab.rooms.matchOf("LABS")!.tick - stats.ticks;
      assertLess(missing, 25);
      sent += stats.commandsSent;
      late += stats.commandsLate;
    });

    // Each late command counts once. The server counts only late commands that arrived.
    const { commandsTaken, commandsLate, commandsRefused } = lab.rooms.matchOf("LABS")!.stats;
    assertGreater(commandsLate, 0);
    assertLessOrEqual(commandsLate, late + players.length);
    assertLessOrEqual(commandsTaken + commandsLate, sent);
    assertGreater(commandsTaken + commandsLate, sent * 0.98);
    assertEquals(commandsRefused, 0);
  });

  Deno.test(`Lab: dragons at ${loss * 100} % loss: every press is counted, every tick arrives and is equal (SPEC 1.2, 1.8, 2.4, 4.1) [seed 62]`, () => {
    const lab = new Lab({ game: dragonGame, seed: 62, npcs: 3 });
    const riders = [1, 2, 3].map((seed) => new RandomDragonControls(seed));
    const players = riders.map((commandSource, i) =>
      lab.joinByDatagrams(`p${i}`, { commandSource, network: { ...NETWORK, loss } })
    );
    lab.run(30);
    for (const rider of riders) rider.isIdle = true;
    lab.run(5);
    assertImpaired(players, loss);
    players.forEach(({ session }, i) => {
      assertProven(lab, session);
      const { fields } = lab.serverSimulation!.world.player(session.seat)!;
      assertEquals([fields.flapPresses, fields.firePresses], [
        riders[i]!.flapTotal,
        riders[i]!.fireTotal,
      ]);
      assertGreater(riders[i]!.flapTotal, 70);
      assertGreater(session.stats.rollbacks, 100);
      assertGreater(session.stats.npcKnownInTime / session.stats.npcCommands, 0.97);
      assertEquals(session.stats.statesAdopted, 1);
    });
  });
}

Deno.test("Lab: after a second without any arrival the missed ticks come, and no state (SPEC 2.4, 8.10) [seed 63]", () => {
  const lab = new Lab({ game: counterGame, seed: 63, npcs: 2 });
  const controls = [1, 2].map((seed) => new RandomCounterControls(seed));
  const [starved, other] = controls.map((each, i) =>
    lab.joinByDatagrams(`p${i}`, { commandSource: each, network: { ...NETWORK, loss: 0.02 } })
  );
  lab.run(10);
  const { session, link } = starved!;
  const lateBefore = other!.session.stats.commandsLate;
  link.cut({ up: 1000, down: 1000 });
  const received = session.definitiveTick;
  lab.run(1);
  assertLess(session.definitiveTick, received + 4);
  lab.run(0.5);
  assertGreater(session.definitiveTick, received + 20);
  assertEquals(session.stats.statesAdopted, 1);
  for (const each of controls) each.isIdle = true;
  lab.run(10);
  for (const [i, { session }] of [starved!, other!].entries()) {
    assertProven(lab, session);
    assertEquals(lab.serverSimulation!.pressesOf(session.seat), controls[i]!.pressTotal);
  }
  assertLess(other!.session.stats.commandsLate - lateBefore, 10);
});

Deno.test("Lab: after 3.6 seconds without any arrival, more than a datagram can repeat, a state comes (SPEC 2.5) [seed 64]", () => {
  const lab = new Lab({ game: dragonGame, seed: 64, npcs: 2 });
  const riders = [1, 2].map((seed) => new RandomDragonControls(seed));
  const [starved, other] = riders.map((commandSource, i) =>
    lab.joinByDatagrams(`p${i}`, { commandSource, network: NETWORK })
  );
  lab.run(8);
  const statesBefore = lab.rooms.matchOf("LABS")!.stats.statesSent;
  starved!.link.cut({ up: 3600, down: 3600 });
  lab.run(3.6);
  lab.run(1);
  const { session } = starved!;
  assertGreater(session.head, session.definitiveTick);
  assertLess(lab.rooms.matchOf("LABS")!.tick - session.definitiveTick, 10);
  assertGreater(session.stats.statesAdopted, 1);

  // One state was sent when the network was cut, and one was needed afterwards. The server never
  // sends many.
  assertLessOrEqual(lab.rooms.matchOf("LABS")!.stats.statesSent - statesBefore, 3);
  for (const rider of riders) rider.isIdle = true;
  lab.run(8);

  for (const [i, { session }] of [starved!, other!].entries()) {
    assertProven(lab, session);
    assertEquals(
      lab.serverSimulation!.world.player(session.seat)!.fields.flapPresses,
      riders[i]!.flapTotal,
    );
  }

  assertEquals(other!.session.stats.statesAdopted, 1);
});

Deno.test("Lab: a client that desyncs at 30 % loss is resynced over the reliable channel, while datagrams overtake it (SPEC 4.2, 4.7) [seed 65]", () => {
  const lab = new Lab({ game: dragonGame, seed: 65, npcs: 2 });

  // Players never press anything, because a rollback would undo the error before it is detected.
  const riders = [1, 2].map(() => Object.assign(new RandomDragonControls(0), { isIdle: true }));
  const [victim, other] = riders.map((commandSource, i) =>
    lab.joinByDatagrams(`p${i}`, { commandSource, network: { ...NETWORK, loss: 0.3 } })
  );
  lab.run(8);
  const { session, link } = victim!;
  const snapshot = new Snapshot();
  let resyncs = 0;

  for (let i = 0; i < 10; i++) {
    const { statesAdopted, desyncs } = session.stats;
    session.simulation!.save(snapshot);
    // The last bit of the first dragon's x: far too little to see.
    const word = snapshot.floats.subarray(0, snapshot.length).indexOf(
      Math.fround(session.simulation!.world.all("dragon")[0]!.x),
    );
    snapshot.words[word]! ^= 1;
    session.simulation!.load(snapshot);
    lab.run(3);
    if (session.stats.desyncs > desyncs) resyncs++;
    assertGreater(
      session.stats.statesAdopted + 1,
      statesAdopted + Number(session.stats.desyncs > desyncs),
    );
    assert(session.isInSync);
  }

  assertGreater(resyncs, 5);
  assertGreater(link.counts.down.streamedReordered, 0);

  // A resync takes one state, rarely two, instead of one for every report of the desync.
  assertLessOrEqual(lab.rooms.matchOf("LABS")!.stats.statesSent, 2 + resyncs * 2);
  const { desyncs } = session.stats;
  lab.run(8);
  assertEquals(session.stats.desyncs, desyncs);
  assertEquals([other!.session.stats.desyncs, other!.session.stats.statesAdopted], [0, 1]);
});

Deno.test("Lab: datagram clients join while the reliable channel stalls, spectate, leave and reconnect (SPEC 2.4, 3.4, 7.6) [seed 66]", () => {
  const lab = new Lab({ game: dragonGame, seed: 66, npcs: 2 });
  const network = { ...NETWORK, loss: 0.3 };
  const ordered = lab.join("ordered", {
    commandSource: new RandomDragonControls(9),
    network: { oneWayMs: 45, jitterMs: 10 },
  });
  lab.run(3);
  const guests = Array.from(
    { length: 6 },
    (_, i) =>
      lab.joinByDatagrams(`guest ${i}`, { commandSource: new RandomDragonControls(i), network }),
  );
  const spectator = lab.joinByDatagrams("eyes", {
    commandSource: new RandomDragonControls(0),
    network,
    spectate: true,
  });
  lab.run(7);

  // Ticks arrived before the state that they follow.
  assertGreater(guests.reduce((sum, { link }) => sum + link.counts.down.streamedReordered, 0), 0);
  for (const { session } of guests) assertProven(lab, session);
  const [lost] = guests;
  const { seat, resume } = lost!.session;
  lost!.serverEnd.close(1006, "cut");
  lab.players.splice(lab.players.indexOf(lost!), 1);
  lab.run(3);
  const back = lab.joinByDatagrams("back", {
    commandSource: new RandomDragonControls(7),
    network,
    resume,
  });
  lab.leave(guests[1]!);
  lab.run(8);
  assertEquals(back.session.seat, seat);
  for (const { session } of [ordered, back, ...guests.slice(2)]) assertProven(lab, session);
  const { stats, definitiveTick, head } = spectator.session;
  assertEquals([stats.commandsSent, stats.rollbacks, stats.desyncs, stats.statesAdopted], [
    0,
    0,
    0,
    1,
  ]);
  assertEquals(spectator.session.provenHash(head), lab.definitiveHashes.get(head));
  assertLess(definitiveTick - head, 16);
});

Deno.test("Lab: with --stream state over datagrams clients adopt every tick's state that arrives (SPEC 6.10) [seed 67]", () => {
  const lab = new Lab({ game: counterGame, seed: 67, npcs: 2, stream: "state" });
  const controls = [1, 2].map((seed) => new RandomCounterControls(seed));
  const players = controls.map((each, i) =>
    lab.joinByDatagrams(`p${i}`, { commandSource: each, network: NETWORK })
  );
  lab.run(30);
  for (const each of controls) each.isIdle = true;
  lab.run(5);
  players.forEach(({ session }, i) => {
    assertEquals([session.phase, session.stats.desyncs], ["playing", 0]);
    assertGreater(session.stats.statesAdopted, 400);
    assertGreater(controls[i]!.pressTotal, 70);
    assertEquals(lab.serverSimulation!.pressesOf(session.seat), controls[i]!.pressTotal);
  });
});

Deno.test("Lab: the same seed over datagrams gives the same run", () => {
  const run = (network: LossyModel) => {
    const lab = new Lab({ game: counterGame, seed: 77, npcs: 2 });
    const players = [1, 2].map((seed) =>
      lab.joinByDatagrams("p", { commandSource: new RandomCounterControls(seed), network })
    );
    lab.run(20);
    return JSON.stringify([
      [...lab.definitiveHashes],
      players.map(({ session, link }) => [session.stats, link.counts]),
    ]);
  };
  assertEquals(run(NETWORK), run(NETWORK));
  assert(run(NETWORK) !== run(NO_LOSS));
});

/**
 * When each tick's datagrams arrived at the server, ms, from a player who changes their command
 * every ten ticks.
 */
function arrivalsOf(network: NetworkModel, seconds: number) {
  const lab = new Lab({ game: counterGame, seed: 98, npcs: 0 });
  const commandSource = {
    next: (tick: number) => ({ presses: 0, dir: Math.floor(tick / 10) % 3 - 1 }),
  };
  const player = lab.join("p", { commandSource, network, ordered: false });
  const arrivedMs = new Map<number, number[]>();
  const decoder = new ClientMessageDecoder(counterGame.command, player.serverEnd);
  player.serverEnd.tap = (bytes, reliably) => {
    const message = reliably ? undefined : decoder.decode(bytes);
    if (message?.type !== "commands" || message.commands.length === 0) return;
    arrivedMs.set(message.tick, [...arrivedMs.get(message.tick) ?? [], lab.nowMs]);
  };
  lab.run(seconds);
  const { stats, datagrams } = player.session;
  return { arrivedMs, stats: { ...stats, ...datagrams!.stats } };
}

Deno.test("Lab: a datagram client sends copies of changes every 15 ms on a line that it does not know, and none on a clean one (SPEC 1.8, 1.18) [seed 98]", () => {
  const { arrivedMs } = arrivalsOf({ oneWayMs: 30, jitterMs: 0 }, 20);
  const times = (tick: number) => arrivedMs.get(tick)?.length ?? 0;
  const ticks = [...arrivedMs.keys()];
  // The network delays some datagrams and duplicates one in a hundred, but most arrive as they were
  // sent.
  const clean = ticks.filter((tick) => tick > 250);
  assertGreater(clean.filter((tick) => times(tick) === 1).length, 0.95 * clean.length);
  const unknown = ticks.filter((tick) => tick >= 20 && tick < 60);
  const changes = unknown.filter((tick) => tick % 10 === 0);
  assertGreater(changes.filter((tick) => times(tick) >= 3).length, 0.7 * changes.length);
  assertGreater(unknown.filter((tick) => tick % 10 > 5 && times(tick) === 2).length, 10);
  const [first, ...again] = changes.map((tick) => arrivedMs.get(tick)!).find((times) =>
    times.length === 4
  )!;
  again.forEach((atMs, i) => assertAlmostEquals(atMs - first!, 40 / 3 * (i + 1), 0.1));
});

Deno.test("Lab: where bursts are lost, a change has four copies, and the client measures loss, and what was saved (SPEC 1.18) [seed 98]", () => {
  const { arrivedMs, stats } = arrivalsOf({ oneWayMs: 30, jitterMs: 2, loss: 0.03 }, 120);
  const most = [...arrivedMs.values()].filter((times) => times.length >= 5).length;
  assertGreater(most, 120);
  assertAlmostEquals(stats.upLost / stats.upJudged, 0.03, 0.01);
  assertAlmostEquals(stats.downLost / stats.down, 0.03, 0.012);
  assertGreater(stats.ticksSaved, 0.9 * stats.downLost);
  assertGreater(stats.commandsSaved, 0);
  assertGreater(stats.upCopies, stats.commandsSent);
  assertLess(stats.commandsLate / stats.commandsSent, 0.02);
});
