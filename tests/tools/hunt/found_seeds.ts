/**
 * Schedules that have found mistakes in the server, in the client or in the log. Each has passed
 * since its mistake was mended.
 */
import type { Schedule } from "./schedule.ts";

/** A schedule, and what it found. */
export interface FoundSeed {
  readonly found: string;
  readonly schedule: Schedule;
}

export const FOUND_SEEDS: readonly FoundSeed[] = [
  {
    found:
      "a changed length of the newest record passed for a torn record, and a tick that clients had was lost",
    schedule: {
      seed: 6,
      game: "counter",
      seconds: 180,
      faults: [{
        atMs: 170931,
        kind: "flipped bit in the newest record",
        who: 1,
        ms: 146,
        draw: 1937628421,
      }],
    },
  },
  {
    found:
      "commands of a link that was closed during a slow write were sent with a tick whose record lacked them",
    schedule: {
      seed: 11,
      game: "counter",
      seconds: 90,
      faults: [
        { atMs: 62000, kind: "server crash between ticks", who: 1, ms: 3616, draw: 397282903 },
        { atMs: 64522, kind: "stall of a client", who: 1, ms: 307, draw: 3282514114 },
        { atMs: 67715, kind: "join storm", who: 0, ms: 996, draw: 1955189307 },
        { atMs: 68452, kind: "slow disk", who: 1, ms: 4514, draw: 2719562469 },
        {
          atMs: 70045,
          kind: "server crash when some have the tick",
          who: 0,
          ms: 6058,
          draw: 2270781376,
        },
      ],
    },
  },
  {
    found:
      "ticks that datagrams repeated had later changes of presence, so that a client refused them as too far ahead",
    schedule: {
      seed: 19,
      game: "counter",
      seconds: 150,
      faults: [
        { atMs: 139659, kind: "hidden tab", who: 2, ms: 5725, draw: 2091563288 },
        { atMs: 142021, kind: "hostile client: flood", who: 1, ms: 2221, draw: 2198048347 },
      ],
    },
  },
  {
    found:
      "the first commands of a second window seemed to press, because others were announced for later ticks",
    schedule: {
      seed: 14,
      game: "counter",
      seconds: 30,
      faults: [
        { atMs: 2000, kind: "clock jump", who: 1, ms: 1432, draw: 3204478795 },
        { atMs: 2043, kind: "seat take-over", who: 1, ms: 5770, draw: 88095354 },
      ],
    },
  },
  {
    found:
      "with states in place of ticks no ping was answered, and after a slow disk a client was too far ahead for ever",
    schedule: {
      seed: 23,
      game: "counter",
      seconds: 240,
      faults: [
        { atMs: 169454, kind: "slow disk", who: 1, ms: 4809, draw: 4215730109 },
        { atMs: 173583, kind: "lying client", who: 1, ms: 1096, draw: 256185137 },
      ],
    },
  },
  {
    found:
      "datagrams repeated commands of a clock that had jumped back, and their presses of long ago counted",
    schedule: {
      seed: 1072,
      game: "counter",
      seconds: 60,
      faults: [
        { atMs: 43106, kind: "clock jump", who: 3, ms: 6879, draw: 3661939497 },
        { atMs: 47996, kind: "clock jump", who: 3, ms: 2137, draw: 1367803303 },
      ],
    },
  },
  {
    found:
      "an older window's last commands were announced after the newer one had its state, and seemed to press",
    schedule: {
      seed: 136,
      game: "counter",
      seconds: 180,
      faults: [
        { atMs: 161366, kind: "client crash and return", who: 0, ms: 231, draw: 843436657 },
        { atMs: 166166, kind: "slow disk", who: 0, ms: 5248, draw: 508228664 },
        { atMs: 166337, kind: "seat take-over", who: 0, ms: 2791, draw: 2845766900 },
      ],
    },
  },
  {
    found:
      "two that slept on each other, and that a list of bodies had apart, stayed a contact that no stage could load",
    schedule: {
      seed: 3006,
      game: "dragons",
      seconds: 30,
      faults: [
        { atMs: 2000, kind: "stall of a client", who: 1, ms: 6635, draw: 1759901145 },
        { atMs: 5035, kind: "hidden tab", who: 1, ms: 953, draw: 1006908711 },
      ],
    },
  },
  {
    found:
      "a match that was resumed before an entry looked for the player's command in ticks before the first one",
    schedule: {
      seed: 100109,
      game: "counter",
      seconds: 30,
      faults: [
        { atMs: 2000, kind: "a player leaves, another comes", who: 1, ms: 2364, draw: 4280880664 },
        { atMs: 5223, kind: "server crash between ticks", who: 1, ms: 2982, draw: 1310542839 },
      ],
    },
  },
  {
    found:
      "a player whose line was cut between the welcome and the first tick had not kept the welcome's token",
    schedule: {
      seed: 101357,
      game: "counter",
      seconds: 150,
      faults: [
        {
          atMs: 122395,
          kind: "server crash with a torn record",
          who: 1,
          ms: 6167,
          draw: 2405130690,
        },
        { atMs: 122691, kind: "burst of delay", who: 2, ms: 5234, draw: 2447799409 },
        { atMs: 122934, kind: "cut", who: 0, ms: 4200, draw: 3119644504 },
      ],
    },
  },
  {
    found:
      "a clock jumped between a join's pings and pongs, and all commands were for ticks too far ahead, for ever",
    schedule: {
      seed: 101250,
      game: "dragons",
      seconds: 30,
      faults: [
        { atMs: 6000, kind: "client crash and return", who: 2, ms: 1000, draw: 1 },
        { atMs: 7100, kind: "clock jump", who: 2, ms: 6891, draw: 1287801791 },
      ],
    },
  },
  {
    // None can be left out, because each fault shifts all later chances.
    found:
      "after a jump of a clock, a tick before one with a taken command got another one, and its presses counted",
    schedule: {
      seed: 101503,
      game: "counter",
      seconds: 150,
      faults: [
        { atMs: 3225, kind: "server crash between ticks", who: 1, ms: 2563, draw: 538134986 },
        { atMs: 6201, kind: "spectators", who: 1, ms: 2621, draw: 793408606 },
        { atMs: 7937, kind: "server crash with a torn record", who: 0, ms: 2450, draw: 690113149 },
        { atMs: 22990, kind: "half-open line, up", who: 0, ms: 3010, draw: 2272447839 },
        {
          atMs: 36473,
          kind: "server crash before anybody has the tick",
          who: 0,
          ms: 1199,
          draw: 3395825780,
        },
        {
          atMs: 39318,
          kind: "server crash before the log has the tick",
          who: 0,
          ms: 2022,
          draw: 3540686505,
        },
        { atMs: 48842, kind: "cut", who: 1, ms: 6432, draw: 68854574 },
        { atMs: 51352, kind: "cut", who: 1, ms: 2915, draw: 364847648 },
        { atMs: 55273, kind: "client crash and return", who: 1, ms: 727, draw: 592248281 },
        { atMs: 84337, kind: "room churn", who: 1, ms: 1663, draw: 1837195571 },
        {
          atMs: 95339,
          kind: "server crash when some have the tick",
          who: 1,
          ms: 1467,
          draw: 3627402533,
        },
        { atMs: 99697, kind: "server crash between ticks", who: 1, ms: 3471, draw: 2278157393 },
        {
          atMs: 107209,
          kind: "server crash with a torn record",
          who: 1,
          ms: 4685,
          draw: 4248336073,
        },
        { atMs: 108064, kind: "server crash between ticks", who: 1, ms: 1943, draw: 3641049734 },
        { atMs: 112047, kind: "seat take-over", who: 0, ms: 1752, draw: 1507515029 },
        { atMs: 112327, kind: "cut", who: 1, ms: 359, draw: 646214831 },
        { atMs: 122000, kind: "server crash between ticks", who: 1, ms: 5780, draw: 4049089448 },
        { atMs: 125631, kind: "cut", who: 0, ms: 6455, draw: 2341913086 },
        { atMs: 128404, kind: "client crash and return", who: 1, ms: 619, draw: 2366933286 },
        { atMs: 136265, kind: "cut", who: 1, ms: 4670, draw: 3522738232 },
        { atMs: 136768, kind: "clock jump", who: 1, ms: 3186, draw: 450525261 },
      ],
    },
  },
  {
    found:
      "commands that were under way for four seconds were taken after newer ones for earlier ticks",
    schedule: {
      seed: 200095,
      game: "counter",
      seconds: 180,
      faults: [
        { atMs: 159146, kind: "clock jump", who: 1, ms: 6947, draw: 2503643309 },
        { atMs: 159593, kind: "stall of a client", who: 1, ms: 4190, draw: 20496825 },
      ],
    },
  },
  {
    found: "a clock that was behind the server sent no command, got no advice, and stayed behind",
    schedule: {
      seed: 200348,
      game: "counter",
      seconds: 180,
      faults: [
        {
          atMs: 92000,
          kind: "server crash before anybody has the tick",
          who: 2,
          ms: 4065,
          draw: 248369440,
        },
        { atMs: 94843, kind: "room churn", who: 2, ms: 5359, draw: 1054938215 },
        { atMs: 98150, kind: "join storm", who: 0, ms: 2744, draw: 3406192663 },
        { atMs: 103054, kind: "a player leaves, another comes", who: 0, ms: 134, draw: 1951464487 },
        {
          atMs: 106195,
          kind: "server crash before anybody has the tick",
          who: 1,
          ms: 6786,
          draw: 2615866737,
        },
        {
          atMs: 132851,
          kind: "server crash with a torn record",
          who: 2,
          ms: 2915,
          draw: 2018903191,
        },
        { atMs: 136801, kind: "slow disk", who: 1, ms: 6844, draw: 187820616 },
        { atMs: 141027, kind: "stolen old token", who: 0, ms: 4973, draw: 3330717227 },
        { atMs: 141345, kind: "reordering", who: 1, ms: 2526, draw: 1914193143 },
        { atMs: 142070, kind: "half-open line, up", who: 2, ms: 1674, draw: 1663985494 },
        { atMs: 142150, kind: "loss", who: 2, ms: 3850, draw: 1863312801 },
      ],
    },
  },
  {
    found:
      "a line lost the twenty pings of a join, and then one a second: a player waited for five seconds",
    schedule: {
      seed: 301552,
      game: "counter",
      seconds: 60,
      faults: [
        { atMs: 3879, kind: "half-open line, up", who: 2, ms: 2579, draw: 3003320205 },
        { atMs: 18568, kind: "cut", who: 2, ms: 2871, draw: 380220840 },
        {
          atMs: 35084,
          kind: "server crash when some have the tick",
          who: 2,
          ms: 2126,
          draw: 1541652659,
        },
        { atMs: 39424, kind: "server crash with a torn record", who: 0, ms: 3430, draw: 332097445 },
        { atMs: 42024, kind: "a player leaves, another comes", who: 0, ms: 5115, draw: 1892414364 },
        { atMs: 49770, kind: "server crash with a torn record", who: 0, ms: 1801, draw: 581009080 },
        { atMs: 53232, kind: "return with a used ticket", who: 1, ms: 666, draw: 1314224560 },
        { atMs: 54944, kind: "room churn", who: 2, ms: 1056, draw: 1172379550 },
        { atMs: 55259, kind: "loss", who: 1, ms: 741, draw: 4185883752 },
      ],
    },
  },
  {
    found:
      "an empty room stood still, and the hunt had forgotten who gave the command that it then went on with",
    schedule: {
      seed: 301637,
      game: "counter",
      seconds: 90,
      faults: [
        { atMs: 69512, kind: "room churn", who: 1, ms: 5129, draw: 221656909 },
        { atMs: 85076, kind: "room churn", who: 1, ms: 924, draw: 1828066649 },
      ],
    },
  },
  {
    found:
      "a clock jumped ahead, and short datagrams under way were read as those of a tick 128 later",
    schedule: {
      seed: 400434,
      game: "counter",
      seconds: 90,
      faults: [
        { atMs: 44881, kind: "slow disk", who: 1, ms: 4042, draw: 3675188351 },
        { atMs: 62000, kind: "clock jump", who: 2, ms: 5642, draw: 3163404878 },
      ],
    },
  },
  {
    found: "the same with a jump of 50 ticks and with datagrams that came out of order",
    schedule: {
      seed: 400706,
      game: "counter",
      seconds: 30,
      faults: [
        { atMs: 16418, kind: "server crash with a torn record", who: 2, ms: 1112, draw: 538804112 },
        { atMs: 22658, kind: "reordering", who: 0, ms: 3342, draw: 3991443804 },
        { atMs: 22880, kind: "clock jump", who: 0, ms: 2505, draw: 1232547398 },
      ],
    },
  },
  {
    found:
      "the hunt counted a hostile client's command as that of the player who had the seat before, and gave the same",
    schedule: {
      seed: 401545,
      game: "counter",
      seconds: 90,
      faults: [
        {
          atMs: 74241,
          kind: "server crash with a torn record",
          who: 2,
          ms: 2290,
          draw: 4209017967,
        },
        { atMs: 78304, kind: "stall of the server", who: 0, ms: 5462, draw: 4180411591 },
        { atMs: 80830, kind: "burst of delay", who: 0, ms: 1680, draw: 1783048261 },
        { atMs: 80857, kind: "a player leaves, another comes", who: 0, ms: 2637, draw: 2040489345 },
        { atMs: 82516, kind: "hostile client: bytes", who: 0, ms: 3484, draw: 3185532343 },
      ],
    },
  },
];
