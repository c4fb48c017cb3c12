/**
 * Loads a server with headless players and reports their figures. Each bot runs the page's session code without a
 * screen, on a connection of its own that flags can worsen. A timer replaces a page's frames.
 */
import * as z from "zod";
import { streamedDragonGame } from "../../../shared/games/dragons/body_stream.ts";
import type { DragonCommand } from "../../../shared/games/dragons/command.ts";
import type { DragonSimulation } from "../../../shared/games/dragons/simulation.ts";
import {
  EXIT_UNUSABLE,
  type FlagValues,
  parseFlags,
  present,
  usage,
  UsageError,
  wholeNumber,
} from "../../../shared/flags.ts";
import { SOCKET_PATH } from "../../../shared/netcode/link.ts";
import { SimulatedLink } from "../../../shared/netcode/simulated_network/simulated_link.ts";
import { ROOM_CODE } from "../../../shared/netcode/wire/messages.ts";
import { PLAYER_SEATS, type Tick } from "../../../shared/netcode/game.ts";
import { Random } from "../../../shared/random.ts";
import { Bot } from "./bot.ts";
import { openNodeWebSocketLink } from "../../net/node_websocket_link.ts";
import { Session } from "../../session/session.ts";
import type { SessionStats } from "../../session/session_stats.ts";
import { bodyStreamSupport } from "../../session/body_stream_client.ts";

const FLAGS = {
  url: {
    schema: z.url({ protocol: /^wss?$/ }).default("ws://127.0.0.1:8080"),
    about: "the server",
    allowed: "a ws:// or wss:// address",
  },
  room: { schema: z.string().regex(ROOM_CODE).default("BOTS"), about: "which room", allowed: "four letters A to Z" },
  clients: {
    schema: wholeNumber(PLAYER_SEATS, 1).default(8),
    about: "how many bots [8]",
    allowed: `a whole number 1 to ${PLAYER_SEATS}, the seats of a room`,
  },
  seconds: {
    schema: wholeNumber(86_400, 1).default(10),
    about: "how long to play [10]",
    allowed: "a whole number 1 to 86400",
  },
  "latency-ms": {
    schema: wholeNumber(5_000).default(0),
    about: "round trip added to each line [0]",
    allowed: "a whole number 0 to 5000",
  },
  "jitter-ms": {
    schema: wholeNumber(1_000).default(0),
    about: "lognormal jitter added per direction, its standard deviation [0]",
    allowed: "a whole number 0 to 1000",
  },
  stream: {
    schema: z.enum(["commands", "state"]).default("commands"),
    about: "what the bots ask for: commands, or the state stream [commands]",
    allowed: "commands or state",
  },
  seed: {
    schema: wholeNumber(0xffff_ffff).default(1),
    about: "what the bots and their lines do by chance [1]",
    allowed: "a whole number 0 to 4294967295",
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

/** The time within which all bots must be in the game. */
const JOIN_TIMEOUT_MS = 15_000;
const PROGRESS_EVERY_MS = 1_000;
/** The time within which all connections must close. */
const LEAVE_TIMEOUT_MS = 2_000;

const clock = { now: () => performance.now() };

/** The figures of a run. Its keys are those of `--json`. */
interface Report {
  clients: number;
  seconds: number;
  /** Definitive ticks that a client received; the minimum of all clients. */
  ticks: number;
  commandsSent: number;
  commandsLate: number;
  rollbacks: number;
  resimulatedTicks: number;
  contacts: number;
  desyncs: number;
  ownCorrectionsOver5cm: number;
  npcForeknownShare: number;
  /** Per client, without the headers of WebSocket frames. */
  downBytesPerSecond: number;
  upBytesPerSecond: number;
  leadMsMean: number;
  /** The mean time that commands waited on the server for their tick; 0 for late ones. */
  queueWaitMsMean: number;
  errors: number;
}

/** One bot, its connection, and the timer that drives it. */
class BotClient {
  readonly session: Session<DragonCommand, DragonSimulation>;
  /** Contacts between entities that began, counted at the first simulation of their tick. */
  contacts = 0;
  readonly #link: SimulatedLink;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stopped = false;
  #newestTick: Tick = 0;
  error: string | undefined;

  constructor(flags: FlagValues<typeof FLAGS>, { index, random }: { index: number; random: Random }) {
    const model = { oneWayMs: flags["latency-ms"] / 2, jitterMs: flags["jitter-ms"] };
    this.#link = new SimulatedLink(openNodeWebSocketLink(`${flags.url.replace(/\/$/, "")}${SOCKET_PATH}`), {
      model,
      seed: random.bits(),
      clock,
    });
    const bot = new Bot(random.bits());
    this.session = new Session({
      game: streamedDragonGame,
      bodyStream: bodyStreamSupport(streamedDragonGame),
      startOnBodyStream: flags.stream === "state",
      link: this.#link,
      clock,
      room: flags.room,
      name: `bot ${index + 1}`,
      commandSource: bot,
      onEvents: () => this.#countContacts(),
    });
    bot.attach(this.session);
    this.#drive();
  }

  get isPlaying(): boolean {
    return this.session.phase === "playing" &&
      this.session.simulation?.dragonOfSeat(this.session.seat) !== undefined;
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    if (this.session.phase !== "closed") this.session.close();
  }

  #countContacts(): void {
    const { tick, contactsBegun } = this.session.simulation!;
    if (tick > this.#newestTick) this.contacts += contactsBegun;
    this.#newestTick = Math.max(this.#newestTick, tick);
  }

  #drive(): void {
    if (this.#stopped) return;
    try {
      this.#link.advance(clock.now());
      this.session.advance();
    } catch (error) {
      this.error ??= String(error);
      this.session.close();
    }
    if (this.session.phase === "closed") {
      this.error ??= `closed: ${this.session.closeCode} ${this.session.closeReason}`;
      return;
    }
    // As often as a page draws, and sooner if something is due.
    const waitMs = Math.min(this.#link.nextDueMs, this.session.nextDueMs) - clock.now();
    this.#timer = setTimeout(() => this.#drive(), Math.min(FRAME_MS, Math.max(0, Math.ceil(waitMs))));
  }
}

/** Sixty frames a second. */
const FRAME_MS = 16;

async function runBots(flags: FlagValues<typeof FLAGS>): Promise<{ report: Report; errors: string[] }> {
  const random = new Random(flags.seed);
  const clients = Array.from({ length: flags.clients }, (_, index) => new BotClient(flags, { index, random }));
  try {
    await waitUntilAllPlaying(clients);
    const startMs = clock.now();
    const before = clients.map(({ session, contacts }) => ({ ...session.stats, contacts }));
    for (let second = 1; second <= flags.seconds; second++) {
      await waitUntil(startMs + second * PROGRESS_EVERY_MS);
      progress(`${second}/${flags.seconds} s`, clients);
    }
    const errors = clients.flatMap(({ error }) => error ?? []);
    return { report: reportOf(clients, { before, seconds: flags.seconds }), errors };
  } finally {
    await leaveAll(clients);
  }
}

/** Closes all sessions and waits for it. The server would reserve the seat of a client that only vanishes. */
async function leaveAll(clients: readonly BotClient[]): Promise<void> {
  for (const client of clients) client.stop();
  const endMs = clock.now() + LEAVE_TIMEOUT_MS;
  while (clock.now() < endMs && clients.some(({ session }) => session.phase !== "closed")) {
    await waitUntil(clock.now() + FRAME_MS);
  }
}

/** @throws Error if a bot cannot join */
async function waitUntilAllPlaying(clients: readonly BotClient[]): Promise<void> {
  const endMs = clock.now() + JOIN_TIMEOUT_MS;
  while (!clients.every((client) => client.isPlaying)) {
    const error = clients.find((client) => client.error !== undefined)?.error;
    if (error !== undefined) throw new Error(`cannot join: ${error}`);
    if (clock.now() > endMs) {
      throw new Error(
        `only ${clients.filter((client) => client.isPlaying).length} of ${clients.length} are in the game`,
      );
    }
    await waitUntil(clock.now() + FRAME_MS);
  }
}

function reportOf(
  clients: readonly BotClient[],
  { before, seconds }: { before: readonly (SessionStats & { contacts: number })[]; seconds: number },
): Report {
  const deltas = clients.map(({ session, contacts }, i) => {
    const now = { ...session.stats, contacts };
    return Object.fromEntries(
      Object.entries(now).map(([key, value]) => [key, value - before[i]![key as keyof typeof now]]),
    ) as typeof now;
  });
  const sum = (key: keyof (typeof deltas)[number]) => deltas.reduce((total, counts) => total + counts[key], 0);
  const rounded = (value: number, digits: number) => Number(value.toFixed(digits));
  return {
    clients: clients.length,
    seconds,
    ticks: Math.min(...deltas.map((counts) => counts.ticks)),
    commandsSent: sum("commandsSent"),
    commandsLate: sum("commandsLate"),
    rollbacks: sum("rollbacks"),
    resimulatedTicks: sum("resimulatedTicks"),
    contacts: sum("contacts"),
    desyncs: sum("desyncs"),
    ownCorrectionsOver5cm: sum("ownCorrectionsOver5cm"),
    npcForeknownShare: rounded(sum("npcCommands") === 0 ? 1 : sum("npcKnownInTime") / sum("npcCommands"), 5),
    downBytesPerSecond: rounded(sum("bytesDown") / seconds / clients.length, 1),
    upBytesPerSecond: rounded(sum("bytesUp") / seconds / clients.length, 1),
    leadMsMean: rounded(sum("leadMsSum") / Math.max(1, sum("commandsSent")), 1),
    queueWaitMsMean: rounded(sum("waitMsSum") / Math.max(1, sum("waits")), 1),
    errors: clients.filter(({ error }) => error !== undefined).length,
  };
}

function progress(time: string, clients: readonly BotClient[]): void {
  const playing = clients.filter((client) => client.isPlaying).length;
  const rollbacks = clients.reduce((total, { session }) => total + session.stats.rollbacks, 0);
  const desyncs = clients.reduce((total, { session }) => total + session.stats.desyncs, 0);
  console.error(`${time}  ${playing} playing  ${rollbacks} rollbacks  ${desyncs} desyncs`);
}

function waitUntil(atMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, atMs - clock.now())));
}

function printTable(report: Report): void {
  const width = Math.max(...Object.keys(report).map((key) => key.length));
  for (const [key, value] of Object.entries(report)) console.log(`${key.padEnd(width)}  ${value}`);
}

/** @returns the process's exit code: 1 for an error or a desync, 2 for unusable flags */
async function main(args: string[]): Promise<number> {
  try {
    const flags = parseFlags(args, FLAGS);
    if (flags === "help") {
      console.log(usage("deno task bots", FLAGS));
      return 0;
    }
    const { report, errors } = await runBots(flags);
    for (const message of errors) console.error(`bots: ${message}`);
    if (flags.json) console.log(JSON.stringify(report));
    else printTable(report);
    return report.errors > 0 || report.desyncs > 0 ? 1 : 0;
  } catch (error) {
    console.error(`bots: ${error instanceof Error ? error.message : error}`);
    return error instanceof UsageError ? EXIT_UNUSABLE : 1;
  }
}

if (import.meta.main) Deno.exit(await main(Deno.args));
