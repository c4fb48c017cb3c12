/**
 * Plays a match's log again and checks every tick of it. `deno task replay` and `wyvern replay` are
 * this program over different games.
 *
 *     deno task replay FILE [--info] [--to-tick N] [--dump] [--json]
 */
import {
  EXIT_UNUSABLE,
  parseFlags,
  present,
  usage,
  UsageError,
  wholeNumber,
} from "../shared/flags.ts";
import type { Game } from "../shared/netcode/game.ts";
import { unpackedLog } from "../shared/netcode/match_log/packed_log.ts";
import { LogError } from "../shared/netcode/match_log/records.ts";
import {
  headerOf,
  type ReplayedLog,
  replayedLog,
  type Within,
} from "../shared/netcode/match_log/replayed_log.ts";
import { formatWord } from "../shared/netcode/state_difference.ts";
import { messageOf } from "./ground/log.ts";
import { clock, isoTime } from "./ground/ticker.ts";
import { DeadlineError, withDeadline } from "./trial/deadline.ts";

/** How large a packed log may get when unpacked, bytes: more than any server keeps. */
const LOG_BYTES_MAX = 1 << 30;

/** How long the replay waits for a tick, ms. No match could be played with longer ticks. */
const STEP_MS_MAX = 10_000;

const FLAGS = {
  info: {
    schema: present(),
    about: "say what the log is of, and play nothing",
    allowed: "",
    switch: true,
  },
  "to-tick": {
    schema: wholeNumber(2 ** 31 - 1).optional(),
    about: "stop after this tick [the last one]",
    allowed: "a whole number",
  },
  dump: {
    schema: present(),
    about: "print every word of the state at the end, with its name",
    allowed: "",
    switch: true,
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

/** The object that `--json` prints. */
interface Report {
  readonly game: string;
  readonly room: string;
  readonly startedAt: string;
  readonly seed: number;
  readonly firstTick: number;
  readonly lastTick: number;
  readonly seconds: number;
  /** How many times faster the replay ran than the match. */
  readonly timesRealTime: number;
  readonly players: readonly string[];
  readonly records: ReplayedLog<unknown>["counts"];
  /** Why the match is over; "no end record" if the log does not say. */
  readonly end: string;
  /** The first difference, or what is wrong with the file; empty if all is well. */
  readonly error: string;
}

/** What can be replayed. */
interface ReplayedGames {
  readonly games: Readonly<Record<string, () => Promise<{ readonly game: Game<unknown> }>>>;
  /** The command that runs this program, for its usage. */
  readonly command: string;
}

/**
 * Runs the program.
 * @param args its command line
 * @returns the exit code: 1 for a log that is damaged, or that this program contradicts
 */
export async function runReplay(
  args: readonly string[],
  { games, command }: ReplayedGames,
): Promise<number> {
  try {
    const [path, ...others] = args;
    const flags = parseFlags(others, FLAGS);
    if (flags === "help" || path === undefined || path.startsWith("-")) {
      console.log(usage(`${command} FILE`, FLAGS));
      return path === "--help" ? 0 : EXIT_UNUSABLE;
    }
    const bytes = unpackedLog(readLog(path), LOG_BYTES_MAX);
    return flags.info ? printHeader(bytes) : replay(bytes, await loaded(games), flags);
  } catch (error) {
    if (error instanceof UsageError) console.error(`replay: ${error.message}`);
    else if (error instanceof LogError) console.error(`replay: ${args[0]} is ${error.message}`);
    else throw error;
    return error instanceof UsageError ? EXIT_UNUSABLE : 1;
  }
}

function readLog(path: string): Uint8Array {
  try {
    return Deno.readFileSync(path);
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${messageOf(error)}`);
  }
}

function printHeader(bytes: Uint8Array): number {
  const { startedAt, ...header } = headerOf(bytes);
  console.log(
    JSON.stringify({ ...header, startedAt: isoTime(1000 * startedAt), bytes: bytes.length }),
  );
  return 0;
}

function replay(
  bytes: Uint8Array,
  games: ReadonlyMap<string, Game<unknown>>,
  { "to-tick": toTick, dump, json }: {
    "to-tick"?: number | undefined;
    dump: boolean;
    json: boolean;
  },
): number {
  const beganMs = clock.now();
  const within: Within = (work, tick) => {
    const words = `a log whose tick ${tick} takes longer than ${STEP_MS_MAX / 1000} s`;
    return withDeadline(STEP_MS_MAX, work, () => new DeadlineError(tick, words));
  };
  const log = replayedLog(bytes, {
    gameOf: (id) => games.get(id),
    within,
    ...(toTick !== undefined && { toTick }),
  });
  const game = games.get(log.header.gameId)!;
  const report = reportOf(log, { tickHz: game.tickHz, ms: clock.now() - beganMs });

  if (dump) printState(log, game);
  if (json) console.log(JSON.stringify(report));
  else printReport(report);
  return report.error === "" ? 0 : 1;
}

function printReport(report: Report): void {
  for (const [name, value] of Object.entries(report)) {
    console.log(name.padEnd(13), shown(value));
  }
}

function reportOf(
  log: ReplayedLog<unknown>,
  { tickHz, ms }: { tickHz: number; ms: number },
): Report {
  const { header: { gameId, room, startedAt, seed }, firstTick, names, counts, fault, error } = log;
  const lastTick = log.replay.tick;
  const seconds = (lastTick - firstTick) / tickHz;
  const what = fault?.kind === "torn" ? "it ends within the record" : "the record was changed";
  const place = fault && `${what} at byte ${fault.offset}`;
  return {
    game: gameId,
    room,
    startedAt: isoTime(1000 * startedAt),
    seed,
    firstTick,
    lastTick,
    seconds,
    timesRealTime: Math.round(1000 * seconds / ms),
    players: names,
    records: counts,
    end: log.replay.endReason ?? "no end record",
    error: error?.message ?? place ?? "",
  };
}

function printState(
  { replay: { simulation, snapshot } }: ReplayedLog<unknown>,
  game: Game<unknown>,
): void {
  const labels = labelsOf(game, { simulation, snapshot });
  for (let word = 0; word < snapshot.length; word++) {
    console.log(`${labels[word] ?? `word ${word}`} = ${formatWord(snapshot, word)}`);
  }
}

/** Names a state's words. @throws LogError for a state that the game cannot name */
function labelsOf(
  game: Game<unknown>,
  { simulation, snapshot }: Pick<ReplayedLog<unknown>["replay"], "simulation" | "snapshot">,
): readonly string[] {
  try {
    return game.stateLabels?.(simulation, snapshot) ?? [];
  } catch (error) {
    throw new LogError(`a log whose last state has no names (${messageOf(error)})`, {
      cause: error,
    });
  }
}

/** Loads every game, by id. */
async function loaded(
  games: ReplayedGames["games"],
): Promise<ReadonlyMap<string, Game<unknown>>> {
  const modules = await Promise.all(Object.values(games).map((load) => load()));
  return new Map(modules.map(({ game }) => [game.id, game]));
}

function shown(value: Report[keyof Report]): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
