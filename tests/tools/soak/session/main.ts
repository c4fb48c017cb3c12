/**
 * Plays the dragons for ten minutes by keys, in a real page on a slow connection, and lists from the
 * log what each minute had that the first one had not (`minutes.ts`).
 *
 *     deno task soak session [--minutes --rtt --npcs --seed --json]
 */
import { type FlagValues, present, UsageError, wholeNumber } from "../../../../shared/flags.ts";
import { chromiumPath } from "../../../browser/chromium.ts";
import { Progress } from "../../../support/progress.ts";
import { runTool } from "../../../support/tool.ts";
import { sessionOf, type SessionReport } from "./minutes.ts";
import { type PlayedSession, playSession } from "./played_session.ts";

const FLAGS = {
  minutes: {
    schema: wholeNumber(60, 1).default(10),
    about: "minutes to play [10]",
    allowed: "a whole number 1 to 60",
  },
  rtt: {
    schema: wholeNumber(1000).default(100),
    about: "the round trip, ms [100]",
    allowed: "a whole number 0 to 1000",
  },
  npcs: {
    schema: wholeNumber(16).default(4),
    about: "NPC seats [4]",
    allowed: "a whole number 0 to 16",
  },
  seed: {
    schema: wholeNumber(0xffff_0000).default(1),
    about: "what happens by chance [1]",
    allowed: "a whole number 0 to 4294901760",
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

/** Names what a session must not have. */
export function faultsOf(
  { minutes, rounds }: SessionReport,
  { desyncs, errors }: Pick<PlayedSession, "desyncs" | "errors">,
): string[] {
  const dull = minutes.slice(1).filter(({ isNew }) => isNew.length === 0);
  return [
    ...errors.map((message) => `the page threw: ${message}`),
    ...desyncs > 0 ? [`${desyncs} desyncs`] : [],
    ...rounds < minutes.length / 4 ? [`only ${rounds} rounds`] : [],
    ...dull.map(({ minute }) => `minute ${minute} has nothing that the first one had not`),
  ];
}

/** @returns 0 if each minute has something that the first one had not, and nothing failed; else 1 */
async function soakSession(
  { minutes, rtt, npcs, seed, json }: FlagValues<typeof FLAGS>,
): Promise<number> {
  if (chromiumPath === undefined) throw new UsageError("there is no Chromium here");
  const seconds = 60 * minutes;
  const progress = new Progress(seconds, "s of play");
  const { log, ...played } = await playSession({
    seconds,
    roundTripMs: rtt,
    npcs,
    seed,
    onSecond: (second) => progress.show(second),
  });
  progress.end();

  const report = sessionOf(log);
  const faults = faultsOf(report, played);
  for (const fault of faults) console.error(`Wrong: ${fault}`);
  if (json) console.log(JSON.stringify({ ...report, ...played, faults }));
  else console.log(textOf(report, played));
  return faults.length === 0 ? 0 : 1;
}

function textOf(
  { ticks, rounds, sets, minutes }: SessionReport,
  played: Omit<PlayedSession, "log">,
): string {
  const lines = minutes.map(({ minute, had, isNew }) =>
    minute === 1
      ? `minute  1 had ${had.join(", ")}`
      : `minute ${String(minute).padStart(2)} adds ${isNew.join(", ") || "nothing"}`
  );
  const { keys, rollbacks, desyncs } = played;
  return [
    ...lines,
    `${ticks} ticks, ${rounds} rounds, ${sets} sets; ${keys} keys, ${rollbacks} rollbacks, ${desyncs} desyncs`,
  ].join("\n");
}

if (import.meta.main) Deno.exit(await runTool("soak session", { flags: FLAGS, run: soakSession }));
