import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Tick } from "../../../../shared/netcode/game.ts";
import { type JudgedTrace, type Place, type RiderTimes, Truth, type Verdict } from "./truth.ts";

const TICK_MS = 50;
const TICKS = 200;
const OWN = 0;
const RIVAL = 1;
/** When the page's clock began, ms since 1970. */
const ORIGIN_MS = 1000;
/** The corrected command, which the message of the tick before announces. */
const SINCE = 150;
const ANNOUNCING = SINCE - 1;

/** How much later than usual something happened, by tick, ms. */
interface Late {
  readonly left?: (tick: Tick) => number;
  readonly ran?: (tick: Tick) => number;
  readonly arrived?: (tick: Tick) => number;
  readonly stepped?: (tick: Tick) => number;
  readonly slack?: (tick: Tick) => number;
  readonly waited?: (tick: Tick) => number;
}

const never = () => 0;

/**
 * Judges ten seconds with one correction, which the page attributed to `said`. Times without a
 * delay are as on a quiet line.
 */
function judge(
  { left = never, ran = never, arrived = never, stepped = never, slack = never, waited = never }:
    Late,
  { said, where, by = RIVAL }: { said: Place; where: Place; by?: number },
): Verdict {
  const ticks = Array.from({ length: TICKS }, (_, i) => i + 1);
  const due = (tick: Tick) => tick * TICK_MS + ORIGIN_MS;
  const passed = (tick: Tick) => due(tick) + 30 + ran(tick) + arrived(tick);
  const rider: RiderTimes = {
    session: { seat: RIVAL },
    leftMs: new Map(ticks.map((tick) => [tick, due(tick) - 70 + left(tick)])),
    cameMs: new Map(ticks.map((tick) => [tick, due(tick) + ran(tick)])),
    announcedBy: new Map(ticks.map((tick) => [`${RIVAL} ${tick}`, tick - 1])),
  };
  const trace: JudgedTrace = {
    columns: ["atMs", "tick", "slackMs"],
    rows: ticks.map((tick) => [passed(tick) - ORIGIN_MS + waited(tick), tick, 20 - slack(tick)]),
    logColumns: ["atMs", "kind", "seat", "by", "since", "delayAt", "what", "why"],
    log: [[8000, "correction", RIVAL, by, SINCE, said, "Rook 20 cm", "as the page says"]],
    game: { seat: OWN },
  };
  const heads = ticks.map((tick) => [tick, tick * TICK_MS - 100 + stepped(tick)] as const);
  const line = { passedMs: new Map(ticks.map((tick) => [tick, passed(tick)])) };
  return new Truth(trace, { riders: [rider], line, heads, pageOriginMs: ORIGIN_MS }).judge(
    where,
    0,
  );
}

const at = (late: Tick, ms: number) => (tick: Tick) => tick === late ? ms : 0;

/** A delay, and the place that it counts for. */
const CAUSES: readonly (readonly [what: string, Place, Late, by?: number])[] = [
  ["a rival's commands left after their ticks", "their line", {
    left: (tick) => tick >= SINCE - 4 && tick < SINCE ? 300 : 0,
  }],
  ["a tick came late from the server", "own line", { arrived: at(ANNOUNCING, 150) }],
  ["the page ran ahead", "own line", { stepped: at(SINCE, -150) }],
  ["a tick waited for the page", "this page", { waited: at(ANNOUNCING, 150) }],
  ["the server ran a tick late", "server", { ran: at(ANNOUNCING, 150) }],
  ["the server dropped ticks", "server", { ran: (tick) => tick >= ANNOUNCING ? 400 : 0 }],
  ["the page issued its command late", "this page", {
    stepped: at(SINCE, 150),
    slack: at(SINCE + 2, 150),
  }, OWN],
  ["the page's command came late", "own line", { slack: at(SINCE + 2, 150) }, OWN],
];

for (const [what, where, late, by = RIVAL] of CAUSES) {
  Deno.test(`Truth: ${what}, which counts as "${where}" and nothing else`, () => {
    const right = judge(late, { said: where, where, by });
    assertEquals([right.corrections, right.planted, right.given, right.wrong], [1, 1, 1, []]);
    const { planted, given, wrong } = judge(late, { said: "distance", where, by });
    assertEquals([planted, given, wrong.length], [1, 0, 1]);
    assertStringIncludes(wrong[0]!, "as the page says");
    for (const other of ["their line", "own line", "this page", "server"] as const) {
      if (other !== where) {
        assertEquals(judge(late, { said: where, where: other, by }).planted, 0, other);
      }
    }
  });
}

Deno.test("Truth: without a delay, or with two, no cause made the correction", () => {
  const both = { arrived: at(ANNOUNCING, 150), ran: at(ANNOUNCING, 100) };
  for (const where of ["their line", "own line", "this page", "server"] as const) {
    assertEquals(judge({}, { said: where, where }).planted, 0);
    assertEquals(judge(both, { said: where, where }).planted, 0);
  }
});

Deno.test("Truth: a server that drops ticks by itself disturbs the other causes", () => {
  const dropped = { ran: (tick: Tick) => tick >= 160 ? 400 : 0 };
  assertEquals(judge(dropped, { said: "own line", where: "own line" }).isDisturbed, true);
  assertEquals(judge(dropped, { said: "server", where: "server" }).isDisturbed, false);
  assertEquals(judge({}, { said: "own line", where: "own line" }).isDisturbed, false);
});
