/**
 * What one seat asks of its dragon in one tick. Held controls are values; one-shot actions are counters modulo 4: the game
 * acts on the difference between a command's counter and the one in its state, so a press that came too late is delivered
 * by the next command and is neither lost nor doubled.
 */
import type { Coder } from "../../netcode/wire/range_coder.ts";
import type { Codec } from "../../netcode/game.ts";
import { ASSUME_HELD_TICKS } from "./tuning.ts";

export interface DragonCommand {
  /** -1 left, 1 right. */
  readonly dir: -1 | 0 | 1;
  /** The flap button is down: wings repeat by themselves. */
  readonly flapHeld: boolean;
  /** Presses so far of each button, modulo 4. */
  readonly flaps: number;
  readonly fires: number;
}

/**
 * Every command there is, made once: a match reads, tells and remembers a dozen a tick for seconds, too long for a young heap. In the order
 * of their numbers' digits: dir, flapHeld, flaps, fires.
 */
const ALL_COMMANDS: readonly DragonCommand[] = Array.from({ length: 3 * 2 * 4 * 4 }, (_, i) =>
  Object.freeze({
    dir: (i >>> 5) - 1 as DragonCommand["dir"],
    flapHeld: (i >>> 4 & 1) === 1,
    flaps: i >>> 2 & 3,
    fires: i & 3,
  }));

/** The one command of these parts. @param flaps like the other counters 0 … 3 */
export function commandOf(
  dir: DragonCommand["dir"],
  flapHeld: boolean,
  { flaps, fires }: Pick<DragonCommand, "flaps" | "fires">,
): DragonCommand {
  return ALL_COMMANDS[dir + 1 << 5 | (flapHeld ? 1 << 4 : 0) | flaps << 2 | fires]!;
}

/** Hands off, nothing ever pressed. */
export const NEUTRAL: DragonCommand = commandOf(0, false, { flaps: 0, fires: 0 });

/** What one more press makes of a counter. */
export function addPresses(counter: number, presses = 1): number {
  return (counter + presses) & 3;
}

/** Presses from counter `seen` to counter `now`: 0 … 3. Four between two commands would read as none; no hand does that. */
export function pressesSince(seen: number, now: number): number {
  return (now - seen) & 3;
}

/** Where commands of people and minds change at all: how often each part stays, of 4096. */
const P_UNCHANGED = { dir: 1900, flapHeld: 3700, flaps: 1900, fires: 3400 };
/** Of the presses that come, how often it is one. */
const P_ONE_PRESS = 3900;

/** Four bits in the mean. */
export const dragonCommandCodec: Codec<DragonCommand> = {
  neutral: NEUTRAL,

  code(value: DragonCommand, reference: DragonCommand, coder: Coder): DragonCommand {
    const dir = codeDir(value.dir, reference.dir, coder);
    const flapHeld = coder.flag(value.flapHeld === reference.flapHeld, P_UNCHANGED.flapHeld) === reference.flapHeld;
    const flaps = codeCounter(value.flaps, reference.flaps, P_UNCHANGED.flaps, coder);
    const fires = codeCounter(value.fires, reference.fires, P_UNCHANGED.fires, coder);
    return commandOf(dir, flapHeld, { flaps, fires });
  },

  same(a: DragonCommand, b: DragonCommand): boolean {
    return a.dir === b.dir && a.flapHeld === b.flapHeld && a.flaps === b.flaps && a.fires === b.fires;
  },
};

type Direction = DragonCommand["dir"];

/** One of the other two is told by one bit: whether it is the greater. */
function codeDir(dir: Direction, before: Direction, coder: Coder): Direction {
  if (coder.flag(dir === before, P_UNCHANGED.dir)) return before;
  const lesser = before === -1 ? 0 : -1, greater = before === 1 ? 0 : 1;
  return coder.flag(dir === greater) ? greater : lesser;
}

function codeCounter(value: number, before: number, pNone: number, coder: Coder): number {
  return addPresses(before, codePresses(pressesSince(before, value), pNone, coder));
}

/** 0 … 3 of them. */
function codePresses(presses: number, pNone: number, coder: Coder): number {
  if (coder.flag(presses === 0, pNone)) return 0;
  if (coder.flag(presses === 1, P_ONE_PRESS)) return 1;
  return coder.flag(presses === 2) ? 2 : 3;
}

/**
 * The stand-in for a command that did not arrive: what was held goes on for `ASSUME_HELD_TICKS`, then hands are off. Counters
 * repeat for ever, so that nothing is pressed that the player did not press.
 * @param last the newest command that did arrive
 * @param ticksMissing how many ticks ago, from 1
 */
export function assumeCommand(last: DragonCommand | undefined, ticksMissing: number): DragonCommand {
  if (last === undefined) return NEUTRAL;
  if (ticksMissing <= ASSUME_HELD_TICKS || (last.dir === 0 && !last.flapHeld)) return last;
  return commandOf(0, false, last);
}
