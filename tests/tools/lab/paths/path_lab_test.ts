/**
 * A client switches to a datagram path and back during play, in virtual time: nothing is lost, and
 * it does not have to join again.
 */
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { assert, assertEquals, assertGreater, assertLess } from "@std/assert";
import { PROFILE_NAMES } from "../../../../shared/netcode/simulated_network/network_profiles.ts";
import { counterGame } from "../counter_game.ts";
import { Lab, type Player } from "../lab.ts";
import { RandomCounterControls, RandomDragonControls } from "../random_controls.ts";
import { playOn } from "./play_on_line.ts";

const NETWORK = { oneWayMs: 45, jitterMs: 20, loss: 0.03 };

/** Runs until a condition holds. @returns the seconds that it took */
function runUntil(
  lab: { run(seconds: number): void },
  condition: () => boolean,
  secondsMax: number,
): number {
  for (let steps = 0; steps <= secondsMax * 100; steps++) {
    if (condition()) return steps / 100;
    lab.run(0.01);
  }
  throw new Error("the condition does not come");
}

const transportOf = ({ session }: { session: Player<never>["session"] }) =>
  session.datagrams?.report?.transport;

Deno.test("Lab: clients go over to datagrams and back again and again: each press and each tick once, no state, no desync (SPEC 16.12, 16.13, 16.15) [seed 71]", () => {
  const lab = new Lab({ game: counterGame, seed: 71, npcs: 3 });
  const controls = [1, 2, 3].map((seed) => new RandomCounterControls(seed));
  const players = controls.map((commandSource, i) =>
    lab.joinByPath(`p${i}`, { commandSource, network: NETWORK, isForAll: i < 2 })
  );
  let cuts = 0;

  for (let round = 0; round < 3; round++) {
    for (const [i, player] of players.slice(0, 2).entries()) {
      runUntil(lab, () => transportOf(player as never) === "webtransport", 70);
      lab.run(5);
      // A black-out of both directions, then of one.
      Object.assign(
        player.link.cut,
        [{ up: true, down: true }, { up: true }, { down: true }][(round + i) % 3],
      );
      cuts++;
      const seconds = runUntil(lab, () => transportOf(player as never) === "websocket", 3);
      assertLess(seconds, 2.3);
      Object.assign(player.link.cut, { up: false, down: false });
    }
  }

  lab.run(2);
  for (const each of controls) each.isIdle = true;
  lab.run(5);
  assertEquals(players.map(({ session }) => session.datagrams?.report?.returns ?? 0), [
    cuts / 2,
    cuts / 2,
    0,
  ]);
  players.forEach(({ session }, i) => {
    const { stats } = session;
    assertEquals(
      [session.phase, stats.desyncs, stats.statesAdopted],
      ["playing", 0, 1],
      session.closeReason,
    );
    assertGreater(stats.rollbacks, 100);
    // Three paths of a hundred ticks each have measured their losses.
    if (i < 2) assertGreater(session.datagrams!.stats.upJudged, 240);
    if (i < 2) assertGreater(session.datagrams!.stats.upLost, 0);
    assertEquals(lab.serverSimulation!.pressesOf(session.seat), controls[i]!.pressTotal);
    assertLess(lab.match!.tick - stats.ticks, 25);
    assertEquals(
      session.provenHash(session.definitiveTick),
      lab.definitiveHashes.get(session.definitiveTick),
    );
  });
});

/**
 * The lab's connections that gain by datagrams (DESIGN 8.1). Others would save less than 30 ms of
 * wait.
 */
const GAINING: ReadonlySet<string> = new Set(["4g", "far", "awful"]);

Deno.test("Lab: the server offers datagrams on the lines that gain by them, which then wait half as long, and on no other (SPEC 16.10) [seed 5]", () => {
  for (const profile of [...PROFILE_NAMES, "far, clean"] as const) {
    const row = playOn(profile, { seconds: 120, seed: 5 });
    const shown = `${profile}: ${JSON.stringify(row)}`;
    assertEquals(
      [row.offers > 0, row.isByDatagram, row.desyncs],
      [GAINING.has(profile), GAINING.has(profile), 0],
      shown,
    );
    if (row.waitMs === undefined) continue;
    assertLess(row.waitMs, 0.6 * row.socketWaitMs, shown);
    assertLess(row.lateShare!, 0.02, shown);
    assertLess(row.goneOverS!, 60, shown);
  }
});

Deno.test("Lab: a line without a way for UDP stays on its socket, and tries once in a minute (SPEC 16.12) [seed 6]", () => {
  const lab = new Lab({ game: counterGame, seed: 6, npcs: 0 });
  const commandSource = new RandomCounterControls(6);
  const { session, link } = lab.joinByPath("p", {
    commandSource,
    network: { oneWayMs: 20, jitterMs: 2 },
    isForAll: true,
  });
  Object.assign(link.cut, { up: true, down: true });
  lab.run(100);
  const { transport, handovers, why } = session.datagrams!.report!;
  assertEquals([transport, handovers, why], [
    "websocket",
    0,
    "no datagrams: nothing answers by UDP",
  ]);
  assertEquals([link.offers, session.stats.statesAdopted], [2, 1]);
});

Deno.test("Lab: a body-stream client goes over and back, and its stream begins anew (SPEC 16.13) [seed 7]", () => {
  const lab = new Lab({ game: dragonGame, seed: 7, npcs: 2 });
  const player = lab.joinByPath("p", {
    commandSource: new RandomDragonControls(7),
    network: NETWORK,
    isForAll: true,
    startOnBodyStream: true,
  });
  const { session, link } = player;
  runUntil(lab, () => transportOf(player as never) === "webtransport", 20);
  lab.run(5);
  Object.assign(link.cut, { up: true, down: true });
  runUntil(lab, () => transportOf(player as never) === "websocket", 3);
  lab.run(5);
  assertEquals(
    [session.phase, session.isOnBodyStream, session.stats.desyncs],
    ["playing", true, 0],
    session.closeReason,
  );
  assert(session.definitiveTick > lab.match!.tick - 10);
});

Deno.test("Lab: a server takes back the path of a line that has become good (SPEC 16.14) [seed 8]", () => {
  const lab = new Lab({ game: counterGame, seed: 8, npcs: 0 });
  const commandSource = new RandomCounterControls(8);
  const model = { oneWayMs: 100, jitterMs: 5, loss: 0.01 };
  const player = lab.joinByPath("p", { commandSource, network: model });
  const { session } = player;
  runUntil(lab, () => transportOf(player as never) === "webtransport", 60);
  lab.run(300);
  assertEquals(transportOf(player as never), "webtransport");
  model.loss = 0;
  // Losses are remembered for two minutes; then up to two windows of three minutes follow.
  runUntil(lab, () => transportOf(player as never) === "websocket", 600);
  lab.run(5);
  assertEquals([session.datagrams!.report!.why, session.stats.desyncs], ["the line is good", 0]);
  assertEquals(session.stats.statesAdopted, 1);
});
