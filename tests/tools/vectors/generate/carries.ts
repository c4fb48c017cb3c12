/**
 * Elements whose last one carries over many bytes. The flags before it keep the interval around one
 * boundary: its low end stays below, its high end above. So the bytes that are output are 127, 255,
 * 255 and so on. The last flag chooses the part above the boundary, and the carry makes them 128,
 * 0, 0.
 */
import type { Random } from "../../../../shared/random.ts";
import type { Element } from "../check/coder.ts";

/**
 * The interval as exact numbers: of the message's first byte each is a fraction with `bits` bits.
 */
interface Interval {
  low: bigint;
  range: bigint;
  /** The number of bytes that were output. */
  bytes: number;
}

/** @param bytes how many bytes of 255 the carry passes */
export function carryElements(bytes: number, random: Random): Element[] {
  const interval: Interval = { low: 0n, range: 2n ** 32n - 1n, bytes: 0 };
  const elements: Element[] = [];
  while (interval.bytes <= bytes) {
    const p = 1000 + random.below(2000);
    const split = interval.low + (interval.range >> 12n) * BigInt(p);
    const value = split > boundaryOf(interval) ? 1 : 0;
    elements.push(["flag", p, value]);
    narrow(interval, p, value);
  }
  // The middle of what is left of the interval above the boundary: a flag that is not set raises
  // `low` beyond it.
  while (interval.low < boundaryOf(interval)) {
    elements.push(["flag", 4095, 0]);
    narrow(interval, 4095, 0);
  }
  return [...elements, ["bits", 8, 99]];
}

/** The number 1/2, in the units of the interval's low end. */
function boundaryOf({ bytes }: Interval): bigint {
  return 1n << BigInt(31 + 8 * bytes);
}

function narrow(interval: Interval, p: number, value: 0 | 1): void {
  const share = (interval.range >> 12n) * BigInt(p);
  if (value === 0) interval.low += share;
  interval.range = value === 0 ? interval.range - share : share;
  while (interval.range < 2n ** 24n) {
    interval.low <<= 8n;
    interval.range <<= 8n;
    interval.bytes++;
  }
}
