/**
 * The laboratory: the real rooms and sessions in virtual time over modelled lines, from one seed. It prints how long commands
 * waited in their queues, how many came late, and how that compares with what could have been done.
 *
 *     deno task lab [--profile --link --players --npcs --minutes --seed --correlated --matrix --game --json]
 */
import * as z from "zod";
import { dragonGame } from "../../shared/dragons/game.ts";
import {
  EXIT_UNUSABLE,
  type FlagValues,
  parseFlags,
  present,
  usage,
  UsageError,
  wholeNumber,
} from "../../shared/flags.ts";
import { PLAYER_SEATS } from "../../shared/netcode/game.ts";
import { PROFILE_NAMES, type ProfileName } from "../../shared/netcode/line_profiles.ts";
import { counterGame } from "./counter_game.ts";
import { type QueueRow, runQueueRow } from "./queue_row.ts";
import { CountingControls, RandomRider } from "./riders.ts";

const FLAGS = {
  game: {
    schema: z.enum(["counter", "dragons"]).default("counter"),
    about: "which game is played [counter]",
    allowed: "counter or dragons",
  },
  profile: {
    schema: z.enum(PROFILE_NAMES as [ProfileName, ...ProfileName[]]).default("cable"),
    about: "the players' lines [cable]",
    allowed: PROFILE_NAMES.join(", "),
  },
  link: {
    schema: z.enum(["ordered", "datagram"]).default("ordered"),
    about: "over a stream or over datagrams [ordered]",
    allowed: "ordered or datagram",
  },
  players: {
    schema: wholeNumber(PLAYER_SEATS, 1).default(4),
    about: "how many play [4]",
    allowed: `a whole number 1 to ${PLAYER_SEATS}`,
  },
  npcs: { schema: wholeNumber(16).default(4), about: "NPC seats [4]", allowed: "a whole number 0 to 16" },
  minutes: {
    schema: wholeNumber(600, 1).default(25),
    about: "simulated minutes of each row [25]",
    allowed: "a whole number 1 to 600",
  },
  seed: {
    schema: wholeNumber(0xffff_0000).default(1),
    about: "what happens by chance [1]",
    allowed: "a whole number 0 to 4294901760",
  },
  correlated: { schema: present(), about: "neighbours are delayed alike", allowed: "", switch: true },
  matrix: { schema: present(), about: "every profile, over both kinds of links", allowed: "", switch: true },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

type Flags = FlagValues<typeof FLAGS>;

type Place = Pick<QueueRow, "profile" | "link">;

/** A minute shows whether a seed repeats itself. */
const REPEATED_MINUTES = 1;

function runRow(flags: Flags, { profile, link }: Place, minutes = flags.minutes): QueueRow {
  const { players, npcs, seed, correlated } = flags;
  const shared = { profile, link, players, npcs, seed, correlated, minutes };
  return flags.game === "counter"
    ? runQueueRow({ ...shared, game: counterGame, hands: (seed) => new CountingControls(seed) })
    : runQueueRow({ ...shared, game: dragonGame, hands: (seed) => new RandomRider(seed) });
}

function placesOf(flags: Flags): Place[] {
  if (!flags.matrix) return [flags];
  return (["ordered", "datagram"] as const).flatMap((link) => PROFILE_NAMES.map((profile) => ({ profile, link })));
}

/** The row as a line of text. */
function lineOfText(row: QueueRow): string {
  const ms = (value: number) => value.toFixed(1).padStart(6);
  const percent = (value: number) => `${(value * 100).toFixed(2)} %`.padStart(7);
  return `${row.link.padEnd(8)} ${row.profile.padEnd(10)} late ${percent(row.lateShare)} (first 5 s ${
    percent(row.lateFirstShare)
  })  wait ${ms(row.waitMs)}  oracle ${ms(row.oracleMs)}  static ${ms(row.staticMs)}  ratio ${
    (row.waitMs / row.oracleMs).toFixed(2)
  }  phase ${row.phaseWaitMs.toFixed(1)}  rate ${percent(row.rateMax)}  skipped ${row.skippedTicks}  foreknown ${
    percent(row.npcForeknownShare)
  } at ${row.npcQueueTicks.toFixed(1)} of ${row.npcQueueTicksLeast}`;
}

/** The bars of the queue over all rows, as far as the rows are there. */
function summaryOf(rows: readonly QueueRow[]): string {
  const ratios = rows.filter(({ profile }) => profile !== "bloat").map(({ waitMs, oracleMs }) => waitMs / oracleMs);
  const late = rows.map(({ lateShare }) => lateShare).sort((a, b) => a - b);
  ratios.sort((a, b) => a - b);
  const geometric = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
  const p90 = ratios[Math.ceil(0.9 * ratios.length) - 1]!;
  return `late median ${(late[late.length >> 1]! * 100).toFixed(2)} %; wait / oracle: mean ${
    geometric.toFixed(3)
  }, p90 ${p90.toFixed(2)}, worst ${ratios.at(-1)!.toFixed(2)}`;
}

function run(flags: Flags): void {
  const places = placesOf(flags);
  const startMs = performance.now();
  const rows = places.map((place, i) => {
    console.error(`${i + 1}/${places.length} ${place.link} ${place.profile}`);
    const row = runRow(flags, place);
    if (!flags.json) console.log(lineOfText(row));
    return row;
  });
  const simulatedMs = places.length * flags.minutes * 60_000;
  const timesRealTime = Math.round(simulatedMs / (performance.now() - startMs));
  const repeat = () => JSON.stringify(runRow(flags, places.at(-1)!, REPEATED_MINUTES));
  const reproducible = repeat() === repeat();
  const speed = flags.game === "counter" ? { counterTimesRealTime: timesRealTime } : { timesRealTime };
  if (flags.json) console.log(JSON.stringify({ ...speed, rows, reproducible }));
  else console.log(`${summaryOf(rows)}; ${timesRealTime} times real time; ${reproducible ? "" : "not "}reproducible`);
}

/** @returns the process's exit code */
function main(args: string[]): number {
  try {
    const flags = parseFlags(args, FLAGS);
    if (flags === "help") console.log(usage("deno task lab", FLAGS));
    else run(flags);
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`lab: ${error.message}`);
    return EXIT_UNUSABLE;
  }
}

if (import.meta.main) Deno.exit(main(Deno.args));
