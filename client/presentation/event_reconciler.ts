/**
 * What happened, shown once. A resimulation tells it again, a misprediction tells what never was, and a correction may move it by a
 * tick or two; so what is shown is kept apart from what is told:
 *
 *     soft:  shown as soon as it is predicted;        hard (death, score):  shown when its tick is definitive
 *     told no more by a resimulation of its tick:     taken back, unless the same happens to the same one nearby
 */
import type { GameEvent, PoseList, Tick } from "../../shared/netcode/game.ts";
import type { EffectSprite } from "../games/dragons/scene.ts";

/** A resimulation reaches 32 ticks back; what is older than this cannot come again. */
const REMEMBERED_TICKS = 64;
/** More at once than anybody could see or hear. */
const SHOWN_AT_ONCE_MAX = 64;
/** A flap that a correction moves by so little is the same flap. */
const MOVED_TICKS_MAX = 4;

interface Happening {
  readonly event: GameEvent;
  readonly seat: number;
  /** What it is known by to who shows it; that of an earlier telling where it was moved. */
  key: string;
  isShown: boolean;
}

/** What is new since the last look, and the keys of what is taken back. */
export interface EffectNews {
  readonly begun: readonly EffectSprite[];
  readonly ended: readonly string[];
}

export class EffectLog {
  readonly #isHard: (kind: string) => boolean;
  /** As the newest step of each tick told it. */
  readonly #byTick = new Map<Tick, readonly Happening[]>();
  /** Shown, and then told no more. */
  #orphans: Happening[] = [];

  /** @param isHard whether a kind waits until it is definitive */
  constructor(isHard: (kind: string) => boolean) {
    this.#isHard = isHard;
  }

  /** Takes what one step said, all of it. @param poses where everybody is, for their seats */
  hear(events: readonly GameEvent[], { tick, poses }: { tick: Tick; poses: PoseList }): void {
    const before = this.#byTick.get(tick) ?? [];
    if (events.length === 0 && before.length === 0) return;
    const now = events.map((event) => before.find((known) => isSame(known.event, event)) ?? happening(event, poses));
    this.#byTick.set(tick, now);
    for (const known of before) if (known.isShown && !now.includes(known)) this.#orphans.push(known);
  }

  /** @param definitive the newest tick that nothing will change */
  take({ head, definitive }: { head: Tick; definitive: Tick }): EffectNews {
    const begun: EffectSprite[] = [];
    this.#forget(head - REMEMBERED_TICKS);
    const ended = this.#orphans.filter((orphan) => !this.#isMoved(orphan)).map(({ key }) => key);
    this.#orphans = [];
    for (const [tick, happenings] of this.#byTick) {
      for (const happening of happenings) {
        const { event: { kind, x, y }, seat, key } = happening;
        if (happening.isShown || (this.#isHard(kind) && tick > definitive)) continue;
        happening.isShown = true;
        if (begun.length < SHOWN_AT_ONCE_MAX) begun.push({ key, kind, x, y, seat });
      }
    }
    return { begun, ended };
  }

  /** Whether it is told of another tick now; that telling then needs no showing. */
  #isMoved({ event, key }: Happening): boolean {
    for (let tick = event.tick - MOVED_TICKS_MAX; tick <= event.tick + MOVED_TICKS_MAX; tick++) {
      const told = this.#byTick.get(tick)?.find((known) =>
        !known.isShown && known.event.kind === event.kind && known.event.entity === event.entity
      );
      if (told === undefined) continue;
      told.isShown = true;
      told.key = key;
      return true;
    }
    return false;
  }

  #forget(until: Tick): void {
    for (const tick of this.#byTick.keys()) if (tick < until) this.#byTick.delete(tick);
  }
}

function isSame(a: GameEvent, b: GameEvent): boolean {
  return a.kind === b.kind && a.entity === b.entity;
}

function happening(event: GameEvent, poses: PoseList): Happening {
  const { tick, kind, entity } = event;
  return { event, seat: poses.of(entity)?.seat ?? -1, key: `${tick} ${kind} ${entity}`, isShown: false };
}
