/**
 * Shows each event once. A resimulation emits events again, a misprediction emits events that never
 * happen, and a correction can move an event by a few ticks. So the reconciler keeps the shown
 * events apart from the emitted ones:
 *
 *     predicted event                                  shown as soon as it is certain enough (`event_certainty.ts`)
 *     event that a resimulation no longer emits        retracted, unless an equal event occurs nearby
 */
import type { GameEvent, SeatId, Tick } from "../../shared/netcode/game.ts";
import type { PoseList } from "../../shared/netcode/pose_list.ts";
import type { EventMoment, PredictedEvent } from "./event_certainty.ts";

/** A resimulation reaches 32 ticks back, so it cannot emit older events again. */
const TRACKED_TICKS = 64;
/** More events at once are neither visible nor audible. */
const SHOWN_AT_ONCE_MAX = 64;
/** An event that a correction moves by no more than this is still the same event. */
const MOVED_TICKS_MAX = 4;

/** An event as a frame shows it, once. */
export interface PresentedEvent {
  /** Unique: no two events share a key. */
  readonly key: string;
  readonly kind: string;
  /** Metres. */
  readonly x: number;
  readonly y: number;
  /** The seat that it happened to; -1 for none. */
  readonly seat: number;
  /** The seat of the other entity that took part; -1 for none. */
  readonly otherSeat: number;
}

interface TrackedEvent {
  /** As the newest step emitted it. */
  event: GameEvent;
  /**
   * The seat that it happened to, -1 for none; undefined for an entity that is new in the
   * prediction.
   */
  seat: SeatId | undefined;
  /** The seat of the other entity; -1 for none. */
  otherSeat: SeatId;
  /** The key under which frames show it. A moved event keeps its key. */
  key: string;
  isShown: boolean;
  isDefinitive: boolean;
}

/** The new events since the last frame, and the keys of retracted ones. */
export interface EventChanges {
  readonly begun: readonly PresentedEvent[];
  readonly retracted: readonly string[];
  /** Events whose tick is now definitive, whether they have been shown or not. */
  readonly definitive: readonly PresentedEvent[];
}

/** Whether to show an event now. */
export type EventRule = (event: PredictedEvent, moment: EventMoment) => boolean;

export class EventReconciler {
  readonly #isCertain: EventRule;
  /** The events of the newest step of each tick. */
  readonly #byTick = new Map<Tick, readonly TrackedEvent[]>();
  /** Events that were shown, and that a resimulation no longer emits. */
  #retracted: TrackedEvent[] = [];

  /** @param isCertain by default every event shows at once */
  constructor(isCertain: EventRule = () => true) {
    this.#isCertain = isCertain;
  }

  /** Records all events of one step. @param poses after the step; they give the events' seats */
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

  /** The changes since the last call. */
  collectChanges(moment: EventMoment): EventChanges {
    const begun: PresentedEvent[] = [];
    const newlyDefinitive: PresentedEvent[] = [];
    this.#discardBefore(moment.head - TRACKED_TICKS);
    const retracted = this.#retracted.filter((tracked) => !this.#mergeMoved(tracked)).map((
      { key },
    ) => key);
    this.#retracted = [];

    for (const trackedEvents of this.#byTick.values()) {
      for (const tracked of trackedEvents) {
        if (tracked.event.tick <= moment.definitive && !tracked.isDefinitive) {
          tracked.isDefinitive = true;
          if (newlyDefinitive.length < SHOWN_AT_ONCE_MAX) newlyDefinitive.push(presented(tracked));
        }
        const { event: { tick, kind }, seat, otherSeat } = tracked;
        if (tracked.isShown || !this.#isCertain({ tick, kind, seat, otherSeat }, moment)) continue;
        tracked.isShown = true;
        if (begun.length < SHOWN_AT_ONCE_MAX) begun.push(presented(tracked));
      }
    }

    return { begun, retracted, definitive: newlyDefinitive };
  }

  /** Whether an equal event occurs nearby. That event then counts as shown, under the same key. */
  #mergeMoved({ event, key }: TrackedEvent): boolean {
    for (let tick = event.tick - MOVED_TICKS_MAX; tick <= event.tick + MOVED_TICKS_MAX; tick++) {
      const moved = this.#byTick.get(tick)?.find((tracked) =>
        !tracked.isShown && tracked.event.kind === event.kind &&
        tracked.event.entity === event.entity
      );
      if (moved === undefined) continue;
      moved.isShown = true;
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
  return { event, ...seatsOf(event, poses), key, isShown: false, isDefinitive: false };
}

function seatsOf(
  { entity, other = -1 }: GameEvent,
  poses: PoseList,
): Pick<TrackedEvent, "seat" | "otherSeat"> {
  return { seat: poses.find(entity)?.seat, otherSeat: poses.find(other)?.seat ?? -1 };
}

function presented(
  { event: { kind, x, y }, seat = -1, otherSeat, key }: TrackedEvent,
): PresentedEvent {
  return { key, kind, x, y, seat, otherSeat };
}
