/** The table of modes and events at the top of `delta_state.ts`, cell by cell. */
import { assertEquals } from "@std/assert";
import {
  type BodyStreamMode,
  type DeltaMode,
  DeltaState,
} from "../../../../server/match/broadcast/delta_state.ts";
import { NO_ADVICE } from "../../../../shared/netcode/wire/advice_codec.ts";
import { NO_BASELINES } from "../../../../shared/netcode/wire/quantized_body.ts";

/** The tick of the newest state, and a tick before it. */
const STATE_TICK = 100;
const BEFORE = 99;
const BODIES_START = { advice: NO_ADVICE, bodies: NO_BASELINES };
const inSync = { isDesynced: false, bodyStreamRequest: undefined, bodiesAck: undefined } as const;
const report =
  (status: Partial<Parameters<DeltaState["onSyncStatus"]>[0]>) => (state: DeltaState) =>
    state.onSyncStatus({ ...inSync, received: STATE_TICK, ...status });

const requestState = report({ bodyStreamRequest: "state" });

/** All that can happen to a delta state. */
const EVENTS = {
  restartDelta: (state: DeltaState) => state.restartDelta(),
  requestFullState: (state: DeltaState) => state.requestFullState(),
  "desync reported": report({ isDesynced: true }),
  "desync reported before the state": report({ isDesynced: true, received: BEFORE }),
  "state requested": requestState,
  "state requested before the state": report({ bodyStreamRequest: "state", received: BEFORE }),
  "bodies requested": report({ bodyStreamRequest: "bodies" }),
  "body stream left": report({}),
  "body stream left before the state": report({ received: BEFORE }),
  acknowledge: (state: DeltaState) =>
    state.acknowledge({ received: STATE_TICK, isDesynced: false }),
  "acknowledge while desynced": (state: DeltaState) =>
    state.acknowledge({ received: STATE_TICK, isDesynced: true }),
  endTick: (state: DeltaState) => state.endTick(),
  "recordState with a snapshot": (state: DeltaState) =>
    state.recordState(STATE_TICK + 1, { advice: NO_ADVICE, bodies: undefined }),
  "recordState with bodies": (state: DeltaState) => state.recordState(STATE_TICK + 1, BODIES_START),
  recordTick: (state: DeltaState) =>
    state.recordTick(STATE_TICK + 1, { ...BODIES_START, pong: undefined }),
  recordBodies: (state: DeltaState) => state.recordBodies(STATE_TICK + 1, NO_BASELINES),
  "path left": (state: DeltaState) => state.leavePath(STATE_TICK),
  recordResume: (state: DeltaState) => state.recordResume(NO_ADVICE),
} as const;

/**
 * For each mode: the mode after the event; then that mode if the resync budget is spent, if it is
 * another one.
 */
type Row = Readonly<Record<DeltaMode, DeltaMode | readonly [DeltaMode, DeltaMode]>>;
const STAYS: Row = { full: "full", delta: "delta", probe: "probe" };
const SENDS: Row = { full: "delta", delta: "delta", probe: "delta" };
const RESYNCS: Row = { full: "full", delta: ["full", "delta"], probe: "probe" };

const TABLE: Readonly<Record<keyof typeof EVENTS, Row>> = {
  restartDelta: { full: "full", delta: "full", probe: "full" },
  requestFullState: RESYNCS,
  "desync reported": RESYNCS,
  "desync reported before the state": STAYS,
  "state requested": { full: "full", delta: ["probe", "delta"], probe: "probe" },
  "state requested before the state": STAYS,
  "bodies requested": STAYS,
  "body stream left": STAYS,
  "body stream left before the state": STAYS,
  acknowledge: STAYS,
  "acknowledge while desynced": STAYS,
  endTick: STAYS,
  "recordState with a snapshot": SENDS,
  "recordState with bodies": SENDS,
  recordTick: STAYS,
  recordBodies: STAYS,
  // A body stream starts again.
  "path left": { full: "full", delta: "full", probe: "full" },
  recordResume: STAYS,
};

/**
 * A body-stream client on a datagram link that was sent the state of `STATE_TICK` and acknowledged
 * it.
 */
function inMode(
  mode: DeltaMode,
  { isBudgetSpent = false, bodyStreamMode = "chosen" }: {
    isBudgetSpent?: boolean;
    bodyStreamMode?: BodyStreamMode;
  },
): DeltaState {
  const state = new DeltaState({ bodyStreamMode });
  state.recordState(STATE_TICK, BODIES_START);
  state.acknowledge({ received: STATE_TICK, isDesynced: false });
  for (let i = 0; isBudgetSpent && i < 3; i++) {
    requestState(state);
    state.recordState(STATE_TICK, { advice: NO_ADVICE, bodies: undefined });
  }
  if (mode === "full") state.restartDelta();
  for (; mode === "probe" && state.mode === "delta"; requestState(state)) state.endTick();
  assertEquals(state.mode, mode);
  return state;
}

const MODES = ["full", "delta", "probe"] as const;
const NAMES = Object.keys(EVENTS) as (keyof typeof EVENTS)[];

Deno.test("DeltaState: every event leads from every mode to the mode of the table (SPEC 4.2, 4.3, 12.5)", () => {
  for (const name of NAMES) {
    for (const mode of MODES) {
      const expected = [TABLE[name][mode]].flat();
      for (const isBudgetSpent of [false, true]) {
        const state = inMode(mode, { isBudgetSpent });
        EVENTS[name](state);
        assertEquals(
          state.mode,
          expected[isBudgetSpent ? expected.length - 1 : 0],
          `${name} in ${mode}`,
        );
      }
    }
  }
});

Deno.test("DeltaState: a client leaves the body stream by a report without a request, unless it is on it for good (SPEC 12.5)", () => {
  for (const name of NAMES) {
    for (const mode of MODES) {
      for (const bodyStreamMode of ["chosen", "always"] as const) {
        const state = inMode(mode, { bodyStreamMode });
        EVENTS[name](state);
        const hasLeft = name === "body stream left" && bodyStreamMode === "chosen";
        assertEquals(state.isOnBodyStream, !hasLeft, `${name} in ${mode}, ${bodyStreamMode}`);
      }
    }
  }
});

Deno.test("DeltaState: three resyncs at once, then one in ten ticks (SPEC 4.3)", () => {
  const state = new DeltaState({ bodyStreamMode: "no" });
  let resyncs = 0;
  for (let tick = 1; tick <= 60; tick++) {
    state.endTick();
    state.onSyncStatus({ ...inSync, received: tick - 1, isDesynced: true });
    if (state.mode === "delta") continue;
    if (tick > 1) resyncs++;
    state.recordState(tick, { advice: NO_ADVICE, bodies: undefined });
  }
  assertEquals(resyncs, 3 + 5);
});

Deno.test("DeltaState: the third failed resync in a row starts the body stream of a client that has one (SPEC 12.4)", () => {
  /**
   * Ticks from each state to the next desync, and whether the client is then on the body stream.
   */
  const rows: readonly [BodyStreamMode, readonly number[], boolean][] = [
    ["able", [5, 40, 1], true],
    ["able", [5, 41, 1], false],
    ["able", [5, 41, 1, 1, 1], true],
    ["able", [5, 5], false],
    ["no", [1, 1, 1, 1], false],
  ];
  for (const [bodyStreamMode, delays, isOnBodyStream] of rows) {
    const state = new DeltaState({ bodyStreamMode });
    let tick = 1;
    for (const delay of delays) {
      state.recordState(tick, { advice: NO_ADVICE, bodies: undefined });
      tick += delay;
      for (let i = 0; i < 10; i++) state.endTick();
      report({ isDesynced: true, received: tick })(state);
      assertEquals(state.mode, "full");
    }
    assertEquals(state.isOnBodyStream, isOnBodyStream, `${bodyStreamMode} ${delays}`);
  }
});

Deno.test("DeltaState: a datagram begins after the newest acknowledged tick, or after a state that is under way (SPEC 2.4, 2.5)", () => {
  const oldest = 90;

  /** Reports in their order, and the tick after which a datagram begins. */
  const rows: readonly [readonly (readonly [received: number, isDesynced: boolean])[], number][] = [
    [[], STATE_TICK],
    [[[95, false]], 95],
    [[[95, true]], STATE_TICK],
    [[[95, false], [94, true]], 95],
    [[[95, false], [95, true]], STATE_TICK],
    [[[95, true], [96, false]], 96],
    [[[88, false]], STATE_TICK],
    [[[89, false]], 89],
    [[[104, false]], 104],
    [[[104, true]], 104],
  ];

  for (const [reports, base] of rows) {
    const state = new DeltaState({ bodyStreamMode: "no" });
    state.recordState(STATE_TICK, { advice: NO_ADVICE, bodies: undefined });
    for (const [received, isDesynced] of reports) state.acknowledge({ received, isDesynced });
    assertEquals(state.datagramBaseTick(oldest), base, JSON.stringify(reports));
  }
});
