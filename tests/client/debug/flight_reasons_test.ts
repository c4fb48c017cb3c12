import { assertEquals } from "@std/assert";
import type { FlightRow } from "../../../client/debug/flight_log.ts";
import type { Sight } from "../../../client/debug/sights.ts";
import {
  ALL_ROWS,
  type FlightFilter,
  reasonOf,
  showsRow,
  visibilityOf,
} from "../../../client/debug/flight_reasons.ts";
import { CAUSES } from "../../../client/debug/replay/attribution.ts";
import { correctionOf, rowOf } from "./flights.ts";

Deno.test("reasonOf: where the time was lost, or else what kind of cause it was", () => {
  assertEquals(reasonOf(correctionOf()), "their line");
  assertEquals(CAUSES.map((cause) => reasonOf({ cause, delay: undefined })), [
    "several",
    "several",
    "several",
    "presence",
    "out of step",
    "several",
  ]);
});

Deno.test("showsRow: only mine, over a distance, for a reason; the page's own stalls are mine (SPEC 15.61)", () => {
  const event = { key: "", kind: "joust", fromMs: 0, toMs: 0 };
  const at = { atMs: 0, tick: 1 };
  const rows: Readonly<Record<string, FlightRow>> = {
    mine: rowOf({ seat: 0, metres: 0.12 }),
    far: rowOf({ metres: 0.6, delay: { where: "distance", ms: 200 } }),
    late: rowOf({ metres: 0.4 }),
    stall: { kind: "stall", ...at, ms: 300 },
    hisEvent: { kind: "false event", ...at, event: { ...event, seat: 1 }, wasShown: true },
    myEvent: { kind: "false event", ...at, event: { ...event, seat: 0 }, wasShown: true },
  };
  const shown = (filter: Partial<FlightFilter>) =>
    Object.keys(rows).filter((name) => showsRow({ ...ALL_ROWS, ...filter }, rows[name]!, 0));
  assertEquals(shown({}), Object.keys(rows));
  assertEquals(shown({ isOwnOnly: true }), ["mine", "stall", "myEvent"]);
  assertEquals(shown({ metresMin: 0.5 }), ["far"]);
  assertEquals(shown({ reason: "their line" }), ["mine", "late"]);
  assertEquals(shown({ reason: "their line", isOwnOnly: true, metresMin: 0.2 }), []);
});

Deno.test("visibilityOf: a jump before what slid, longer slides before shorter ones, the unseen last (SPEC 15.61)", () => {
  const seen: readonly (readonly [string, number, Sight])[] = [
    ["unseen far", 2, { seen: "unseen", visibleMs: undefined }],
    ["slid short", 2, { seen: "slid", visibleMs: 80 }],
    ["jump near", 0.1, { seen: "snapped", visibleMs: 0 }],
    ["slides on", 0.1, { seen: "slid", visibleMs: undefined }],
    ["jump far", 1.5, { seen: "snapped", visibleMs: 0 }],
    ["slid long", 0.1, { seen: "slid", visibleMs: 200 }],
    ["unseen near", 0.1, { seen: "unseen", visibleMs: undefined }],
  ];
  const order = seen.map(([name, metres, sight]) =>
    [visibilityOf({ metres }, sight), name] as const
  )
    .sort((a, b) => b[0] - a[0]).map(([, name]) => name);
  assertEquals(order, [
    "jump far",
    "jump near",
    "slides on",
    "slid long",
    "slid short",
    "unseen far",
    "unseen near",
  ]);
});
