/**
 * Computes the tables of docs/scale.md: from one player to a million. Each figure says whether it
 * is measured, computed from a format, assumed, or an example. A test compares the document's
 * tables with these rows.
 */
import { grouped } from "../../support/progress.ts";

interface Figure {
  readonly value: number;
  readonly unit: string;
  readonly about: string;
  readonly source: string;
}

const DAYS_A_MONTH = 30.4;
const HOURS_A_MONTH = 730;
const SECONDS_A_MONTH = HOURS_A_MONTH * 3600;

export const FIGURES = {
  playersPerMatch: {
    value: 8,
    unit: "",
    about: "players of a match, beside 4 NPCs",
    source: "example",
  },
  matchMs: {
    value: 0.43,
    unit: "ms",
    about: "processor time of a match-tick",
    source: "measured (Numbers)",
  },
  appendMs: {
    value: 0.016,
    unit: "ms",
    about: "what the shared log adds to it",
    source: "measured",
  },
  datagramsMs: {
    value: 0.34,
    unit: "ms",
    about: "what datagrams to all 8 add to it",
    source: "measured",
  },
  logServersMs: {
    value: 0.035,
    unit: "ms",
    about: "processor time of the three log servers for it",
    source: "measured",
  },
  tickHz: { value: 20, unit: "/s", about: "ticks of a match", source: "SPEC" },
  load: {
    value: 0.5,
    unit: "",
    about: "mean load of a core; `--tick-load` allows 0.6 in the p95",
    source: "assumed",
  },
  nodesPerCluster: { value: 64, unit: "", about: "nodes of a cluster at most", source: "bound" },
  downBytes: {
    value: 142,
    unit: "B/s",
    about: "what a player receives, with WebSocket frames",
    source: "measured (Numbers)",
  },
  tcpBytes: {
    value: 74,
    unit: "B",
    about: "a packet's headers: IP 20, TCP 32, TLS 22",
    source: "computed",
  },
  quicBytes: {
    value: 55,
    unit: "B",
    about: "the same of a datagram: IP 20, UDP 8, QUIC 27",
    source: "computed",
  },
  fileBytes: {
    value: 36_000,
    unit: "B/min",
    about: "a match's log in files",
    source: "measured (Numbers)",
  },
  streamBytes: {
    value: 2300,
    unit: "B/s",
    about: "a match's log on each of three servers",
    source: "measured",
  },
  crashes: {
    value: 1,
    unit: "/month",
    about: "crashes of a node, or of its machine",
    source: "assumed",
  },
  corePrice: { value: 0.04, unit: "$", about: "a core for an hour", source: "example" },
  gigabytePrice: { value: 0.05, unit: "$", about: "a gigabyte sent", source: "example" },
} as const satisfies Readonly<Record<string, Figure>>;

/** How many matches a core plays. */
export const MATCHES_PER_CORE = matchesPerCore(0);
/** The same if all players use datagrams. */
export const MATCHES_PER_CORE_DATAGRAMS = matchesPerCore(FIGURES.datagramsMs.value);

function matchesPerCore(moreMs: number): number {
  const { appendMs, load, matchMs, tickHz } = FIGURES;
  return Math.floor(load.value * 1000 / tickHz.value / (matchMs.value + appendMs.value + moreMs));
}

/** Bytes sent to a player each second, over WebSocket or in datagrams. */
export function sentBytes(headerBytes: number): number {
  return FIGURES.downBytes.value + headerBytes * FIGURES.tickHz.value;
}

/** What a core and the traffic cost for one player who plays for a month without a break, $. */
export function pricesPerPlayer(
  { perCore, headerBytes }: { perCore: number; headerBytes: number },
): { cores: number; traffic: number } {
  const { corePrice, gigabytePrice, playersPerMatch } = FIGURES;
  return {
    cores: corePrice.value * HOURS_A_MONTH / (perCore * playersPerMatch.value),
    traffic: sentBytes(headerBytes) * SECONDS_A_MONTH / 1e9 * gigabytePrice.value,
  };
}

/** Rows for the table of figures. */
export function figureRows(): string[] {
  return Object.values<Figure>(FIGURES).map(({ value, unit, about, source }) => {
    const amount = value >= 1000 ? grouped(value) : `${value}`;
    return `| ${about} | ${unit === "$" ? `$${amount}` : `${amount} ${unit}`.trim()} | ${source} |`;
  });
}

/** Rows for the table of powers of ten, over WebSocket. */
export function powerRows(): string[] {
  const {
    crashes,
    fileBytes,
    logServersMs,
    nodesPerCluster,
    playersPerMatch,
    streamBytes,
    tickHz,
  } = FIGURES;
  const prices = pricesPerPlayer({
    perCore: MATCHES_PER_CORE,
    headerBytes: FIGURES.tcpBytes.value,
  });
  return [1, 10, 100, 1000, 10_000, 100_000, 1_000_000].map((players) => {
    const matches = Math.ceil(players / playersPerMatch.value);
    const cores = Math.ceil(matches / MATCHES_PER_CORE);
    const isAlone = cores === 1;
    const appends = matches * tickHz.value;

    // A single process needs no shared log, because it keeps its own files.
    const shared = (text: string) => isAlone ? "–" : text;
    const cells = [
      ...[players, matches, cores].map(grouped),
      shared(grouped(Math.ceil(cores / nodesPerCluster.value))),
      shared(grouped(appends)),
      shared(short(appends * logServersMs.value / 1000)),
      short(players * sentBytes(FIGURES.tcpBytes.value) * 8 / 1e6),
      short(matches * fileBytes.value * 60 * 24 / 1e9),
      shared(short(matches * streamBytes.value / 1e6)),
      short(cores * crashes.value / DAYS_A_MONTH),
      `$${grouped(cores * FIGURES.corePrice.value * HOURS_A_MONTH)}`,
      `$${short(players * prices.traffic)}`,
    ];
    return `| ${cells.join(" | ")} |`;
  });
}

/** Two digits, or a whole number. */
function short(value: number): string {
  return value >= 10 ? grouped(value) : `${Number(value.toPrecision(2))}`;
}
