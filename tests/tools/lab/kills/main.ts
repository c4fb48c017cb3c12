/**
 * Measures how soon pages show own kills (`kills.ts`). The exit code is 1 if one was taken back,
 * or points.
 *
 *     deno task lab kills [--players --npcs --seconds --seed --json]
 */
import { type FlagValues, present, wholeNumber } from "../../../../shared/flags.ts";
import { PLAYER_SEATS } from "../../../../shared/netcode/game.ts";
import { runTool } from "../../../support/tool.ts";
import { type KillsRow, type KillTimes, measureKills } from "./kills.ts";

/** By name: the round trip, ms, and the share of packets that are lost. */
const LINES = {
  rtt0: { roundTripMs: 0, loss: 0 },
  rtt100: { roundTripMs: 100, loss: 0 },
  rtt200: { roundTripMs: 200, loss: 0 },
  rtt200loss1: { roundTripMs: 200, loss: 0.01 },
} as const;

type LineName = keyof typeof LINES;

const FLAGS = {
  players: {
    schema: wholeNumber(PLAYER_SEATS, 1).default(4),
    about: "people who play [4]",
    allowed: `a whole number 1 to ${PLAYER_SEATS}`,
  },
  npcs: {
    schema: wholeNumber(16).default(4),
    about: "NPC seats [4]",
    allowed: "a whole number 0 to 16",
  },
  seconds: {
    schema: wholeNumber(3600, 10).default(120),
    about: "of play on each line [120]",
    allowed: "a whole number 10 to 3600",
  },
  seed: {
    schema: wholeNumber(0xffff_0000).default(1),
    about: "what happens by chance [1]",
    allowed: "a whole number 0 to 4294901760",
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

function timesText({ count, shownMsP50, shownMsP95, definitiveMsP95 }: KillTimes): string {
  const counted = `${count}`.padStart(4);
  return `${counted} shown after ${shownMsP50} ms, 95 % within ${shownMsP95} (definitive ${definitiveMsP95})`;
}

function textOf(line: LineName, row: KillsRow): string {
  const { npcs, people, shown, shownEarly, takenBack } = row;
  return [
    `${line.padEnd(11)} NPCs   ${timesText(npcs)}`,
    `            people ${timesText(people)}`,
    `            ${shown} deaths shown, ${shownEarly} of them early, ${takenBack} taken back`,
    `            ${row.counted} of ${npcs.count + people.count} own kills count at once ` +
    `(${row.countedBySettledTick} by the settled tick), ${row.pointsTakenBack} points taken back`,
  ].join("\n");
}

/** @returns the exit code: 1 if something certain was taken back */
function run({ json, ...options }: FlagValues<typeof FLAGS>): number {
  const lines: Partial<Record<LineName, KillsRow>> = {};
  for (const [name, line] of Object.entries(LINES) as [LineName, typeof LINES[LineName]][]) {
    const row = measureKills({ ...options, ...line });
    lines[name] = row;
    if (!json) console.log(textOf(name, row));
  }
  if (json) console.log(JSON.stringify({ lines }));
  return Object.values(lines).some(({ takenBack, pointsTakenBack }) =>
      takenBack + pointsTakenBack > 0
    )
    ? 1
    : 0;
}

if (import.meta.main) Deno.exit(await runTool("lab kills", { flags: FLAGS, run }));
