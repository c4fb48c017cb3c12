/** The commands that have `--json`, each with the smallest arguments that still show its keys. */

export interface JsonCommand {
  /** Its words after `deno task`. */
  readonly command: string;
  readonly args: readonly string[];
  /** Paths in its object whose keys are data (`keysOf`). */
  readonly maps?: readonly string[];
  /** It starts servers or pages. Such runs depend on the machine, and take longer. */
  readonly isLive?: true;
}

function commandOf(line: string, maps: readonly string[] = []): JsonCommand {
  const words = line.split(" ");
  const flags = words.findIndex((word) => word.startsWith("-"));
  const end = flags < 0 ? words.length : flags;
  return { command: words.slice(0, end).join(" "), args: words.slice(end), maps };
}

function live(line: string): JsonCommand {
  return { ...commandOf(line), isLive: true };
}

export const JSON_COMMANDS: readonly JsonCommand[] = [
  commandOf("lab --game both --minutes 1"),
  commandOf("lab --game dragons --people --minutes 1"),
  commandOf("lab cheats --duels 1"),
  commandOf("lab kills --seconds 10"),
  commandOf("lab connection --seconds 5"),
  commandOf("lab pages --players 2 --minutes 1 --kills 1"),
  commandOf("hunt --seeds 2 --jobs 1"),
  commandOf("hunt --cluster --seeds 1 --jobs 1"),
  commandOf("hunt --pages --seeds 1 --jobs 1"),
  commandOf("bench wire --seconds 5"),
  commandOf("bench log --matches 1 --seconds 2"),
  commandOf("bench physics --rounds 3 --passes 1"),
  commandOf("bench quality --heights 2 --seconds 2 --rooms 1"),
  commandOf("bench scale --nodes 64 --minutes 1"),
  commandOf("soak physics --ticks 1000 --jobs 1"),
  commandOf("soak snapshots --count 20"),
  commandOf("soak snapshots --games all --count 2"),
  commandOf("soak log --flips 10 --seconds 2"),
  commandOf("prove determinism --ticks 10 --engines node"),
  commandOf("chore tidy", ["flatFiles"]),
  live("bench match --rooms 6 --seconds 5"),
  live("bench match --authority order"),
  live("bench workers --rooms 6 --seconds 5"),
  live("bench rooms --seconds 10"),
  live("bench transport --seconds 5 --rounds 1"),
  live("bench datagrams --rooms 6 --seconds 10"),
  live("bench stalls --stalls 1"),
  live("bench page --seconds 3"),
  live("bench replay --seconds 10 --seeks 10"),
  live("bench feel --minutes 1"),
  live("bench causes --seconds 0 --corrections 1 --seeds 0"),
  live("soak page --seconds 5"),
  live("soak server --only stall"),
  live("prove other-client --seconds 5 --rtt 0 --stream commands"),
  live("chaos crash --kills 1 --untimed"),
  live("chaos cluster --kills 1 --only ownerKills --untimed"),
  live("chaos edge --only hidden,"),
  live("chaos pages --kills 1 --untimed"),
  live("soak session --minutes 1"),
  live("chaos attack --quick --untimed"),
];

/**
 * Commands with `--json` whose keys are not compared, and why. Together with those above they are
 * all that there are.
 */
export const NOT_COMPARED: Readonly<Record<string, string>> = {
  bots: "needs a server that runs",
  replay: "needs the log of a match",
  vectors: "writes into the checkout; the part of that name compares more",
  testbed: "serves until it is stopped",
  pack: "packs for half a minute; the texts in tests/api are compared by their own test",
  "hunt planted": "plants every mistake, for many minutes",
  "vectors planted": "plants every mistake, for many minutes",
  "prove same": "is this command",
  "chaos demand": "depends on the load of the machine, for minutes",
  "chaos machines": "needs root, and network namespaces",
  "chore picture": "films two pages, for a minute",
};
