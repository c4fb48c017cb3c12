import { dragonGame } from "../../../shared/games/dragons/game.ts";
import {
  assert,
  assertEquals,
  assertLess,
  assertLessOrEqual,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { COMMAND } from "../../../client/replay/command_lanes.ts";
import { KEY_FRAMES_MAX, KeyFrames } from "../../../client/replay/key_frames.ts";
import { LogPlayer } from "../../../client/replay/log_player.ts";
import { checkText } from "../../../client/replay/replay_bar.ts";
import { game as puckGame } from "../../../shared/games/puck/game.ts";
import { FrameReader, FrameWriter } from "../../../shared/netcode/match_log/frames.ts";
import { LogError } from "../../../shared/netcode/match_log/records.ts";
import { hashOfSnapshot } from "../../../shared/netcode/wire/range_coder.ts";
import { Random } from "../../../shared/random.ts";
import { compactedLog, packedLog, playedLog } from "../../tools/lab/logs/played_log.ts";

const { bytes, hashes, lastTick } = playedLog({ seed: 91, seconds: 20 });
const compacted = compactedLog(bytes);
const hashOf = (player: LogPlayer<never, never>) => hashOfSnapshot(player.shown.snapshot);

Deno.test("LogPlayer: any tick is the one that was played, in any order, also before all is checked (SPEC 15.12) [seed 91]", () => {
  for (const log of [bytes, compacted, packedLog(bytes)]) {
    const player = new LogPlayer(dragonGame, log);
    const random = new Random(91);
    assertEquals([player.firstTick, player.lastTick, player.shown.tick], [0, lastTick, 0]);
    for (let i = 0; i < 60; i++) {
      const tick = i === 0 ? 150 : 1 + random.below(lastTick);
      let steps = 0;
      player.goTo(tick, () => steps++);
      assertEquals([player.shown.tick, hashOf(player as never)], [tick, hashes.get(tick)]);
      assertLessOrEqual(steps, i === 0 ? 150 : 20);
      player.check(4);
    }
    while (!player.check(64));
    assertEquals(player.status, {
      equalTicks: lastTick,
      isComplete: true,
      difference: undefined,
      error: undefined,
      fault: undefined,
    });
  }
});

/** The log as it was after so many of its records. */
function firstRecords(count: number): Uint8Array {
  const frames = new FrameReader(bytes);
  for (let i = 0; i < count; i++) frames.next();
  return bytes.subarray(0, frames.offset);
}

Deno.test("LogPlayer.extend: a match that goes on is played on from its longer log, wherever it was cut (SPEC 8.193) [seed 91]", () => {
  // Among these cuts are some after records that the next tick repeats, which a longer log lacks.
  for (const cut of [100, 101, 102, 103, 104, 105, 106, 300]) {
    for (
      const [short, longer] of [[firstRecords(cut), bytes], [
        packedLog(firstRecords(cut)),
        packedLog(bytes),
      ]]
    ) {
      const player = new LogPlayer(dragonGame, short!);
      while (!player.check(64));
      const end = player.lastTick;
      assertLess(end, lastTick);
      player.goTo(end - 3);

      player.extend(longer!);
      assertEquals([player.shown.tick, player.checkedTick, player.lastTick], [
        end - 3,
        end,
        lastTick,
      ]);
      for (const tick of [end - 2, end, end + 1, lastTick, 5]) {
        player.goTo(tick);
        assertEquals([player.shown.tick, hashOf(player as never)], [tick, hashes.get(tick)]);
      }
      while (!player.check(64));
      assertEquals([player.status.error, player.status.equalTicks], [undefined, lastTick]);
      assertEquals(player.lanes.newest, lastTick);
    }
  }
});

Deno.test("LogPlayer.extend: refuses another match, and a log that is not checked yet (SPEC 8.193) [seed 91]", () => {
  const player = new LogPlayer(dragonGame, firstRecords(200));
  assertThrows(() => player.extend(bytes), RangeError);
  while (!player.check(64));
  const before = player.lastTick;
  const other = playedLog({ seed: 92, seconds: 20 }).bytes;
  assertThrows(() => player.extend(other), LogError, "a log of another match");
  assertEquals([player.lastTick, player.status.isComplete], [before, true]);
  player.extend(bytes);
  assertEquals(player.lastTick, lastTick);
});

Deno.test("LogPlayer: ticks outside of the log are the nearest that there are (SPEC 15.12) [seed 91]", () => {
  const player = new LogPlayer(dragonGame, compacted);
  player.goTo(1e9);
  assertEquals(player.shown.tick, lastTick);
  player.goTo(-5);
  assertEquals(player.shown.tick, 0);
});

Deno.test("LogPlayer: a state that it goes on from is the whole state, with what is announced (SPEC 15.12) [seed 91]", () => {
  const straight = new LogPlayer(dragonGame, bytes);
  const sought = new LogPlayer(dragonGame, bytes);
  sought.goTo(lastTick);
  for (const tick of [0, 3, 77, 201, lastTick - 1]) {
    straight.goTo(tick);
    sought.goTo(tick);
    assertEquals(sought.shown.state, straight.shown.state);
  }
});

Deno.test("LogPlayer: lanes have each seat's commands, and the marks that the caller asks for (SPEC 15.13) [seed 91]", () => {
  const player = new LogPlayer(dragonGame, compacted, { onChecked: ({ tick }) => tick % 7 === 0 });
  const wren = 0;
  assertEquals(player.lanes.at(lastTick, wren), COMMAND.none);
  player.goTo(lastTick);
  const states = Array.from({ length: lastTick }, (_, i) => player.lanes.at(i + 1, wren));
  const entered = states.findIndex((state) => state !== COMMAND.none);
  assert(entered > 0 && !states.slice(entered).includes(COMMAND.none), "from the entry to the end");
  assert(states.includes(COMMAND.same) && states.includes(COMMAND.changed));
  const { timeline } = player.shown;
  assertEquals(states.at(-1) === COMMAND.assumed, !timeline.isKnown(lastTick, wren));
  assertEquals([player.lanes.hasMark(14), player.lanes.hasMark(15)], [true, false]);
});

/** The log with one tick's payload changed, under a check that fits. */
function withChangedTick(
  log: Uint8Array,
  tick: number,
  change: (payload: Uint8Array) => void,
): Uint8Array {
  const frames = new FrameReader(log);
  const writer = new FrameWriter();
  const changed: number[] = [];
  for (let payload = frames.next(), i = -2; payload !== undefined; payload = frames.next(), i++) {
    const copy = payload.slice();
    if (i === tick + 1) change(copy);
    changed.push(...writer.frame(copy));
  }
  return new Uint8Array(changed);
}

Deno.test("LogPlayer: the first tick that differs is named, and nothing is shown from there on (SPEC 15.12) [seed 91]", () => {
  // The last bits of a tick are those of its hash.
  const changed = withChangedTick(compacted, 120, (payload) => payload[payload.length - 2]! ^= 4);
  const player = new LogPlayer(dragonGame, changed);
  player.goTo(300);
  const { status, lastTick: last } = player;
  const different = status.difference?.tick;
  assert(different !== undefined && Math.abs(different - 120) < 4, String(different));
  assertEquals([status.isComplete, status.equalTicks, last, player.shown.tick], [
    true,
    different - 1,
    different - 1,
    different - 1,
  ]);
  assertStringIncludes(checkText(status, last).text, `differ at tick ${different}`);
  assertEquals(checkText(status, last).state, "different");
});

Deno.test("LogPlayer: a torn log plays to its last whole record, and a changed one says where (SPEC 15.12) [seed 91]", () => {
  const torn = new LogPlayer(dragonGame, compacted.subarray(0, compacted.length >> 1));
  torn.goTo(Infinity);
  assertEquals(torn.status.fault?.kind, "torn");
  assertEquals(hashOf(torn as never), hashes.get(torn.lastTick));
  assertEquals(checkText(torn.status, torn.lastTick).state, "equal");
  const spoiled = compacted.slice();
  spoiled[compacted.length >> 1]! ^= 1;
  const changed = new LogPlayer(dragonGame, spoiled);
  changed.goTo(Infinity);
  assertEquals(changed.lastTick, torn.lastTick);
  assertStringIncludes(
    checkText(changed.status, changed.lastTick).text,
    "the log was changed at byte",
  );
});

Deno.test("LogPlayer: what is no log of this game is refused in words (SPEC 15.12)", () => {
  const refusal = (of: () => unknown) => assertThrows(of, LogError).message;
  assertEquals(
    refusal(() => new LogPlayer(puckGame, bytes)),
    `a log of ${dragonGame.id}; this program has ${puckGame.id}`,
  );
  assertEquals(
    refusal(() => new LogPlayer(dragonGame, new Uint8Array(0))),
    "a log without a header",
  );
  assertEquals(
    refusal(() => new LogPlayer(dragonGame, bytes.subarray(0, 60))),
    "a log without a state",
  );
  assertEquals(
    refusal(() => new LogPlayer(dragonGame, new TextEncoder().encode('{"format":"x"}'))),
    "a log without a header",
  );
  const huge = new Uint8Array(1 << 26);
  assertStringIncludes(refusal(() => new LogPlayer(dragonGame, huge)), "a log of more than");
});

Deno.test("KeyFrames: there are never more than the bound, and the newest before a tick is near (SPEC 15.12)", () => {
  const keyFrames = new KeyFrames<never>();
  const at = (tick: number) => ({ tick }) as never;
  for (let tick = 0; tick < 100_000; tick++) if (keyFrames.isDue(tick)) keyFrames.add(at(tick));
  assertLessOrEqual(keyFrames.count, KEY_FRAMES_MAX);
  for (const tick of [0, 1, 639, 640, 50_000, 99_999]) {
    assertLessOrEqual(tick - keyFrames.before(tick).tick, 640);
  }
  assertThrows(() => keyFrames.before(-1), RangeError);
});
