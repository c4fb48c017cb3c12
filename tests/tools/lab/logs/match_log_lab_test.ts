/**
 * A match's log in the lab: it is the match, and another server can continue from any of its bytes.
 */
import type {
  DragonCommand,
  DragonSimulation,
} from "../../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { assert, assertEquals, assertGreater, assertLess } from "@std/assert";
import { deflateRawSync } from "node:zlib";
import { resumedMatchOf } from "../../../../server/match_log/resume_match.ts";
import { FrameReader } from "../../../../shared/netcode/match_log/frames.ts";
import { RecordReader } from "../../../../shared/netcode/match_log/record_coder.ts";
import { LogError, type LogRecord } from "../../../../shared/netcode/match_log/records.ts";
import { MatchReplay } from "../../../../shared/netcode/match_log/replay.ts";
import { hashOfSnapshot } from "../../../../shared/netcode/wire/range_coder.ts";
import { Random } from "../../../../shared/random.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";
import { MemoryLogs } from "../../../support/logs/memory_logs.ts";
import { Lab } from "../lab.ts";
import { RandomDragonControls } from "../random_controls.ts";

const NETWORK = { oneWayMs: 60, jitterMs: 20 };
const FAR = { oneWayMs: 110, jitterMs: 5 };

/**
 * A match in which players come, are lost, return and leave, some on connections so slow that they
 * get early announcements.
 */
function played(seed: number, seconds: number) {
  const logs = new MemoryLogs();
  const lab = new Lab({ game: dragonGame, seed, npcs: 6, logs, deflate: deflateRawSync });
  const join = (name: string, far = false, resume?: string) =>
    lab.join(name, {
      commandSource: new RandomDragonControls(seed * 7 + name.length),
      network: far ? FAR : NETWORK,
      ...(resume !== undefined && { resume }),
    });
  join("Wren");
  const ash = join("Ash's", true);
  lab.run(seconds / 4);
  const rook = join("Rook the 1st");
  lab.run(seconds / 4);
  ash.serverEnd.close(1006, "cut");
  lab.players.splice(lab.players.indexOf(ash), 1);
  lab.run(seconds / 8);
  join("Ash's", true, ash.session.resume);
  lab.leave(rook);
  lab.run(seconds / 4);
  return { lab, logs, bytes: logs.all[0]!.bytes.slice() };
}

const gameOf = (id: string) => id === dragonGame.id ? dragonGame : undefined;

/** Every record of a log, and its offset. */
function recordsOf(bytes: Uint8Array): { record: LogRecord<DragonCommand>; offset: number }[] {
  const frames = new FrameReader(bytes);
  const reader = new RecordReader(dragonGame.command);
  const all = [];
  for (
    let offset = 0, payload = frames.next();
    payload !== undefined;
    offset = frames.offset, payload = frames.next()
  ) {
    all.push({ offset, record: reader.read(payload) });
  }
  assertEquals(frames.fault, undefined);
  return all;
}

Deno.test("match log: a replay has every definitive tick of the match, bit by bit (SPEC 15.1) [seed 71]", () => {
  const { lab, bytes } = played(71, 40);
  const records = recordsOf(bytes);
  const counts = Map.groupBy(records, ({ record }) => record.type);
  for (const type of ["header", "state", "tick", "early", "seat"] as const) {
    assert(counts.has(type), type);
  }
  assertEquals(counts.get("state")!.length, 1 + Math.floor(lab.match!.tick / 200));
  const [first, ...others] = records.map(({ record }) => record);
  if (first?.type !== "header") throw new TypeError("the first record is no header");
  const replay = new MatchReplay<DragonCommand, DragonSimulation>(dragonGame, first);
  let contacts = 0;

  for (const record of others) {
    replay.play(record);
    if (record.type !== "tick") continue;
    assertEquals(record.hash, lab.definitiveHashes.get(record.tick));
    contacts += replay.simulation.contactsBegun;
  }

  assertEquals(replay.tick, lab.match!.tick);
  assertGreater(contacts, 20);

  // 8 players and 16 NPCs may take 1 MB in ten minutes (bench: bytes per match-minute).
  assertLess(bytes.length / (replay.tick / dragonGame.tickHz), 1_700);
});

Deno.test("match log: whatever is torn off its end, a resumed match stands at a tick that was played (SPEC 15.3) [seed 72]", () => {
  const { lab, bytes } = played(72, 24);
  const random = new Random(72);
  const tickOffsets = recordsOf(bytes).filter(({ record }) => record.type === "tick").map((
    { offset },
  ) => offset);
  for (let i = 0; i < 40; i++) {
    const length = tickOffsets[0]! + random.below(bytes.length - tickOffsets[0]!);
    const { state, bytes: whole } = resumedMatchOf(bytes.subarray(0, length), gameOf);
    assert(whole <= length);
    const ticks = tickOffsets.filter((offset) => offset < whole).length;
    assertEquals(state.tick, ticks);
    assertEquals(hashOfSnapshot(Snapshot.of(state.snapshot)), lab.definitiveHashes.get(state.tick));
  }
});

Deno.test("match log: a changed bit is found in its record, and no other record is lost (SPEC 15.2) [seed 73]", () => {
  const { bytes } = played(73, 24);
  const random = new Random(73);
  const records = recordsOf(bytes);
  for (let i = 0; i < 300; i++) {
    const at = random.below(bytes.length);
    const changed = bytes.slice();
    changed[at]! ^= 1 << random.below(8);
    const hit = records.findLast(({ offset }) => offset <= at)!;
    const frames = new FrameReader(changed);
    while (frames.next() !== undefined);
    assertEquals(frames.fault?.offset, hit.offset);
  }
});

Deno.test("match log: a killed server loses no tick; all players are back in their seats, and play on (SPEC 15.3, 15.4) [seed 74]", () => {
  const seed = 74;
  const logs = new MemoryLogs();
  const lab = new Lab({ game: dragonGame, seed, npcs: 6, logs, deflate: deflateRawSync });
  const riders = [1, 2, 3, 4].map((n) => new RandomDragonControls(seed * 10 + n));
  const join = (i: number, resume?: string) =>
    lab.join(`rider ${i}`, {
      commandSource: riders[i]!,
      network: NETWORK,
      ...(resume !== undefined && { resume }),
    });
  let players = riders.map((_, i) => join(i));
  lab.run(20);

  for (let kill = 0; kill < 5; kill++) {
    const before = players.map(({ session }) => ({
      seat: session.seat,
      resume: session.resume!,
      newest: session.definitiveTick,
      score: session.simulation!.world.player(session.seat)?.fields.score,
      name: session.names.get(session.seat),
    }));
    lab.killServer(300);
    const resumed = lab.log.findLast(({ event }) => event === "match_resumed")!;
    for (const { newest } of before) assertGreater(Number(resumed.fields.tick) + 1, newest);
    players = before.map(({ resume }, i) => join(i, resume));
    lab.run(5 + kill);
    players.forEach(({ session }, i) => {
      assertEquals([session.phase, session.seat, session.stats.desyncs], [
        "playing",
        before[i]!.seat,
        0,
      ]);
      assertEquals(session.names.get(session.seat), before[i]!.name);
      assertEquals(
        session.provenHash(session.definitiveTick),
        lab.definitiveHashes.get(session.definitiveTick),
      );
    });
  }

  assertEquals(lab.log.filter(({ event }) => event === "match_set_aside"), []);
  assertEquals(logs.all.length, 1, "one log through all of it");
  const { state, epoch } = resumedMatchOf(logs.all[0]!.bytes, gameOf);
  assertEquals([state.tick, epoch], [lab.match!.tick, 6]);
});

Deno.test("match log: a replay learns from a state what no tick announces, as after a hand-over (SPEC 15.1) [seed 76]", () => {
  const { lab, logs: { all: [log] } } = played(76, 20);
  const records = () => recordsOf(log!.bytes.slice());
  const announced = (of: readonly { record: LogRecord<DragonCommand> }[]) =>
    of.flatMap(({ record }) => "announcements" in record ? record.announcements : []);

  // The match stands still between two ticks after a command has arrived that belongs to no tick
  // yet and differs from what is assumed.
  const isHeldWithMore = () => {
    lab.run(0.037);
    lab.match!.announceEarly();
    lab.match!.recordState();
    const before = announced(records().slice(0, -1));
    const { same } = dragonGame.command;
    return announced(records().slice(-1)).some(({ seat, tick, command }) => {
      const last = before.findLast((each) => each.seat === seat);
      return last !== undefined && last.tick < tick && !same(last.command, command);
    });
  };
  let tries = 0;
  while (!isHeldWithMore()) assertLess(++tries, 50);
  const held = announced(records().slice(-1));
  lab.killServer(300);
  lab.join("Late", { commandSource: new RandomDragonControls(5), network: NETWORK });
  lab.run(5);
  const [header, ...others] = records().map(({ record }) => record);
  if (header?.type !== "header") throw new TypeError("the first record is no header");
  const replay = new MatchReplay<DragonCommand, DragonSimulation>(dragonGame, header);

  for (const record of others) {
    replay.play(record);
    if (record.type !== "tick") continue;
    for (const { seat, tick, command } of held) {
      if (tick === record.tick) assertEquals(replay.timeline.commands(tick)[seat], command);
    }
  }

  assertEquals(replay.tick, lab.match!.tick);
});

Deno.test("match log: a log of another game, version or match is refused in words (SPEC 15.5) [seed 75]", () => {
  const { bytes } = played(75, 8);
  const refusal = (log: Uint8Array, of = gameOf) => {
    try {
      resumedMatchOf(log, of);
    } catch (error) {
      assert(error instanceof LogError, String(error));
      return error.message;
    }
    return "";
  };
  assertEquals(refusal(bytes, () => undefined), `a log of ${dragonGame.id}, which is no game here`);
  assertEquals(refusal(new Uint8Array(0)), "a log without a header");
  assertEquals(refusal(bytes.subarray(0, 60)), "a log without a state");
});
