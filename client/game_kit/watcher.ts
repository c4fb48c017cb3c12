/**
 * Whom a page follows that has no seat: it chooses a player, keeps them while they are away for a
 * moment, and goes on to the next one when they stay away.
 *
 *     everybody → Ash → Wren → Bot 1 → everybody …      everybody only without a camera of the view
 */
import type { ShownThing } from "./shown_thing.ts";

/** How long a followed player may be out of the match before the next one is followed, s. */
const AWAY_SECONDS_MAX = 3;

export class Watcher {
  /** Whether the whole picture is a choice, too: a view with its own camera follows somebody. */
  readonly #hasWhole: boolean;
  /** The followed seat; −1 for everybody. */
  #seat = -1;
  /** Seats in the newest frame, players before NPCs. */
  #seats: readonly number[] = [];
  /** When the followed player was there last, s. */
  #seenSeconds = 0;
  /** Whether the newest frame was one of a page without a seat. */
  isWatching = false;
  /** The name of the followed player; empty for everybody. */
  label = "";

  constructor({ hasCamera }: { hasCamera: boolean }) {
    this.#hasWhole = !hasCamera;
  }

  /** Ends watching, for a page that has a seat or no match. */
  end(): void {
    this.isWatching = false;
    this.#seat = -1;
  }

  /**
   * Chooses for one frame.
   * @param players the things that seats drive, in any order
   * @param seconds the frame's time in the match
   */
  choose(players: readonly ShownThing[], seconds: number): ShownThing | undefined {
    this.isWatching = true;
    this.#seats = players.map(({ seat }) => seat).sort((a, b) => a - b);
    if (this.#seat < 0 && !this.#hasWhole) this.#follow(this.#seats[0] ?? -1);

    const followed = players.find(({ seat }) => seat === this.#seat);
    if (followed !== undefined) {
      this.#seenSeconds = seconds;
      this.label = followed.label;
      return followed;
    }
    // A replay may also go back in time.
    if (this.#seat >= 0 && Math.abs(seconds - this.#seenSeconds) > AWAY_SECONDS_MAX) this.step(1);
    if (this.#seat < 0) this.label = "";
    return undefined;
  }

  /** Goes on to the next one, or back. @param by 1 or −1 */
  step(by: 1 | -1): void {
    const choices = this.#hasWhole ? [-1, ...this.#seats] : this.#seats;
    if (choices.length === 0) return;
    const at = choices.indexOf(this.#seat);
    // From somebody who is gone it goes to who comes next by the seat.
    const after = choices.findIndex((seat) => seat > this.#seat);
    const next = at >= 0 ? at + by : (after < 0 ? choices.length : after) - (by < 0 ? 1 : 0);
    this.#follow(choices[(next + choices.length) % choices.length]!);
  }

  #follow(seat: number): void {
    this.#seat = seat;

    if (seat < 0) this.label = "";
  }
}
