/**
 * A beginner: turns to the nearest rival once a second, flaps as often as it comes to mind, 0.4 s
 * late, and seldom fires.
 */
import type {
  DragonCommand,
  DragonWorldView,
} from "../../../../../shared/games/dragons/declaration.ts";
import { Random } from "../../../../../shared/random.ts";
import { addPresses, NEUTRAL } from "../../../../support/dragons.ts";

/** Ticks between two decisions, and ticks until the hand follows. */
const DECISION_TICKS = 20;
const DELAY_TICKS = 8;
/** Chances for each tick: of a flap, and of a shot. */
const FLAP = 0.12;
const FIRE = 0.005;

export class Beginner {
  readonly #random: Random;
  readonly #seat: number;
  readonly #late: DragonCommand[] = [];
  #command = NEUTRAL;

  constructor(seat: number, seed: number) {
    this.#seat = seat;
    this.#random = new Random(seed);
  }

  /** The next tick's command. */
  next(world: DragonWorldView): DragonCommand {
    const own = world.player(this.#seat);
    if (own !== undefined && world.tick % DECISION_TICKS === 0) {
      let nearest = Infinity;
      for (const { seat, x, y, fields } of world.all("dragon")) {
        const distance = (x - own.x) ** 2 + (y - own.y) ** 2;
        if (seat === this.#seat || fields.dead > 0 || distance >= nearest) continue;
        nearest = distance;
        this.#command = { ...this.#command, dir: x < own.x ? -1 : 1 };
      }
    }
    const flaps = this.#random.chance(FLAP);
    const fires = this.#random.chance(FIRE);
    this.#command = {
      ...this.#command,
      flaps: addPresses(this.#command.flaps, Number(flaps)),
      fires: addPresses(this.#command.fires, Number(fires)),
    };
    this.#late.push(this.#command);
    return this.#late.length > DELAY_TICKS ? this.#late.shift()! : NEUTRAL;
  }
}
