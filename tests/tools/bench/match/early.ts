/**
 * Measures what early announcements cost (SPEC 2.14). Eight human-like riders play matches in the
 * lab over lines with a round trip of 200 ms, so every client is far enough to get them. Two
 * servers in this process then handle these clients' recorded messages: one as it is, and one with
 * a game without urgent commands. They take turns of one second of the match, and send through real
 * sockets to a process that reads and discards. They differ only in what they send.
 */
import type { DragonCommand } from "../../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { seededSecret } from "../../../support/seeded_secret.ts";
import process from "node:process";
import { Rooms } from "../../../../server/rooms/rooms.ts";
import type { Link, MessageHandler } from "../../../../shared/netcode/link.ts";
import { RiderControls } from "../../../../client/lab/people/dragons/rider_controls.ts";
import { FITTED, styleAt } from "../../../../client/lab/people/dragons/styles.ts";
import { openEchoServer } from "../../../support/echo_server.ts";
import { Lab } from "../../lab/lab.ts";
import { medianOf } from "../median.ts";

const PLAYERS = 8;
const NPCS = 4;
const LINE = { oneWayMs: 100, jitterMs: 10 };
/** By then clients have joined, their leads have converged, and the compiler is done. */
const WARM_UP_TICKS = 300;
/** How many ticks count in each round. */
const COUNTED_TICKS = 600;
/** How many ticks one server runs before it is the other one's turn. */
const TURN_TICKS = 20;
/** The header of a WebSocket frame with less than 126 bytes (RFC 6455 §5.2). */
const FRAME_HEADER_BYTES = 2;
const SINK = new URL("socket_sink.ts", import.meta.url).pathname;

export interface EarlyFigures {
  /**
   * CPU per match-tick with early announcements divided by that without: the median over rounds.
   */
  readonly cpuRatio: number;
  /** The smallest and the largest ratio of a round. */
  readonly cpuRatioRange: readonly [number, number];
  /** ms of CPU per match-tick without early announcements. */
  readonly msPerTick: number;
  /** Bytes sent with early announcements divided by those without, with frame headers. */
  readonly bytesRatio: number;
  /** How many messages they add, per client and second. */
  readonly messagesPerSecond: number;
}

/** Something that happened at the recorded server, on the lab's clock. */
type ServerEvent =
  | { readonly type: "tick" | "midTick"; readonly atMs: number; readonly dueMs: number }
  | {
    readonly type: "message";
    readonly atMs: number;
    readonly client: number;
    readonly bytes: Uint8Array;
  };

export async function measureEarly(
  { matches, rounds, countedTicks = COUNTED_TICKS, warmUpTicks = WARM_UP_TICKS }: {
    matches: number;
    rounds: number;
    countedTicks?: number;
    warmUpTicks?: number;
  },
): Promise<EarlyFigures> {
  const ticks = { countedTicks, warmUpTicks };
  const recordings = Array.from({ length: matches }, (_, i) => recordMatch(i + 1, ticks));
  await using sockets = await openSockets(2 * matches * PLAYERS);
  const ratios: number[] = [];
  const msWithout: number[] = [];
  let figures = { bytesRatio: 0, messagesPerSecond: 0 };

  for (let round = 0; round < rounds; round++) {
    const [early, patient] = await playRound({ recordings, ...ticks, links: sockets.links });
    ratios.push(early.cpuMs / patient.cpuMs);
    msWithout.push(patient.cpuMs / (matches * countedTicks));
    const clientSeconds = matches * PLAYERS * countedTicks / dragonGame.tickHz;
    figures = {
      bytesRatio: early.bytes / patient.bytes,
      messagesPerSecond: (early.messages - patient.messages) / clientSeconds,
    };
  }

  return {
    cpuRatio: rounded(medianOf(ratios)),
    cpuRatioRange: [rounded(Math.min(...ratios)), rounded(Math.max(...ratios))],
    msPerTick: rounded(medianOf(msWithout)),
    bytesRatio: rounded(figures.bytesRatio),
    messagesPerSecond: rounded(figures.messagesPerSecond),
  };
}

/** How many ticks a match has in all, both multiples of `TURN_TICKS`. */
interface MatchTicks {
  readonly warmUpTicks: number;
  readonly countedTicks: number;
}

/** Plays a match of riders. @returns all that its server handles, in order */
function recordMatch(seed: number, { countedTicks, warmUpTicks }: MatchTicks): ServerEvent[] {
  const lab = new Lab({ game: dragonGame, seed, npcs: NPCS });
  const events: ServerEvent[] = [];
  const { rooms } = lab;
  const tick = rooms.tick.bind(rooms);
  const announceEarly = rooms.announceEarly.bind(rooms);
  rooms.tick = (dueMs) => {
    events.push({ type: "tick", atMs: lab.nowMs, dueMs });
    tick(dueMs);
  };
  rooms.announceEarly = () => {
    events.push({ type: "midTick", atMs: lab.nowMs, dueMs: lab.nowMs });
    announceEarly();
  };

  for (let client = 0; client < PLAYERS; client++) {
    const controls = new RiderControls(styleAt(FITTED, client), lab.random.bits());
    const { session, serverEnd } = lab.join(`rider ${client + 1}`, {
      commandSource: controls,
      network: LINE,
    });
    controls.attach(session);
    serverEnd.tap = (bytes) =>
      events.push({ type: "message", atMs: lab.nowMs, client, bytes: bytes.slice() });
  }

  lab.run((warmUpTicks + countedTicks + 1) / dragonGame.tickHz);
  return events;
}

/** What one server cost since the warm-up. */
interface Cost {
  cpuMs: number;
  bytes: number;
  messages: number;
}

/** @returns the costs with early announcements and without */
async function playRound(
  { recordings, countedTicks, warmUpTicks, links }: MatchTicks & {
    recordings: readonly ServerEvent[][];
    links: readonly Link[];
  },
): Promise<[Cost, Cost]> {
  const { isUrgent: _isUrgent, ...patientGame } = dragonGame;
  const half = links.length / 2;
  const servers = [
    new ReplayedServer(dragonGame, links.slice(0, half)),
    new ReplayedServer(patientGame, links.slice(half)),
  ];
  for (const server of servers) server.open(recordings);
  for (let ticks = 0; ticks < warmUpTicks + countedTicks; ticks += TURN_TICKS) {
    if (ticks === warmUpTicks) { for (const server of servers) server.restartCost(); }
    for (const server of servers) await server.run(TURN_TICKS);
    servers.reverse();
  }
  const costs = servers.map(({ cost }) => cost);
  return servers[0]!.isEarly ? [costs[0]!, costs[1]!] : [costs[1]!, costs[0]!];
}

/** A server that handles recorded messages on the recording's clock. */
class ReplayedServer {
  readonly isEarly: boolean;
  cost: Cost = { cpuMs: 0, bytes: 0, messages: 0 };
  readonly #game: typeof dragonGame;
  readonly #sockets: readonly Link[];
  #matches: ReplayedMatch[] = [];

  /** @param sockets one for each player of all matches */
  constructor(game: typeof dragonGame, sockets: readonly Link[]) {
    this.#game = game;
    this.isEarly = game.isUrgent !== undefined;
    this.#sockets = sockets;
  }

  open(recordings: readonly ServerEvent[][]): void {
    this.#matches = recordings.map((events, i) => {
      const links = Array.from(
        { length: PLAYERS },
        (_, client) =>
          new CountedLink(this.#sockets[i * PLAYERS + client]!, (bytes) => {
            this.cost.bytes += bytes + FRAME_HEADER_BYTES;
            this.cost.messages++;
          }),
      );
      return new ReplayedMatch(this.#game, { events, links, seed: i + 1 });
    });
  }

  restartCost(): void {
    this.cost = { cpuMs: 0, bytes: 0, messages: 0 };
  }

  /**
   * Runs this many ticks of all matches, and waits until the operating system has taken all that
   * they send.
   */
  async run(ticks: number): Promise<void> {
    const before = process.cpuUsage();
    for (let tick = 0; tick < ticks; tick++) {
      for (const event of ["midTick", "tick"] as const) {
        for (const match of this.#matches) match.runUntilAfter(event);
        await eventLoopTurn();
      }
    }
    while (this.#sockets.some(({ bufferedBytes }) => bufferedBytes > 0)) await eventLoopTurn();
    const { user, system } = process.cpuUsage(before);
    this.cost.cpuMs += (user + system) / 1000;
  }
}

class ReplayedMatch {
  readonly #rooms: Rooms<DragonCommand>;
  readonly #events: readonly ServerEvent[];
  readonly #links: readonly CountedLink[];
  #next = 0;
  #nowMs = 0;

  /** @param options.seed of the recorded match */
  constructor(
    game: typeof dragonGame,
    { events, links, seed }: { events: readonly ServerEvent[]; links: CountedLink[]; seed: number },
  ) {
    this.#events = events;
    this.#links = links;
    this.#rooms = new Rooms({
      games: { dragons: game },
      clock: { now: () => this.#nowMs },
      npcs: NPCS,
      secret: seededSecret(seed),
      stream: "commands",
      log() {},
    });
    for (const link of links) this.#rooms.admit(link);
  }

  /** Handles all events up to the next one with this type, which the recording must contain. */
  runUntilAfter(type: "tick" | "midTick"): void {
    for (;;) {
      const event = this.#events[this.#next++]!;
      this.#nowMs = event.atMs;
      if (event.type === "message") this.#links[event.client]!.deliver(event.bytes);
      else if (event.type === "tick") this.#rooms.tick(event.dueMs);
      else this.#rooms.announceEarly();
      if (event.type === type) return;
    }
  }
}

/** A link that sends messages down through a socket, and takes messages up from a recording. */
class CountedLink implements Link {
  readonly ordered = true;
  /** A reader that is slower than virtual time is not skipped. */
  readonly bufferedBytes = 0;
  readonly #socket: Link;
  readonly #onSent: (bytes: number) => void;
  #onMessage: MessageHandler = () => {};

  constructor(socket: Link, onSent: (bytes: number) => void) {
    this.#socket = socket;
    this.#onSent = onSent;
  }

  deliver(bytes: Uint8Array): void {
    this.#onMessage(bytes.slice(), true);
  }

  send(message: Uint8Array): void {
    this.#onSent(message.length);
    this.#socket.send(message);
  }

  sendReliably(message: Uint8Array): void {
    this.send(message);
  }

  onMessage(handler: MessageHandler): void {
    this.#onMessage = handler;
  }

  onClose(): void {}

  close(code: number, reason: string): void {
    throw new Error(`closed: ${code} ${reason}`);
  }
}

/**
 * Opens a server in this process, and this many sockets to it from a process that discards what it
 * receives.
 */
async function openSockets(
  count: number,
): Promise<AsyncDisposable & { readonly links: readonly Link[] }> {
  const server = await openEchoServer({ admit() {} });
  const sink = new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-net", SINK, server.url, String(count)],
    stdin: "null",
    stdout: "inherit",
  }).spawn();
  let hasEnded = false;
  sink.status.then(() => hasEnded = true);
  while (server.links.length < count) {
    if (hasEnded) throw new Error("the process that reads from the sockets has ended");
    await eventLoopTurn();
  }
  return {
    links: server.links,
    async [Symbol.asyncDispose]() {
      sink.kill("SIGKILL");
      await sink.status;
      await server.close();
    },
  };
}

function eventLoopTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

function rounded(value: number): number {
  return Number(value.toFixed(3));
}
