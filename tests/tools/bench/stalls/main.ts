/**
 * `bench stalls`: what becomes of commands that arrive while the server's process stands still.
 * Signals stop a real server again and again under eight bots. A command counts as arrived if it
 * was written during a stall, more than 5 ms before its tick was due.
 *
 *     lost         of those, how many the server did not take
 *     lostBefore   the same where late ticks do not wait for the sockets, by another scheduler
 *     takenShare   of all commands from the first stall to the last, also those outside of stalls
 *
 * The times are those of the server's own process and of the bots' on one machine, so they need no
 * estimate.
 */
import { build } from "../../../../client/build/build.ts";
import { type FlagValues, present, wholeNumber } from "../../../../shared/flags.ts";
import { medianOf } from "../median.ts";
import { playStalled, type StalledCommand, type StalledMatch } from "./stalled_match.ts";

/** How long a stall lasts, ms: from a long collection of garbage to a machine that swaps. */
const STALLS_MS = [60, 100, 200] as const;
/** How many stalls happen between two lines of progress. */
const PROGRESS_EVERY = 30;

export const FLAGS = {
  stalls: {
    schema: wholeNumber(1_000, 1).default(60),
    about: "stalls of each length, on each of the two servers [60]",
    allowed: "a whole number 1 to 1000",
  },
  seed: {
    schema: wholeNumber(0xffff_0000).default(1),
    about: "of bots and pauses [1]",
    allowed: "0 to 4294901760",
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

/** The commands in all stalls with the same length. */
export interface StallFigures {
  readonly ms: number;
  readonly arrived: number;
  readonly lost: number;
  /** The same on the server that does not wait. */
  readonly lostBefore: number;
  readonly arrivedBefore: number;
}

export interface StallsReport {
  readonly stalls: readonly StallFigures[];
  /** 0 … 1. */
  readonly takenShare: number;
  readonly takenShareBefore: number;
  /** By transport, over all lengths together. */
  readonly byTransport: Readonly<
    Record<"websocket" | "webtransport", { arrived: number; lost: number }>
  >;
  /** Each server's `wyvern_commands_late_by_server_total`. */
  readonly lateByServer: number;
  readonly lateByServerBefore: number;
  /** From the end of a stall to the first late tick, ms: p50 and the longest. */
  readonly waitMs: { readonly p50: number; readonly max: number };
  readonly [key: string]: unknown;
}

/** @returns the object that `--json` prints */
export async function measureStalls(
  { stalls, seed }: FlagValues<typeof FLAGS>,
): Promise<StallsReport> {
  await build();
  // Plays the lengths one after the other, in turns, so that a machine that slows down favours
  // none.
  const stallsMs = Array.from({ length: stalls }, () => STALLS_MS).flat();
  const play = (hasTurns: boolean) => {
    const onStall = (done: number) => {
      if (done % PROGRESS_EVERY === 0) {
        console.error(`${hasTurns ? "now" : "before"}: ${done}/${stallsMs.length} stalls`);
      }
    };
    return playStalled({ stallsMs, seed, hasTurns, onStall });
  };
  return reportOf({ before: await play(false), now: await play(true) });
}

function reportOf({ before, now }: { before: StalledMatch; now: StalledMatch }): StallsReport {
  const byTransport = (isByDatagrams: boolean) => {
    const { arrived, lost } = lossOf(
      now.commands.filter((command) => command.isByDatagrams === isByDatagrams),
    );
    return { arrived, lost };
  };
  return {
    stalls: STALLS_MS.map((ms) => {
      const isOfLength = ({ stallMs }: StalledCommand) => stallMs === ms;
      const { arrived, lost } = lossOf(now.commands.filter(isOfLength));
      const { arrived: arrivedBefore, lost: lostBefore } = lossOf(
        before.commands.filter(isOfLength),
      );
      return { ms, arrived, lost, lostBefore, arrivedBefore };
    }),
    takenShare: takenShareOf(now),
    takenShareBefore: takenShareOf(before),
    byTransport: { websocket: byTransport(false), webtransport: byTransport(true) },
    lateByServer: now.lateByServer,
    lateByServerBefore: before.lateByServer,
    waitMs: { p50: rounded(medianOf(now.waitsMs), 1), max: rounded(Math.max(...now.waitsMs), 1) },
  };
}

/** Counts the commands that arrived during stalls, and those of them that were not taken. */
function lossOf(commands: readonly StalledCommand[]): { arrived: number; lost: number } {
  const arrived = commands.filter(({ stallMs, isInTime }) => stallMs > 0 && isInTime);
  return { arrived: arrived.length, lost: arrived.filter(({ isTaken }) => !isTaken).length };
}

function takenShareOf({ commands }: StalledMatch): number {
  return rounded(commands.filter(({ isTaken }) => isTaken).length / commands.length, 4);
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
