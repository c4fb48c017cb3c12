/**
 * Codes a command's fields by their types (WIRE 5). If a command differs from its reference, each
 * field is coded; the chances in the field's schema decide how many bits that takes. Every value is
 * a whole number here: a game maps it to a direction, an angle or a choice.
 */
import type { CommandFieldSchema, NumberFieldSchema } from "../game.ts";
import { type Coder, P_ONE, WireError } from "./range_coder.ts";

/** The most steps from a field's least to its greatest number. */
const NUMBER_SPAN_MAX = 65_535;

/**
 * Codes one field.
 * @param value the field's value to write, one of its schema; any number if the coder reads
 * @param reference the field's value in the other command
 * @returns the value that was written or read
 * @throws WireError if the bits are not a value
 */
export type FieldCoder = (value: number, reference: number, coder: Coder) => number;

/**
 * Chooses the coder for a field.
 * @throws RangeError if the schema's chances or numbers are out of range; the message names the
 *   field
 */
export function fieldCoderOf(field: CommandFieldSchema): FieldCoder {
  requireChance(field.name, field.unchanged);
  switch (field.type) {
    case "direction":
      return directionCoder(field.unchanged);
    case "button":
      return buttonCoder(field.unchanged);
    case "presses":
      requireChance(field.name, field.onePress);
      return pressesCoder(field.unchanged, field.onePress!);
    case "number":
      requireNumbers(field);
      return numberCoder(field);
  }
}

/** Codes -1, 0 or 1. @param unchanged the chance that the value is the reference, of 4096 */
export function directionCoder(unchanged: number): FieldCoder {
  return (value, reference, coder) => {
    if (coder.flag(value === reference, unchanged)) return reference;
    // Two values are left, so one bit picks the greater one.
    const lesser = reference === -1 ? 0 : -1;
    const greater = reference === 1 ? 0 : 1;
    return coder.flag(value === greater) ? greater : lesser;
  };
}

/** Codes 0 or 1. @param unchanged the chance that the value is the reference, of 4096 */
export function buttonCoder(unchanged: number): FieldCoder {
  return (value, reference, coder) =>
    coder.flag(value === reference, unchanged) ? reference : 1 - reference;
}

/**
 * Codes a count of presses modulo 4.
 * @param unchanged the chance that nothing was pressed since the reference, of 4096
 * @param onePress the chance that new presses are a single press, of 4096
 */
export function pressesCoder(unchanged: number, onePress: number): FieldCoder {
  return (value, reference, coder) => {
    const presses = (value - reference) & 3;
    if (coder.flag(presses === 0, unchanged)) return reference;
    if (coder.flag(presses === 1, onePress)) return (reference + 1) & 3;
    return (reference + (coder.flag(presses === 2) ? 2 : 3)) & 3;
  };
}

/**
 * Codes a whole number within a range by its distance from the reference, so that a short way takes
 * fewer bits. If the number wraps, the range's ends are adjacent.
 */
function numberCoder({ least, greatest, wraps, unchanged }: NumberFieldSchema): FieldCoder {
  const count = greatest - least + 1;
  return (value, reference, coder) => {
    if (coder.flag(value === reference, unchanged)) return reference;
    const up = value - reference;
    const way = wraps ? up - count * Math.round(up / count) : up;
    const farthest = wraps ? count >> 1 : Math.max(greatest - reference, reference - least);
    const distance = codeDistance(Math.abs(way), farthest, coder);
    const above = reference + distance;
    const below = reference - distance;

    // If only one of the two is in the range, the side takes no bit.
    if (!wraps) {
      if (above > greatest) return below;
      if (below < least) return above;
      return coder.flag(way > 0) ? above : below;
    }

    // Half a turn up and half a turn down end at the same number.
    const isAbove = 2 * distance === count || coder.flag(way > 0);
    if (isAbove) return above > greatest ? above - count : above;
    return below < least ? below + count : below;
  };
}

/**
 * Codes 1 … `farthest`: first how many bits it takes, all equally likely, then the bits below the
 * highest.
 */
function codeDistance(distance: number, farthest: number, coder: Coder): number {
  const bitsOf = (whole: number) => 32 - Math.clz32(whole);
  const longest = bitsOf(farthest);
  const length = bitsOf(distance);
  let read = 1;
  while (read < longest && !coder.flag(length === read, Math.floor(P_ONE / (longest - read + 1)))) {
    read++;
  }
  const highest = 1 << (read - 1);
  const coded = highest + (read > 1 ? coder.bits(distance - highest, read - 1) : 0);
  if (coded > farthest) {
    throw new WireError(`a number ${coded} steps away; ${farthest} are possible`);
  }
  return coded;
}

function requireChance(name: string, chance: number | undefined): void {
  const isChance = chance !== undefined && Number.isInteger(chance) && chance > 0 && chance < P_ONE;
  if (!isChance) {
    throw new RangeError(`field "${name}": the chance ${chance} is not 1 … ${P_ONE - 1}`);
  }
}

function requireNumbers({ name, least, greatest, neutral }: NumberFieldSchema): void {
  const span = greatest - least;
  const areWhole = [least, greatest, neutral].every(Number.isSafeInteger);
  if (!areWhole || span < 1 || span > NUMBER_SPAN_MAX) {
    throw new RangeError(
      `field "${name}": ${least} … ${greatest} is no range of 2 … ${NUMBER_SPAN_MAX + 1} numbers`,
    );
  }
  if (neutral < least || neutral > greatest) {
    throw new RangeError(
      `field "${name}": its neutral value ${neutral} is not ${least} … ${greatest}`,
    );
  }
}
