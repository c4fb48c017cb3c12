import { assert, assertEquals, assertGreater, assertLess, assertLessOrEqual } from "@std/assert";
import { dragonGame } from "../../shared/dragons/game.ts";
import { Snapshot } from "../../shared/snapshot.ts";
import { Lab } from "./lab.ts";
import { RandomRider } from "./riders.ts";

const LINE = { oneWayMs: 75, jitterMs: 5 };

Deno.test("Lab: one wrong bit in one client's state is found, healed, and stays healed (SPEC 4.1, 4.2) [seed 41]", () => {
  const lab = new Lab({ game: dragonGame, seed: 41, npcs: 2 });
  const riders = [1, 2].map((seed) => new RandomRider(seed));
  const [victim, other] = riders.map((controls, i) => lab.join(`p${i}`, { controls, line: LINE }));
  lab.run(10);
  // With nobody pressing anything there are no rollbacks, which would wipe the wrong state out before anybody saw it.
  for (const rider of riders) rider.resting = true;
  lab.run(2);
  const { session } = victim!;
  const snapshot = new Snapshot();
  session.simulation!.save(snapshot);
  // The place of the first dragon, one unit in the last place: far too little to see.
  const word = wordOf(snapshot, session.simulation!.dragons[0]!.x);
  snapshot.words[word]! ^= 1;
  session.simulation!.load(snapshot);

  const statesBefore = session.counts.statesAdopted;
  let outOfStepTicks = 0;
  lab.run(3, () => outOfStepTicks += session.inStep ? 0 : 1);
  assertGreater(session.counts.desyncs, 0);
  assertGreater(session.counts.statesAdopted, statesBefore);
  assert(session.inStep);
  // Noticed at the first hash, told, and the state is back: three ticks and a round trip.
  assertLessOrEqual(outOfStepTicks, 3 + Math.ceil(2 * (LINE.oneWayMs + 20) / 50));
  const { desyncs } = session.counts;
  lab.run(20);
  assertEquals(session.counts.desyncs, desyncs);
  assertEquals(other!.session.counts.desyncs, 0);
  assertEquals(other!.session.counts.statesAdopted, 1);
});

function wordOf(snapshot: Snapshot, value: number): number {
  const word = snapshot.floats.subarray(0, snapshot.length).indexOf(Math.fround(value));
  assertGreater(word, 0);
  return word;
}

Deno.test("Lab: a page that sleeps for ten seconds plays again at once, without old commands (SPEC 4.5) [seed 42]", () => {
  const lab = new Lab({ game: dragonGame, seed: 42, npcs: 2 });
  const [sleeper, other] = [1, 2].map((seed) => lab.join(`p${seed}`, { controls: new RandomRider(seed), line: LINE }));
  lab.run(10);
  const sentBefore = sleeper!.session.counts.commandsSent;
  const sleeping = lab.players.splice(0, 1);
  // Its socket still receives while its page does nothing.
  for (let i = 0; i < 200; i++) {
    lab.run(0.05);
    sleeping[0]!.link.advance(lab.nowMs);
  }
  assertEquals(sleeper!.session.counts.commandsSent, sentBefore);
  const lateBefore = lab.rooms.matchOf("LABS")!.counts.commandsLate;
  lab.players.unshift(...sleeping);
  lab.run(0.5);
  assert(sleeper!.session.inStep);
  assertGreater(sleeper!.session.head, sleeper!.session.definitiveTick);
  assertLess(lab.rooms.matchOf("LABS")!.counts.commandsLate - lateBefore, 6);
  lab.run(5);
  assertEquals(sleeper!.session.counts.desyncs, 0);
  assertEquals(other!.session.counts.desyncs, 0);
});

Deno.test("Lab: a line that is silent for three seconds: the client waits 32 ticks ahead, then plays on (SPEC 4.6) [seed 43]", () => {
  const lab = new Lab({ game: dragonGame, seed: 43, npcs: 2 });
  const [cut, other] = [1, 2].map((seed) => lab.join(`p${seed}`, { controls: new RandomRider(seed), line: LINE }));
  lab.run(10);
  const [player] = lab.players.splice(0, 1);
  const { session } = cut!;
  const received = session.definitiveTick;
  for (let i = 0; i < 60; i++) {
    lab.run(0.05);
    session.advance();
  }
  assertEquals(session.definitiveTick, received);
  assertEquals(session.head, received + 32);
  lab.players.unshift(player!);
  lab.run(5);
  assert(session.inStep);
  assertGreater(session.head, session.definitiveTick);
  assertEquals(session.counts.desyncs, 0);
  assertEquals(other!.session.counts.desyncs, 0);
});
