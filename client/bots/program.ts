/**
 * Loads a server with headless players and reports their figures. A game's own bot plays it;
 * without one, bots play as the game's NPCs do.
 */
import * as z from "zod";
import {
  EXIT_UNUSABLE,
  parseFlags,
  present,
  usage,
  UsageError,
  wholeNumber,
} from "../../shared/flags.ts";
import { type Game, PLAYER_SEATS, playersOf } from "../../shared/netcode/game.ts";
import { ROOM_CODE } from "../../shared/netcode/wire/messages.ts";
import { type BotPlayer, NpcBot } from "./npc_bot.ts";
import { type Report, runBots } from "./run_bots.ts";

/** Bots of games that have their own. */
export type OwnBots = Readonly<
  Record<string, () => Promise<{ readonly Bot: new (seed: number) => BotPlayer<unknown> }>>
>;

/** What bots can play. */
export interface BotGames {
  /** At least one. */
  readonly games: Readonly<Record<string, () => Promise<{ readonly game: Game<unknown> }>>>;
  readonly ownBots: OwnBots;
  /** The command that runs this program, for its usage. */
  readonly command: string;
}

function flagsOf(names: readonly [string, ...string[]]) {
  return { game: gameFlag(names), ...FLAGS } as const;
}

function gameFlag(names: readonly [string, ...string[]]) {
  return {
    schema: z.enum(names).default(names[0]),
    about: `which game [${names[0]}]`,
    allowed: names.join(", "),
  };
}

const FLAGS = {
  url: {
    schema: z.url({ protocol: /^wss?$/ }).refine(isOrigin).default("ws://127.0.0.1:8080"),
    about: "the server",
    allowed: "a ws:// or wss:// address without a path",
  },
  room: {
    schema: z.string().regex(ROOM_CODE).default("BOTS"),
    about: "which room",
    allowed: "four letters A to Z",
  },
  clients: {
    schema: wholeNumber(PLAYER_SEATS, 1).optional(),
    about: "how many bots [8, or as many as a room has seats]",
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
  transport: {
    schema: z.enum(["websocket", "webtransport", "auto"]).default("websocket"),
    about:
      "what carries the messages; auto takes datagrams where the server offers them [websocket]",
    allowed: "websocket, webtransport or auto",
  },
  seed: {
    schema: wholeNumber(0xffff_ffff).default(1),
    about: "what the bots and their networks do by chance [1]",
    allowed: "a whole number 0 to 4294967295",
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

/** So many play if nothing else is said, and the room has seats for them. */
const CLIENTS = 8;

async function newBotOf(
  name: string,
  { game, ownBots }: { game: Game<unknown>; ownBots: OwnBots },
): Promise<(seed: number) => BotPlayer<unknown>> {
  const own = Object.hasOwn(ownBots, name) ? await ownBots[name]!() : undefined;
  return own === undefined ? () => new NpcBot(game) : (seed) => new own.Bot(seed);
}

function printTable(report: Report): void {
  const width = Math.max(...Object.keys(report).map((key) => key.length));
  for (const [key, value] of Object.entries(report)) console.log(`${key.padEnd(width)}  ${value}`);
}

/** @returns the process's exit code: 1 for an error or a desync, 2 for unusable flags */
export async function runBotProgram(
  args: string[],
  { games, ownBots, command }: BotGames,
): Promise<number> {
  try {
    const table = flagsOf(Object.keys(games) as [string, ...string[]]);
    const flags = parseFlags(args, table);
    if (flags === "help") {
      console.log(usage(command, table));
      return 0;
    }

    const { game: name, url, room, stream, transport } = flags;
    const { game } = await games[name]!();
    const newBot = await newBotOf(name, { game, ownBots });
    const network = { oneWayMs: flags["latency-ms"] / 2, jitterMs: flags["jitter-ms"] };

    const { report, errors } = await runBots({
      game,
      newBot,
      network,
      url,
      room,
      stream,
      transport,
    }, { ...flags, clients: flags.clients ?? Math.min(CLIENTS, playersOf(game).max) });

    for (const message of errors) console.error(`bots: ${message}`);
    if (flags.json) console.log(JSON.stringify(report));
    else printTable(report);
    return report.errors > 0 || report.desyncs > 0 ? 1 : 0;
  } catch (error) {
    console.error(`bots: ${error instanceof Error ? error.message : error}`);
    return error instanceof UsageError ? EXIT_UNUSABLE : 1;
  }
}

/** Whether a URL has no path, because bots add the paths for the ticket and the socket. */
function isOrigin(url: string): boolean {
  const { pathname, search, hash } = new URL(url);
  return pathname === "/" && search + hash === "";
}
