/**
 * The figures that the lab predicts for bots on a real server, with the same network conditions,
 * players and seconds.
 *
 *     deno task bots --latency-ms 160 --jitter-ms 20 --seconds 60      compare with `deno task lab connection` and these flags
 */
import { type FlagValues, present, wholeNumber } from "../../../shared/flags.ts";
import { PLAYER_SEATS } from "../../../shared/netcode/game.ts";
import { counterGame } from "./counter_game.ts";
import { Lab } from "./lab.ts";
import { RandomCounterControls } from "./random_controls.ts";
import { runTool } from "../../support/tool.ts";

const NPCS = 4;
/** Seconds until all bots play, when their figures begin. */
const JOIN_SECONDS = 2;

const FLAGS = {
  clients: {
    schema: wholeNumber(PLAYER_SEATS, 1).default(8),
    about: "how many [8]",
    allowed: "a whole number 1 to 16",
  },
  seconds: {
    schema: wholeNumber(86_400, 1).default(60),
    about: "of play [60]",
    allowed: "a whole number 1 to 86400",
  },
  "latency-ms": {
    schema: wholeNumber(5_000).default(160),
    about: "round trip [160]",
    allowed: "0 to 5000",
  },
  "jitter-ms": {
    schema: wholeNumber(1_000).default(20),
    about: "its deviation [20]",
    allowed: "0 to 1000",
  },
  seed: {
    schema: wholeNumber(0xffff_ffff).default(1),
    about: "of the lines [1]",
    allowed: "0 to 4294967295",
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

export interface NetworkFigures {
  /** 0 … 1. */
  readonly lateShare: number;
  readonly queueWaitMsMean: number;
  readonly leadMsMean: number;
}

/** Plays over reliable links under these conditions. */
export function playOnNetwork(
  { clients, seconds, latencyMs, jitterMs, seed }: {
    clients: number;
    seconds: number;
    latencyMs: number;
    jitterMs: number;
    seed: number;
  },
): NetworkFigures {
  const lab = new Lab({ game: counterGame, seed, npcs: NPCS });
  const network = { oneWayMs: latencyMs / 2, jitterMs };
  const sessions = Array.from(
    { length: clients },
    (_, i) =>
      lab.join(`player ${i}`, { commandSource: new RandomCounterControls(seed + i), network })
        .session,
  );
  lab.run(JOIN_SECONDS);
  const sums = () => sessions.map(({ stats }) => ({ ...stats }));
  const before = sums();
  lab.run(seconds);
  const after = sums();
  const deltaOf = (key: keyof typeof before[number]) =>
    after.reduce((sum, counts, i) => sum + counts[key] - before[i]![key], 0);
  return {
    lateShare: deltaOf("commandsLate") / deltaOf("commandsSent"),
    queueWaitMsMean: deltaOf("waitMsSum") / deltaOf("waits"),
    leadMsMean: deltaOf("leadMsSum") / deltaOf("commandsSent"),
  };
}

function printFigures(
  { "latency-ms": latencyMs, "jitter-ms": jitterMs, clients, seconds, seed, json }: FlagValues<
    typeof FLAGS
  >,
): void {
  const figures = playOnNetwork({ clients, seconds, latencyMs, jitterMs, seed });
  if (json) console.log(JSON.stringify(figures));
  else {for (const [key, value] of Object.entries(figures)) {
      console.log(`${key.padEnd(16)} ${value.toFixed(4)}`);
    }}
}

if (import.meta.main) {
  Deno.exit(await runTool("lab connection", { flags: FLAGS, run: printFigures }));
}
