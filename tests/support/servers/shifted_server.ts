/**
 * The real server on a machine whose clock is wrong. Its arguments are a clock (`MachineClock`) as
 * JSON, and flags. A process keeps the time of its begin, and counts on from there without looking
 * at the clock again.
 */
import { runServer } from "../../../server/run_server.ts";
import { GAMES } from "../../../shared/games/registry.ts";

/** How a machine's clock is wrong. */
export interface MachineClock {
  /** How far it was ahead when the process began, ms. */
  readonly atBeginMs?: number;
  /** How far it is ahead later, ms. */
  readonly laterMs?: number;
  /** When it is set from the one to the other, ms after the begin; by default at once. */
  readonly setAfterMs?: number;
}

const [text, ...flags] = Deno.args;
const { atBeginMs = 0, laterMs = 0, setAfterMs = 0 } = JSON.parse(text!) as MachineClock;
const beganMs = performance.now();
const machineNow = Date.now;

Object.defineProperty(performance, "timeOrigin", { value: performance.timeOrigin + atBeginMs });
Date.now = () => machineNow() + (performance.now() - beganMs < setAfterMs ? atBeginMs : laterMs);

Deno.exit(await runServer(GAMES, flags));
