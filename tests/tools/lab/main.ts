/**
 * The lab: the real rooms and sessions in virtual time over simulated networks, from one seed. The
 * counter game measures how long commands wait in their queues and how many are late, compared with
 * an oracle. The dragon game measures what players see.
 *
 *     deno task lab [--profile --link --players --npcs --minutes --seed --reaction --people --judging --input-delay
 *     --held-aside --correlated --matrix --duels --game --json]
 */
import process from "node:process";
import * as z from "zod";
import { type FlagValues, present, UsageError, wholeNumber } from "../../../shared/flags.ts";
import { PLAYER_SEATS } from "../../../shared/netcode/game.ts";
import {
  HELD_ASIDE_NAMES,
  PROFILE_NAMES,
  type ProfileName,
} from "../../../shared/netcode/simulated_network/network_profiles.ts";
import { runCheats } from "./cheats/cheats.ts";
import { counterGame } from "./counter_game.ts";
import { runDisturbances } from "./predictions/disturbances.ts";
import { DRAGON_WARM_UP_SECONDS, type DragonRow, runDragonRow } from "./predictions/dragon_row.ts";
import {
  BEGINNINGS_SECONDS,
  type QueueGame,
  type QueueRow,
  runQueueRow,
} from "./queues/queue_row.ts";
import { NpcBot } from "../../../client/bots/npc_bot.ts";
import { GAMES } from "../../../shared/games/registry.ts";
import { RandomCounterControls } from "./random_controls.ts";
import { type Row, type RowKey, summaryOf, textOf } from "./table.ts";
import { RiderControls } from "../../../client/lab/people/dragons/rider_controls.ts";
import { FITTED, JUDGING, styleAt } from "../../../client/lab/people/dragons/styles.ts";
import { objectivesOf } from "./people/objectives.ts";
import { comparePeople, summaryOfPeople } from "./people/people_comparison.ts";
import { feltFiguresOf, PEOPLE_WARM_UP_SECONDS, playPeople } from "./people/people_row.ts";
import { delayedClient, type InputDelayTicks } from "./people/replay.ts";
import { type GuessRow, runGuessRow } from "./people/guess_row.ts";
import { puckPeople } from "../people/puck/puck_people.ts";
import { runTool } from "../../support/tool.ts";

const ALL_PROFILES = [...PROFILE_NAMES, ...HELD_ASIDE_NAMES];

const GAME_NAMES = Object.keys(GAMES);

const FLAGS = {
  game: {
    schema: z.enum(["counter", "both", ...GAME_NAMES]).default("both"),
    about:
      "which game is played: counter and dragons, or one of them, or the bots of another [both]",
    allowed: `both, counter, ${GAME_NAMES.join(", ")}`,
  },
  profile: {
    schema: z.enum(ALL_PROFILES as [ProfileName, ...ProfileName[]]).default("cable"),
    about: "the players' lines [cable]",
    allowed: ALL_PROFILES.join(", "),
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
  npcs: {
    schema: wholeNumber(16).default(4),
    about: "NPC seats [4]",
    allowed: "a whole number 0 to 16",
  },
  minutes: {
    schema: wholeNumber(600, 1).default(25),
    about:
      "simulated minutes of each row; of both games, dragons play a twelfth or a third of it [25]",
    allowed: "a whole number 1 to 600",
  },
  seed: {
    schema: wholeNumber(0xffff_0000).default(1),
    about: "what happens by chance [1]",
    allowed: "a whole number 0 to 4294901760",
  },
  duels: {
    schema: wholeNumber(100_000).default(0),
    about: "against each cheat; `lab cheats` plays nothing else [0]",
    allowed: "a whole number 0 to 100000",
  },
  reaction: {
    schema: wholeNumber(40).optional(),
    about: "ticks that NPCs' minds take at the least, 0 shows what clients need [the game's own]",
    allowed: "a whole number 0 to 40",
  },
  people: {
    schema: present(),
    about: "people play dragons or puck instead of bots, and rows have what they see",
    allowed: "",
    switch: true,
  },
  judging: {
    schema: present(),
    about: "with --people: the styles that only judge instead of those that clients are tuned on",
    allowed: "",
    switch: true,
  },
  "held-aside": {
    schema: present(),
    about: "with --matrix: the profiles that no law was tuned on instead of the others",
    allowed: "",
    switch: true,
  },
  "input-delay": {
    schema: wholeNumber(3).default(0).transform((ticks) => ticks as InputDelayTicks),
    about: "with --people: ticks of input delay of all of them [0]",
    allowed: "a whole number 0 to 3",
  },
  correlated: {
    schema: present(),
    about: "neighbours are delayed alike",
    allowed: "",
    switch: true,
  },
  matrix: {
    schema: present(),
    about: "every profile, over both kinds of links",
    allowed: "",
    switch: true,
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

type Flags = FlagValues<typeof FLAGS>;

/**
 * The dragons' share of a row's minutes. They take longer to compute, and only queues need minutes
 * for their tails.
 */
const DRAGONS_SHARE = 1 / 12;
/**
 * The dragons' share for datagrams over the profiles below. Their bar for own corrections is one
 * tick in a thousand, and a twelfth would count only about ten of them, give or take three.
 */
const DRAGONS_SHARE_COUNTED = 1 / 3;
const COUNTED: readonly ProfileName[] = ["cable", "wifi", "switching"];
/**
 * A page's picture takes far longer to compute than its predictions. Bots need no more than this to
 * compare both objectives.
 */
const OBJECTIVES_SECONDS_MAX = 60;
/** Minutes of the repeated row, which shows whether a seed reproduces its figures. */
const REPEATED_MINUTES = 1;

/**
 * Measures how much faster than real time rows run. It counts the CPU time of this process with all
 * its threads, so the machine's load does not matter.
 */
class Stopwatch {
  #realMs = 0;
  #simulatedMs = 0;

  time<Value>(simulatedSeconds: number, run: () => Value): Value {
    const before = process.cpuUsage();
    const value = run();
    const { user, system } = process.cpuUsage(before);
    this.#realMs += (user + system) / 1000;
    this.#simulatedMs += simulatedSeconds * 1000;
    return value;
  }

  /** Simulated time over CPU time; undefined if nothing was timed. */
  get timesRealTime(): number | undefined {
    return this.#realMs === 0 ? undefined : Math.round(10 * this.#simulatedMs / this.#realMs) / 10;
  }
}

class Matrix {
  readonly #flags: Flags;
  readonly #counter = new Stopwatch();
  readonly #dragons = new Stopwatch();

  /** The game in which rows measure queues; undefined for dragons alone. */
  readonly #queueGame: QueueGame<unknown> | undefined;

  constructor(flags: Flags, queueGame: QueueGame<unknown> | undefined) {
    this.#flags = flags;
    this.#queueGame = queueGame;
  }

  row({ profile, link }: RowKey, minutes = this.#flags.minutes): Row {
    const key = { profile, link };
    const { game } = this.#flags;
    if (this.#flags.people && game === "puck") {
      return { ...key, guess: this.#guessRow(key, minutes) };
    }

    const queue = this.#queueGame === undefined
      ? {}
      : this.#queueRow(key, { minutes, queueGame: this.#queueGame });
    const dragons = game === "both" || game === "dragons"
      ? this.#dragonRow(key, game === "both" ? minutes * dragonsShare(key) : minutes)
      : {};
    return { ...key, ...queue, ...dragons };
  }

  get speeds() {
    return {
      timesRealTime: this.#dragons.timesRealTime,
      counterTimesRealTime: this.#counter.timesRealTime,
    };
  }

  #guessRow(key: RowKey, minutes: number): GuessRow {
    const { players, npcs, seed, correlated, judging, "input-delay": inputDelay } = this.#flags;
    const seconds = Math.round(minutes * 60);
    const options = { ...key, players, npcs, seed, correlated, seconds, inputDelay };
    const run = () => runGuessRow(puckPeople(judging), options);
    return this.#counter.time(seconds + PEOPLE_WARM_UP_SECONDS, run);
  }

  #queueRow(
    { profile, link }: RowKey,
    { minutes, queueGame }: { minutes: number; queueGame: QueueGame<unknown> },
  ): QueueRow {
    const { players, npcs, seed, correlated, reaction: reactionTicks } = this.#flags;
    const options = {
      ...queueGame,
      profile,
      link,
      players,
      npcs,
      seed,
      correlated,
      minutes,
      reactionTicks,
    };
    return this.#counter.time(minutes * 60 + BEGINNINGS_SECONDS, () => runQueueRow(options));
  }

  #dragonRow(
    { profile, link }: RowKey,
    minutes: number,
  ): DragonRow & Pick<Row, "felt" | "people" | "objectives"> {
    const { players, npcs, seed, correlated, reaction: reactionTicks, people } = this.#flags;
    const seconds = Math.round(minutes * 60);
    const options = { profile, link, players, npcs, seed, correlated, seconds };

    if (!people) {
      const row = this.#dragons.time(
        seconds + DRAGON_WARM_UP_SECONDS,
        () => runDragonRow({ ...options, reactionTicks }),
      );
      const shorter = { ...options, seconds: Math.min(OBJECTIVES_SECONDS_MAX, seconds) };
      const recordings = playPeople(shorter);
      return {
        ...row,
        objectives: objectivesOf(recordings, feltFiguresOf(recordings, shorter).objective),
      };
    }

    const { "input-delay": inputDelay } = this.#flags;
    const styles = this.#flags.judging ? JUDGING : FITTED;
    const player = (index: number, seed: number) => new RiderControls(styleAt(styles, index), seed);
    return this.#dragons.time(seconds + DRAGON_WARM_UP_SECONDS + PEOPLE_WARM_UP_SECONDS, () => {
      const recordings = playPeople({ ...options, styles, inputDelay });
      const felt = feltFiguresOf(recordings, { seconds, client: delayedClient(inputDelay) });
      return {
        ...runDragonRow({ ...options, reactionTicks, player }),
        objectives: objectivesOf(recordings, felt.objective),
        felt,
        people: comparePeople(recordings, { styles, seconds, inputDelay }),
      };
    });
  }
}

function dragonsShare({ profile, link }: RowKey): number {
  return link === "datagram" && COUNTED.includes(profile) ? DRAGONS_SHARE_COUNTED : DRAGONS_SHARE;
}

/** The game in which queues are measured, with its players. */
async function queueGameOf(name: string): Promise<QueueGame<unknown> | undefined> {
  if (name === "dragons") return undefined;
  if (name === "counter" || name === "both") {
    return { game: counterGame, createControls: (seed: number) => new RandomCounterControls(seed) };
  }
  const { game } = await GAMES[name]!();
  return { game, createControls: () => new NpcBot(game) };
}

function rowKeysOf(flags: Flags): RowKey[] {
  if (!flags.matrix) return [flags];
  const profiles = flags["held-aside"] ? HELD_ASIDE_NAMES : PROFILE_NAMES;
  return (["ordered", "datagram"] as const).flatMap((link) =>
    profiles.map((profile) => ({ profile, link }))
  );
}

/** @throws UsageError for flags that do not go together */
async function run(flags: Flags): Promise<void> {
  if (flags.people && !["both", "dragons", "puck"].includes(flags.game)) {
    throw new UsageError("--people: only with dragons or puck");
  }
  if (flags.people && flags.game === "puck" && flags.reaction !== undefined) {
    throw new UsageError("--reaction: not with the people of puck");
  }
  if (flags["input-delay"] > 0 && !flags.people) {
    throw new UsageError("--input-delay: only with --people");
  }
  if (flags.judging && !flags.people) throw new UsageError("--judging: only with --people");
  if (flags["held-aside"] && !flags.matrix) {
    throw new UsageError("--held-aside: only with --matrix");
  }
  const keys = rowKeysOf(flags);
  const matrix = new Matrix(flags, await queueGameOf(flags.game));
  const rows = keys.map((key, i) => {
    console.error(`${i + 1}/${keys.length} ${key.link} ${key.profile}`);
    const row = matrix.row(key);
    if (!flags.json) console.log(textOf(row));
    return row;
  });
  const { speeds } = matrix;
  const repeat = () => JSON.stringify(matrix.row(keys.at(-1)!, REPEATED_MINUTES));
  const reproducible = repeat() === repeat();
  const disturbances = flags.matrix ? runDisturbances(flags.seed) : [];
  const people = summaryOfPeople(rows);
  const cheats = flags.duels > 0 ? runCheats(flags.seed, flags.duels) : [];

  if (flags.json) {
    console.log(
      JSON.stringify({
        ...speeds,
        rows,
        ...people && { people },
        disturbances,
        cheats,
        reproducible,
      }),
    );
  } else {console.log([
      summaryOf(rows),
      ...[...people === undefined ? [] : [{ people }], ...disturbances, ...cheats, {
        ...speeds,
        reproducible,
      }].map((
        each,
      ) => JSON.stringify(each)),
    ].join("\n"));}
}

if (import.meta.main) Deno.exit(await runTool("lab", { flags: FLAGS, run }));
