/**
 * What one seat asks of its dragon in one tick. Held controls are values; one-shot actions are counters modulo 4: the game
 * acts on the difference between a command's counter and the one in its state, so a press that came too late is delivered
 * by the next command and is neither lost nor doubled.
 */
import { type BitReader, type BitWriter, WireError } from "../netcode/bytes.ts";
import type { Codec } from "../netcode/game.ts";
import { ASSUME_HELD_TICKS } from "./tuning.ts";

export interface DragonCommand {
  /** -1 left, 1 right. */
  readonly dir: -1 | 0 | 1;
  /** The flap button is down: wings repeat by themselves. */
  readonly hold: boolean;
  /** Presses so far of each button, modulo 4. */
  readonly flaps: number;
  readonly fires: number;
  readonly tethers: number;
}

/** Hands off, nothing ever pressed. */
export const NEUTRAL: DragonCommand = { dir: 0, hold: false, flaps: 0, fires: 0, tethers: 0 };

/** What one more press makes of a counter. */
export function pressed(counter: number, presses = 1): number {
  return (counter + presses) & 3;
}

/** Presses from counter `seen` to counter `now`: 0 … 3. Four between two commands would read as none; no hand does that. */
export function pressesSince(seen: number, now: number): number {
  return (now - seen) & 3;
}

/** 9 bits. */
export const dragonCommandCodec: Codec<DragonCommand> = {
  encode(command: DragonCommand, into: BitWriter): void {
    into.bits(command.dir + 1, 2);
    into.flag(command.hold);
    into.bits(command.flaps, 2);
    into.bits(command.fires, 2);
    into.bits(command.tethers, 2);
  },

  decode(from: BitReader): DragonCommand {
    const dir = from.bits(2) - 1;
    if (dir !== -1 && dir !== 0 && dir !== 1) throw new WireError("a direction that is none");
    return { dir, hold: from.flag(), flaps: from.bits(2), fires: from.bits(2), tethers: from.bits(2) };
  },

  same(a: DragonCommand, b: DragonCommand): boolean {
    return a.dir === b.dir && a.hold === b.hold && a.flaps === b.flaps && a.fires === b.fires &&
      a.tethers === b.tethers;
  },
};

/**
 * The stand-in for a command that did not arrive: what was held goes on for `ASSUME_HELD_TICKS`, then hands are off. Counters
 * repeat for ever, so that nothing is pressed that the player did not press.
 * @param last the newest command that did arrive
 * @param ticksMissing how many ticks ago, from 1
 */
export function assumeCommand(last: DragonCommand | undefined, ticksMissing: number): DragonCommand {
  if (last === undefined) return NEUTRAL;
  if (ticksMissing <= ASSUME_HELD_TICKS || (last.dir === 0 && !last.hold)) return last;
  return { ...last, dir: 0, hold: false };
}
