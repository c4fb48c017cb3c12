import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { assert, assertEquals } from "@std/assert";
import { type EndedMatch, EndedMatches } from "../../../../server/results/shared/ended_matches.ts";
import { SharedMatches } from "../../../../server/results/shared/shared_matches.ts";
import { FileLogs } from "../../../../server/match_log/file_logs.ts";
import { LogArchive } from "../../../../server/match_log/log_archive.ts";
import { MatchArchive } from "../../../../server/match_log/match_archive.ts";
import type { LogMessage } from "../../../../server/match_log/nats/log_message.ts";
import {
  type LastOutcome,
  type StoredMessage,
  subjectOf,
} from "../../../../server/match_log/nats/record_store.ts";
import {
  encodeResult,
  type SharedEnd,
  type SharedRules,
} from "../../../../server/results/result_message.ts";
import type { StoredLog } from "../../../../server/results/results_file.ts";
import { FrameReader, FrameWriter } from "../../../../shared/netcode/match_log/frames.ts";
import { unpackedLog } from "../../../../shared/netcode/match_log/packed_log.ts";
import { recordTypeOf, RecordWriter } from "../../../../shared/netcode/match_log/record_coder.ts";
import { headerOf, replayedLog } from "../../../../shared/netcode/match_log/replayed_log.ts";
import { packedLog, playedLog } from "../../../tools/lab/logs/played_log.ts";
import { TemporaryData } from "../../../support/logs/temporary_data.ts";

const { bytes: LOG, lastTick } = playedLog({ seed: 181, seconds: 12 });
const ID = "20261125T120000-LABS-0123abcd";
const SUBJECT = subjectOf(dragonGame.id, "LABS");
const GAMES = { dragons: { id: dragonGame.id, tickHz: 20 } };
const NO_MATCH = { status: 404, reason: "There is no such match." } as const;
const pause = () => Promise.resolve();

/** The frames of a log, those of each message together. */
function partsOf(log: Uint8Array, frames: number): Uint8Array[][] {
  const reader = new FrameReader(log);
  const all: Uint8Array[] = [];
  for (let from = 0; reader.next() !== undefined; from = reader.offset) {
    all.push(log.subarray(from, reader.offset));
  }
  return Array.from(
    { length: Math.ceil(all.length / frames) },
    (_, i) => all.slice(i * frames, (i + 1) * frames),
  );
}

/** The messages of a match as its owner writes them, after its claim. */
function messagesOf(log: Uint8Array, framesEach = 5): StoredMessage[] {
  const header = log.subarray(0, partsOf(log, 1)[0]![0]!.length);
  const common = { epoch: 1, node: "00000000000000aa", nonce: 1n, stateAt: 0 };
  const messages: LogMessage[] = [{
    ...common,
    kind: "claim",
    previous: 0,
    begin: undefined,
    records: new Uint8Array(),
  }];

  for (const frames of partsOf(log, framesEach)) {
    const at = frames.findLastIndex((frame) => recordTypeOf(frame.subarray(8)) === "state");
    const stateOffset = frames.slice(0, Math.max(0, at)).reduce(
      (sum, { length }) => sum + length,
      0,
    );
    const records = new Uint8Array(frames.flatMap((frame) => [...frame]));
    const previous = 10 * messages.length;
    const begin = at < 0 ? undefined : { id: ID, header, stateOffset };
    messages.push({ ...common, kind: "records", previous, begin, records });
  }

  messages[messages.length - 1] = { ...messages.at(-1)!, kind: "end" };
  return messages.map((message, i) => ({ subject: SUBJECT, sequence: 10 * (i + 1), message }));
}

/** A node whose servers, archive and results may fail. */
async function openNode(
  data: TemporaryData,
  { messages = messagesOf(LOG), archive: keeps = true } = {},
) {
  const state = {
    messages,
    failures: 0,
    purged: [] as number[],
    ends: [] as SharedEnd[],
    rules: [] as SharedRules[],
    waits: 0,
  };
  const fail = () => state.failures > 0 && state.failures-- > 0;
  const files = FileLogs.open({
    folder: data.folder,
    sync: "off",
    clock: { now: () => 0 },
    log: () => {},
  });
  const folder = `${data.folder}/archive`;
  const advertised: string[] = [];
  const log = (event: string) => void advertised.push(event);
  const archive = LogArchive.open({
    folder,
    bytesMax: 1 << 30,
    clock: { now: () => Date.now() },
    log,
  });
  const store = {
    readMatch: () => Promise.resolve(fail() ? undefined : state.messages),
    lastOnce: (): Promise<LastOutcome> => Promise.resolve(state.messages.at(-1) ?? "none"),
    purge: (_: string, upTo: number) => Promise.resolve(void state.purged.push(upTo)),
  };
  const put = (bytes: Uint8Array<ArrayBuffer>) =>
    fail() ? Promise.reject(new Error("planted")) : archive.put(bytes);
  const wait = () => Promise.resolve(void state.waits++);
  const results = {
    append(message: SharedEnd | SharedRules) {
      encodeResult(message);
      if (message.kind === "end") state.ends.push(message);
      else state.rules.push(message);
      return Promise.resolve(true);
    },
  };
  const ended = new EndedMatches({
    store,
    files,
    results,
    games: GAMES,
    unixClock: { now: () => 1_700_000_000_999 },
    wait,
    pause,
    log,
    archive: keeps ? { put } : undefined,
  });
  const finish = async (more: Partial<EndedMatch> = {}) => {
    ended.finish({ subject: SUBJECT, sequence: state.messages.at(-1)?.sequence ?? 10, ...more });
    await ended.idle;
  };
  const index = {
    log: (id: string) => index.logs().find((each) => each.id === id),
    logs: (): StoredLog[] =>
      state.ends.map(({ match: id, game, room, log }) => {
        const rules = state.rules.find(({ match }) => match === id);
        return { id, game, room, ...log!, gameId: rules?.gameId ?? null };
      }),
  };
  const own = new MatchArchive({ folders: [data.folder], games: GAMES, pause });
  const matches = new SharedMatches({
    index,
    archive: keeps ? archive : undefined,
    store,
    own,
    games: GAMES,
    clock: { now: () => 0 },
    wait,
    pause,
  });
  await pause();
  return { state, ended, finish, files, matches, advertised, close: () => files.close() };
}

Deno.test("EndedMatches: the log is archived, the end is among the results, and then the servers forget it (SPEC 17.182, 17.184) [seed 181]", async () => {
  using data = await TemporaryData.make();
  const { state, finish, matches, advertised, close } = await openNode(data);
  await finish();
  const [end] = state.ends;
  assertEquals({ ...end, log: { ...end!.log, hash: "" } }, {
    kind: "end",
    match: ID,
    game: "dragons",
    room: "LABS",
    at: 1_700_000_000,
    reason: "empty",
    log: { startedAt: headerOf(LOG).startedAt, ticks: lastTick, players: 2, hash: "" },
  });
  assertEquals(state.rules.map(({ match, gameId }) => [match, gameId]), [[ID, dragonGame.id]]);
  assertEquals([state.purged, advertised], [[state.messages.at(-1)!.sequence], []]);
  assertEquals(await matches.log(ID), { status: 200, bytes: packedLog(LOG) });
  const list = await matches.list("dragons");
  assertEquals(list.status === 200 && list.matches.map(({ id, tickHz }) => [id, tickHz]), [[
    ID,
    20,
  ]]);
  assertEquals([(await matches.list("puck")).status, (await matches.log("../x")).status], [
    404,
    404,
  ]);
  await close();
});

Deno.test("SharedMatches: a match of older rules is listed with their id, at every node (SPEC 15.11, 17.182) [seed 181]", async () => {
  using data = await TemporaryData.make();
  const { state, finish, matches, close } = await openNode(data);
  await finish();
  const rulesOf = async () => {
    const list = await matches.list();
    return list.status === 200 && list.matches.map(({ id, otherRules }) => [id, otherRules]);
  };
  assertEquals(await rulesOf(), [[ID, undefined]]);

  // Its rules have another id by now, or the node that ended it did not say which they were
  state.rules[0] = { ...state.rules[0]!, gameId: "dragons-1" };
  assertEquals(await rulesOf(), [[ID, "dragons-1"]]);
  state.rules = [];
  assertEquals(await rulesOf(), [[ID, undefined]]);
  await close();
});

Deno.test("EndedMatches: servers and archives that fail for seconds cost time; one that fails longer costs the archived log (SPEC 17.184) [seed 181]", async () => {
  using data = await TemporaryData.make();
  const { state, ended, finish, matches, advertised, close } = await openNode(data);
  state.failures = 8;
  await finish();
  assertEquals([state.ends.length, state.ends[0]!.log!.hash?.length, state.waits], [1, 64, 8]);
  state.failures = 1_000;
  data.write(`${ID}.log`, LOG);
  await finish({ file: { id: ID, isWhole: true } });
  assertEquals([state.ends[1]!.log!.hash, ended.notArchived], [null, 1]);

  // The next one does not wait for it.
  state.waits = 0;
  await finish({ file: { id: ID, isWhole: true } });
  assertEquals([state.waits, state.purged.length, new Set(advertised)], [
    0,
    3,
    new Set(["match_not_archived"]),
  ]);

  // This node still has the log.
  state.ends.shift();
  const own = await matches.log(ID);
  assertEquals(own.status === 200 && own.bytes, packedLog(LOG));
  await close();
});

Deno.test("EndedMatches: a file with the end alone becomes whole; one that is whole is not read again (SPEC 17.182) [seed 181]", async () => {
  using data = await TemporaryData.make();
  const { state, finish, close } = await openNode(data, { archive: false });
  data.write(`${ID}.log`, LOG.subarray(0, 10));
  await finish({ file: { id: ID, isWhole: false } });
  assertEquals(data.read(`${ID}.log`), LOG);
  state.messages = [];
  await finish({ file: { id: ID, isWhole: true } });
  assertEquals(state.ends.map(({ log }) => [log?.ticks, log?.hash]), [[lastTick, null], [
    lastTick,
    null,
  ]]);
  await close();
});

Deno.test("EndedMatches: the log that a full disk has cut is archived from the servers, and becomes whole here (SPEC 15.45) [seed 181]", async () => {
  using data = await TemporaryData.make();
  const { state, finish, advertised, close } = await openNode(data);
  data.write(`${ID}.bad`, LOG.subarray(0, LOG.length >> 1));
  await finish({ file: { id: ID, isWhole: true } });
  assertEquals([state.ends[0]!.log!.ticks, state.ends[0]!.log!.hash?.length, advertised], [
    lastTick,
    64,
    [],
  ]);
  assertEquals([data.names(), data.read(`${ID}.log`)], [[`${ID}.log`, "archive"], LOG]);
  await close();
});

Deno.test("EndedMatches: nothing of a private match is for others, nor of one that another node has finished (SPEC 17.184) [seed 181]", async () => {
  using data = await TemporaryData.make();
  const { type: _, version: __, ...header } = headerOf(LOG);
  const [first] = partsOf(LOG, 1);
  const key = "0123456789abcdef0123456789abcdef";
  const own = new RecordWriter(dragonGame.command, 1).header({ ...header, key }).slice();
  const log = new Uint8Array([...own, ...LOG.subarray(first![0]!.length)]);
  const { state, finish, matches, close } = await openNode(data, { messages: messagesOf(log) });
  assertEquals(await matches.log(ID), NO_MATCH);
  await finish();
  assertEquals([state.ends, state.purged.length], [[], 1]);
  state.messages = [];
  await finish();
  assertEquals([state.ends, state.purged.length], [[], 1]);
  await close();
});

Deno.test("EndedMatches: a file that was changed is none; a log that is none has an end without a log (SPEC 17.184) [seed 181]", async () => {
  using data = await TemporaryData.make();
  const { state, finish, matches, advertised, close } = await openNode(data);
  const file = { id: ID, isWhole: true };
  const middle = LOG.length >> 1;
  data.write(`${ID}.log`, LOG.with(middle, LOG[middle]! ^ 1));
  await finish({ file });
  assertEquals(
    [state.ends.pop()!.log!.ticks, advertised],
    [lastTick, []],
    "it is read from the servers",
  );
  const frame = new FrameWriter().frame(new Uint8Array([255, 255, 255, 255])).slice();
  const { message, ...place } = state.messages.at(-1)!;
  const records = new Uint8Array([...message.records, ...frame]);
  state.messages = state.messages.with(-1, { ...place, message: { ...message, records } });
  assertEquals((await matches.log(ID)).status, 500);
  data.write(`${ID}.log`, new Uint8Array([...LOG, ...frame]));
  await finish({ file, reason: "damaged" });
  const ends = state.ends.map(({ log, reason }) => [log, reason]);
  assertEquals([ends, advertised], [[[null, "damaged"]], [
    "match_log_damaged",
    "match_log_damaged",
  ]]);
  await close();
});

Deno.test("SharedMatches: a match that goes on is served from the servers' records, at most ten seconds old (SPEC 17.183) [seed 181]", async () => {
  using data = await TemporaryData.make();
  const { state, matches, close } = await openNode(data);
  const all = state.messages;
  state.messages = all.slice(0, -4);
  const { status, ...served } = await matches.log(ID);
  const so = new Uint8Array(state.messages.flatMap(({ message }) => [...message.records]));
  assertEquals([status, "bytes" in served && served.bytes], [200, packedLog(so)]);
  state.messages = all;
  const again = await matches.log(ID);
  assert(again.status === 200 && "bytes" in served);
  assertEquals(again.bytes, served.bytes, "it is not read twice within ten seconds");
  assertEquals(await matches.log(ID.replace("LABS", "CROW")), NO_MATCH);

  // The servers keep records for two hours: an older match begins with the oldest state there.
  using otherData = await TemporaryData.make();
  const other = await openNode(otherData, { messages: all.slice(3) });
  const older = await other.matches.log(ID);
  assert(older.status === 200);
  const { firstTick, error, replay } = replayedLog(unpackedLog(older.bytes, Infinity), {
    gameOf: () => dragonGame,
  });
  assertEquals([firstTick, error, replay.tick], [200, undefined, lastTick]);

  // A match whose first message has more than one state, because the servers were away, is whole
  // all the same.
  using thirdData = await TemporaryData.make();
  const third = await openNode(thirdData, { messages: messagesOf(LOG, 10_000) });
  assertEquals(await third.matches.log(ID), {
    status: 200,
    bytes: packedLog(LOG),
    isGrowing: true,
  });
  await third.close();
  await other.close();
  await close();
});
