/** A driver without a screen: they look at a session's predicted state and give its commands. */
import { PressCounter } from "../../../input/press_counter.ts";
import type { BotPerception, BotPlayer } from "../../../bots/npc_bot.ts";
import { game } from "../../../../shared/games/puck/game.ts";
import type { Tick } from "../../../../shared/netcode/game.ts";
import { Driver } from "./driver.ts";
import { sightOf } from "./sight.ts";
import type { DriverStyle } from "./styles.ts";

type PuckCommand = typeof game.command.neutral;
type PuckSimulation = ReturnType<typeof game.start>;

const TICK_MS = 1000 / game.tickHz;

export class DriverControls implements BotPlayer<PuckCommand, PuckSimulation> {
  readonly driver: Driver;
  readonly #boosts = new PressCounter();
  #view: BotPerception<PuckCommand, PuckSimulation> | undefined;

  constructor(style: DriverStyle, seed: number) {
    this.driver = new Driver(style, seed);
  }

  /** Before that the driver sees nothing and keeps still. */
  attach(view: BotPerception<PuckCommand, PuckSimulation>): void {
    this.#view = view;
  }

  resume(own: PuckCommand | undefined): void {
    this.#boosts.resume(own?.boost);
  }

  next(tick: Tick, acknowledged: PuckCommand | undefined): PuckCommand {
    const nowMs = tick * TICK_MS;
    const { simulation, seat = -1 } = this.#view ?? {};
    if (simulation !== undefined) this.driver.see(nowMs, sightOf(simulation.world, seat));
    const { dx, dy, boosts } = this.driver.act(nowMs);
    this.#boosts.setTotal(boosts);
    const before = { ...game.command.neutral, boost: this.#boosts.next(acknowledged?.boost) };
    return game.commandOf({ dx, dy }, before);
  }
}
