/** The part of a picture that a rider looks at, and how long ago they saw it. */
import { ARENAS } from "../../../../shared/games/dragons/arenas/arenas.ts";
import type { DragonSimulation } from "../../../../shared/games/dragons/declaration.ts";
import type { Arena } from "../../../../shared/games/dragons/arena.ts";
import type { SeatId } from "../../../../shared/netcode/game.ts";

/** Metres, y upwards, and m/s. */
export interface SeenDragon {
  readonly seat: SeatId;
  readonly x: number;
  readonly y: number;
  readonly vx: number;
  readonly vy: number;
  /** -1 faces left, 1 faces right. */
  readonly facing: number;
  /** It has a rider who can be unseated. */
  readonly isPrey: boolean;
}

export interface Sight {
  /** Undefined while the own dragon is not in the arena or has no rider. */
  readonly own: SeenDragon | undefined;
  /** All other dragons. */
  readonly rivals: readonly SeenDragon[];
  /** Eggs that can be taken. */
  readonly eggs: readonly { readonly x: number; readonly y: number }[];
  readonly phase: "playing" | "result";
  readonly arena: Pick<Arena, "width" | "height" | "platforms">;
}

/**
 * The sight that a page without error offsets would show of a predicted state.
 * @param seat the own seat
 */
export function sightOf(simulation: DragonSimulation, seat: SeatId): Sight {
  const dragons = simulation.world.all("dragon").map(({ seat, x, y, vx, vy, fields }) => ({
    seat,
    x,
    y,
    vx,
    vy,
    facing: fields.facing === "left" ? -1 : 1,
    isPrey: fields.dead === 0 && fields.invulnerable === 0,
    isAlive: fields.dead === 0,
  }));
  return {
    own: dragons.find((dragon) => dragon.seat === seat && dragon.isAlive),
    rivals: dragons.filter((dragon) => dragon.seat !== seat),
    eggs: simulation.world.all("egg").filter(({ fields }) => fields.hatchSeat === 0).map((
      { x, y },
    ) => ({
      x,
      y,
    })),
    phase: simulation.world.match.phase,
    arena: ARENAS[simulation.world.match.arena],
  };
}
