/**
 * Whom a page follows that has no seat: the director's choice, everybody, or a player. It keeps a
 * player while they are away for a moment, and goes on to the next one when they stay away.
 *
 *     director → everybody → Ash → Wren → Bot 1 → director …
 *
 * Everybody is a choice only without a camera of the view. Until the director's code is loaded
 * (`watching/watching.ts`), and on pages that do not load it, the first choice is everybody, or the
 * first player where a camera needs one.
 */
import type { LooseWorld } from "./loose_types.ts";
import type { ShownThing } from "./shown_thing.ts";
import type { Director } from "./watching/director.ts";

/** How long a followed player may be out of the match before the next one is followed, s. */
const AWAY_SECONDS_MAX = 3;
/** Two choices beside the seats. */
const DIRECTOR = -2;
const EVERYBODY = -1;

export class Watcher {
  /** Whether the whole picture is a choice, too: a view with its own camera follows somebody. */
  readonly #hasWhole: boolean;
  #director: Director | undefined;
  /** The followed seat, or one of the two other choices. */
  #choice = DIRECTOR;
  /** When the followed player was there last, s. */
  #seenSeconds = 0;
  /** The players of the newest frame, in any order. */
  players: readonly ShownThing[] = [];
  /** The world of the newest frame that had no seat. */
  world: LooseWorld | undefined;
  /** Whether the newest frame was one of a page without a seat. */
  isWatching = false;
  /** The name of the followed player; empty for everybody. */
  label = "";

  constructor({ hasCamera }: { hasCamera: boolean }) {
    this.#hasWhole = !hasCamera;
  }

  /** Lets the director choose from now on, unless the spectator does. */
  set director(director: Director) {
    this.#director = director;
  }

  /** Whether the director chooses now. */
  get isDirected(): boolean {
    return this.#choice === DIRECTOR && this.#director !== undefined;
  }

  /** Begins with a match, or with another moment of a replay: the director chooses anew. */
  restart(): void {
    this.#director?.restart();
  }

  /** Ends watching, for a page that has a seat or no match. */
  end(): void {
    this.isWatching = false;
    this.#choice = DIRECTOR;
    this.players = [];
  }

  /**
   * Chooses for one frame.
   * @param players the things that seats drive, in any order
   * @param frame.seconds the frame's time in the match
   */
  choose(
    players: readonly ShownThing[],
    { seconds, world }: { readonly seconds: number; readonly world: LooseWorld },
  ): ShownThing | undefined {
    this.isWatching = true;
    this.players = players;
    this.world = world;
    const followed = this.#followed(players, seconds);
    if (followed !== undefined) {
      this.#seenSeconds = seconds;
      this.label = followed.label;
      return followed;
    }

    // A replay may also go back in time.
    const isAway = Math.abs(seconds - this.#seenSeconds) > AWAY_SECONDS_MAX;
    if (this.#choice >= 0 && isAway) this.step(1);
    if (this.#choice < 0) this.label = "";
    return undefined;
  }

  #followed(players: readonly ShownThing[], seconds: number): ShownThing | undefined {
    if (this.#choice !== DIRECTOR) return players.find(({ seat }) => seat === this.#choice);
    if (this.#director !== undefined) return this.#director.choose(players, seconds);
    return this.#hasWhole ? undefined : players.find(({ seat }) => seat === this.#seats[0]);
  }

  /** Goes on to the next one, or back. @param by 1 or −1 */
  step(by: 1 | -1): void {
    const others = this.#hasWhole ? [DIRECTOR, EVERYBODY] : [DIRECTOR];
    const choices = [...others, ...this.#seats];
    const at = choices.indexOf(this.#choice);
    // From somebody who is gone it goes to who comes next by the seat.
    const after = choices.findIndex((seat) => seat > this.#choice);
    const next = at >= 0 ? at + by : (after < 0 ? choices.length : after) - (by < 0 ? 1 : 0);
    this.follow(choices[(next + choices.length) % choices.length]!);
  }

  /** Follows the player on a seat. */
  follow(seat: number): void {
    this.#choice = seat;
  }

  /** Seats in the newest frame, players before NPCs. */
  get #seats(): number[] {
    return this.players.map(({ seat }) => seat).sort((a, b) => a - b);
  }
}
