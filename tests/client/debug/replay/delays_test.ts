import { assertEquals } from "@std/assert";
import { type Delay, Delays } from "../../../../client/debug/replay/delays.ts";
import type { SeatId, Tick } from "../../../../shared/netcode/game.ts";

const TICK_MS = 50;
const RIVAL: SeatId = 1;
const OWN: SeatId = 0;
/** The page hears of a tick 40 ms after it ran, and simulates a tick 100 ms before it runs. */
const DOWN_MS = 40;
const LEAD_MS = 100;
/** A rival's command is at the server two ticks before its tick. */
const MARGIN_TICKS = 2;

interface Play {
  /** When the message of a tick arrives, ms later than usual. */
  readonly downMs?: (tick: Tick) => number;
  /** When a rival's command is announced, ticks later than usual; Infinity for never. */
  readonly lateTicks?: (tick: Tick) => number;
  /** How long the message of a tick may have waited for the page. */
  readonly lagMs?: (tick: Tick) => number;
  readonly slackMs?: (tick: Tick) => number;
  /** When the page sends its command of a tick, ms later than usual; Infinity for never. */
  readonly sentMs?: (tick: Tick) => number;
}

/** Ten seconds on a steady line, with the changes of the test. */
function played(
  { downMs = () => 0, lateTicks = () => 0, lagMs = () => 0, slackMs = () => 30, sentMs = () => 0 }:
    Play,
): Delays {
  const delays = new Delays(1000 / TICK_MS);
  const announcements = new Map<Tick, { tick: Tick; seat: SeatId; command: unknown }[]>();

  for (let tick = 0; tick < 220; tick++) {
    const by = tick - MARGIN_TICKS + lateTicks(tick);
    announcements.set(by, [...announcements.get(by) ?? [], {
      tick,
      seat: RIVAL,
      command: undefined,
    }]);
  }

  for (let tick = 1; tick < 200; tick++) {
    const atMs = tick * TICK_MS + DOWN_MS + downMs(tick);
    const known = announcements.get(tick) ?? [];
    const ticks = [
      { tick, atMs, lagMs: lagMs(tick), slackMs: slackMs(tick), hash: 0, announcements: known },
    ];
    const sentAtMs = (tick + 3) * TICK_MS - LEAD_MS;
    const commands = [{ tick: tick + 3, atMs: sentAtMs + sentMs(tick + 3) }].filter(({ atMs }) =>
      atMs < Infinity
    );
    delays.addEntry({ ticks, commands });
    delays.addFirstStep(tick + 3, sentAtMs);
  }

  return delays;
}

/**
 * Why a command was not known: by default the rival's of tick 150, and corrected half a second
 * after its tick.
 */
function explain(play: Play, { tick = 150, afterMs = 500, seat = RIVAL } = {}): Delay {
  return played(play).explain({ tick, seat, isOwn: seat === OWN, atMs: tick * TICK_MS + afterMs });
}

Deno.test("Delays: on a steady line the distance is the reason, from the first simulation to the correction", () => {
  assertEquals(explain({}, { afterMs: 40 }), { where: "distance", ms: LEAD_MS + 40 });
});

Deno.test("Delays: a command that the server had late, or missing ones before it, are their line", () => {
  assertEquals(explain({ lateTicks: (tick) => tick === 150 ? 3 : 0 }), {
    where: "their line",
    ms: 150,
  });
  const silent = explain({ lateTicks: (tick) => tick >= 145 && tick < 150 ? Infinity : 0 });
  assertEquals(silent, { where: "their line", ms: 250 });
});

Deno.test("Delays: a tick that arrived late is the own line; if all later ones are late, the server has dropped ticks", () => {
  const announcing = 150 - MARGIN_TICKS;
  const burst = (tick: Tick) =>
    tick >= announcing && tick < announcing + 4 ? 200 - (tick - announcing) * 50 : 0;
  assertEquals(explain({ downMs: burst }), { where: "own line", ms: 200 });
  const dropped = (tick: Tick) => tick >= announcing ? 500 : 0;
  assertEquals(explain({ downMs: dropped }), { where: "server", ms: 500 });
  assertEquals(explain({ downMs: dropped }, { tick: 180 }), { where: "server", ms: 500 });
  assertEquals(explain({ downMs: dropped }, { tick: 140 }).where, "distance");
});

Deno.test("Delays: six seconds after dropped ticks a late tick is the line's again", () => {
  const burst = (tick: Tick) => tick >= 180 - MARGIN_TICKS && tick < 182 ? 200 : 0;
  const downMs = (tick: Tick) => (tick >= 60 ? 500 : 0) + burst(tick);
  assertEquals(explain({ downMs }, { tick: 180 }), { where: "own line", ms: 200 });
});

Deno.test("Delays: a tick that waited for a busy page is this page's also soon after dropped ticks", () => {
  const announcing = 150 - MARGIN_TICKS;
  const downMs = (tick: Tick) => (tick >= 120 ? 500 : 0) + (tick === announcing ? 150 : 0);
  assertEquals(explain({ downMs, lagMs: (tick) => tick === announcing ? 160 : 0 }), {
    where: "this page",
    ms: 150,
  });
});

Deno.test("Delays: a tick that waited while the page was busy is this page's, and no other tick is", () => {
  const announcing = 150 - MARGIN_TICKS;
  const downMs = (tick: Tick) => tick === announcing ? 280 : 0;
  const lagMs = (tick: Tick) => tick === announcing ? 300 : 0;
  assertEquals(explain({ downMs, lagMs }), { where: "this page", ms: 280 });
  // The page was busy while nothing was due, or until just before the tick came.
  assertEquals(explain({ lagMs }).where, "distance");
  assertEquals(
    explain({ downMs, lagMs: (tick) => tick === announcing - 1 ? 300 : 0 }).where,
    "own line",
  );
});

Deno.test("Delays: a page that is always slow does not take the blame for its line", () => {
  const announcing = 150 - MARGIN_TICKS;
  // Each message may have waited for 90 ms, and every second one has.
  const slow = (tick: Tick) => tick % 2 * 90;
  for (const lineMs of [0, 150, 300]) {
    const downMs = (tick: Tick) => tick === announcing ? 90 + lineMs : slow(tick);
    const { where } = explain({ downMs, lagMs: () => 90 });
    assertEquals(where, lineMs === 0 ? "this page" : "own line");
  }
});

Deno.test("Delays: an own command is late by the server's slack, unless the page sent it late", () => {
  const slackMs = (tick: Tick) => tick === 151 ? -70 : 30;
  assertEquals(explain({ slackMs }, { seat: OWN }), { where: "own line", ms: 70 });
  const sentLate = (ms: number) => (tick: Tick) => tick === 150 ? ms : 0;
  assertEquals(explain({ slackMs, sentMs: sentLate(95) }, { seat: OWN }), {
    where: "this page",
    ms: 95,
  });
  // The line added more.
  assertEquals(explain({ slackMs, sentMs: sentLate(30) }, { seat: OWN }).where, "own line");
  // The page has left out this command and the next one, and sent the one after them in time.
  const leftOut = (tick: Tick) => tick === 150 || tick === 151 ? Infinity : 0;
  assertEquals(explain({ slackMs, sentMs: leftOut }, { seat: OWN }), {
    where: "this page",
    ms: 100,
  });
});

Deno.test("Delays: a page that sends every command late does not take the blame for its line", () => {
  const slackMs = (tick: Tick) => tick === 151 ? -170 : 30;
  const sentMs = (tick: Tick) => tick % 2 * 90;
  assertEquals(explain({ slackMs, sentMs }, { seat: OWN, tick: 151 }), {
    where: "own line",
    ms: 170,
  });
});

Deno.test("Delays: a line that held a tick for long is the cause, although the page also stalled for a little", () => {
  const announcing = 150 - MARGIN_TICKS;
  const play = {
    // Half of the ticks are usually 100 ms late, so the late one is hardly later than the usual
    // one.
    downMs: (tick: Tick) => tick === announcing ? 220 : tick % 2 === 0 ? 100 : 0,
    lagMs: (tick: Tick) => tick === announcing ? 100 : 0,
  };
  assertEquals(explain(play).where, "own line");
});

Deno.test("Delays: a page that stalled for longer than half a second has not seen the server drop ticks", () => {
  const stallAt = 120;
  const stallMs = 800;
  const announcing = 150 - MARGIN_TICKS;
  const end = stallAt * TICK_MS + DOWN_MS + stallMs;
  const play = {
    downMs: (tick: Tick) => {
      if (tick >= announcing && tick < announcing + 4) return 200 - (tick - announcing) * 50;
      return tick >= stallAt ? Math.max(0, end - tick * TICK_MS - DOWN_MS) : 0;
    },
    lagMs: (tick: Tick) => tick >= stallAt && tick * TICK_MS + DOWN_MS < end ? stallMs : 0,
  };
  // All ticks of the stall arrive at its end. A burst on the line comes later.
  assertEquals(explain(play, { tick: stallAt + MARGIN_TICKS }).where, "this page");
  assertEquals(explain(play).where, "own line");
});
