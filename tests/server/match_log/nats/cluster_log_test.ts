import { assert, assertEquals, assertGreater, assertLessOrEqual } from "@std/assert";
import { ClusterLog } from "../../../../server/match_log/nats/cluster_log.ts";
import {
  decodeLogMessage,
  encodeLogMessage,
  type LogMessage,
} from "../../../../server/match_log/nats/log_message.ts";
import { FrameReader } from "../../../../shared/netcode/match_log/frames.ts";
import { RecordReader, RecordWriter } from "../../../../shared/netcode/match_log/record_coder.ts";
import { TickStart } from "../../../../shared/netcode/tick_start.ts";
import { packSnapshot } from "../../../../shared/netcode/wire/packed_snapshot.ts";
import { Random } from "../../../../shared/random.ts";
import { VirtualTime } from "../../../support/virtual_time.ts";
import { ModelStore } from "./model_store.ts";

const CODEC = { neutral: 0, code: () => 0, same: () => true };
const SUBJECT = "match.0.game.ABCD";
const NODE = "00000000000000aa";
const RIVAL = "00000000000000bb";
const TICK_MS = 50;
const SNAPSHOT = packSnapshot(new Uint8Array(8), undefined);

const HEADER = {
  gameId: "game",
  rules: undefined,
  room: "ABCD",
  npcs: 0,
  seed: 1,
  choices: [],
  key: undefined,
  startedAt: 1,
  isOrdered: false,
};
const STATE = {
  hash: 1,
  seats: [],
  presence: [],
  announcements: [],
  players: [],
  snapshot: SNAPSHOT,
};

/** As the node does for all of its logs. */
function keepAdvancing(log: ClusterLog, time: VirtualTime): void {
  log.advance();
  time.after(20, () => keepAdvancing(log, time));
}

/** One node's log over the model, with what has come of it. */
function newLog() {
  const time = new VirtualTime();
  const store = new ModelStore(time);
  const writer = new RecordWriter(CODEC, 1);
  const file: Uint8Array[] = [];
  const events: string[] = [];

  /**
   * What it has said of its lateness, and how many ticks were out then that the servers had not.
   */
  const said: { readonly isLate: boolean; readonly sequence: number; readonly out: number }[] = [];
  let nonce = 0n;
  let tick = 0;
  let newestSent = 0;
  const log = new ClusterLog({
    subject: SUBJECT,
    sequence: 0,
    stateAt: 0,
    sentMs: time.now(),
    header: undefined,
    node: NODE,
    file: {
      epoch: 1,
      id: "id",
      isOpen: true,
      leave: () => events.push("left"),
      end: (frame) => void file.push(frame),
      append: (frame) => void file.push(frame.slice()),
    },
    appender: store,
    scheduler: time,
    newNonce: () => ++nonce,
    onFenced: () => events.push("fenced"),
    onEnded: () => events.push("ended"),
    onLate(isLate, sequence) {
      events.push(isLate ? "late" : "in time");
      said.push({ isLate, sequence, out: Math.max(0, newestSent - (ticksIn(store).at(-1) ?? 0)) });
    },
  });
  keepAdvancing(log, time);
  log.append(writer.header(HEADER));
  const start = new TickStart(CODEC);
  const state = (tick: number) => void log.append(writer.state({ tick, ...STATE }, start));
  state(0);

  /**
   * Runs ticks as a room does: none while the last one may not be sent.
   * @returns when each was sent, ms from now
   */
  const play = async (ms: number): Promise<number[]> => {
    const fromMs = time.now();
    const sent: number[] = [];
    let isWaiting = false;
    for (; time.now() < fromMs + ms; await time.pass(TICK_MS)) {
      if (isWaiting) continue;
      start.encode(++tick, { hash: tick, presence: [], announcements: [] });
      const written = log.append(writer.tick({ tick, hash: tick }, start));
      isWaiting = written !== undefined;
      const onSent = () => {
        isWaiting = false;
        newestSent = tick;
        sent.push(time.now() - fromMs);
      };
      if (written === undefined) onSent();
      void written?.then(onSent);
    }
    return sent;
  };
  return {
    time,
    store,
    log,
    file,
    events,
    said,
    play,
    state,
    writer,
    get tick() {
      return tick;
    },
  };
}

/** Another node takes the match over. */
function takeOver(store: ModelStore): void {
  const records = new Uint8Array();
  const begin = undefined;
  const previous = store.newest;
  const stateAt = previous;
  const bytes = encodeLogMessage({
    kind: "take",
    epoch: 2,
    node: RIVAL,
    nonce: 1n << 60n,
    stateAt,
    previous,
    begin,
    records,
  });
  store.append({ subject: SUBJECT, bytes, expected: previous }, () => {});
}

/** The ticks that the servers have, in their order. */
function ticksIn(store: ModelStore): number[] {
  const reader = new RecordReader(CODEC);
  const ticks: number[] = [];
  for (const { message } of store.messages) {
    const frames = new FrameReader(message.records);
    for (let payload = frames.next(); payload !== undefined; payload = frames.next()) {
      const record = reader.read(payload);
      if (record.type === "tick") ticks.push(record.tick);
    }
  }
  return ticks;
}

const upTo = (tick: number) => Array.from({ length: tick }, (_, i) => i + 1);
const gapOf = (sent: readonly number[]) =>
  Math.max(...sent.map((ms, i) => ms - (sent[i - 1] ?? 0)));

Deno.test("ClusterLog: a tick is sent when it is acknowledged, and each message names the one before it (SPEC 17.102, 17.104)", async () => {
  const run = newLog();
  const sent = await run.play(1_000);
  assertEquals(sent.slice(0, 3), [3, 53, 103]);
  assertEquals(ticksIn(run.store), upTo(20));
  run.store.messages.forEach(({ message }, i) => {
    assertEquals(message.previous, run.store.messages[i - 1]?.sequence ?? 0);
  });
  assertEquals(run.events, []);
});

Deno.test("ClusterLog: records that are written while one is on its way go together with the next (SPEC 17.102)", async () => {
  const run = newLog();
  await run.play(100);
  run.store.state = "no leader";
  await run.play(2_000);
  const { length } = run.store.messages;
  run.store.state = "well";
  await run.time.pass(1_000);
  assertLessOrEqual(run.store.messages.length - length, 2);
  assertEquals(ticksIn(run.store), upTo(run.tick));
});

Deno.test("ClusterLog: without a leader ticks go on unconfirmed after 100 ms, for 10 s (SPEC 17.105)", async () => {
  const run = newLog();
  await run.play(1_000);
  run.store.state = "no leader";
  const sent = await run.play(13_000);
  assertLessOrEqual(gapOf(sent), 150, "players see no more than a tenth of a second");
  const last = sent.at(-1)!;
  assertGreater(last, 9_700);
  assertLessOrEqual(last, 10_000);
  run.store.state = "well";
  await run.time.pass(1_000);
  assertEquals([ticksIn(run.store), run.events], [upTo(run.tick), ["late", "in time"]]);
});

Deno.test("ClusterLog: without any answer ticks go on for 0.8 s, and then the match stands still (SPEC 17.105)", async () => {
  const run = newLog();
  await run.play(1_000);
  run.store.state = "silent";
  const sent = await run.play(5_000);
  assertGreater(sent.length, 10);
  assertLessOrEqual(sent.at(-1)!, 800);
  run.store.state = "well";
  const after = await run.play(1_000);
  assertGreater(after.length, 10, "it goes on when the servers are back");
  assertEquals([ticksIn(run.store), run.events], [upTo(run.tick), ["late", "in time"]]);
});

Deno.test("ClusterLog: after 0.8 s without any answer, ticks wait also while there is no leader (SPEC 17.105)", async () => {
  const run = newLog();
  await run.play(500);
  run.store.state = "silent";
  await run.play(2_000);
  run.store.state = "well";
  takeOver(run.store);
  run.store.state = "no leader";
  const sent = await run.play(2_000);
  run.store.state = "well";
  await run.play(500);
  assertEquals([sent, run.events], [[], ["late", "left", "fenced"]]);
});

Deno.test("ClusterLog: it says what was acknowledged before a tick goes out without, and when all that are out are (SPEC 17.200)", async () => {
  const run = newLog();
  await run.play(1_000);
  const acknowledged = run.store.newest;
  run.store.state = "no leader";
  await run.play(500);
  assertEquals(run.said, [{ isLate: true, sequence: acknowledged, out: 0 }]);
  run.store.state = "well";
  await run.play(500);
  const [, inTime, ...more] = run.said;
  assertEquals([inTime?.isLate, inTime?.out, more], [false, 0, []]);
  assert(run.store.messages.some(({ sequence }) => sequence === inTime?.sequence));

  // Ticks that are out while the oldest of them is acknowledged are still out.
  run.store.state = "deaf";
  await run.play(600);
  run.store.state = "well";
  await run.play(500);
  assertEquals(run.said.slice(2).map(({ isLate, out }) => [isLate, out]), [[true, 0], [false, 0]]);
});

Deno.test("ClusterLog: a record whose answer is lost counts once (SPEC 17.103)", async () => {
  const run = newLog();
  await run.play(500);
  run.store.state = "deaf";
  await run.play(700);
  run.store.state = "well";
  await run.play(1_000);
  assertEquals([ticksIn(run.store), run.log.isOpen], [upTo(run.tick), true]);
});

Deno.test("ClusterLog: a node that was cut off while another took its match sends nothing more (SPEC 17.103)", async () => {
  const run = newLog();
  await run.play(500);
  run.store.state = "silent";
  await run.play(900);
  run.store.state = "well";
  takeOver(run.store);
  const { length } = run.store.messages;
  const sent = await run.play(2_000);
  assertEquals([sent, run.store.messages.length, run.log.isOpen], [[], length, false]);
  assertEquals(run.events, ["late", "left", "fenced"]);
});

Deno.test("ClusterLog: a tick is confirmed when it is acknowledged, and never if another node has the match (SPEC 17.104)", async () => {
  const run = newLog();
  const durable: string[] = [];
  await run.play(500);
  assertEquals(run.log.durable(), undefined);
  run.store.state = "no leader";
  await run.play(500);
  void run.log.durable()?.then(() => durable.push("first"));
  await run.time.pass(500);
  assertEquals(durable, []);
  run.store.state = "well";
  await run.time.pass(500);
  assertEquals(durable, ["first"]);
  run.store.state = "silent";
  await run.play(500);
  void run.log.durable()?.then(() => durable.push("second"));
  run.store.state = "well";
  takeOver(run.store);
  await run.play(2_000);
  assertEquals([durable, run.log.isOpen], [["first"], false]);
});

Deno.test("ClusterLog: a log that ends says so in its last message (SPEC 17.102)", async () => {
  const run = newLog();
  await run.play(500);
  run.log.end(run.writer.end(run.tick, "empty"));
  await run.time.pass(100);
  assertEquals([run.store.messages.at(-1)?.message.kind, run.events], ["end", ["ended"]]);
});

Deno.test("ClusterLog: a reader can begin at each message with a state (SPEC 17.108)", async () => {
  const run = newLog();
  await run.play(500);
  run.state(run.tick);
  await run.play(500);
  const { messages } = run.store;
  const newest = messages.at(-1)!.message;
  const at = messages.find(({ sequence }) => sequence === newest.stateAt)!;
  assertEquals(at.message.begin?.id, "id");
  const header = new FrameReader(at.message.begin!.header).next()!;
  const reader = new RecordReader(CODEC);
  assertEquals(reader.read(header).type, "header");
  const state = reader.read(
    new FrameReader(at.message.records, at.message.begin!.stateOffset).next()!,
  );
  assert(state.type === "state" && state.tick === 10);
});

for (let seed = 1; seed <= 40; seed++) {
  Deno.test(`ClusterLog: faults by chance lose and double no tick, seed ${seed} (SPEC 17.103)`, async () => {
    const run = newLog();
    const random = new Random(seed);
    const states = ["well", "no leader", "silent", "deaf", "well"] as const;
    for (let i = 0; i < 30; i++) {
      run.store.state = states[random.below(states.length)]!;
      await run.play(50 + random.below(1_500));
    }
    run.store.state = "well";
    await run.time.pass(2_000);
    assertEquals([ticksIn(run.store), run.log.isOpen], [upTo(run.tick), true]);
  });
}

Deno.test("log messages: what is encoded is decoded, and what is none is refused (SPEC 17.102)", () => {
  const begin = {
    id: "20261125T150738-ABCD-1a2b3c4d",
    header: new Uint8Array([1, 2, 3]),
    stateOffset: 2,
  };
  const message: LogMessage = {
    kind: "records" as const,
    epoch: 3,
    node: "0123456789abcdef",
    nonce: (1n << 64n) - 1n,
    stateAt: 2 ** 40,
    previous: 7,
    begin,
    records: new Uint8Array([4, 5, 6]),
  };
  assertEquals(decodeLogMessage(encodeLogMessage(message)), message);
  assertEquals(
    decodeLogMessage(encodeLogMessage({ ...message, begin: undefined })).begin,
    undefined,
  );
  const bytes = encodeLogMessage(message);

  for (let length = 0; length < bytes.length; length++) {
    try {
      decodeLogMessage(bytes.subarray(0, length));
    } catch (error) {
      assertEquals((error as Error).name, "LogMessageError");
    }
  }
});
