/**
 * Shows each event once. Because a resimulation emits events again, a misprediction emits events
 * that never happen, and a correction can move an event by a few ticks, the reconciler keeps the
 * shown events apart from the emitted ones:
 *
 *     predicted event                                  shown as soon as it is certain enough (`event_certainty.ts`)
 *     event that a resimulation no longer emits        retracted, unless an equal event occurs nearby
 */
import type { GameEvent, SeatId, Tick } from "../../shared/netcode/game.ts";
import type { PoseList } from "../../shared/netcode/pose_list.ts";
import { type EventMoment, isSettled, type PredictedEvent } from "./event_certainty.ts";

/**
 * How many ticks to track. A resimulation reaches 32 ticks back, so it cannot emit older events
 * again.
 */
const TRACKED_TICKS = 64;
/** The most events to show at once; more would be neither visible nor audible. */
const SHOWN_AT_ONCE_MAX = 64;
/** By how many ticks a correction may move an event that still counts as the same. */
const MOVED_TICKS_MAX = 4;

/** An event as one frame shows it. */
export interface PresentedEvent {
  /** Unique to this event. */
  readonly key: string;
  /** When it happens. A correction may have moved it since it was shown. */
  readonly tick: Tick;
  readonly kind: string;
  /** Metres. */
  readonly x: number;
  readonly y: number;
  /** The seat that it happened to; -1 for none. */
  readonly seat: number;
  /** The other entity's seat; -1 for none. */
  readonly otherSeat: number;
  /** As the game emitted it. */
  readonly amount?: number | undefined;
}

interface TrackedEvent {
  /** As emitted by the newest step. */
  event: GameEvent;
  /**
   * The seat that it happened to, -1 for none; undefined for an entity that the prediction just
   * created.
   */
  seat: SeatId | undefined;
  /** The other entity's seat; -1 for none. */
  otherSeat: SeatId;
  /** The key under which frames show it. A moved event keeps its key. */
  key: string;
  isShown: boolean;
  isSettled: boolean;
}

/** The new events since the last frame, and the keys of retracted ones. */
export interface EventChanges {
  readonly begun: readonly PresentedEvent[];
  readonly retracted: readonly string[];
  /** Events that nothing can undo any more since this frame, shown before or not. */
  readonly settled: readonly PresentedEvent[];
}

/** Whether to show an event now. */
export type EventRule = (event: PredictedEvent, moment: EventMoment) => boolean;

export class EventReconciler {
  readonly #isCertain: EventRule;
  /** The events from each tick's newest step. */
  readonly #byTick = new Map<Tick, readonly TrackedEvent[]>();
  /** Shown events that a resimulation no longer emits. */
  #retracted: TrackedEvent[] = [];

  /** @param isCertain by default every event shows at once */
  constructor(isCertain: EventRule = () => true) {
    this.#isCertain = isCertain;
  }

  /**
   * Records all events from one step.
   * @param poses those after the step, which give the events' seats
   */
  record(events: readonly GameEvent[], { tick, poses }: { tick: Tick; poses: PoseList }): void {
    const before = this.#byTick.get(tick) ?? [];
    if (events.length === 0 && before.length === 0) return;
    const now = events.map((event) => {
      const tracked = before.find((tracked) => isSame(tracked.event, event));
      // A correction can change who else took part.
      return tracked === undefined
        ? trackEvent(event, poses)
        : Object.assign(tracked, { event }, seatsOf(event, poses));
    });
    this.#byTick.set(tick, now);
    for (const tracked of before) {
      if (tracked.isShown && !now.includes(tracked)) this.#retracted.push(tracked);
    }
  }

  /** Returns the changes since the last call. */
  collectChanges(moment: EventMoment): EventChanges {
    const begun: PresentedEvent[] = [];
    const settled: PresentedEvent[] = [];
    this.#discardBefore(moment.head - TRACKED_TICKS);
    const retracted = this.#retracted.filter((tracked) => !this.#mergeMoved(tracked)).map((
      { key },
    ) => key);
    this.#retracted = [];

    for (const trackedEvents of this.#byTick.values()) {
      for (const tracked of trackedEvents) {
        const { event: { tick, kind, x, y }, seat, otherSeat } = tracked;
        const predicted = { tick, kind, seat, otherSeat, x, y };
        if (!tracked.isSettled && isSettled(predicted, moment)) {
          tracked.isSettled = true;
          if (settled.length < SHOWN_AT_ONCE_MAX) settled.push(presented(tracked));
        }
        if (tracked.isShown) continue;
        if (!tracked.isSettled && !this.#isCertain(predicted, moment)) continue;
        tracked.isShown = true;
        if (begun.length < SHOWN_AT_ONCE_MAX) begun.push(presented(tracked));
      }
    }

    return { begun, retracted, settled };
  }

  /**
   * Whether a seat had a part in events of a tick, and all of these are settled.
   * @param counts chooses the kinds of events to look at
   */
  isSettledFor(seat: SeatId, tick: Tick, counts: (kind: string, seat: SeatId) => boolean): boolean {
    const events = (this.#byTick.get(tick) ?? []).filter((tracked) =>
      (tracked.seat === seat || tracked.otherSeat === seat) &&
      counts(tracked.event.kind, tracked.seat ?? -1)
    );
    return events.length > 0 && events.every(({ isSettled }) => isSettled);
  }

  /**
   * Looks for an equal event nearby, which then counts as shown, under the same key.
   * @returns whether there is one
   */
  #mergeMoved({ event, key, isSettled }: TrackedEvent): boolean {
    for (let tick = event.tick - MOVED_TICKS_MAX; tick <= event.tick + MOVED_TICKS_MAX; tick++) {
      const moved = this.#byTick.get(tick)?.find((tracked) =>
        !tracked.isShown && tracked.event.kind === event.kind &&
        tracked.event.entity === event.entity
      );
      if (moved === undefined) continue;
      moved.isShown = true;
      moved.isSettled ||= isSettled;
      moved.key = key;
      return true;
    }
    return false;
  }

  #discardBefore(until: Tick): void {
    for (const tick of this.#byTick.keys()) if (tick < until) this.#byTick.delete(tick);
  }
}

function isSame(a: GameEvent, b: GameEvent): boolean {
  return a.kind === b.kind && a.entity === b.entity;
}

function trackEvent(event: GameEvent, poses: PoseList): TrackedEvent {
  const { tick, kind, entity } = event;
  const key = `${tick} ${kind} ${entity}`;
  return { event, ...seatsOf(event, poses), key, isShown: false, isSettled: false };
}

function seatsOf(
  { entity, other = -1 }: GameEvent,
  poses: PoseList,
): Pick<TrackedEvent, "seat" | "otherSeat"> {
  return { seat: poses.find(entity)?.seat, otherSeat: poses.find(other)?.seat ?? -1 };
}

function presented(
  { event: { tick, kind, x, y, amount }, seat = -1, otherSeat, key }: TrackedEvent,
): PresentedEvent {
  return { key, tick, kind, x, y, seat, otherSeat, ...(amount !== undefined && { amount }) };
}
