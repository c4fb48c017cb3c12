/** A log as pages get it, in the lab: it is the same match in less than half of the bytes. */
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { assert, assertEquals, assertGreater, assertLess } from "@std/assert";
import { deflateRawSync } from "node:zlib";
import { FrameReader } from "../../../../shared/netcode/match_log/frames.ts";
import { recordTypeOf } from "../../../../shared/netcode/match_log/record_coder.ts";
import { replayedLog } from "../../../../shared/netcode/match_log/replayed_log.ts";
import { hashOfSnapshot } from "../../../../shared/netcode/wire/range_coder.ts";
import { MemoryLogs } from "../../../support/logs/memory_logs.ts";
import { Lab } from "../lab.ts";
import { RandomDragonControls } from "../random_controls.ts";
import { compactedLog } from "./played_log.ts";

const NETWORK = { oneWayMs: 60, jitterMs: 20 };
const FAR = { oneWayMs: 110, jitterMs: 5 };
const gameOf = () => dragonGame;

function labOf(seed: number) {
  const logs = new MemoryLogs();
  const lab = new Lab({ game: dragonGame, seed, npcs: 4, logs, deflate: deflateRawSync });
  const join = (i: number, resume?: string) =>
    lab.join(`rider ${i}`, {
      commandSource: new RandomDragonControls(seed * 10 + i),
      network: i === 0 ? FAR : NETWORK,
      ...(resume !== undefined && { resume }),
    });
  return { logs, lab, join };
}

function typesOf(log: Uint8Array): string[] {
  const frames = new FrameReader(log);
  const types = [];
  for (let payload = frames.next(); payload !== undefined; payload = frames.next()) {
    types.push(recordTypeOf(payload));
  }
  assertEquals(frames.fault, undefined);
  return types;
}

function assertSameMatch(compacted: Uint8Array, whole: Uint8Array): void {
  const replayed = replayedLog(compacted, { gameOf });
  const original = replayedLog(whole, { gameOf });
  assertEquals([replayed.error, replayed.fault], [undefined, undefined]);
  assertEquals(replayed.counts.tick, original.counts.tick);
  assertEquals(replayed.replay.tick, original.replay.tick);
  assertEquals(hashOfSnapshot(replayed.replay.snapshot), hashOfSnapshot(original.replay.snapshot));
  assertEquals(
    replayed.replay.state,
    original.replay.state,
    "with everything that is announced beyond",
  );
}

Deno.test("compactedRecords: the log without later states and early records replays to equal hashes (SPEC 15.10) [seed 81]", () => {
  const { logs, lab, join } = labOf(81);
  for (let i = 0; i < 3; i++) join(i);
  lab.run(40);
  const whole = logs.all[0]!.bytes;
  const compacted = compactedLog(whole);
  const types = typesOf(whole);
  assertGreater(types.filter((type) => type === "early").length, 8);
  assertGreater(types.filter((type) => type === "state").length, 3);
  assertEquals(
    typesOf(compacted),
    types.filter((type, i) => type !== "early" && (type !== "state" || i === 1)),
  );
  assertLess(compacted.length, 16_000);
  assertSameMatch(compacted, whole);
  assertEquals(compactedLog(compacted), compacted);
});

Deno.test("compactedRecords: the state of a process that takes over stays, and so does what it alone repeats (SPEC 15.10) [seed 82]", () => {
  const { logs, lab, join } = labOf(82);
  let players = [0, 1, 2].map((i) => join(i));
  lab.run(4);

  // The server dies at different moments of a tick, after some commands were announced early that
  // no tick repeats.
  const KILLS = 12;

  for (let kill = 0; kill < KILLS; kill++) {
    lab.run(2 + kill * 0.0043);
    const tokens = players.map(({ session }) => session.resume!);
    lab.killServer(200);
    players = tokens.map((token, i) => join(i, token));
  }

  lab.run(2);
  const whole = logs.all[0]!.bytes;
  const compacted = compactedLog(whole);
  const types = typesOf(compacted);
  const owners = types.flatMap((type, i) => type === "owner" ? [i] : []);
  assertEquals(owners.length, KILLS);
  for (const i of owners) assertEquals(types[i + 1], "state");
  assertEquals(types.filter((type) => type === "state").length, 1 + KILLS);
  assert(owners.some((i) => types[i - 1] === "early"), "no early record was the last one");
  assertSameMatch(compacted, whole);
});

Deno.test("compactedRecords: a torn log loses its torn record, and no other (SPEC 15.10) [seed 83]", () => {
  const { logs, lab, join } = labOf(83);
  join(0);
  lab.run(10);
  const whole = logs.all[0]!.bytes;
  for (let length = whole.length - 300; length < whole.length; length += 14) {
    const torn = whole.subarray(0, length);
    const compacted = compactedLog(torn);
    assert(new FrameReader(compacted).fault === undefined);
    assertEquals(
      replayedLog(compacted, { gameOf }).replay.state,
      replayedLog(torn, { gameOf }).replay.state,
    );
  }
});
