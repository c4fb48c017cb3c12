import { assert, assertEquals, assertLess } from "@std/assert";
import {
  ENTRIES_MAX,
  FlightRecording,
  FRAMES_MAX,
  type RecordedSession,
  STEPS_MAX,
} from "../../../client/presentation/flight_recording.ts";
import { PoseList } from "../../../shared/netcode/pose_list.ts";
import { SEATS, type Tick } from "../../../shared/netcode/game.ts";
import type { Snapshot } from "../../../shared/snapshot.ts";
import { tickMessage } from "./tick_messages.ts";

/** A session whose state of tick n is the word n, and whose commands of tick n are the text "n". */
class FakeSession implements RecordedSession {
  seat = 0;
  head = 0;
  definitiveTick = 0;
  isInSync = true;
  isOnBodyStream = false;
  stats = { statesAdopted: 0 };
  readonly #commands: string[] = [];

  commandsOf(tick: Tick): readonly string[] {
    this.#commands[0] = String(tick); // the session reuses its lists
    return this.#commands;
  }

  copyState(tick: Tick, into: Snapshot): boolean {
    into.length = 1;
    into.reserve(1);
    into.words[0] = tick;
    return true;
  }
}

/** One advance a tick, of a session that is two ticks ahead. */
function record(
  recording: FlightRecording,
  session: FakeSession,
  { ticks, tickMs = 50 }: { ticks: number; tickMs?: number },
): void {
  for (let i = 0; i < ticks; i++) {
    const tick = ++session.definitiveTick;
    recording.onTick(tick * tickMs, tickMessage(tick), 0);
    session.head = tick + 2;
    recording.onStep(session, session.head);
    recording.onAdvanced(session, tick * tickMs);
  }
}

Deno.test("FlightRecording: an entry has the ticks, steps and the longest gap since the entry before; without work there is none", () => {
  const recording = new FlightRecording();
  const session = new FakeSession();
  recording.onAdvanced(session, 0);
  recording.onAdvanced(session, 16);
  assertEquals(recording.entries.length, 0);
  recording.onTick(300, tickMessage(1), 120);
  session.definitiveTick = 1;
  session.head = 3;
  for (const tick of [2, 3]) recording.onStep(session, tick);
  recording.onAdvanced(session, 316);
  recording.onStep(session, 4);
  recording.onCommand(5, 330);
  recording.onAdvanced(session, 332);
  const [first, second] = recording.entries;
  assertEquals([first!.commands, second!.commands], [[], [{ tick: 5, atMs: 330 }]]);
  assertEquals([
    first!.gapMs,
    first!.definitive,
    first!.ticks.map(({ tick, atMs, lagMs }) => [tick, atMs, lagMs]),
  ], [
    300,
    1,
    [[1, 300, 120]],
  ]);
  assertEquals(first!.steps, [{ tick: 2, commands: ["2"] }, { tick: 3, commands: ["3"] }]);
  assertEquals([second!.gapMs, second!.ticks, second!.steps.length], [16, [], 1]);
});

Deno.test("FlightRecording: a state every hundred ticks, with the steps from there to the head, and after an adopted state", () => {
  const recording = new FlightRecording();
  const session = new FakeSession();
  record(recording, session, { ticks: 250 });
  const states = () => recording.entries.flatMap(({ state }) => state === undefined ? [] : [state]);
  assertEquals(states().map(({ tick, words }) => [tick, ...words]), [[1, 1], [101, 101], [
    201,
    201,
  ]]);
  assertEquals(states()[1]!.steps.map(({ tick, commands }) => [tick, commands[0]]), [[102, "102"], [
    103,
    "103",
  ]]);
  session.stats.statesAdopted++;
  record(recording, session, { ticks: 1 });
  assert(recording.entries.at(-1)!.isRebased);
  assertEquals(recording.entries.at(-1)!.state?.tick, 251);
  record(recording, session, { ticks: 1 });
  assert(!recording.entries.at(-1)!.isRebased);
});

Deno.test("FlightRecording: no state while desynced or on the body stream; the next entry in sync has one", () => {
  const recording = new FlightRecording();
  const session = new FakeSession();
  record(recording, session, { ticks: 1 });
  session.isOnBodyStream = true;
  session.stats.statesAdopted++;
  record(recording, session, { ticks: 5 });
  assert(
    recording.entries.slice(1).every(({ isRebased, state }) => isRebased && state === undefined),
  );
  session.isOnBodyStream = false;
  session.isInSync = false;
  record(recording, session, { ticks: 1 });
  assertEquals(recording.entries.at(-1)!.state, undefined);
  session.isInSync = true;
  record(recording, session, { ticks: 1 });
  assert(recording.entries.at(-1)!.isRebased);
  assertEquals(recording.entries.at(-1)!.state?.tick, session.definitiveTick);
});

Deno.test("FlightRecording: keeps a minute and a state before it, and no more entries or steps than its bounds", () => {
  const recording = new FlightRecording();
  const session = new FakeSession();
  record(recording, session, { ticks: 2000 });
  const { entries, removed } = recording;
  assertEquals(removed + entries.length, 2000);
  assertLess(entries.at(-1)!.atMs - entries[0]!.atMs, 66_001);
  const firstState = entries.find(({ state }) => state !== undefined)!;
  assert(entries.at(-1)!.atMs - firstState.atMs >= 60_000);
  const fast = new FlightRecording();
  record(fast, new FakeSession(), { ticks: 5000, tickMs: 1 });
  assertEquals(fast.entries.length, ENTRIES_MAX);
  const deep = new FlightRecording();
  for (let i = 0; i < 1000; i++) {
    for (let tick = 0; tick < 32; tick++) deep.onStep(session, tick);
    deep.onAdvanced(session, i);
  }
  assertLess(deep.entries.length * 32, STEPS_MAX + 1);
});

Deno.test("FlightRecording: frames have the error offsets by seat, at most one in 15 ms; a ring has a bound", () => {
  const recording = new FlightRecording();
  const poses = new PoseList();
  for (const seat of [-1, 3]) {
    Object.assign(poses.add(), { entity: 10 + seat, seat, x: 0, y: 0, angle: 0, teleports: 0 });
  }
  const smoother = { offsetMetres: (entity: number) => entity / 100 };
  for (let i = 0; i < 10; i++) recording.onFrame(i * 8, { poses, smoother, retracted: [] });
  assertEquals(recording.frames, 5);
  const row = recording.frameOffsets.subarray(4 * SEATS, 5 * SEATS);
  assertEquals([...row].map((metres) => Math.round(metres * 100)).filter((cm) => cm > 0), [13]);
  assertEquals(Math.round(row[3]! * 100), 13);
  for (let i = 0; i < FRAMES_MAX; i++) {
    recording.onFrame(1000 + i * 16, { poses, smoother, retracted: [`${i}`] });
  }
  assertEquals(recording.framesAtMs.length, FRAMES_MAX);
  assertEquals([recording.retracted.length, recording.retracted.at(-1)!.key], [
    256,
    String(FRAMES_MAX - 1),
  ]);
});

Deno.test("FlightRecording: another connection begins with nothing", () => {
  const recording = new FlightRecording();
  const session = new FakeSession();
  record(recording, session, { ticks: 3 });
  recording.onStep(session, 9);
  recording.restart();
  recording.onAdvanced(session, 5000);
  assertEquals([recording.entries.length, recording.connection, recording.welcome], [
    0,
    1,
    undefined,
  ]);
});
