/**
 * Tells what is settled before the server says so. A tick is as it will be as soon as all commands
 * up to it are known, because then every machine computes the same:
 *
 *     settled tick      every seat's commands up to it are known: NPCs' long before, rivals' when they are
 *                       announced, the own ones when they are given
 *     settled event     nobody whose commands are unknown was near enough to have a part in it
 *
 * The second is a light cone. A seat whose command is unknown from tick u on was at a known place in
 * u − 1. Whatever it does spreads from there, no faster than the fastest thing of the game:
 *
 *     distance to the event > size + speed × time since then      it cannot have changed the event
 */
import type { Commands, SeatId, Tick } from "../../shared/netcode/game.ts";
import { SEATS } from "../../shared/netcode/game.ts";
import type { PoseList } from "../../shared/netcode/pose_list.ts";
import { TickRing } from "../../shared/netcode/tick_ring.ts";
import { HISTORY_TICKS } from "../../shared/netcode/timeline.ts";
import type { Reach } from "../../shared/reach.ts";

/** The part of a session that says what is known. */
export interface KnownMatch {
  readonly seat: SeatId;
  readonly head: Tick;
  readonly definitiveTick: Tick;
  readonly isInSync: boolean;
  readonly isOnBodyStream: boolean;
  readonly ownCommandsHoldTo: Tick;
  isKnown(tick: Tick, seat: SeatId): boolean;
  /** The commands of a tick up to the head, by seat; undefined for a seat that is not there. */
  commandsOf(tick: Tick): Commands<unknown>;
}

/** Where and when something happened. */
export interface Happening {
  readonly tick: Tick;
  /** Metres. */
  readonly x: number;
  readonly y: number;
}

/** Where all seats' bodies are after one tick, x and y in turns; NaN for a seat without a body. */
type Places = Float64Array;

export class Settlement {
  readonly #match: KnownMatch;
  readonly #tickSeconds: number;
  readonly #places = new TickRing<Places>(HISTORY_TICKS, () => new Float64Array(2 * SEATS));

  constructor(match: KnownMatch, tickHz: number) {
    this.#match = match;
    this.#tickSeconds = 1 / tickHz;
  }

  /** Call it after each step, resimulated ones included. @param poses those after the tick */
  record(tick: Tick, poses: PoseList): void {
    const places = this.#places.claim(tick);
    places.fill(NaN);
    for (let i = 0; i < poses.count; i++) {
      const { seat, x, y } = poses.at(i);
      if (seat < 0) continue;
      places[2 * seat] = x;
      places[2 * seat + 1] = y;
    }
  }

  /** The newest settled tick: at least the definitive one, at most the head. */
  get tick(): Tick {
    const { definitiveTick, head } = this.#match;
    if (!this.#isExact) return definitiveTick;
    let settled = definitiveTick;
    while (settled < head && this.#unknownSeat(settled + 1) === undefined) settled++;
    return settled;
  }

  /**
   * Whether an event that the newest prediction has will stay as it is.
   * @param reach undefined if a deed may have consequences anywhere
   */
  isSettled(event: Happening, reach: Reach | undefined): boolean {
    const settled = this.tick;
    if (event.tick <= settled) return true;
    if (reach === undefined || !this.#isExact) return false;
    for (let seat = 0; seat < SEATS; seat++) {
      const unknownFrom = this.#unknownFrom(seat, settled + 1, event.tick);
      if (unknownFrom === undefined) continue;
      if (this.#mayTouch(seat, unknownFrom - 1, event, reach)) return false;
    }
    return true;
  }

  /** Whether the head is computed from exact states; on the body stream it is not. */
  get #isExact(): boolean {
    const { seat, isInSync, isOnBodyStream } = this.#match;
    return seat >= 0 && isInSync && !isOnBodyStream;
  }

  #isKnown(tick: Tick, seat: SeatId): boolean {
    const match = this.#match;
    return seat === match.seat ? tick <= match.ownCommandsHoldTo : match.isKnown(tick, seat);
  }

  #unknownSeat(tick: Tick): SeatId | undefined {
    const commands = this.#match.commandsOf(tick);
    for (let seat = 0; seat < commands.length; seat++) {
      if (commands[seat] !== undefined && !this.#isKnown(tick, seat)) return seat;
    }
    return undefined;
  }

  /** The first of the ticks `from` to `until` in which a seat's command is unknown. */
  #unknownFrom(seat: SeatId, from: Tick, until: Tick): Tick | undefined {
    for (let tick = from; tick <= until; tick++) {
      const isPresent = this.#match.commandsOf(tick)[seat] !== undefined;
      if (isPresent && !this.#isKnown(tick, seat)) return tick;
    }
    return undefined;
  }

  /**
   * Looks at each place on the predicted way, too, because a body that is moved to another place,
   * such as one that respawns, acts from there.
   */
  #mayTouch(
    seat: SeatId,
    knownTick: Tick,
    { tick: until, x, y }: Happening,
    { metres, metresPerSecond }: Reach,
  ): boolean {
    for (let tick = knownTick; tick <= until; tick++) {
      const places = this.#places.get(tick);
      if (places === undefined) return true;
      const dx = places[2 * seat]! - x;
      const dy = places[2 * seat + 1]! - y;
      const reached = metres + metresPerSecond * (until - tick) * this.#tickSeconds;
      // A seat without a body is at no place (NaN), and may enter anywhere.
      if (!(dx * dx + dy * dy > reached * reached)) return true;
    }
    return false;
  }
}
