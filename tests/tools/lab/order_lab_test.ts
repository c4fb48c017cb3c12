import { assert, assertEquals, assertGreater, assertLess, assertThrows } from "@std/assert";
import type { Session } from "../../../client/session/session.ts";
import type { Tick } from "../../../shared/netcode/game.ts";
import { hashOfSnapshot, WireError } from "../../../shared/netcode/wire/range_coder.ts";
import { ProofBook } from "../../../server/match/order/proof_book.ts";
import { Snapshot } from "../../../shared/snapshot.ts";
import { replayedLog } from "../../../shared/netcode/match_log/replayed_log.ts";
import type { DragonCommand, DragonSimulation } from "../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { MemoryLogs } from "../../support/logs/memory_logs.ts";
import { withOtherStates } from "../../support/other_states.ts";
import { counterGame } from "./counter_game.ts";
import { Lab } from "./lab.ts";
import {
  type CounterLab,
  exposureOf,
  joinOrdered,
  labWithLiars,
  orderingLab,
  REFEREE_MS,
} from "./ordering_lab.ts";
import { RandomCounterControls, RandomDragonControls } from "./random_controls.ts";

type DragonLab = Lab<DragonCommand, DragonSimulation>;

const gameOf = (id: string) => id === dragonGame.id ? dragonGame : undefined;

/** The hash of a client's S(tick), which must be in its history. */
function stateHashAt(session: Pick<Session<unknown>, "copyState">, tick: Tick): number {
  const state = new Snapshot();
  assert(session.copyState(tick, state), `tick ${tick}`);
  return hashOfSnapshot(state);
}

type WithSession = { readonly session: Pick<Session<unknown>, "copyState"> };
const hashAt = ({ session }: WithSession, tick: Tick) => stateHashAt(session, tick);

const eventsOf = (lab: Pick<CounterLab, "log">, name: string) =>
  lab.log.filter(({ event }) => event === name).map(({ fields }) => fields);

Deno.test("Lab: a server that only orders commands steps nothing, and all clients have one state, with late commands, rollbacks and NPCs (SPEC 24.1, 24.2, 24.3) [seed 301]", () => {
  const lab = orderingLab(301);
  const players = [1, 2, 3, 4].map((seed) => joinOrdered(lab, seed));
  lab.run(60);
  for (const { controls } of players) controls.isIdle = true;
  lab.run(5);

  assertLess(lab.definitiveHashes.size, 10, "the first state, and some steps to one for the log");
  const tick = lab.match!.tick - 40;
  const hashes = players.map((player) => hashAt(player, tick));
  assertEquals(new Set(hashes).size, 1);
  for (const player of players) {
    const { stats } = player.session;
    assertGreater(stats.rollbacks, 100);
    assertGreater(stats.commandsLate, 0);
    assertEquals(stats.statesAdopted, 1);
    assertEquals(player.session.simulation!.npcSeats.length, 3);
    assertGreater(player.controls.pressTotal, 200);
    const presses = player.session.simulation!.pressesOf(player.session.seat);
    assertEquals(presses, player.controls.pressTotal);
  }
  assertGreater(lab.match!.proofs!.verifiedTick, tick);
  assertEquals(eventsOf(lab, "match_differs"), []);
});

Deno.test("Lab: who joins an ordered match in minute ten has the state of all others within half a second, and the server goes on to step nothing (SPEC 24.4) [seed 302]", () => {
  const lab = orderingLab(302);
  const early = [1, 2].map((seed) => joinOrdered(lab, seed));
  lab.run(600);
  const late = joinOrdered(lab, 3);
  const watcher = joinOrdered(lab, 4, { spectate: true });
  lab.run(0.5);
  assertEquals([late.session.phase, watcher.session.phase], ["playing", "playing"]);
  lab.run(10);
  const tick = lab.match!.tick - 40;
  const hashes = [...early, late, watcher].map((player) => hashAt(player, tick));
  assertEquals(new Set(hashes).size, 1);
  assert(!lab.match!.isSimulated);
});

for (const liars of [1, 5]) {
  Deno.test(`Lab: of eight clients ${liars} compute something else and are named within 2 s, and nobody else is (SPEC 24.5, 24.6) [seed 310]`, () => {
    const { seconds, others } = exposureOf(310, { liars });
    assertGreater(seconds, 0);
    assertLess(seconds, 2);
    assertEquals(others, 0);
  });

  Deno.test(`Lab: of eight clients ${liars} compute something else from their first tick on, and leave after three times; the others feel nothing (SPEC 24.6, 24.7) [seed 303]`, () => {
    const { lab, players } = labWithLiars(303, { liars, fromTick: 0 });
    lab.run(34);
    for (const [i, { session }] of players.entries()) {
      assertEquals(session.closeCode, i < liars ? 4019 : 0);
    }
    const honest = players.slice(liars);
    const tick = lab.match!.tick - 40;
    assertEquals(new Set(honest.map((player) => hashAt(player, tick))).size, 1);
    for (const { session } of honest) assertEquals(session.stats.statesAdopted, 1);
    assertLess(lab.match!.tick - lab.match!.proofs!.verifiedTick, 40);
  });
}

Deno.test("Lab: if the referee is slow, who joins reads why, and the match simulates by itself from then on (SPEC 24.8) [seed 304]", () => {
  let refereeMs = REFEREE_MS;
  const lab = orderingLab(304, { refereeMs: () => refereeMs });
  const early = [1, 2].map((seed) => joinOrdered(lab, seed));
  lab.run(60);
  refereeMs = 2500;
  const late = joinOrdered(lab, 3, { patience: 4 });
  lab.run(4);
  assertEquals(late.session.notice?.text.startsWith("The server is still computing"), true);
  lab.run(20);
  assertEquals(eventsOf(lab, "room_simulated").length, 1);
  assert(lab.match!.isSimulated);
  assert(lab.match!.isSimulated);
  assertEquals(late.session.phase, "playing");
  const tick = lab.match!.tick - 40;
  assertEquals(new Set([...early, late].map((player) => hashAt(player, tick))).size, 1);
});

const DRAGONS_NETWORK = { oneWayMs: 60, jitterMs: 20 };

function dragonLab(seed: number, logs: MemoryLogs, judgesAll: boolean): DragonLab {
  return new Lab({ game: dragonGame, seed, npcs: 6, logs, judgesAll, refereeMs: () => REFEREE_MS });
}

function joinDragons(lab: DragonLab, seeds: readonly number[], resumes: readonly string[] = []) {
  return seeds.map((seed, i) =>
    lab.join(`d${seed}`, {
      commandSource: new RandomDragonControls(seed),
      network: DRAGONS_NETWORK,
      ...resumes[i] !== undefined && { resume: resumes[i] },
    })
  );
}

for (const judgesAll of [false, true]) {
  Deno.test(`Lab: dragons of an ordered match ${judgesAll ? "that is judged" : "that nobody doubts"} go on after kill -9 at the tick that was logged last, seats kept, all in one state, NPCs and contacts included (SPEC 24.9, 24.10) [seed 305]`, () => {
    const logs = new MemoryLogs();
    const lab = dragonLab(305, logs, judgesAll);
    const before = joinDragons(lab, [1, 2, 3]);
    lab.run(45);
    const { tick } = lab.match!;
    const tokens = before.map(({ session }) => session.resume!);
    const seats = before.map(({ session }) => session.seat);
    assertGreater(before[0]!.session.stats.rollbacks, 50);
    lab.killServer(500);
    assertEquals(lab.match!.tick, tick, "no tick is lost");
    const after = joinDragons(lab, [1, 2, 3], tokens);
    lab.run(10);
    assertEquals(after.map(({ session }) => session.seat), seats);
    for (const { session } of after) assert(session.isResumed);
    const common = lab.match!.tick - 30;
    assertEquals(new Set(after.map((player) => stateHashAt(player.session, common))).size, 1);
    assert(!lab.match!.isSimulated);
    assertEquals(eventsOf(lab, "match_differs"), []);

    // The whole log, as a replay and another server read it
    const { error, replay, counts } = replayedLog(logs.all[0]!.bytes, { gameOf });
    assertEquals(error, undefined);
    assertGreater(replay.tick, tick + 150);
    assertGreater(replay.simulation.npcSeats.length, 0);
    // A match that is not judged has only the first states, and those of its tenth second.
    assertEquals(counts.state! > 5, judgesAll);
  });
}

Deno.test("Lab: by datagrams an ordered match has late commands, a latecomer and no difference (SPEC 24.11) [seed 306]", () => {
  const lab = orderingLab(306);
  const network = { oneWayMs: 40, jitterMs: 15, loss: 0.03, duplicated: 0.01, delayed: 0.01 };
  const players = [1, 2].map((seed) =>
    lab.joinByDatagrams(`p${seed}`, { commandSource: new RandomCounterControls(seed), network })
  );
  lab.run(40);
  const late = lab.joinByDatagrams("p3", { commandSource: new RandomCounterControls(3), network });
  lab.run(20);
  assertEquals(late.session.phase, "playing");
  const tick = lab.match!.tick - 40;
  assertEquals(
    new Set([...players, late].map(({ session }) => stateHashAt(session, tick))).size,
    1,
  );
  assertGreater(players[0]!.session.stats.commandsLate, 0);
  assertGreater(lab.match!.proofs!.verifiedTick, tick - 20);
  assertEquals(eventsOf(lab, "match_differs"), []);
});

Deno.test("Lab: a referee that is lost is replaced, and the next one begins at the newest state (SPEC 24.14) [seed 307]", () => {
  let refereeMs = REFEREE_MS;
  const lab = orderingLab(307, { refereeMs: () => refereeMs, judgesAll: true });
  const early = [1, 2].map((seed) => joinOrdered(lab, seed));
  lab.run(60);
  refereeMs = 1e9;
  const unlucky = joinOrdered(lab, 3);
  lab.run(62);
  assertEquals(unlucky.session.phase, "closed");
  assertEquals(eventsOf(lab, "referee_failed").length, 1);

  refereeMs = REFEREE_MS;
  const late = joinOrdered(lab, 4);
  lab.run(10);
  assertEquals(late.session.phase, "playing");
  const tick = lab.match!.tick - 40;
  assertEquals(new Set([...early, late].map((player) => hashAt(player, tick))).size, 1);
  assert(!lab.match!.isSimulated);
});

Deno.test("Lab: a match that nobody doubts is judged when its replay grows long, so it can go on elsewhere (SPEC 24.13) [seed 308]", () => {
  const logs = new MemoryLogs();
  const lab = dragonLab(308, logs, false);
  joinDragons(lab, [1]);
  const stateCount = () => replayedLog(logs.all[0]!.bytes, { gameOf }).counts.state;
  lab.run(9);
  assertEquals(stateCount(), 1);
  lab.run(4);
  assertEquals(stateCount(), 2);
});

Deno.test("Lab: who computes something else and comes back to its seat is still out after three times (SPEC 24.7) [seed 309]", () => {
  const lab = orderingLab(309);
  joinOrdered(lab, 1);
  const liarsGame = withOtherStates(counterGame);
  let liar = joinOrdered(lab, 2, { game: liarsGame });
  lab.run(0.5);
  const liesOf = () => eventsOf(lab, "match_differs").map(({ lies }) => lies);
  for (let tries = 0; tries < 40 && liar.session.closeCode !== 4019; tries++) {
    const seen = liesOf().length;
    for (let i = 0; i < 40 && liesOf().length === seen; i++) lab.run(0.1);
    if (liar.session.phase === "closed") continue;
    const resume = liar.session.resume!;
    liar.serverEnd.close(1006, "cut");
    lab.players.splice(lab.players.indexOf(liar), 1);
    liar = joinOrdered(lab, 2, { game: liarsGame, resume });
  }
  assertEquals(liesOf(), [1, 2, 3]);
});

Deno.test("ProofBook: who takes a proof back breaks the protocol, and one from long ago disputes nothing (SPEC 24.3)", () => {
  const book = new ProofBook<object>();
  const [one, other, late] = [{}, {}, {}];
  for (let tick = 10; tick <= 1_000; tick += 10) book.add(one, { tick, proof: 1 });
  assertThrows(() => book.add(one, { tick: 1_000, proof: 2 }), WireError, "after tick 1000");
  assertEquals([book.add(late, { tick: 20, proof: 7 }), book.disputedTick], [false, -1]);
  book.add(other, { tick: 990, proof: 3 });
  assertEquals(book.disputedTick, 990);
  const truth = [{ tick: 990, proof: 1 }, { tick: 1_000, proof: 1 }];
  assertEquals([...book.judge(truth)], [[other, 990]]);
  assertEquals(book.disputedTick, -1);
});
