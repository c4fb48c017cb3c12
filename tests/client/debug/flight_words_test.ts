import { assertEquals } from "@std/assert";
import type { FlightRow } from "../../../client/debug/flight_log.ts";
import {
  causeText,
  commandText,
  flightFiguresOf,
  rowText,
  sightText,
  summaryText,
} from "../../../client/debug/flight_words.ts";
import { correctionOf, NAMING, rowOf } from "./flights.ts";

Deno.test("causeText: says in players' words who did what, and where the time was lost (SPEC 15.60)", () => {
  const text = (changes: Parameters<typeof correctionOf>[0]) =>
    causeText(correctionOf(changes), NAMING);
  const guessed = "did something else than this page had guessed";
  assertEquals(text({}), `Rook ${guessed}: their connection was 140 ms late`);
  assertEquals(
    text({ delay: { where: "distance", ms: 212.4 } }),
    `Rook ${guessed}: the way is 212 ms long, as usual`,
  );
  const own = {
    cause: "own command",
    by: 0,
    seat: 0,
    delay: { where: "own line", ms: 35 },
  } as const;
  const late = "your keys came late to the server";
  assertEquals(text(own), `${late}: your connection was 35 ms late`);
  assertEquals(
    text({ ...own, delay: { where: "own line", ms: 0.2 } }),
    `${late}: your connection was less than 1 ms late`,
  );
  assertEquals(
    text({ ...own, delay: { where: "this page", ms: 300 } }),
    `${late}: this page stood still for 300 ms`,
  );
  assertEquals(
    text({ cause: "contact", seat: 0, delay: { where: "server", ms: 500 } }),
    `you met Rook, and Rook ${guessed}: the server was 500 ms late`,
  );
  assertEquals(
    text({ cause: "contact", seat: 2, by: 0, delay: { where: "own line", ms: 35 } }),
    `Wren met you, and ${late}: your connection was 35 ms late`,
  );
  assertEquals(
    text({ cause: "presence", delay: undefined }),
    "Rook came, left, or changed hands with a bot",
  );
  assertEquals(
    text({ cause: "unknown", by: undefined, since: undefined, delay: undefined }),
    "several players did something else than guessed, none of them alone",
  );
});

Deno.test("commandText: the command behind, with what was guessed and what it was", () => {
  const text = (changes: Parameters<typeof correctionOf>[0]) => commandText(correctionOf(changes));
  assertEquals(text({}), "flaps 3 → 4 (tick 75)");
  const held = [
    { field: "dir", guessed: 0, actual: -0.70710678 },
    { field: "flapHeld", guessed: false, actual: true },
  ];
  assertEquals(text({ changes: held }), "dir 0 → -0.71, flap held false → true (tick 75)");
  assertEquals(text({ since: undefined, changes: [] }), "");
});

Deno.test("summaryText: how many, how many of you with the worst and its moment, and why most of them (SPEC 15.60)", () => {
  const span = { seconds: 36.2, tickHz: 20, ownSeat: 0 };
  const far = correctionOf({ delay: { where: "distance", ms: 200 } });
  assertEquals(summaryText([], span), "36 s: nothing was corrected.");
  assertEquals(
    summaryText([far, far, correctionOf()], span),
    "36 s: 3 corrections, none of you. Mostly: too far away to know in time.",
  );
  const own = (metres: number, tick: number) => correctionOf({ seat: 0, metres, tick });
  assertEquals(
    summaryText([own(0.12, 240)], span),
    "36 s: 1 correction, 1 of you (12 cm at 0:12.0). Mostly: their connection.",
  );
  assertEquals(
    summaryText([own(0.12, 240), far, own(0.3, 1300)], span),
    "36 s: 3 corrections, 2 of you (up to 30 cm at 1:05.0). Mostly: their connection.",
  );
});

Deno.test("rowText: what happened and why, for each kind of row", () => {
  const text = (row: FlightRow, sight?: Parameters<typeof sightText>[0]) => {
    const { what, why, command } = rowText(row, NAMING, sight);
    return `${what} | ${why}${command === "" ? "" : ` | ${command}`}`;
  };
  const cause = `${causeText(correctionOf(), NAMING)} | flaps 3 → 4 (tick 75)`;
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
