/** What a player's hands say, as the command for one tick. */
import type { DragonCommand } from "../../../shared/games/dragons/command.ts";
import type { Tick } from "../../../shared/netcode/game.ts";
import type { Hand } from "../../input/input_device.ts";
import { PressCounter } from "../../input/press_counter.ts";
import type { Controls } from "../../session/session.ts";

export class HandControls implements Controls<DragonCommand> {
  readonly #hand: () => Hand;
  readonly #flaps = new PressCounter();
  readonly #fires = new PressCounter();
  /** The hand that the totals are of: another one's presses so far are not ours. */
  #known: { hand: Hand; flaps: number; fires: number } | undefined;
  #flapsMade = 0;
  #firesMade = 0;

  /** @param hand who plays now; presses before this match began, or before he took over, do not count */
  constructor(hand: () => Hand) {
    this.#hand = hand;
    this.#look();
  }

  next(_tick: Tick, acknowledged: DragonCommand | undefined): DragonCommand {
    const hand = this.#look();
    const dir = hand.takeDir();
    this.#count(hand);
    const flaps = this.#flaps.next(acknowledged?.flaps), fires = this.#fires.next(acknowledged?.fires);
    return { dir, flapHeld: hand.hold, flaps, fires };
  }

  peek(acknowledged: DragonCommand | undefined): DragonCommand {
    const hand = this.#look();
    this.#count(hand);
    const flaps = this.#flaps.peek(acknowledged?.flaps), fires = this.#fires.peek(acknowledged?.fires);
    return { dir: hand.peekDir(), flapHeld: hand.hold, flaps, fires };
  }

  #look(): Hand {
    const hand = this.#hand();
    if (this.#known?.hand !== hand) this.#known = { hand, flaps: hand.flapPresses, fires: hand.firePresses };
    return hand;
  }

  #count(hand: Hand): void {
    const known = this.#known!;
    this.#flapsMade += hand.flapPresses - known.flaps;
    this.#firesMade += hand.firePresses - known.fires;
    known.flaps = hand.flapPresses;
    known.fires = hand.firePresses;
    this.#flaps.setTotal(this.#flapsMade);
    this.#fires.setTotal(this.#firesMade);
  }
}
