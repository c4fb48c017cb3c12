/**
 * Who sits where, from when to when, and what of it is still ahead. A change is announced once, before its tick, and is then
 * as definitive as a command.
 */
import type { SeatId, Tick } from "../../../shared/netcode/game.ts";
import type { PresenceChange } from "../../../shared/netcode/wire/messages.ts";
import type { Timeline } from "../../../shared/netcode/timeline.ts";

/** All changes of one match's presence. */
export class Presence<Command> {
  readonly #timeline: Timeline<Command>;
  readonly #names = new Map<SeatId, string>();
  #unsentChanges: PresenceChange[] = [];
  #pending: PresenceChange[] = [];

  constructor(timeline: Timeline<Command>) {
    this.#timeline = timeline;
  }

  /** From `tick` on somebody called `name` sits on `seat`; an NPC has no name. */
  enter(seat: SeatId, tick: Tick, name = ""): void {
    this.#announce({ seat, tick, present: true, name });
  }

  /** From `tick` on nobody sits on `seat`. */
  leave(seat: SeatId, tick: Tick): void {
    this.#announce({ seat, tick, present: false, name: "" });
  }

  /** Who sits there, as of the newest settled tick; empty for an NPC. */
  nameOf(seat: SeatId): string {
    return this.#names.get(seat) ?? "";
  }

  /** What has been announced since the last `markSent`. */
  get unsentChanges(): readonly PresenceChange[] {
    return this.#unsentChanges;
  }

  /** What has been announced and has not come into force. */
  get pending(): readonly PresenceChange[] {
    return this.#pending;
  }

  /** `tick` has been run: what was announced for it is in force. */
  applyDue(tick: Tick): void {
    if (!this.#pending.some((change) => change.tick <= tick)) return;
    for (const change of this.#pending) {
      if (change.tick > tick) continue;
      if (change.present) this.#names.set(change.seat, change.name);
      else this.#names.delete(change.seat);
    }
    this.#pending = this.#pending.filter((change) => change.tick > tick);
  }

  /** Everybody has been told the news. */
  markSent(): void {
    if (this.#unsentChanges.length > 0) this.#unsentChanges = [];
  }

  #announce(change: PresenceChange): void {
    this.#timeline.setPresence(change.tick, change.seat, change.present);
    this.#unsentChanges.push(change);
    this.#pending.push(change);
  }
}
