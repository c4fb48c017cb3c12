/**
 * Codes pings and pongs, either as separate messages or piggybacked on a reliable link's commands
 * and ticks.
 */
import type { Coder } from "./range_coder.ts";
import type { Tick } from "../game.ts";
import type { PiggybackedPong, Pong } from "./messages.ts";
import { P_PIGGYBACKED } from "./probabilities.ts";

const ID_BITS = 8;
/** The unit for the server's clock and for an answer's waiting time is 1/1024 tick. */
const FRACTION_BITS = 10;
const UNITS_PER_TICK = 1 << FRACTION_BITS;

/** Codes a ping's id, 0 … 255. */
export function codePingId(id: number, coder: Coder): number {
  return coder.bits(id, ID_BITS);
}

/**
 * Codes how a reliable link's command ends.
 * @param id identifies the piggybacked ping; undefined for none
 */
export function codePiggybackedPing(id: number | undefined, coder: Coder): number | undefined {
  coder.part = "pings";
  return coder.flag(id !== undefined, P_PIGGYBACKED) ? codePingId(id ?? 0, coder) : undefined;
}

/** Codes a pong as a separate message. */
export function codePong({ id, serverTicks }: Pong, coder: Coder): Pong {
  const whole = Math.floor(serverTicks);
  const fraction = Math.floor((serverTicks - whole) * UNITS_PER_TICK);
  return {
    type: "pong",
    id: codePingId(id, coder),
    serverTicks: coder.varint(whole) + coder.bits(fraction, FRACTION_BITS) / UNITS_PER_TICK,
  };
}

/**
 * Codes the pong that rides on a reliable link's tick.
 * @returns the pong, with its times rounded to 1/1024 tick
 */
export function codePiggybackedPong(
  pong: PiggybackedPong | undefined,
  tick: Tick,
  coder: Coder,
): PiggybackedPong | undefined {
  coder.part = "pings";
  if (!coder.flag(pong !== undefined, P_PIGGYBACKED)) return undefined;
  const { id, serverTicks, waitedTicks } = pong ?? { id: 0, serverTicks: tick, waitedTicks: 0 };
  return {
    id: codePingId(id, coder),
    serverTicks: tick + codeFractionalTicks(serverTicks - tick, coder),
    waitedTicks: codeFractionalTicks(waitedTicks, coder),
  };
}

function codeFractionalTicks(ticks: number, coder: Coder): number {
  return coder.varint(Math.round(ticks * UNITS_PER_TICK)) / UNITS_PER_TICK;
}
