/**
 * Decides when a predicted event is certain enough to show:
 *
 *     event that is settled (`settlement.ts`)   at once
 *     event that an own key causes              at once
 *     other event in which the own seat takes   when it has lasted for a quarter of the way to the definitive tick
 *     part
 *     event of other seats                      when the commands of these seats are known for its tick, and it has
 *                                               lasted for half of the way to the definitive tick
 *     confirmed event (death, score)            when it is settled, at the latest when its tick is definitive
 *
 * With the lab's simulated people at a round trip of 200 ms, 2 to 6 effects a minute are taken
 * back. If all but the confirmed ones showed at once, 480 would be.
 */
import type { SeatId, Tick } from "../../shared/netcode/game.ts";

/**
 * An event shows once it lasted for this part of the way to the definitive tick. At a round trip of
 * 200 ms that way takes 7 to 9 ticks, and three quarters of the own dragon's false landings last
 * for one tick or less.
 */
const OTHERS_LASTED_MIN = 1 / 2;
const OWN_LASTED_MIN = 1 / 4;

export interface PredictedEvent {
  readonly tick: Tick;
  readonly kind: string;
  /**
   * The seat that it happens to, -1 for none; undefined for an entity that the prediction just
   * created.
   */
  readonly seat: SeatId | undefined;
  /** The other entity's seat; -1 for none. */
  readonly otherSeat: SeatId;
  /** Where it happens, metres. */
  readonly x: number;
  readonly y: number;
}

/** The moment that a frame shows. */
export interface EventMoment {
  readonly head: Tick;
  /** The newest tick that corrections can no longer change. */
  readonly definitive: Tick;
  /** Whether an event after the definitive tick is settled; by default none is. */
  readonly isSettled?: (event: PredictedEvent) => boolean;
  readonly ownSeat?: SeatId;
  /** Counts the ticks up to the head in which a seat's command is unknown. */
  readonly guessedTicks?: (seat: SeatId) => number;
}

export interface EventKinds {
  /** Whether events of this kind that happen to this seat wait until their tick is definitive. */
  readonly isConfirmedOnly: (kind: string, seat: SeatId) => boolean;
  /** Whether a seat's own key causes its events of this kind. */
  readonly answersKey: (kind: string) => boolean;
}

/** Whether an event can no longer be undone. */
export function isSettled(event: PredictedEvent, moment: EventMoment): boolean {
  return event.tick <= moment.definitive || moment.isSettled?.(event) === true;
}

/** Whether to show an event now that may still be undone. */
export function isCertain(
  { tick, kind, seat, otherSeat }: PredictedEvent,
  { head, definitive, ownSeat, guessedTicks = () => 0 }: EventMoment,
  { isConfirmedOnly, answersKey }: EventKinds,
): boolean {
  if (isConfirmedOnly(kind, seat ?? -1)) return false;
  const lasted = (head - tick) / (head - definitive);
  if (seat === ownSeat || otherSeat === ownSeat) {
    return answersKey(kind) || lasted >= OWN_LASTED_MIN;
  }
  const isKnown = (each: SeatId) => each < 0 || tick <= head - guessedTicks(each);
  return seat !== undefined && lasted >= OTHERS_LASTED_MIN && isKnown(seat) && isKnown(otherSeat);
}
