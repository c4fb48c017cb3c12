/** The benchmark's match, live and in the lab. */
import { type CommandArrival, meanFigures, queueFigures } from "../../lab/queues/oracle.ts";

/** What carries the messages. */
export type Transport = "websocket" | "webtransport";
export const TRANSPORTS: readonly Transport[] = ["websocket", "webtransport"];

export interface MatchPlan {
  readonly bots: number;
  readonly npcs: number;
  /** From the join of the last bot until the window: clocks and leads converge. */
  readonly warmUpSeconds: number;
  /** The window. */
  readonly seconds: number;
}

/** How long commands wait, and which share is late, as the lab defines both (`oracle.ts`). */
export interface WaitFigures {
  readonly waitMs: number;
  /** 0 … 1. */
  readonly lateShare: number;
}

/** @param bots the commands of each, from one match or several */
export function waitFiguresOf(bots: readonly (readonly CommandArrival[])[]): WaitFigures {
  const { waitMs, lateShare } = meanFigures(bots.map(queueFigures));
  return { waitMs: Number(waitMs.toFixed(2)), lateShare: Number(lateShare.toFixed(5)) };
}
