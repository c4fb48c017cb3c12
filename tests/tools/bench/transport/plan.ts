/** The benchmark's match, live and in the lab. */
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { type CommandArrival, meanFigures, queueFigures } from "../../lab/queues/oracle.ts";

/** What carries the messages. */
export type Transport = "websocket" | "webtransport";
export const TRANSPORTS: readonly Transport[] = ["websocket", "webtransport"];

export interface MatchPlan {
  readonly bots: number;
  readonly npcs: number;
  /** From the last bot's join until the window: clocks and leads converge. */
  readonly warmUpSeconds: number;
  /** The window. */
  readonly seconds: number;
}

const TICK_MS = 1000 / dragonGame.tickHz;

/**
 * Adds ticks without a command, as commands that never arrived.
 * @returns in the order of their ticks
 */
export function withMissing(arrivals: readonly CommandArrival[]): CommandArrival[] {
  const all: CommandArrival[] = [];
  for (const arrival of arrivals.toSorted((a, b) => a.dueMs - b.dueMs)) {
    const before = all.at(-1) ?? arrival;
    const gap = Math.round((arrival.dueMs - before.dueMs) / TICK_MS);
    for (let n = 1; n < gap; n++) {
      all.push({ dueMs: before.dueMs + n * TICK_MS, leadMs: before.leadMs, delayMs: Infinity });
    }
    all.push(arrival);
  }
  return all;
}

/** How long commands wait, and which share is late, as the lab defines both (`oracle.ts`). */
export interface WaitFigures {
  readonly waitMs: number;
  /** 0 … 1. */
  readonly lateShare: number;
}

/** @param bots each one's commands, from one match or several */
export function waitFiguresOf(bots: readonly (readonly CommandArrival[])[]): WaitFigures {
  const { waitMs, lateShare } = meanFigures(bots.map(queueFigures));
  return { waitMs: Number(waitMs.toFixed(2)), lateShare: Number(lateShare.toFixed(5)) };
}
