import { assertEquals } from "@std/assert";
import type { FlightRow } from "../../../client/debug/flight_log.ts";
import {
  causeText,
  flightFiguresOf,
  rowText,
  sightText,
} from "../../../client/debug/flight_words.ts";
import { correctionOf, NAMING, rowOf } from "./flights.ts";

Deno.test("causeText: names the player, the fields of the command, and where its time was lost", () => {
  const text = (changes: Parameters<typeof correctionOf>[0]) =>
    causeText(correctionOf(changes), NAMING);
  assertEquals(
    text({}),
    "Rook’s command (flaps) was not known yet (their connection: 140 ms late)",
  );
  const held = { fields: ["dir", "flapHeld"], delay: { where: "distance", ms: 212.4 } as const };
  assertEquals(
    text(held),
    "Rook’s command (dir, flap held) was not known yet (as far away as usual: 212 ms)",
  );
  const own = {
    cause: "own command",
    by: 0,
    seat: 0,
    delay: { where: "own line", ms: 35 },
  } as const;
  assertEquals(
    text(own),
    "your command of tick 75 (flaps) came late (your connection: 35 ms late)",
  );
  assertEquals(
    text({ ...own, delay: { where: "this page", ms: 300 } }),
    "your command of tick 75 (flaps) came late (this page stalled for 300 ms)",
  );
  assertEquals(
    text({ cause: "contact", seat: 0, delay: { where: "server", ms: 500 } }),
    "contact with Rook: Rook’s command (flaps) was not known yet (the server dropped ticks: 500 ms late)",
  );
  assertEquals(
    text({ cause: "contact", seat: 2, by: 0, delay: { where: "own line", ms: 35 } }),
    "contact with you: your command of tick 75 (flaps) came late (your connection: 35 ms late)",
  );
  assertEquals(
    text({ cause: "presence", delay: undefined }),
    "Rook entered, left, or changed hands with a bot",
  );
  assertEquals(
    text({ cause: "unknown", by: undefined, since: undefined, delay: undefined }),
    "several players’ commands at once, none of them alone",
  );
});

Deno.test("rowText: what happened and why, for each kind of row", () => {
  const text = (row: FlightRow, sight?: Parameters<typeof sightText>[0]) => {
    const { what, why } = rowText(row, NAMING, sight);
    return `${what} | ${why}`;
  };
  const cause = causeText(correctionOf(), NAMING);
  assertEquals(
    text(rowOf(), { seen: "slid", visibleMs: 180.3 }),
    `Rook 40 cm, slid for 180 ms | ${cause}`,
  );
  assertEquals(
    text(rowOf({ seat: 0 }), { seen: "snapped", visibleMs: 0 }),
    `you 40 cm, snapped | ${cause}`,
  );
  assertEquals(
    text(rowOf(), { seen: "slid", visibleMs: undefined }),
    `Rook 40 cm, slides | ${cause}`,
  );
  const event = { key: "70 joust 5", kind: "joust", seat: 1, fromMs: 3000, toMs: 3120 };
  const at = { atMs: 3120, tick: 72 };
  assertEquals(
    text({ kind: "false event", ...at, event, wasShown: true }),
    "Rook: joust | shown and taken back after 120 ms",
  );
  assertEquals(
    text({ kind: "false event", ...at, event: { ...event, seat: -1 }, wasShown: false }),
    "joust | predicted, not shown, and it never happened after 120 ms",
  );
  assertEquals(text({ kind: "stall", ...at, ms: 301 }), "stall | this page did nothing for 301 ms");
  assertEquals(text({ kind: "silence", ...at, ms: 600 }), "silence | no tick came for 600 ms");
  assertEquals(text({ kind: "mark", ...at }), "mark | you pressed F4");
});

Deno.test("flightFiguresOf: counts own and other corrections since a time, and names the worst, an own one first", () => {
  const event = { key: "", kind: "flap", seat: 1, fromMs: 0, toMs: 0 };
  const rows: FlightRow[] = [
    rowOf({ atMs: 900, metres: 9 }),
    rowOf({ atMs: 1100, metres: 2 }),
    rowOf({ atMs: 1200, seat: 0, metres: 0.1 }),
    { kind: "false event", atMs: 1300, tick: 1, event, wasShown: true },
    { kind: "false event", atMs: 1400, tick: 1, event, wasShown: false },
    rowOf({ atMs: 1500, seat: 2, metres: 1 }),
    { kind: "mark", atMs: 1600, tick: 1 },
  ];
  const { worst, ...figures } = flightFiguresOf(rows, 1000, 0);
  assertEquals(figures, {
    own: 1,
    others: 2,
    largestOwnMetres: 0.1,
    largestMetres: 2,
    takenBack: 1,
    notShown: 1,
  });
  assertEquals(worst?.seat, 0);
  assertEquals(flightFiguresOf(rows, 1250, 0).worst?.seat, 2);
});
