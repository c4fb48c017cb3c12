/** A rider without a screen: they look at a session's predicted state and give its commands. */
import type {
  DragonCommand,
  DragonSimulation,
} from "../../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { PressCounter } from "../../../input/press_counter.ts";
import type { CommandSource } from "../../../session/session.ts";
import { TICK_HZ } from "../../../../shared/games/dragons/tuning.ts";
import type { SeatId, Tick } from "../../../../shared/netcode/game.ts";
import { Rider } from "./rider.ts";
import { sightOf } from "./sight.ts";
import type { RiderStyle } from "./styles.ts";

const TICK_MS = 1000 / TICK_HZ;

/** The part of a session that a rider looks at. */
export interface RiderView {
  readonly seat: SeatId;
  readonly simulation: DragonSimulation | undefined;
}

export class RiderControls implements CommandSource<DragonCommand> {
  readonly rider: Rider;
  readonly #flaps = new PressCounter();
  readonly #fires = new PressCounter();
  #view: RiderView | undefined;

  constructor(style: RiderStyle, seed: number) {
    this.rider = new Rider(style, seed);
  }

  /** Before that the rider sees nothing and keeps still. */
  attach(view: RiderView): void {
    this.#view = view;
  }

  resume(own: DragonCommand | undefined): void {
    this.#flaps.resume(own?.flaps);
    this.#fires.resume(own?.fires);
  }

  next(tick: Tick, acknowledged: DragonCommand | undefined): DragonCommand {
    const nowMs = tick * TICK_MS;
    const { simulation, seat = -1 } = this.#view ?? {};
    if (simulation !== undefined) this.rider.see(nowMs, sightOf(simulation, seat));
    const { dir, flapHeld, flaps, fires } = this.rider.act(nowMs);
    this.#flaps.setTotal(flaps);
    this.#fires.setTotal(fires);
    return {
      ...dragonGame.command.neutral,
      dir,
      flapHeld: Number(flapHeld),
      flaps: this.#flaps.next(acknowledged?.flaps),
      fires: this.#fires.next(acknowledged?.fires),
    };
  }
}
