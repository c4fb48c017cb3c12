/** The log of a match that a page hosts. */
import { assert, assertEquals, assertGreater, assertLessOrEqual } from "@std/assert";
import { MemoryLog } from "../../../client/solo/memory_log.ts";
import { PageMatch } from "../../../client/solo/page_match.ts";
import { MatchRecorder } from "../../../server/match/match_recorder.ts";
import { game } from "../../../shared/games/dragons/game.ts";
import { replayedLog } from "../../../shared/netcode/match_log/replayed_log.ts";

/** Records a match among NPCs. */
function recorded({ ticks, bytesMax }: { ticks: number; bytesMax: number }): MemoryLog {
  const log = new MemoryLog(bytesMax);
  const begun = { npcs: 4, seed: 7, choices: [] };
  const header = {
    ...begun,
    gameId: game.id,
    rules: undefined,
    room: "",
    key: undefined,
    startedAt: 0,
    isOrdered: false,
  };
  const { command, tickHz } = game;
  const recorder = new MatchRecorder(command, { log, header, tickHz, deflate: undefined });
  recorder.begin();
  const clock = { nowMs: 0, now: () => clock.nowMs };
  const match = new PageMatch(game, { ...begun, clock, recorder });
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
