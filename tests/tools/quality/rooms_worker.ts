/** Runs closed rooms, seed after seed, in a worker of its own. */
import { runRoom } from "./measures/rooms.ts";

/** The seeds of some rooms. */
export interface RoomsRequest {
  readonly from: number;
  readonly count: number;
}

/** The seeds of the rooms that something has left. */
export interface RoomsResult {
  readonly left: readonly number[];
}

self.addEventListener("message", ({ data: { from, count } }: MessageEvent<RoomsRequest>) => {
  const seeds = Array.from({ length: count }, (_, i) => from + i);
  const result: RoomsResult = { left: seeds.filter((seed) => runRoom(seed) > 0) };
  (self as unknown as Worker).postMessage(result);
});
