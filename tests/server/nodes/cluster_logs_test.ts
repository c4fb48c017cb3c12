/**
 * The logs of a node's rooms over the model of the servers: what becomes of a room between two
 * matches.
 */
import { assertEquals } from "@std/assert";
import { ClusterLogs } from "../../../server/nodes/cluster_logs.ts";
import type { EndedMatch } from "../../../server/results/shared/ended_matches.ts";
import type { MatchLog } from "../../../server/match/match_recorder.ts";
import type { OwnFile } from "../../../server/match_log/nats/cluster_log.ts";
import { RecordStore, subjectOf } from "../../../server/match_log/nats/record_store.ts";
import { RecordWriter } from "../../../shared/netcode/match_log/record_coder.ts";
import { TickStart } from "../../../shared/netcode/tick_start.ts";
import { packSnapshot } from "../../../shared/netcode/wire/packed_snapshot.ts";
import { ModelServers } from "../../tools/hunt/cluster/model_servers.ts";
import { VirtualTime } from "../../support/virtual_time.ts";

const GAME = "game";
const ROOM = "ABCD";
const NODE = "00000000000000aa";
const CODEC = { neutral: 0, code: () => 0, same: () => true };

/** A node's logs, and how often a match has ended. */
function newLogs() {
  const time = new VirtualTime();
  const servers = new ModelServers({ time, seed: 7 });
  const store = new RecordStore(servers.connect((action) => action()));
  const ended: EndedMatch[] = [];
  const moved: string[] = [];
  const logs = new ClusterLogs({
    node: NODE,
    store,
    files: {
      begin: (room, epoch) => fileOf(`${room}-${epoch}`, epoch),
      adopt: (id, { epoch }) => fileOf(id, epoch),
    },
    scheduler: time,
    clock: time,
    log: () => {},
    onEnded: (match) => ended.push(match),
  });
  logs.attach({ forget: (_, room) => moved.push(room) });

  /** The outcome of something that the servers answer. */
  const inTime = async <Outcome>(outcome: Promise<Outcome>): Promise<Outcome> => {
    await time.pass(20);
    return await outcome;
  };
  const subject = subjectOf(GAME, ROOM);
  const claimed = async () =>
    await inTime(logs.enter(GAME, ROOM, await inTime(store.lastOnce(subject))));
  return { time, servers, store, subject, logs, ended, moved, inTime, claimed };
}

function fileOf(id: string, epoch: number): OwnFile {
  return { id, epoch, isOpen: true, append: () => undefined, end() {}, leave() {} };
}

/** Writes the first records of a match. */
function begin(log: MatchLog): void {
  const writer = new RecordWriter(CODEC, log.epoch);
  const snapshot = packSnapshot(new Uint8Array(8), undefined);
  const header = {
    gameId: GAME,
    rules: undefined,
    room: ROOM,
    npcs: 0,
    seed: 1,
    choices: [],
    key: undefined,
    startedAt: 1,
    isOrdered: false,
  };
  log.append(writer.header(header));
  const state = {
    tick: 0,
    hash: 1,
    seats: [],
    presence: [],
    announcements: [],
    players: [],
    snapshot,
  };
  log.append(writer.state(state, new TickStart(CODEC)));
}

function end(log: MatchLog): void {
  log.end(new RecordWriter(CODEC, log.epoch).end(0, "empty"));
}

Deno.test("ClusterLogs: players who come into a new room at the same time share one claim (SPEC 17.203)", async () => {
  const { time, logs, inTime, subject, store } = newLogs();
  const last = await inTime(store.lastOnce(subject));
  // One more comes with what it has read before, when the match has begun.
  const claims = [logs.enter(GAME, ROOM, last), logs.enter(GAME, ROOM, last)];
  await time.pass(20);
  const log = logs.create(ROOM, GAME);
  begin(log);
  claims.push(logs.enter(GAME, ROOM, last));
  assertEquals(await Promise.all(claims), [true, true, true]);
  await time.pass(500);
  assertEquals([log.isOpen, logs.owned.map((owned) => owned.log)], [true, [log]]);
  const newest = await inTime(store.lastOnce(subject));
  assertEquals(typeof newest === "object" && [newest.message.kind, newest.message.epoch], [
    "records",
    1,
  ]);
});

Deno.test("ClusterLogs: a node that takes another node's match has no older claim to the room any more (SPEC 17.203)", async () => {
  const { time, logs, claimed } = newLogs();
  assertEquals([await claimed(), logs.has(GAME, ROOM)], [true, true]);
  logs.leave(GAME, ROOM);
  assertEquals([logs.has(GAME, ROOM), logs.mayEnter(GAME, ROOM)], [false, false]);
  // Nor does the room close when that claim would have run out.
  await time.pass(60_000);
  assertEquals(await claimed(), true);
});

// The claim says that the match is over, and so does an answer that is late. One that is lost makes
// the node ask what the newest record is, which is that of the claim.
for (
  const [answer, { lateMs, endings }] of [
    ["late", { lateMs: 250, endings: 2 }],
    ["lost", { lateMs: 60_000, endings: 1 }],
  ] as const
) {
  Deno.test(`ClusterLogs: a room is closed until its match's end is on the servers, and an answer about it that is ${answer} leaves the next match alone (SPEC 17.201)`, async () => {
    const { time, servers, logs, ended, moved, claimed } = newLogs();
    const state = () => [logs.mayEnter(GAME, ROOM), logs.plays(GAME, ROOM)];
    assertEquals([state(), await claimed(), state()], [[false, false], true, [true, false]]);
    const first = logs.create(ROOM, GAME);
    begin(first);
    await time.pass(100);
    assertEquals(state(), [true, true]);

    servers.slow = { untilMs: time.now() + 20, ms: lateMs };
    end(first);
    await time.pass(20);
    assertEquals([logs.mayEnter(GAME, ROOM), logs.has(GAME, ROOM)], [false, true]);

    // The servers have the end, and the node does not know it yet: the room's next match begins.
    assertEquals(await claimed(), true);
    const second = logs.create(ROOM, GAME);
    begin(second);
    assertEquals(ended.length, 1);
    await time.pass(2_000);
    assertEquals(logs.owned.map(({ log }): MatchLog => log), [second]);
    assertEquals([second.isOpen, logs.mayEnter(GAME, ROOM), moved], [true, true, []]);
    assertEquals(ended.length, endings);
  });
}
