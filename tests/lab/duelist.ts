/**
 * Hands for a duel that look every tick: they climb above the other dragon, let themselves fall on it, turn away when they are
 * below it, and breathe fire when it is level. They see what a player sees, the predicted present, so knowing more of it, or
 * knowing it sooner, wins.
 */
import { PressCounter } from "../../client/press_counter.ts";
import type { Controls } from "../../client/session.ts";
import type { Dragon } from "../../shared/dragons/archetypes.ts";
import type { DragonCommand } from "../../shared/dragons/command.ts";
import type { DragonSimulation } from "../../shared/dragons/simulation.ts";
import type { SeatId, Tick } from "../../shared/netcode/game.ts";
import { Random } from "../../shared/random.ts";

interface Eyes {
  readonly seat: SeatId;
  readonly simulation: DragonSimulation | undefined;
}

/** Metres. */
const HIGH_GROUND = 1.2, NEAR = 2.5, FIRE_REACH = 7, FIRE_LEVEL = 0.6;
/** Seconds by which it aims ahead. */
const AIM_SECONDS = 0.25;
const WING_TICKS = 3;

export class Duelist implements Controls<DragonCommand> {
  readonly #random: Random;
  readonly #flaps = new PressCounter();
  readonly #fires = new PressCounter();
  #eyes: Eyes | undefined;
  #flapsMade = 0;
  #firesMade = 0;
  #flappedAt: Tick = 0;
  #dir: -1 | 0 | 1 = 0;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  watch(eyes: Eyes): void {
    this.#eyes = eyes;
  }

  /** Metres to the other one; Infinity while one of them is away. */
  get distance(): number {
    const { own, foe } = this.#look();
    if (own === undefined || foe === undefined) return Infinity;
    return Math.sqrt((foe.x - own.x) ** 2 + (foe.y - own.y) ** 2);
  }

  next(tick: Tick, acknowledged: DragonCommand | undefined): DragonCommand {
    const { own, foe } = this.#look();
    if (own !== undefined) this.#fly(tick, own, foe);
    this.#flaps.setTotal(this.#flapsMade);
    this.#fires.setTotal(this.#firesMade);
    return {
      dir: this.#dir,
      hold: false,
      flaps: this.#flaps.next(acknowledged?.flaps),
      fires: this.#fires.next(acknowledged?.fires),
      tethers: 0,
    };
  }

  #look(): { own: Dragon | undefined; foe: Dragon | undefined } {
    const { seat, simulation } = this.#eyes!;
    const own = simulation?.dragonOfSeat(seat);
    let foe: Dragon | undefined;
    for (const dragon of simulation?.dragons ?? []) {
      if (dragon.id !== own?.id && dragon.fields.dead === 0 && dragon.fields.seat < 2) foe = dragon;
    }
    return { own, foe };
  }

  #fly(tick: Tick, own: Dragon, foe: Dragon | undefined): void {
    const goal = foe === undefined
      ? { x: 16, y: 8 }
      : { x: foe.x + foe.vx * AIM_SECONDS, y: foe.y + foe.vy * AIM_SECONDS };
    const dx = goal.x - own.x, above = own.y - goal.y;
    const isLosing = foe !== undefined && above < 0.25 && Math.abs(dx) < NEAR;
    const toward = dx >= 0 ? 1 : -1;
    this.#dir = isLosing ? (toward === 1 ? -1 : 1) : toward;
    if (own.x < 1.5) this.#dir = 1;
    if (own.x > 30.5) this.#dir = -1;
    // Hands are not machines.
    if (this.#random.chance(0.05)) this.#dir = 0;
    const isDiving = above > 0.4 && Math.abs(dx) < NEAR;
    const height = isDiving ? goal.y + 0.3 : goal.y + HIGH_GROUND;
    if (own.y + own.vy * 0.1 < height && own.vy < 2.5 && tick - this.#flappedAt >= WING_TICKS) this.#flap(tick);
    const isInSight = Math.abs(above) < FIRE_LEVEL && Math.abs(dx) < FIRE_REACH && own.fields.facing === toward;
    if (foe !== undefined && isInSight && this.#random.chance(0.3)) this.#firesMade++;
  }

  #flap(tick: Tick): void {
    if (this.#random.chance(0.1)) return;
    this.#flapsMade++;
    this.#flappedAt = tick;
  }
}
