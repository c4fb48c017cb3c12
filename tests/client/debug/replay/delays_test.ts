import { assertAlmostEquals, assertEquals } from "@std/assert";
import { type Delay, Delays } from "../../../../client/debug/replay/delays.ts";
import type { FlightEntry } from "../../../../client/presentation/flight_recording.ts";
import type { SeatId, Tick } from "../../../../shared/netcode/game.ts";

const TICK_MS = 50;
const RIVAL: SeatId = 1, OWN: SeatId = 0;
/** The page hears of a tick 40 ms after it ran, and simulates a tick 100 ms before it runs. */
const DOWN_MS = 40, LEAD_MS = 100;
/** A rival's command is at the server two ticks before its tick. */
const MARGIN_TICKS = 2;

interface Play {
  /** When the message of a tick arrives, ms later than usual. */
  readonly downMs?: (tick: Tick) => number;
  /** When a rival's command is announced, ticks later than usual; Infinity for never. */
  readonly lateTicks?: (tick: Tick) => number;
  /** The gap before the advance that handles a tick. */
  readonly gapMs?: (tick: Tick) => number;
  readonly slackMs?: (tick: Tick) => number;
  readonly inputDelayTicks?: number;
}

/** Ten seconds on a steady line, with the changes of the test. */
function played(
  { downMs = () => 0, lateTicks = () => 0, gapMs = () => 16, slackMs = () => 30, inputDelayTicks = 0 }: Play,
): Delays {
  const delays = new Delays(1000 / TICK_MS);
  const announcements = new Map<Tick, { tick: Tick; seat: SeatId; command: unknown }[]>();
  for (let tick = 0; tick < 220; tick++) {
    const by = tick - MARGIN_TICKS + lateTicks(tick);
    announcements.set(by, [...announcements.get(by) ?? [], { tick, seat: RIVAL, command: undefined }]);
  }
  for (let tick = 1; tick < 200; tick++) {
    const atMs = tick * TICK_MS + DOWN_MS + downMs(tick),
      ticks = [
        { tick, atMs, slackMs: slackMs(tick), presence: [], announcements: announcements.get(tick) ?? [] },
      ];
    const entry = { atMs, gapMs: gapMs(tick), inputDelayTicks, definitive: tick, ticks, steps: [], state: undefined };
    delays.addEntry({ ...entry, isRebased: false } as FlightEntry);
    delays.addFirstStep(tick + 3 - inputDelayTicks, (tick + 3) * TICK_MS - LEAD_MS);
  }
  return delays;
}

/** Why a command was not known: by default the rival's of tick 150, and corrected half a second after its tick. */
function explain(play: Play, { tick = 150, afterMs = 500, seat = RIVAL } = {}): Delay {
  return played(play).explain({ tick, seat, isOwn: seat === OWN, atMs: tick * TICK_MS + afterMs });
}

Deno.test("Delays: on a steady line the distance is the reason, from the first simulation to the correction", () => {
  assertEquals(explain({}, { afterMs: 40 }), { where: "distance", ms: LEAD_MS + 40 });
});

Deno.test("Delays: a command that the server had late, or missing ones before it, are their line", () => {
  assertEquals(explain({ lateTicks: (tick) => tick === 150 ? 3 : 0 }), { where: "their line", ms: 150 });
  const silent = explain({ lateTicks: (tick) => tick >= 145 && tick < 150 ? Infinity : 0 });
  assertEquals(silent, { where: "their line", ms: 250 });
});

Deno.test("Delays: a tick that arrived late is the own line; if all later ones are late, the server has dropped ticks", () => {
  const announcing = 150 - MARGIN_TICKS;
  const burst = (tick: Tick) => tick >= announcing && tick < announcing + 4 ? 200 - (tick - announcing) * 50 : 0;
  assertEquals(explain({ downMs: burst }), { where: "own line", ms: 200 });
  const dropped = (tick: Tick) => tick >= announcing ? 500 : 0;
  assertEquals(explain({ downMs: dropped }), { where: "server", ms: 500 });
  assertEquals(explain({ downMs: dropped }, { tick: 180 }), { where: "server", ms: 500 });
  assertEquals(explain({ downMs: dropped }, { tick: 140 }).where, "distance");
});

Deno.test("Delays: a tick that waited while the page did nothing is this page's", () => {
  const announcing = 150 - MARGIN_TICKS;
  const held = {
    downMs: (tick: Tick) => tick === announcing ? 280 : 0,
    gapMs: (tick: Tick) => tick === announcing ? 300 : 16,
  };
  assertEquals(explain(held), { where: "this page", ms: 300 });
  // A stall while nothing was due is no reason.
  assertEquals(explain({ gapMs: (tick) => tick === announcing ? 300 : 16 }).where, "distance");
});

Deno.test("Delays: an own command is late by the server's slack, unless the page stalled when it was due", () => {
  const slackMs = (tick: Tick) => tick === 151 ? -70 : 30;
  assertEquals(explain({ slackMs }, { seat: OWN }), { where: "own line", ms: 70 });
  // The command of tick 150 is issued with the first simulation, 100 ms before the tick.
  const gapMs = (tick: Tick) => tick === 147 ? 130 : 16;
  // With an input delay the tick is simulated later than its command is issued.
  for (const inputDelayTicks of [0, 1, 3]) {
    const { where, ms } = explain({ slackMs, gapMs, inputDelayTicks }, { seat: OWN });
    assertEquals(where, "this page");
    assertAlmostEquals(ms, 130);
  }
});

Deno.test("Delays: a line that held a tick for long is the cause, although the page also stalled for a little", () => {
  const announcing = 150 - MARGIN_TICKS;
  const play = {
    // Half of the ticks are usually 100 ms late, so the late one is hardly later than the usual one.
    downMs: (tick: Tick) => tick === announcing ? 220 : tick % 2 === 0 ? 100 : 0,
    gapMs: (tick: Tick) => tick === announcing ? 100 : 16,
  };
  assertEquals(explain(play).where, "own line");
});

Deno.test("Delays: a page that stalled for longer than half a second has not seen the server drop ticks", () => {
  const stallAt = 120, stallMs = 800, announcing = 150 - MARGIN_TICKS;
  const end = stallAt * TICK_MS + DOWN_MS + stallMs;
  const play = {
    downMs: (tick: Tick) => {
      if (tick >= announcing && tick < announcing + 4) return 200 - (tick - announcing) * 50;
      return tick >= stallAt ? Math.max(0, end - tick * TICK_MS - DOWN_MS) : 0;
    },
    gapMs: (tick: Tick) => tick === stallAt ? stallMs : 16,
  };
  // All ticks of the stall arrive at its end. A burst on the line comes later.
  assertEquals(explain(play, { tick: stallAt + MARGIN_TICKS }).where, "this page");
  assertEquals(explain(play).where, "own line");
});
