/** The log of a match that a page hosts. */
import { assert, assertEquals, assertGreater, assertLessOrEqual } from "@std/assert";
import { KeptLogRecorder } from "../../../client/solo/kept_log.ts";
import { MemoryLog } from "../../../client/solo/memory_log.ts";
import { PageMatch } from "../../../client/solo/page_match.ts";
import { MatchRecorder } from "../../../server/match/match_recorder.ts";
import { FrameReader } from "../../../shared/netcode/match_log/frames.ts";
import { RecordReader } from "../../../shared/netcode/match_log/record_coder.ts";
import { game } from "../../../shared/games/dragons/game.ts";
import { replayedLog } from "../../../shared/netcode/match_log/replayed_log.ts";

const BEGUN = { npcs: 4, seed: 7, choices: [] };
const HEADER = {
  ...BEGUN,
  gameId: game.id,
  rules: undefined,
  room: "",
  key: undefined,
  startedAt: 0,
  isOrdered: false,
};

/** Records a match among NPCs. */
function recorded({ ticks, bytesMax }: { ticks: number; bytesMax: number }): MemoryLog {
  const log = new MemoryLog(bytesMax);
  const { command, tickHz } = game;
  const options = { log, header: HEADER, tickHz, deflate: undefined };
  const recorder = new KeptLogRecorder(command, options);
  recorder.begin();
  const clock = { nowMs: 0, now: () => clock.nowMs };
  const match = new PageMatch(game, { ...BEGUN, clock, recorder });
  for (let tick = 0; tick < ticks; tick++) {
    clock.nowMs += 1000 / tickHz;
    match.advance();
  }
  return log;
}

Deno.test("page match: its log replays from its first tick, and a longer one than allowed from a later one (SPEC 23.12)", () => {
  const gameOf = () => game;
  const whole = recorded({ ticks: 400, bytesMax: 1 << 20 }).copy();
  const { error, fault, firstTick, replay } = replayedLog(whole, { gameOf });
  assertEquals([error, fault, firstTick, replay.tick], [undefined, undefined, 0, 400]);

  const bytesMax = Math.floor(0.6 * whole.length);
  const bytes = recorded({ ticks: 400, bytesMax }).copy();
  assertLessOrEqual(bytes.length, bytesMax);
  const later = replayedLog(bytes, { gameOf });
  assertEquals([later.error, later.fault, later.replay.tick], [undefined, undefined, 400]);
  assertGreater(later.firstTick, 100);
  assert(later.firstTick < 400);
});

/** The tokens that a recorder's log has of a player with one. */
function tokensIn(Recorder: typeof MatchRecorder): readonly string[] {
  const log = new MemoryLog();
  const { command, tickHz } = game;
  const recorder = new Recorder(command, { log, header: HEADER, tickHz, deflate: undefined });
  recorder.begin();
  recorder.seat({ seat: 0, tokenHashes: [TOKEN], identity: undefined, entersAt: 5 });
  const frames = new FrameReader(log.copy());
  const reader = new RecordReader(command);
  const records = [reader.read(frames.next()!), reader.read(frames.next()!)];
  return records.flatMap((record) => record.type === "seat" ? record.tokenHashes : []);
}

const TOKEN = "ab".repeat(16);

Deno.test("page match: its log gives no player's seat away (SPEC 23.12)", () => {
  assertEquals(tokensIn(MatchRecorder), [TOKEN]);
  assertEquals(tokensIn(KeptLogRecorder), ["0".repeat(32)]);
});
