/** The sprite of a dragon: the values that its drawing, its labels and the sound read. */
import type { Dragon } from "../../../../../shared/games/dragons/archetypes.ts";
import { PLAYER_SEATS, type SeatId } from "../../../../../shared/netcode/game.ts";
import { displayName } from "../../../../presentation/match_presenter.ts";
import type { SceneParts, Sprite } from "../presenter.ts";

export interface DragonSprite extends Sprite {
  seat: SeatId;
  name: string;
  own: boolean;
  npc: boolean;
  /** m/s. */
  vx: number;
  vy: number;
  /** -1 faces left, 1 faces right. */
  facing: number;
  onGround: boolean;
  /** Ticks since its last flap, 0 … 255. */
  flapAge: number;
  /** It has lost its rider, and tumbles until it respawns. */
  dead: boolean;
  /** Ticks for which nothing can hurt it. */
  invulnerableTicks: number;
  /** Ticks for which it follows no command. */
  stunnedTicks: number;
  /** Fireballs that it can still breathe, 0 … 3. */
  charges: number;
  score: number;
}

/**
 * Writes everything but id and place. The own dragon moves as it will at the next tick, with the keys as they are now.
 */
export function writeDragon(dragon: Dragon, sprite: DragonSprite, parts: SceneParts): void {
  const { fields } = dragon;
  sprite.seat = fields.seat;
  sprite.name = nameOf(fields.seat, parts);
  sprite.own = fields.seat === parts.ownSeat;
  sprite.npc = fields.seat >= PLAYER_SEATS;
  const moved = sprite.own ? parts.extrapolated?.dragonOfSeat(fields.seat) ?? dragon : dragon;
  sprite.vx = moved.vx;
  sprite.vy = moved.vy;
  sprite.facing = moved.fields.facing;
  sprite.onGround = moved.fields.airborne === 0;
  sprite.flapAge = moved.fields.flapAge;
  sprite.charges = moved.fields.charges;
  sprite.dead = fields.dead > 0;
  sprite.invulnerableTicks = fields.invulnerable;
  sprite.stunnedTicks = fields.stun;
  sprite.score = fields.score;
}

/** A player's own name; an NPC is named after its behaviour. */
export function nameOf(seat: SeatId, { names, simulation }: Pick<SceneParts, "names" | "simulation">): string {
  return displayName(seat, names, { npc: () => simulation.npcName(seat), player: "Rider" });
}

/** The sprite of the own dragon; undefined for a spectator. */
export function ownOf(dragons: readonly DragonSprite[]): DragonSprite | undefined {
  return dragons.find(({ own }) => own);
}

/** Whether the two are at most `metres` apart; false without an own dragon. */
export function isNear(dragon: DragonSprite, own: DragonSprite | undefined, metres: number): boolean {
  return own !== undefined && (dragon.x - own.x) ** 2 + (dragon.y - own.y) ** 2 <= metres ** 2;
}
