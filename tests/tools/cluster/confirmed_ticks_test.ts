/**
 * Tests how a cluster's run is judged: an unconfirmed tick may be discarded, and a confirmed one
 * that is lost or changed is found.
 */
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { assertEquals, assertGreater } from "@std/assert";
import type { MessageKind } from "../../../server/match_log/nats/log_message.ts";
import type { StoredMessage } from "../../../server/match_log/nats/record_store.ts";
import type { Tick } from "../../../shared/netcode/game.ts";
import { FrameReader } from "../../../shared/netcode/match_log/frames.ts";
import { RecordWriter } from "../../../shared/netcode/match_log/record_coder.ts";
import { TickStart } from "../../../shared/netcode/tick_start.ts";
import { packSnapshot } from "../../../shared/netcode/wire/packed_snapshot.ts";
import { MemoryLogs } from "../../support/logs/memory_logs.ts";
import { replayedHashes } from "../../support/logs/replayed_hashes.ts";
import { Lab } from "../lab/lab.ts";
import { RandomDragonControls } from "../lab/random_controls.ts";
import { type Evidence, type Had, type HadTick, judge } from "./confirmed_ticks.ts";

const FIRST = "00000000000000aa";
const SECOND = "00000000000000bb";
const ID = "20261125T130000-BOTS-0123abcd";

/** The hash that a tick gets from an owner. */
const hashOf = (tick: number, epoch: number) => 1_000 * epoch + tick;

/** A message that the log's servers keep. @param sequence counts from 1 */
function messageOf(
  sequence: number,
  own: Pick<StoredMessage["message"], "kind" | "node" | "epoch" | "records">,
): StoredMessage {
  const message = {
    ...own,
    stateAt: 0,
    previous: sequence - 1,
    nonce: BigInt(sequence),
    begin: undefined,
  };
  return { subject: "match.0.dragons.BOTS", sequence, message };
}

/**
 * A match that the first node plays up to tick 10, and that the second one then takes and plays up
 * to tick 20. Each tick has a message. Sequences count from 1: the claim, the state of tick 0, ten
 * ticks, the take, and ten ticks.
 */
function logOfTwo(): StoredMessage[] {
  const messages: StoredMessage[] = [];
  const start = new TickStart(dragonGame.command);
  const write = (
    kind: MessageKind,
    { node, epoch }: { node: string; epoch: number },
    records: Uint8Array,
  ) => {
    const message = { kind, node, epoch, records: records.slice() };
    messages.push(messageOf(messages.length + 1, message));
  };
  const play = (
    owner: { node: string; epoch: number },
    { from, to }: { from: number; to: number },
  ) => {
    const writer = new RecordWriter(dragonGame.command, owner.epoch);
    for (let tick = from; tick <= to; tick++) {
      const hash = hashOf(tick, owner.epoch);
      start.encode(tick, { hash, presence: [], announcements: [] });
      write("records", owner, writer.tick({ tick, hash }, start));
    }
  };

  const first = { node: FIRST, epoch: 1 };
  const second = { node: SECOND, epoch: 2 };
  write("claim", first, new Uint8Array());
  const writer = new RecordWriter(dragonGame.command, 1);
  const snapshot = packSnapshot(new Uint8Array(8), undefined);
  const state = {
    tick: 0,
    hash: 1,
    seats: [],
    presence: [],
    announcements: [],
    players: [],
    snapshot,
  };
  write("records", first, writer.state(state, start));
  play(first, { from: 1, to: 10 });
  write("take", second, new Uint8Array());
  play(second, { from: 11, to: 20 });
  return messages;
}

/** What a client received from a node that played in an epoch. */
function had(node: string, { epoch, from, to }: { epoch: number; from: number; to: number }): Had {
  const ticks = Array.from({ length: to - from + 1 }, (_, i) => from + i);
  return {
    who: "bot 0",
    node,
    ticks: ticks.map((tick) => ({ tick, hash: hashOf(tick, epoch), atMs: 0, part: "pauses" })),
  };
}

function verdictOn({ output = "", ...evidence }: Partial<Evidence> & { output?: string }) {
  const outputs = new Map([[FIRST, output], [SECOND, ""]]);
  const { parts, lostMessages, lines } = judge({
    messages: logOfTwo(),
    had: [],
    outputs,
    shown: [],
    ...evidence,
  });
  const { compared, lost, changed, discardedTicks } = parts.get("pauses") ??
    { compared: 0, lost: 0, changed: 0, discardedTicks: 0 };
  return { compared, lost, changed, discardedTicks, lostMessages, faults: lines.length };
}

const late = (acknowledged: number) =>
  `2026-11-25T13:00:00.000Z info log_late id=${ID} room=BOTS acknowledged=${acknowledged}\n`;
const inTime = (acknowledged: number) =>
  `2026-11-25T13:00:01.000Z info log_in_time id=${ID} room=BOTS acknowledged=${acknowledged}\n`;
const fenced = `2026-11-25T13:00:02.000Z info match_fenced id=${ID} room=BOTS\n`;
const NOTHING = { lost: 0, changed: 0, discardedTicks: 0, lostMessages: 0, faults: 0 };

Deno.test("judge: ticks that the log has are kept, whoever plays on (SPEC 17.104)", () => {
  const both = [
    had(FIRST, { epoch: 1, from: 1, to: 10 }),
    had(SECOND, { epoch: 2, from: 11, to: 20 }),
  ];
  assertEquals(verdictOn({ had: both }), { ...NOTHING, compared: 20 });
});

Deno.test("judge: ticks of a node that said its log is late are void, though its newest message is newer (SPEC 17.106, 17.200)", () => {
  const had3 = [had(FIRST, { epoch: 1, from: 1, to: 13 })];
  // Message 10 holds tick 8, so ticks 9 and 10 were acknowledged while the log was late.
  for (const output of [late(10), late(10) + fenced, late(4) + inTime(5) + late(12)]) {
    assertEquals(
      verdictOn({ had: had3, output }),
      { ...NOTHING, compared: 13, discardedTicks: 3 },
      output,
    );
  }
});

Deno.test("judge: a tick that a node sent as confirmed is changed or lost, if the log has it not (SPEC 17.104, 17.200)", () => {
  const had3 = [had(FIRST, { epoch: 1, from: 1, to: 13 })];
  const changed = { ...NOTHING, compared: 13, changed: 3, faults: 3 };
  assertEquals(verdictOn({ had: had3 }), changed);

  // It was late before, and since then every tick that it sent was acknowledged.
  assertEquals(verdictOn({ had: had3, output: late(4) + inTime(9) }), changed);

  // Its lateness excuses no tick that the servers keep from it.
  const other = had(FIRST, { epoch: 3, from: 9, to: 10 });
  assertEquals(verdictOn({ had: [other], output: late(10) }), {
    ...NOTHING,
    compared: 2,
    changed: 2,
    faults: 2,
  });

  // Nor a tick from another node, nor one that came so late that the match had to stand still.
  const ofSecond = had(SECOND, { epoch: 1, from: 11, to: 11 });
  assertEquals(verdictOn({ had: [ofSecond], output: late(10) }), {
    ...NOTHING,
    compared: 1,
    changed: 1,
    faults: 1,
  });
  const far = had(FIRST, { epoch: 1, from: 210, to: 212 });
  assertEquals(verdictOn({ had: [far], output: late(10) }), {
    ...NOTHING,
    compared: 3,
    discardedTicks: 1,
    lost: 2,
    faults: 2,
  });
});

Deno.test("judge: a tick that the next owner has played again is lost, though it is the same (SPEC 17.104)", () => {
  const own = had(FIRST, { epoch: 1, from: 5, to: 10 });
  const again = had(FIRST, { epoch: 2, from: 11, to: 12 });
  const connection = { ...own, ticks: [...own.ticks, ...again.ticks] };
  assertEquals(verdictOn({ had: [connection] }), { ...NOTHING, compared: 8, lost: 2, faults: 2 });
  assertEquals(verdictOn({ had: [connection], output: late(12) }), {
    ...NOTHING,
    compared: 8,
    discardedTicks: 2,
  });
  // The second node's clients begin with the state that it took over.
  const next = had(SECOND, { epoch: 2, from: 11, to: 12 });
  const begin = had(SECOND, { epoch: 1, from: 10, to: 10 });
  const joined = { ...next, ticks: [...begin.ticks, ...next.ticks] };
  assertEquals(verdictOn({ had: [joined] }), { ...NOTHING, compared: 3 });
});

Deno.test("judge: a node's late end excuses no tick of its later time as the owner (SPEC 17.104)", () => {
  // The second node was late when it owned the match before, which ended with tick 10.
  const outputs = new Map([[SECOND, late(12) + fenced]]);
  const messages = logOfTwo();
  const earlier = messages.map((each) =>
    each.sequence > 12 ? each : { ...each, message: { ...each.message, node: SECOND } }
  );
  const kept = had(SECOND, { epoch: 2, from: 11, to: 14 });
  const wrong = had(SECOND, { epoch: 1, from: 15, to: 16 });
  const connection = { ...kept, ticks: [...kept.ticks, ...wrong.ticks] };
  const { changed, discardedTicks } = verdictOn({ messages: earlier, outputs, had: [connection] });
  assertEquals([changed, discardedTicks], [2, 0]);
});

Deno.test("judge: a message that was acknowledged or shown, and is another or gone, is lost (SPEC 17.104)", () => {
  assertEquals(verdictOn({ output: late(99) }), {
    ...NOTHING,
    compared: 0,
    lostMessages: 1,
    faults: 1,
  });
  const shown = [{ sequence: 3, nonce: 3n }, { sequence: 4, nonce: 5n }, {
    sequence: 98,
    nonce: 98n,
  }];
  assertEquals(verdictOn({ shown }), { ...NOTHING, compared: 0, lostMessages: 2, faults: 2 });
});

/** A match of dragons that the first node only orders, each record in a message of its own. */
function orderedLog(): { messages: StoredMessage[]; hashes: ReadonlyMap<Tick, number> } {
  const logs = new MemoryLogs();
  const lab = new Lab({ game: dragonGame, seed: 5, npcs: 2, logs, refereeMs: () => 5 });
  const network = { oneWayMs: 40, jitterMs: 5 };
  lab.join("Ash", { commandSource: new RandomDragonControls(5), network });
  lab.run(2);

  const { bytes } = logs.all[0]!;
  const frames = new FrameReader(bytes);
  const messages: StoredMessage[] = [];
  for (let from = 0; frames.next() !== undefined; from = frames.offset) {
    messages.push(messageOf(messages.length + 1, {
      kind: messages.length === 0 ? "claim" : "records",
      node: FIRST,
      epoch: 1,
      records: bytes.slice(from, frames.offset),
    }));
  }
  return { messages, hashes: replayedHashes(bytes, dragonGame) };
}

Deno.test("judge: the ticks of a match that a node only orders are what a replay of the log has (SPEC 17.104, 24.9) [seed 5]", () => {
  const { messages, hashes } = orderedLog();
  const ticks = [...hashes].map(([tick, hash]) => ({ tick, hash, atMs: 0, part: "pauses" }));
  assertGreater(ticks.length, 20);
  const hadOf = (ticks: readonly HadTick[]): Had => ({ who: "bot 0", node: FIRST, ticks });
  const kept = { ...NOTHING, compared: ticks.length };
  assertEquals(verdictOn({ messages, had: [hadOf(ticks)] }), kept);

  const wrong = ticks.map((each) => each.tick === 12 ? { ...each, hash: each.hash ^ 1 } : each);
  assertEquals(verdictOn({ messages, had: [hadOf(wrong)] }), { ...kept, changed: 1, faults: 1 });
});
