/**
 * Minutes of churn: clients from several addresses come, play, watch, stand still, are hidden or do
 * nothing, and leave or are cut. Rooms open and close with them, and pages are fetched. Two honest
 * bots play through all of it. At the end the process must have released memory and descriptors,
 * its log must have kept its bounds (SPEC 14.10), and no seat may have been held without play for
 * longer than its rule allows (SPEC 3.3, 3.15).
 */
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { openWholeSession } from "../../../../client/net/datagram_session.ts";
import { clock, wait } from "../../../../server/ground/ticker.ts";
import type { Link } from "../../../../shared/netcode/link.ts";
import { CloseCode } from "../../../../shared/netcode/wire/messages.ts";
import { Random } from "../../../../shared/random.ts";
import { Crowd, roomCode } from "./crowd.ts";
import { rounded, type Sample, slopeOf } from "./figures.ts";
import { type Disturbances, HONEST_ROOM, HonestPlayers } from "./honest_players.ts";
import type { Role } from "./light_client.ts";
import type { Transport } from "../../bench/transport/plan.ts";
import { MeasuredServer } from "./measured_server.ts";

/** The share of the time that counts as warm-up: 3 of 15 minutes. */
const WARM_UP_SHARE = 0.2;
/** Each sample collects the server's garbage. */
const SAMPLE_EVERY_MS = 15_000;
/**
 * One address sends a new client every time; the log names half of them. Several others send one
 * now and then.
 */
const HASTY_ADDRESS = "127.0.2.100";
const CALM_ADDRESSES = 7;
const CALM_CHANCE = 0.4;
/** All datagram sessions come from here. */
const DATAGRAMS_ADDRESS = "127.0.0.1";
/** There are fewer clients than rooms, so rooms open and close all the time. */
const ROOMS = 60;
const ROOMS_OF_HASTY = 8;
const HASTY_ROLES: readonly Role[] = [
  ...new Array<Role>(6).fill("player"),
  "watcher",
  "watcher",
  "idler",
];
/** Those who do nothing would fill the few rooms of the hasty address. */
const CALM_ROLES: readonly Role[] = [...HASTY_ROLES, "still", "hidden"];
/**
 * How long a client stays, plus up to so much more, s. An idler waits for the server's close (SPEC
 * 3.15).
 */
const STAY_SECONDS = 2;
const STAY_SECONDS_MORE = 8;
const HASTY_SECONDS_MORE = 2;
const IDLER_SECONDS = 20;
/**
 * The server's rule for those who do nothing, and how long they wait for it, s, because a busy
 * server closes them a moment later.
 */
const IDLE_SECONDS = 15;
const WAITING_SECONDS = 30;
const LATE_SECONDS_MAX = 3;
/**
 * A room without a connected client stands still with its reserved seats, and is removed after a
 * minute.
 */
const RESERVED_WITHIN_MS = 75_000;
const CUT_SHARE = 0.4;
const PAGES = ["", "api/rooms", "healthz", "readyz", "metrics", "no/such/page"];
const FETCH_EVERY_MS = 500;
/** On a busy machine the server would send most newcomers away, and there would be little churn. */
const ALWAYS_READY = ["--tick-load", "100"];
const IDLE = ["--idle", String(IDLE_SECONDS)];
/** The longest stay. */
const EMPTY_WITHIN_MS = 40_000;
/** Descriptors are looked at for longer than the server takes between two connections to itself. */
const LOOK_MS = 3_000;
/** Twice as long as a connection without a request lives. */
const CLOSED_WITHIN_MS = 10_000;
/**
 * How many of an address's links the log names: 100 at once, then 5 a second (SPEC 14.10), each
 * with a line for its begin, its join and its end.
 */
const LINKS_NAMED_AT_ONCE = 100;
const LINKS_NAMED_PER_SECOND = 5;
const LINES_PER_LINK = 3;
const RSS_SLOPE_MAX = 1;

export interface ChurnFigures extends Disturbances {
  readonly minutes: number;
  readonly joins: number;
  readonly cuts: number;
  /** Links that the server closed because their seat was not played. */
  readonly idle: number;
  /** How long a player at most did nothing and kept their seat, s. */
  readonly heldSecondsMax: number;
  /**
   * How many seats are still reserved after everyone has been gone for as long as a seat may be.
   */
  readonly reservedSeats: number;
  /** How many newcomers a busy machine sent away. */
  readonly busy: number;
  /** How many clients lost their places to others on a busy machine (SPEC 14.42). */
  readonly displaced: number;
  /** How many opened rooms the log names. */
  readonly rooms: number;
  readonly pages: number;
  /** How many requests were not answered. */
  readonly pagesFailed: number;
  /**
   * Through all samples after the warm-up, each after a garbage collection. Without collections V8
   * lets garbage come and go by 100 MB: six runs of 15 minutes measured −2.8 to 6.4 for servers
   * with a live heap that did not grow.
   */
  readonly rssSlopeMbPerMin: number;
  /** At the end. */
  readonly rssMb: number;
  readonly descriptorsBefore: number;
  readonly descriptorsAfter: number;
  readonly logBytesPerMin: number;
  readonly logLinesPerMin: number;
  /** The log's lines about the hasty address's links, and how many it may contain. */
  readonly linkLines: number;
  readonly linkLinesMax: number;
  /** Unplanned ends of links, by close code or HTTP status. */
  readonly unplanned: Readonly<Record<string, number>>;
}

export interface ChurnOptions {
  readonly seed: number;
  /** For the clients and the honest bots. */
  readonly transport: Transport;
  /** How many clients the hasty address sends. */
  readonly arrivalsPerSecond: number;
  readonly minutes: number;
  readonly log: (line: string) => void;
}

export async function soakChurn(options: ChurnOptions): Promise<ChurnFigures> {
  const { seed, minutes, transport, log } = options;
  const hasDatagrams = transport === "webtransport";
  const datagrams = hasDatagrams
    ? ["--datagrams", "on", "--rooms-per-address", String(ROOMS + ROOMS_OF_HASTY)]
    : [];
  const flags = ["--seed", String(seed), ...datagrams, ...ALWAYS_READY, ...IDLE];
  await using server = await MeasuredServer.startInspected(...flags);
  const open = (name: string) => openDatagrams(server, name);
  using honest = new HonestPlayers(server.url, {
    count: 2,
    seed,
    open: hasDatagrams ? open : undefined,
  });
  await honest.untilPlaying();
  const crowd = new Crowd(server.port, { seed });
  const churn = new Churn({ ...options, server, crowd });

  try {
    const descriptorsBefore = await fewestDescriptors(server, { ms: LOOK_MS });
    const bytesBefore = server.logBytes;
    const linesBefore = server.logLines;
    const beganMs = clock.now();
    const samples = await churn.run(minutes, log);
    const passedMinutes = (clock.now() - beganMs) / 60_000;
    const bytes = server.logBytes - bytesBefore;
    const lines = server.logLines - linesBefore;
    const { joins, cuts, closes, refusals, heldMsMax } = await churn.untilEmpty();
    // A run of seconds does not wait that long.
    const reservedSeats = minutes < 1 ? 0 : await fewestReserved(server);
    // Watchers come to rooms without players, and players leave them alone there: the server says
    // so.
    const { [CloseCode.idle]: idle = 0, [CloseCode.displaced]: displaced = 0, ...rest } = closes;
    const { [CloseCode.noRoom]: _left, ...otherCloses } = rest;
    const { [CloseCode.busy]: busy = 0, [CloseCode.noRoom]: _empty, ...otherRefusals } = refusals;
    return {
      minutes,
      joins,
      cuts,
      idle,
      heldSecondsMax: rounded(heldMsMax / 1000, 2),
      reservedSeats,
      busy,
      displaced,
      rooms: server.roomsOpened,
      pages: churn.pages,
      pagesFailed: churn.pagesFailed,
      rssSlopeMbPerMin: rounded(slopeOf(samples), 3),
      rssMb: Math.round(await server.residentMb()),
      descriptorsBefore,
      descriptorsAfter: await fewestDescriptors(server, {
        ms: CLOSED_WITHIN_MS,
        enough: descriptorsBefore,
      }),
      logBytesPerMin: Math.round(bytes / passedMinutes),
      logLinesPerMin: Math.round(lines / passedMinutes),
      linkLines: server.linkLines.get(hasDatagrams ? DATAGRAMS_ADDRESS : HASTY_ADDRESS) ?? 0,
      linkLinesMax: LINES_PER_LINK *
        Math.ceil(LINKS_NAMED_AT_ONCE + LINKS_NAMED_PER_SECOND * 60 * passedMinutes),
      unplanned: { ...otherCloses, ...otherRefusals },
      ...honest.disturbances(),
    };
  } finally {
    await crowd.end();
  }
}

function openDatagrams({ url }: MeasuredServer, name: string): Link {
  const request = { gameId: dragonGame.id, room: HONEST_ROOM, name, spectate: false };
  return openWholeSession(new URL(url).origin, request);
}

/** @returns the bars that the figures miss */
export function churnFaults(figures: ChurnFigures): string[] {
  const {
    rssSlopeMbPerMin,
    descriptorsBefore,
    descriptorsAfter,
    linkLines,
    linkLinesMax,
    unplanned,
  } = figures;
  const { closes, desyncs, gaps, pagesFailed, heldSecondsMax, reservedSeats } = figures;
  const faults: string[] = [];
  if (rssSlopeMbPerMin >= RSS_SLOPE_MAX) {
    faults.push(`the memory grows by ${rssSlopeMbPerMin} MB a minute`);
  }
  if (descriptorsAfter > descriptorsBefore) {
    faults.push(`${descriptorsAfter} descriptors are open, and before ${descriptorsBefore}`);
  }
  if (heldSecondsMax > IDLE_SECONDS + LATE_SECONDS_MAX) {
    faults.push(
      `a seat was held by nobody for ${heldSecondsMax} s, and the rule is ${IDLE_SECONDS} s`,
    );
  }

  if (reservedSeats > 0) faults.push(`${reservedSeats} seats are kept for nobody`);
  if (pagesFailed > 0) faults.push(`${pagesFailed} pages did not come`);
  if (linkLines > linkLinesMax) {
    faults.push(`the log has ${linkLines} lines about links of one address`);
  }
  if (Object.keys(unplanned).length > 0) {
    faults.push(`links ended that should not: ${JSON.stringify(unplanned)}`);
  }
  if (closes + desyncs + gaps > 0) {
    faults.push(`felt: ${closes} closes, ${desyncs} desyncs, ${gaps} gaps`);
  }
  return faults;
}

/** One run's clients and pages. */
class Churn {
  readonly #server: MeasuredServer;
  readonly #crowd: Crowd;
  readonly #random: Random;
  readonly #transport: Transport;
  readonly #arriveEveryMs: number;
  pages = 0;
  pagesFailed = 0;

  constructor(
    { server, crowd, seed, transport, arrivalsPerSecond }: ChurnOptions & {
      server: MeasuredServer;
      crowd: Crowd;
    },
  ) {
    this.#server = server;
    this.#crowd = crowd;
    this.#random = new Random(seed);
    this.#transport = transport;
    this.#arriveEveryMs = 1_000 / arrivalsPerSecond;
  }

  /** @returns the memory in MB after the warm-up */
  async run(minutes: number, log: (line: string) => void): Promise<Sample[]> {
    const beganMs = clock.now();
    const totalMs = minutes * 60_000;
    const samples: Sample[] = [];
    let fetchAtMs = beganMs;
    let sampleAtMs = beganMs;
    let logAtMs = beganMs;

    for (let nowMs = beganMs; nowMs - beganMs < totalMs; nowMs = clock.now()) {
      await this.#arrive();
      if (nowMs >= fetchAtMs) {
        fetchAtMs += FETCH_EVERY_MS;
        await this.#fetchPages();
      }
      if (nowMs >= sampleAtMs) {
        sampleAtMs += SAMPLE_EVERY_MS;
        const sample = {
          minutes: (nowMs - beganMs) / 60_000,
          value: await this.#server.residentMb(),
        };
        if (nowMs - beganMs >= WARM_UP_SHARE * totalMs) samples.push(sample);
        if (nowMs >= logAtMs) {
          logAtMs += 60_000;
          const { inside, joins } = await this.#crowd.report();
          log(
            `churn: ${sample.minutes.toFixed(1)} min, ${joins} joins, ${inside} inside, ${
              Math.round(sample.value)
            } MB`,
          );
        }
      }
      await wait(Math.max(0, nowMs + this.#arriveEveryMs - clock.now()));
    }

    return samples;
  }

  /** @returns the crowd's counts once all of it has left */
  async untilEmpty() {
    for (const endMs = clock.now() + EMPTY_WITHIN_MS;; await wait(LOOK_MS / 3)) {
      const report = await this.#crowd.report();
      if (report.inside === 0 || clock.now() > endMs) return report;
    }
  }

  /** Fetches what a page fetches, from the honest players' address. */
  async #fetchPages(): Promise<void> {
    await Promise.all(PAGES.map(async (path) => {
      try {
        await (await fetch(`${this.#server.url}${path}`)).arrayBuffer();
        this.pages++;
      } catch (error) {
        this.pagesFailed++;
        console.error(`churn: ${error}`);
      }
    }));
  }

  async #arrive(): Promise<void> {
    const random = this.#random;
    const hasty = {
      address: HASTY_ADDRESS,
      rooms: ROOMS_OF_HASTY,
      secondsMore: HASTY_SECONDS_MORE,
    };
    await this.#send({ ...hasty, roles: HASTY_ROLES });
    if (!random.chance(CALM_CHANCE)) return;
    const address = `127.0.2.${1 + random.below(CALM_ADDRESSES)}`;
    await this.#send({ address, rooms: ROOMS, secondsMore: STAY_SECONDS_MORE, roles: CALM_ROLES });
  }

  async #send(
    { address, rooms, secondsMore, roles }: {
      address: string;
      rooms: number;
      secondsMore: number;
      roles: readonly Role[];
    },
  ): Promise<void> {
    const random = this.#random;
    const role = roles[random.below(roles.length)]!;
    const waits = role === "still" || role === "hidden";
    const stay = STAY_SECONDS + random.below(secondsMore);
    const staySeconds = role === "idler" ? IDLER_SECONDS : waits ? WAITING_SECONDS : stay;
    const ending = random.chance(CUT_SHARE) ? "cut" as const : "leave" as const;
    const room = roomCode(random.below(rooms));
    const transport = this.#transport;
    await this.#crowd.send({ count: 1, transport, address, room, role, staySeconds, ending });
  }
}

/**
 * How many seats are still reserved after everyone has been gone for as long as a seat may be
 * reserved.
 */
async function fewestReserved(server: MeasuredServer): Promise<number> {
  let fewest = Infinity;
  for (
    const endMs = clock.now() + RESERVED_WITHIN_MS;
    fewest > 0 && clock.now() < endMs;
    await wait(LOOK_MS / 3)
  ) {
    fewest = Math.min(fewest, await server.reservedSeats());
  }
  return fewest;
}

/**
 * The smallest number of descriptors within a time, or the first one that is low enough, because
 * the server connects to itself now and then.
 */
async function fewestDescriptors(
  server: MeasuredServer,
  { ms, enough = 0 }: { ms: number; enough?: number },
) {
  let fewest = Infinity;
  for (const endMs = clock.now() + ms; fewest > enough && clock.now() < endMs; await wait(200)) {
    fewest = Math.min(fewest, await server.descriptors());
  }
  return fewest;
}
