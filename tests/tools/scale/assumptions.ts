/**
 * All assumptions of the simulation in one table. docs/scale.md shows the same table, and a test
 * compares both. "Measured" figures come from three servers of NATS 2.15.1 and one machine with two
 * shared cores, over loopback. A rule is what the server does. All others are assumed.
 */

/**
 * Quantiles of a quantity that varies: the share of values that are at most `value`, 0 … 1, and the
 * value.
 */
export type Spread = readonly (readonly [share: number, value: number])[];

interface Words {
  readonly unit: string;
  readonly about: string;
}

/** A table row. */
interface Row<Value extends number | Spread> extends Words {
  readonly value: Value;
  readonly source: "measured" | "rule" | "assumed";
}

export const ASSUMPTIONS = {
  appendMs: measured(spread({ 0: 1.5, 50: 3.3, 99: 6.5, 100: 7 }), {
    unit: "ms",
    about: "an append, until it is durable",
  }),
  fenceMs: measured(spread({ 0: 6, 50: 12, 100: 36 }), {
    unit: "ms",
    about: "the record that takes a match over",
  }),
  loadMs: measured(spread({ 0: 12, 50: 25, 100: 72 }), {
    unit: "ms",
    about: "reading a match that was taken over",
  }),
  loadEachMs: measured(7, { unit: "ms", about: "between two matches that one node reads at once" }),
  electionMs: measured(spread({ 0: 5400, 100: 7700 }), {
    unit: "ms",
    about: "a stream without its leader",
  }),
  handOverMs: assumed(spread({ 0: 25, 50: 40, 100: 120 }), {
    unit: "ms",
    about: "a match that is handed over, until it goes on",
  }),
  lookMs: rule(20, {
    unit: "ms",
    about: "between two looks for a match's new owner, while a page's request waits",
  }),
  beatLagMs: assumed(spread({ 0: 0.3, 50: 1, 99: 6, 100: 30 }), {
    unit: "ms",
    about: "a heartbeat in transit",
  }),
  checkMs: rule(20, { unit: "ms", about: "between two looks for nodes with missed heartbeats" }),
  stallShare: assumed(0.01, { unit: "", about: "share of the looks that come late" }),
  stallMs: assumed(spread({ 0: 20, 100: 500 }), { unit: "ms", about: "how late they come" }),
  streams: assumed(8, { unit: "", about: "streams of a cluster, over three servers" }),
  tickMs: rule(50, { unit: "ms", about: "between two ticks" }),
  roomCostMs: assumed(0.24, {
    unit: "ms",
    about: "processor time of a match-tick, without its players",
  }),
  playerCostMs: assumed(0.025, {
    unit: "ms",
    about: "processor time that a player adds to it; with 8 players 0.44 ms",
  }),
  loadPeak: assumed(1.2, {
    unit: "",
    about: "95th percentile of a tick's time, relative to the mean",
  }),
  loadMax: rule(0.6, { unit: "", about: "load of a full node (`--tick-load`)" }),
  seats: rule(16, { unit: "", about: "seats of a room" }),
  emptySeconds: rule(60, { unit: "s", about: "an empty room stays for so long" }),
  sessionMinutes: assumed(15, {
    unit: "min",
    about: "a player plays so long in the mean, exponentially distributed",
  }),
  patienceSeconds: assumed(30, { unit: "s", about: "a player waits so long for a seat at most" }),
  accessMs: assumed(spread({ 0: 4, 50: 18, 90: 45, 99: 120, 100: 250 }), {
    unit: "ms",
    about: "round trip of a player's own connection",
  }),
  pathStretch: assumed(1.5, {
    unit: "",
    about: "length of cables, relative to the great circle, at 200 km/ms",
  }),
  askRoundTrips: assumed(1, {
    unit: "",
    about: "round trips of a request to a node that the page has asked before",
  }),
  connectRoundTrips: assumed(4, {
    unit: "",
    about: "round trips until a new socket is in a match: TCP, TLS, upgrade, hello",
  }),
  ticketRoundTrips: assumed(3, {
    unit: "",
    about: "round trips of the request for a ticket at a new node: TCP, TLS, request",
  }),
  restartSeconds: assumed(5, {
    unit: "s",
    about: "a node that stops or crashes is back after so long",
  }),
} as const;

/** The table's rows in docs/scale.md, without padding. */
export function assumptionRows(): string[] {
  return Object.values<Row<number | Spread>>(ASSUMPTIONS).map(({ value, unit, about, source }) => {
    const text = typeof value === "number" ? `${value}` : value.map(quantileText).join(", ");
    return `| ${about} | ${`${text} ${unit}`.trim()} | ${source} |`;
  });
}

function quantileText([share, value]: readonly [number, number]): string {
  const name = share === 0 ? "least" : share === 1 ? "most" : `p${Math.round(share * 100)}`;
  return `${name} ${value}`;
}

/** @param percentiles values by their percentile, 0 … 100 */
function spread(percentiles: Readonly<Record<number, number>>): Spread {
  return Object.entries(percentiles).map(([percent, value]) =>
    [Number(percent) / 100, value] as const
  );
}

function measured<Value extends number | Spread>(value: Value, words: Words): Row<Value> {
  return { value, ...words, source: "measured" };
}

function rule<Value extends number | Spread>(value: Value, words: Words): Row<Value> {
  return { value, ...words, source: "rule" };
}

function assumed<Value extends number | Spread>(value: Value, words: Words): Row<Value> {
  return { value, ...words, source: "assumed" };
}
