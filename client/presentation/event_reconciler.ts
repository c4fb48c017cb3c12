/**
 * What happened, shown once. A resimulation tells it again, a misprediction tells what never was, and a correction may move it by a
 * tick or two; so what is shown is kept apart from what is told:
 *
 *     soft:  shown as soon as it is predicted;        hard (death, score):  shown when its tick is definitive
 *     told no more by a resimulation of its tick:     taken back, unless the same happens to the same one nearby
 */
import type { GameEvent, Tick } from "../../shared/netcode/game.ts";
import type { PoseList } from "../../shared/netcode/pose_list.ts";

/** A resimulation reaches 32 ticks back; what is older than this cannot come again. */
const TRACKED_TICKS = 64;
/** More at once than anybody could see or hear. */
const SHOWN_AT_ONCE_MAX = 64;
/** A flap that a correction moves by so little is the same flap. */
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
}

interface TrackedEvent {
  readonly event: GameEvent;
  readonly seat: number;
  /** What it is known by to who shows it; that of an earlier telling where it was moved. */
  key: string;
  isShown: boolean;
}

/** What is new since the last look, and the keys of what is taken back. */
export interface EventChanges {
  readonly begun: readonly PresentedEvent[];
  readonly retracted: readonly string[];
}

export class EventReconciler {
  readonly #isConfirmedOnly: (kind: string) => boolean;
  /** As the newest step of each tick told it. */
  readonly #byTick = new Map<Tick, readonly TrackedEvent[]>();
  /** Shown, and then told no more. */
  #retracted: TrackedEvent[] = [];

  /** @param isConfirmedOnly whether a kind waits until it is definitive */
  constructor(isConfirmedOnly: (kind: string) => boolean) {
    this.#isConfirmedOnly = isConfirmedOnly;
  }

  /** Takes what one step said, all of it. @param poses where everybody is, for their seats */
  record(events: readonly GameEvent[], { tick, poses }: { tick: Tick; poses: PoseList }): void {
    const before = this.#byTick.get(tick) ?? [];
    if (events.length === 0 && before.length === 0) return;
    const now = events.map((event) =>
      before.find((tracked) => isSame(tracked.event, event)) ?? trackEvent(event, poses)
    );
    this.#byTick.set(tick, now);
    for (const tracked of before) if (tracked.isShown && !now.includes(tracked)) this.#retracted.push(tracked);
  }

  /** @param definitive the newest tick that nothing will change */
  collectChanges({ head, definitive }: { head: Tick; definitive: Tick }): EventChanges {
    const begun: PresentedEvent[] = [];
    this.#discardBefore(head - TRACKED_TICKS);
    const retracted = this.#retracted.filter((tracked) => !this.#mergeMoved(tracked)).map(({ key }) => key);
    this.#retracted = [];
    for (const [tick, trackedEvents] of this.#byTick) {
      for (const tracked of trackedEvents) {
        const { event: { kind, x, y }, seat, key } = tracked;
        if (tracked.isShown || (this.#isConfirmedOnly(kind) && tick > definitive)) continue;
        tracked.isShown = true;
        if (begun.length < SHOWN_AT_ONCE_MAX) begun.push({ key, kind, x, y, seat });
      }
    }
    return { begun, retracted };
  }

  /** Whether it is told of another tick now; that telling then needs no showing. */
  #mergeMoved({ event, key }: TrackedEvent): boolean {
    for (let tick = event.tick - MOVED_TICKS_MAX; tick <= event.tick + MOVED_TICKS_MAX; tick++) {
      const moved = this.#byTick.get(tick)?.find((tracked) =>
        !tracked.isShown && tracked.event.kind === event.kind && tracked.event.entity === event.entity
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
  return { event, seat: poses.find(entity)?.seat ?? -1, key: `${tick} ${kind} ${entity}`, isShown: false };
}
