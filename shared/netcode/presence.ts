/**
 * Which seats are in the game, and which changes are announced. The server announces a change once,
 * before its tick; from then on it is as definitive as a command.
 */
import type { SeatId, Tick } from "./game.ts";
import type { PresenceChange } from "./wire/messages.ts";
import type { Timeline } from "./timeline.ts";

/** Whether two changes make the same seat present, or empty, from the same tick on. */
export function isSameChange(
  one: Omit<PresenceChange, "name">,
  other: Omit<PresenceChange, "name">,
): boolean {
  return one.seat === other.seat && one.tick === other.tick && one.present === other.present;
}

/** All presence changes in one match. */
export class Presence<Command> {
  readonly #timeline: Timeline<Command>;
  readonly #names = new Map<SeatId, string>();
  #unsentChanges: readonly PresenceChange[] = [];
  #pending: PresenceChange[] = [];

  constructor(timeline: Timeline<Command>) {
    this.#timeline = timeline;
  }

  /**
   * Restarts with a state.
   * @param seats the seats that are present in it
   * @param pending changes announced beyond it
   */
  begin(
    seats: readonly { readonly seat: SeatId; readonly name: string }[],
    pending: readonly PresenceChange[],
  ): void {
    this.#names.clear();
    for (const { seat, name } of seats) this.#names.set(seat, name);
    this.#unsentChanges = [];
    this.#pending = [...pending];
    for (const { seat, tick, present } of pending) this.#timeline.setPresence(tick, seat, present);
  }

  /**
   * Announces that `seat` is in the game from `tick` on.
   * @param name the player's name; empty for an NPC
   */
  enter(seat: SeatId, tick: Tick, name = ""): void {
    this.announce({ seat, tick, present: true, name });
  }

  /** Announces that `seat` is empty from `tick` on. */
  leave(seat: SeatId, tick: Tick): void {
    this.announce({ seat, tick, present: false, name: "" });
  }

  /** The player's name at this seat in the newest tick; empty for an NPC. */
  nameOf(seat: SeatId): string {
    return this.#names.get(seat) ?? "";
  }

  /** The name of the seat's newest player, who may be announced and not there yet. */
  newestNameOf(seat: SeatId): string {
    return this.#pending.findLast((change) => change.seat === seat && change.present)?.name ??
      this.nameOf(seat);
  }

  /** The names of all players who are in the newest tick or announced to enter. */
  get names(): readonly string[] {
    return [...this.#names.values(), ...this.#pending.map(({ name }) => name)].filter((name) =>
      name !== ""
    );
  }

  /** Changes announced since the last `markSent`. */
  get unsentChanges(): readonly PresenceChange[] {
    return this.#unsentChanges;
  }

  /** Changes announced for later ticks than the newest. */
  get pending(): readonly PresenceChange[] {
    return this.#pending;
  }

  /** Applies the changes announced for `tick`, which has run. */
  applyDue(tick: Tick): void {
    if (!this.#pending.some((change) => change.tick <= tick)) return;
    for (const change of this.#pending) {
      if (change.tick > tick) continue;
      if (change.present) this.#names.set(change.seat, change.name);
      else this.#names.delete(change.seat);
    }
    this.#pending = this.#pending.filter((change) => change.tick > tick);
  }

  /** Call it when the unsent changes have gone to all clients. */
  markSent(): void {
    if (this.#unsentChanges.length > 0) this.#unsentChanges = [];
  }

  /** Announces a change. */
  announce(change: PresenceChange): void {
    this.#timeline.setPresence(change.tick, change.seat, change.present);
    // A new list each time, because datagrams repeat earlier ticks with the lists that those were
    // sent with.
    this.#unsentChanges = [...this.#unsentChanges, change];
    this.#pending.push(change);
  }
}
