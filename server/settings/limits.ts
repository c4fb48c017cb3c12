/**
 * The limits on what strangers may take, as named settings. A load test, or a lecture hall behind
 * one router, stays below each default, and one hostile script cannot take what others need.
 */
import * as z from "zod";
import { type FlagValues, type Rate, rate, wholeNumber } from "../../shared/flags.ts";

/** The limits that a server keeps. */
export interface Limits {
  /**
   * TCP connections in all, sockets and pages together. The last ones are reserved for pages and
   * probes.
   */
  readonly connections: number;
  /** TCP connections from one address. */
  readonly connectionsPerAddress: number;
  /** Requests that one connection may make before it is closed. */
  readonly requestsPerConnection: number;
  readonly requestsPerAddress: Rate;
  /** Sockets in all: one core runs about 80 full matches of 16 players, which are 1,280 sockets. */
  readonly sockets: number;
  readonly socketsPerAddress: number;
  /**
   * Upgrade requests from one address. A load test opens 64 sockets at once, and a lecture hall of
   * 200 reconnects within 10 s of a restart. At 20 a second its last one came in after 9.7 s, and
   * in a simulation of the waits after up to 10.3 s. Each handshake takes about 0.2 ms of the core
   * that runs the ticks.
   */
  readonly upgradesPerAddress: Rate;
  /**
   * Messages on one link. A client sends 22 a second: a command for each tick, 5 % more if its
   * clock runs fast, and a ping. A connection that stalls for 10 s delivers 220 at once.
   */
  readonly messagesPerLink: Rate;
  /** Messages on all of one address's links: 256 clients send 5,632 a second. */
  readonly messagesPerAddress: Rate;
  /** Rooms in all: each costs a megabyte and a share of the core. */
  readonly rooms: number;
  /** Rooms that clients of one address have opened. */
  readonly roomsPerAddress: number;
  /** Seats that one address's clients hold in all rooms. */
  readonly seatsPerAddress: number;
  /** One address's spectators in all rooms. */
  readonly watchersPerAddress: number;
  /**
   * While the p95 of the ticks' durations is above this share of a tick, 0 … 1, no room and no seat
   * is added.
   */
  readonly tickLoad: number;
}

/** A setting that is a count. */
function count(about: string, byDefault: number, max = 1_000_000) {
  return {
    schema: wholeNumber(max, 1).default(byDefault),
    about: `${about} [${byDefault}]`,
    allowed: `a whole number 1 to ${max}`,
  } as const;
}

/** A setting that is a rate. */
function rateOf(about: string, byDefault: Rate) {
  const { burst, perSecond } = byDefault;
  return {
    schema: rate().default(byDefault),
    about: `${about} [${burst}/${perSecond}]`,
    allowed: "BURST/PERSECOND, such as 100/20",
  } as const;
}

/** The command line gives the share of a tick in percent. */
const PERCENT = 100;

export const LIMIT_FLAGS = {
  connections: count("connections of all, sockets and pages", 2_500, 65_000),
  "connections-per-address": count("connections of one address", 320, 65_000),
  "requests-per-connection": count("requests before a connection is closed", 100),
  "requests-per-address": rateOf(
    "requests of one address; 4 times as many of a /56, 16 times of a /48",
    {
      burst: 600,
      perSecond: 100,
    },
  ),
  sockets: count("sockets of all", 2_000, 65_000),
  "sockets-per-address": count("sockets of one address", 256, 65_000),
  "upgrades-per-address": rateOf(
    "new sockets of one address; 4 times as many of a /56, 16 times of a /48",
    {
      burst: 100,
      perSecond: 40,
    },
  ),
  "messages-per-link": rateOf("messages of one link", { burst: 300, perSecond: 60 }),
  "messages-per-address": rateOf("messages of one address", { burst: 12_000, perSecond: 6_000 }),
  rooms: count("rooms of all", 200, 10_000),
  "rooms-per-address": count("rooms that one address has opened", 20, 10_000),
  "seats-per-address": count("seats of one address", 256, 65_000),
  "watchers-per-address": count("spectators of one address", 64, 65_000),
  "tick-load": {
    schema: wholeNumber(PERCENT, 1).default(60),
    about:
      "no new room or seat while the p95 of the ticks takes more than so many percent of a tick [60]",
    allowed: "a whole number 1 to 100",
  },
} as const;

/** Reads the limits from the settings. */
export function limitsOf(settings: FlagValues<typeof LIMIT_FLAGS>): Limits {
  return {
    connections: settings.connections,
    connectionsPerAddress: settings["connections-per-address"],
    requestsPerConnection: settings["requests-per-connection"],
    requestsPerAddress: settings["requests-per-address"],
    sockets: settings.sockets,
    socketsPerAddress: settings["sockets-per-address"],
    upgradesPerAddress: settings["upgrades-per-address"],
    messagesPerLink: settings["messages-per-link"],
    messagesPerAddress: settings["messages-per-address"],
    rooms: settings.rooms,
    roomsPerAddress: settings["rooms-per-address"],
    seatsPerAddress: settings["seats-per-address"],
    watchersPerAddress: settings["watchers-per-address"],
    tickLoad: settings["tick-load"] / PERCENT,
  };
}

const LIMIT_SCHEMAS = Object.fromEntries(
  Object.entries(LIMIT_FLAGS).map(([name, { schema }]) => [name, schema]),
);

/** The default limits, for tests and tools that run without a server process. */
export const DEFAULT_LIMITS: Limits = limitsOf(
  z.object(LIMIT_SCHEMAS).parse({}) as FlagValues<typeof LIMIT_FLAGS>,
);
