/** Answers to pings as bits: in a message of their own, or with the tick of an ordered link. */
import type { Coder } from "./range_coder.ts";
import type { Tick } from "../game.ts";
import type { HeldPong, Pong } from "./messages.ts";

const ID_BITS = 8;
/** The server's clock, and how long an answer was held, are told in 1/1024 of a tick. */
const FRACTION_BITS = 10, FRACTIONS = 1 << FRACTION_BITS;
/** Of 4096 ticks, and of 4096 commands: one a second. */
const RIDES = 205;

/** 0 … 255. */
export function codePingId(id: number, coder: Coder): number {
  return coder.bits(id, ID_BITS);
}

/** What a command of an ordered link ends with. @param id of the ping that goes with it @returns as it is read */
export function codeRidingPing(id: number | undefined, coder: Coder): number | undefined {
  coder.part = "pings";
  return coder.flag(id !== undefined, RIDES) ? codePingId(id ?? 0, coder) : undefined;
}

/** What a message that is nothing else holds. */
export function codePong({ id, serverTicks }: Pong, coder: Coder): Pong {
  const whole = Math.floor(serverTicks), fraction = Math.floor((serverTicks - whole) * FRACTIONS);
  return {
    kind: "pong",
    id: codePingId(id, coder),
    serverTicks: coder.varint(whole) + coder.bits(fraction, FRACTION_BITS) / FRACTIONS,
  };
}

/** What follows the advice in an ordered link's tick. @returns as it is read */
export function codeHeldPong(pong: HeldPong | undefined, tick: Tick, coder: Coder): HeldPong | undefined {
  coder.part = "pings";
  if (!coder.flag(pong !== undefined, RIDES)) return undefined;
  const { id, serverTicks, heldTicks } = pong ?? { id: 0, serverTicks: tick, heldTicks: 0 };
  return {
    id: codePingId(id, coder),
    serverTicks: tick + codeTicks(serverTicks - tick, coder),
    heldTicks: codeTicks(heldTicks, coder),
  };
}

function codeTicks(ticks: number, coder: Coder): number {
  return coder.varint(Math.round(ticks * FRACTIONS)) / FRACTIONS;
}
