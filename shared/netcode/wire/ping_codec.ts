/**
 * Pings and pongs: as messages of their own, or piggybacked on a reliable link's commands and
 * ticks.
 */
import type { Coder } from "./range_coder.ts";
import type { Tick } from "../game.ts";
import type { PiggybackedPong, Pong } from "./messages.ts";
import { P_PIGGYBACKED } from "./probabilities.ts";

const ID_BITS = 8;
/** The server's clock, and the time that an answer waited, are in 1/1024 of a tick. */
const FRACTION_BITS = 10;
const UNITS_PER_TICK = 1 << FRACTION_BITS;

/** Codes a ping's id, 0 … 255. */
export function codePingId(id: number, coder: Coder): number {
  return coder.bits(id, ID_BITS);
}

/**
 * Codes the end of a reliable link's command.
 * @param id of the ping that is piggybacked on it; undefined for none
 */
export function codePiggybackedPing(id: number | undefined, coder: Coder): number | undefined {
  coder.part = "pings";
  return coder.flag(id !== undefined, P_PIGGYBACKED) ? codePingId(id ?? 0, coder) : undefined;
}

/** Codes the pong that is a message of its own. */
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
 * Codes the pong that is piggybacked on a reliable link's tick.
 * @returns the pong, its times rounded to 1/1024 of a tick
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
