/**
 * A headless player with human-like input. It decides three to five times a second. It collects
 * eggs, chases dragons below it, flees from dragons above it, and asks for the next round. It reads
 * the predicted state, as a player does, and makes the same commands.
 */
import { LEDGES } from "../../../shared/games/dragons/arenas/ledges.ts";
import type {
  DragonCommand,
  DragonSimulation,
  ReadonlyDragon,
  ReadonlyEgg,
} from "../../../shared/games/dragons/declaration.ts";
import { facingOf } from "../../../shared/games/dragons/flight.ts";
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import type { SeatId, Tick } from "../../../shared/netcode/game.ts";
import { Random } from "../../../shared/random.ts";
import { PressCounter } from "../../input/press_counter.ts";
import type { CommandSource } from "../../session/session.ts";

/**
 * Ticks between two decisions: 4 to 6 at 20 Hz make 3.3 to 5 decisions a second, like a human hand
 * (3.9 in DESIGN 11).
 */
const DECISION_TICKS_MIN = 4;
const DECISION_TICKS_SPREAD = 3;
/**
 * Metres. It fires at a dragon in front of it within this distance, if both fly about equally high.
 */
const FIRE_RANGE = 10;
const FIRE_LEVEL = 0.9;
/** Metres. Without a foe it flies between these heights. */
const CRUISE_LOW = 4;
const CRUISE_HIGH = 13;
/** Metres. It turns away from a wall within this distance. */
const WALL_MARGIN = 2;
/** Metres. It climbs unless it is higher than the foe by this. */
const JOUST_MARGIN = 0.5;
/** Metres. It may flee from a foe that is nearer than this and not below it. */
const FLEE_RANGE = 4;
/** Metres. It collects eggs within this distance. */
const EGG_RANGE = 6;
/** The chance per decision that it asks for the next round: it does so after about two seconds. */
const READY_CHANCE = 0.15;

/** The part of a session that a bot reads. */
export interface BotPerception {
  readonly seat: SeatId;
  readonly simulation: DragonSimulation | undefined;
}

export class Bot implements CommandSource<DragonCommand> {
  readonly #random: Random;
  readonly #flaps = new PressCounter();
  readonly #fires = new PressCounter();
  #perception: BotPerception | undefined;
  #nextDecisionTick: Tick = 0;
  #dir: -1 | 0 | 1 = 0;
  #flapHeld = false;
  #flapTotal = 0;
  #fireTotal = 0;

  /** @param seed with the same seed and in the same situations, it decides the same */
  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  /** Attaches the bot to a session; before that it keeps still. */
  attach(perception: BotPerception): void {
    this.#perception = perception;
  }

  /** Button presses made so far. */
  get presses(): number {
    return this.#flapTotal + this.#fireTotal;
  }

  next(tick: Tick, acknowledged: DragonCommand | undefined): DragonCommand {
    const own = this.#perception?.simulation?.world.player(this.#perception.seat);
    if (own !== undefined && tick >= this.#nextDecisionTick) {
      this.#nextDecisionTick = tick + DECISION_TICKS_MIN +
        this.#random.below(DECISION_TICKS_SPREAD);
      this.#decide(own, this.#perception!.simulation!);
    }
    this.#flaps.setTotal(this.#flapTotal);
    this.#fires.setTotal(this.#fireTotal);
    return {
      ...dragonGame.command.neutral,
      dir: this.#dir,
      flapHeld: Number(this.#flapHeld),
      flaps: this.#flaps.next(acknowledged?.flaps),
      fires: this.#fires.next(acknowledged?.fires),
    };
  }

  resume(own: DragonCommand | undefined): void {
    this.#flaps.resume(own?.flaps);
    this.#fires.resume(own?.fires);
  }

  #decide(own: ReadonlyDragon, simulation: DragonSimulation): void {
    if (simulation.world.match.phase === "result") {
      this.#requestNextRound(simulation);
      return;
    }
    const egg = nearestEgg(own, simulation.world.all("egg"));
    const foe = nearestFoe(own, simulation.world.all("dragon"));
    if (egg !== undefined) this.#collectEgg(own, egg);
    else if (foe === undefined) this.#cruise(own, LEDGES.width);
    else this.#fight(own, foe);
    if (own.x < WALL_MARGIN) this.#dir = 1;
    if (own.x > LEDGES.width - WALL_MARGIN) this.#dir = -1;
    // Human hands make mistakes now and then.
    if (this.#random.chance(0.08)) this.#dir = (this.#random.below(3) - 1) as -1 | 0 | 1;
  }

  /** Waits a moment, as a player who reads the result. */
  #requestNextRound(simulation: DragonSimulation): void {
    this.#dir = 0;
    this.#flapHeld = false;
    if (
      !simulation.world.player(this.#perception!.seat)?.fields.ready &&
      this.#random.chance(READY_CHANCE)
    ) {
      this.#flapTotal++;
    }
  }

  #collectEgg(own: ReadonlyDragon, egg: ReadonlyEgg): void {
    this.#dir = egg.x >= own.x ? 1 : -1;
    this.#climb(egg.y > own.y);
  }

  #cruise(own: ReadonlyDragon, width: number): void {
    if (this.#dir === 0 || this.#random.chance(0.1)) this.#dir = own.x < width / 2 ? 1 : -1;
    this.#climb(own.y < CRUISE_LOW || (own.y < CRUISE_HIGH && this.#random.chance(0.5)));
  }

  #fight(own: ReadonlyDragon, foe: ReadonlyDragon): void {
    const dx = foe.x - own.x, dy = foe.y - own.y;
    const toward = dx >= 0 ? 1 : -1;
    const isLosing = dy > -JOUST_MARGIN && Math.abs(dx) < FLEE_RANGE;
    this.#dir = isLosing && this.#random.chance(0.6) ? (toward === 1 ? -1 : 1) : toward;
    this.#climb(dy > -JOUST_MARGIN || own.y < CRUISE_LOW);
    const isInSights = Math.abs(dy) < FIRE_LEVEL && Math.abs(dx) < FIRE_RANGE &&
      facingOf(own) === toward;
    if (isInSights && this.#random.chance(0.5)) this.#fireTotal++;
  }

  /** Climbs by taps or by a held button. Without input it sinks. */
  #climb(isUp: boolean): void {
    this.#flapHeld = isUp && this.#random.chance(0.4);
    if (isUp && !this.#flapHeld) this.#flapTotal++;
  }
}

/** The nearest eligible thing within `range` metres, or undefined. */
function nearest<Thing extends { readonly x: number; readonly y: number }>(
  own: ReadonlyDragon,
  things: readonly Thing[],
  { isEligible, range = Infinity }: { isEligible: (thing: Thing) => boolean; range?: number },
): Thing | undefined {
  let best: Thing | undefined;
  let bestSquare = range * range;
  for (const thing of things) {
    const dx = thing.x - own.x, dy = thing.y - own.y;
    const square = dx * dx + dy * dy;
    if (square >= bestSquare || !isEligible(thing)) continue;
    best = thing;
    bestSquare = square;
  }
  return best;
}

/** An egg that hatches already cannot be taken. */
function nearestEgg(own: ReadonlyDragon, eggs: readonly ReadonlyEgg[]): ReadonlyEgg | undefined {
  return nearest(own, eggs, {
    isEligible: ({ fields }) => fields.hatchSeat === 0,
    range: EGG_RANGE,
  });
}

function nearestFoe(
  own: ReadonlyDragon,
  dragons: readonly ReadonlyDragon[],
): ReadonlyDragon | undefined {
  const isEligible = ({ id, fields }: ReadonlyDragon) =>
    id !== own.id && fields.dead === 0 && fields.invulnerable === 0;
  return nearest(own, dragons, { isEligible });
}
