/**
 * A small arena to test one rule in, and hands to play with: pads, platforms and crates stand where a test wants them, and
 * everything goes through the simulation's public surface.
 */
import type { Arena, Point } from "../../../shared/dragons/arena.ts";
import { type DragonCommand, NEUTRAL, pressed } from "../../../shared/dragons/command.ts";
import { DragonSimulation } from "../../../shared/dragons/simulation.ts";
import { DRAGON_RADIUS, INVULNERABLE_TICKS } from "../../../shared/dragons/tuning.ts";
import type { GameEvent } from "../../../shared/netcode/game.ts";
import { Random } from "../../../shared/random.ts";

export const FLOOR_TOP = 1;
/** The middle of a dragon that stands on the floor. */
export const STANDING = FLOOR_TOP + DRAGON_RADIUS;

/** A bare floor 32 m wide under a high ceiling. */
export function bareArena(parts: { pads: Point[]; crates?: Point[]; ledges?: Arena["platforms"] }): Arena {
  return {
    name: "Bare",
    width: 32,
    height: 40,
    platforms: [{ x: 16, y: FLOOR_TOP - 0.5, width: 32, height: 1 }, ...(parts.ledges ?? [])],
    pads: parts.pads,
    lanes: [5],
    crates: parts.crates ?? [],
  };
}

/** The hands of several players: what each holds, how often each pressed. */
export class Rig {
  readonly simulation: DragonSimulation;
  readonly commands: (DragonCommand | undefined)[] = [];
  /** Of every step so far. */
  readonly told: GameEvent[] = [];

  constructor(arena: Arena, seats: number) {
    this.simulation = new DragonSimulation(arena, { npcs: 0 }, 1);
    for (let seat = 0; seat < seats; seat++) this.commands[seat] = NEUTRAL;
  }

  /** All stand about until nobody is invulnerable. */
  settle(): void {
    this.run(INVULNERABLE_TICKS);
  }

  run(ticks: number): void {
    for (let i = 0; i < ticks; i++) {
      this.simulation.step(this.commands);
      this.told.push(...this.simulation.events);
    }
  }

  /** Steps until `done`. @throws Error after `ticksMax` */
  runUntil(done: () => boolean, ticksMax = 200): void {
    for (let i = 0; i < ticksMax; i++) {
      if (done()) return;
      this.run(1);
    }
    throw new Error(`not within ${ticksMax} ticks`);
  }

  hold(seat: number, held: Partial<Pick<DragonCommand, "dir" | "hold">>): void {
    this.commands[seat] = { ...this.commands[seat]!, ...held };
  }

  press(seat: number, button: "flaps" | "fires" | "tethers", presses = 1): void {
    const command = this.commands[seat]!;
    this.commands[seat] = { ...command, [button]: pressed(command[button], presses) };
  }

  dragon(seat: number) {
    const dragon = this.simulation.dragonOfSeat(seat);
    if (dragon === undefined) throw new Error(`nobody on seat ${seat}`);
    return dragon;
  }

  /** How often this was told so far. */
  count(kind: string): number {
    return this.told.filter((event) => event.kind === kind).length;
  }
}

/** A player from a seed: flies about, changes its mind three to five times a second, presses what it has. */
export class ScriptedHand {
  #command = NEUTRAL;

  /** Hands off; what was pressed stays pressed. */
  rest(): DragonCommand {
    return this.#command = { ...this.#command, dir: 0, hold: false };
  }

  /** The next tick's command. */
  next(random: Random): DragonCommand {
    const { dir, hold, flaps, fires, tethers } = this.#command;
    this.#command = {
      dir: random.chance(0.12) ? (random.below(3) - 1) as -1 | 0 | 1 : dir,
      hold: random.chance(0.1) ? random.chance(0.4) : hold,
      flaps: pressed(flaps, random.chance(0.15) ? 1 : 0),
      fires: pressed(fires, random.chance(0.03) ? 1 : 0),
      tethers: pressed(tethers, random.chance(0.01) ? 1 : 0),
    };
    return this.#command;
  }
}

/** Any command at all: what a wrong guess or a cheat may send. */
export function anyCommand(random: Random): DragonCommand {
  return {
    dir: (random.below(3) - 1) as -1 | 0 | 1,
    hold: random.chance(0.5),
    flaps: random.below(4),
    fires: random.below(4),
    tethers: random.below(4),
  };
}
