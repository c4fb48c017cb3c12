/**
 * Proves a client of another make against the real server. The client was written from the
 * protocol's document alone, so it also proves the document.
 *
 *     deno task prove other-client [--seconds] [--rtt] [--stream] [--seed] [--taken] [--client] [--json]
 *
 * For each combination of stream and round trip a server starts, and some bots enter a room for
 * company. A spectator records the exact definitive states. The other client plays over a network
 * with that round trip. The record is then compared with the client's log.
 *
 * The program runs with these flags, behind those that `--client` has:
 *
 * | flag          | meaning                                                               |
 * | ------------- | --------------------------------------------------------------------- |
 * | --url URL     | http://127.0.0.1:PORT of the server                                   |
 * | --game ID     | the game's id; the program reads the game from URL/api/games/ID       |
 * | --room CODE   | the room                                                              |
 * | --name NAME   | the player's name                                                     |
 * | --seconds N   | how long to play                                                      |
 * | --seed N      | of the random commands                                                |
 * | --log FILE    | the log                                                               |
 *
 * It requests the body stream in its hello, and plays random commands at the advised lead. At last
 * it leaves with close code 1000 and exits with 0. If anything fails, it prints one line on stderr
 * and exits with 1. The log has one JSON object a line:
 *
 * | type      | keys                                                             | when                               |
 * | --------- | ---------------------------------------------------------------- | ---------------------------------- |
 * | "welcome" | seat                                                             | once                               |
 * | "sent"    | tick, command: { dir, flapHeld, flaps, fires }                   | for each command that it sends     |
 * | "tick"    | tick, bodies: [[entity, kind, x, y, angle, vx, vy, spin], …]     | for each definitive tick, in order |
 * | "end"     | ticks, messages, decodeErrors, checksums, checksumsDiffer,       | last, also after a failure if that |
 * |           | bytesDown, leadMs, roundTripMs                                   | is possible                        |
 *
 * `dir` is −1, 0 or 1; `flapHeld` is false, true, 0 or 1; the counters are 0 … 3. `bodies` are all
 * bodies of moving kinds, predicted to that tick: metres, radians, m/s, rad/s. `ticks`, `messages`
 * and `checksums` count what was received, `decodeErrors` and `checksumsDiffer` the faults among
 * them.
 */
import * as z from "zod";
import {
  EXIT_UNUSABLE,
  type FlagValues,
  parseFlags,
  present,
  usage,
  UsageError,
  wholeNumber,
} from "../../../shared/flags.ts";
import { Progress } from "../../support/progress.ts";
import { commandOf } from "./client_process.ts";
import { type Row, TAKEN_SHARE_MIN } from "./compare.ts";
import { play } from "./play.ts";
import { HEADING, textOf } from "./table.ts";

const FLAGS = {
  seconds: {
    schema: wholeNumber(3_600, 5).default(60),
    about: "of play, for each combination [60]",
    allowed: "a whole number 5 to 3600",
  },
  rtt: {
    schema: listOf(wholeNumber(2_000)).default([0, 100]),
    about: "round trips, ms [0,100]",
    allowed: "whole numbers 0 to 2000, with commas between them",
  },
  stream: {
    schema: listOf(z.enum(["commands", "state"])).default(["commands", "state"]),
    about: "what the server sends to clients that do not choose [commands,state]",
    allowed: "commands, state or both, with a comma between them",
  },
  seed: {
    schema: wholeNumber(0xffff_ffff).default(1),
    about: "of the match, the bots, the network and the client [1]",
    allowed: "a whole number 0 to 4294967295",
  },
  taken: {
    schema: wholeNumber(100).default(100 * TAKEN_SHARE_MIN),
    about: "percent of commands that must be taken; a busy machine makes some late [98]",
    allowed: "a whole number 0 to 100",
  },
  client: {
    schema: z.string().default("python3 tests/tools/other_client/client.py"),
    about: "the client's program and its arguments [python3 tests/tools/other_client/client.py]",
    allowed: "a command, which is split at spaces",
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

/** The schema of values with commas between them. */
function listOf<Item extends z.ZodType<unknown, string>>(item: Item) {
  return z.string().transform((list) => list.split(",")).pipe(z.array(item));
}

/** @throws UsageError if the client's program is not installed */
async function playAll(
  { seconds, rtt, stream: streams, seed, taken, client }: FlagValues<typeof FLAGS>,
): Promise<Row[]> {
  const command = await commandOf(client);
  const combinations = streams.flatMap((stream) =>
    rtt.map((rttMs) => ({ stream, rttMs, seconds, takenShareMin: taken / 100 }))
  );
  const progress = new Progress(combinations.length * seconds, "s of play");
  const rows: Row[] = [];
  console.log(HEADING);
  for (const combination of combinations) {
    const playedSeconds = rows.length * seconds;
    const onSecond = (second: number) => progress.show(playedSeconds + second);
    const row = await play(combination, { command, seed, onSecond });
    progress.end();
    rows.push(row);
    console.log(textOf(row));
    for (const failure of row.failures) console.error(`prove other-client: ${failure}`);
  }
  return rows;
}

/** @returns the process's exit code: 0 if all rows are ok, 1 if not, 2 for unusable flags */
async function main(args: string[]): Promise<number> {
  try {
    const flags = parseFlags(args, FLAGS);
    if (flags === "help") {
      console.log(usage("deno task prove other-client", FLAGS));
      return 0;
    }
    const rows = await playAll(flags);
    const ok = rows.every(({ failures }) => failures.length === 0);
    if (flags.json) console.log(JSON.stringify({ seconds: flags.seconds, rows, ok }));
    return ok ? 0 : 1;
  } catch (error) {
    console.error(`prove other-client: ${error instanceof Error ? error.message : error}`);
    return error instanceof UsageError ? EXIT_UNUSABLE : 1;
  }
}

if (import.meta.main) Deno.exit(await main(Deno.args));
