/**
 * Which NPC seats the match wants filled, and whose mind flies them: the first `npcs` for ever, and one for each egg that
 * hatches, until that rider is lost, too. Bit n of each mask in the match's fields is seat 16 + n.
 */
import { PLAYER_SEATS, type SeatId, SEATS } from "../../../netcode/game.ts";
import { DRAGON, type DragonStage, type MatchFields } from "../archetypes.ts";
import { HATCHLINGS_MAX } from "../tuning.ts";

/** Minds, the gentler first. Players count as the first where an egg grows beyond its rider. */
const DRIFTER = 0;
export const HUNTER = 1;

/** The seats wanted. */
export function requestedSeats(fields: MatchFields): number {
  return initialSeats(fields) | fields.hatchlings;
}

/** Whether the match wants a mind for this NPC seat; false for players' seats. */
export function isSeatRequested(fields: MatchFields, seat: SeatId): boolean {
  return seat >= PLAYER_SEATS && (requestedSeats(fields) & bitOf(seat)) !== 0;
}

/** An NPC's whose seat is wanted no more: its dragon never gets another rider. */
export function isSeatRetired(fields: MatchFields, seat: SeatId): boolean {
  return seat >= PLAYER_SEATS && !isSeatRequested(fields, seat);
}

/** `HUNTER` or `DRIFTER`. */
export function tierOf(fields: MatchFields, seat: SeatId): number {
  return seat >= PLAYER_SEATS && (fields.hunters & bitOf(seat)) !== 0 ? HUNTER : DRIFTER;
}

/**
 * Asks for the lowest free NPC seat for a hatchling. A seat is free once the commands of the last one have ended.
 * @returns 0 where none is free or `HATCHLINGS_MAX` are there
 */
export function allocateHatchlingSeat(stage: DragonStage, tier: number): SeatId {
  const { fields } = stage;
  if (countBits(fields.hatchlings) >= HATCHLINGS_MAX) return 0;
  let taken = requestedSeats(fields);
  for (const dragon of stage.all(DRAGON)) {
    if (dragon.fields.seat >= PLAYER_SEATS) taken |= bitOf(dragon.fields.seat);
  }
  for (let seat = PLAYER_SEATS; seat < SEATS; seat++) {
    if ((taken & bitOf(seat)) !== 0) continue;
    fields.hatchlings |= bitOf(seat);
    fields.hunters = tier === HUNTER ? fields.hunters | bitOf(seat) : fields.hunters & ~bitOf(seat);
    return seat;
  }
  return 0;
}

/** Wants a hatchling's seat no more; does nothing for any other. Its mind is still known for as long as it tumbles about. */
export function releaseHatchlingSeat(fields: MatchFields, seat: SeatId): void {
  if (seat >= PLAYER_SEATS) fields.hatchlings &= ~bitOf(seat);
}

/** Only those from the start are wanted. */
export function releaseAllHatchlingSeats(fields: MatchFields): void {
  fields.hatchlings = 0;
  fields.hunters &= initialSeats(fields);
}

function initialSeats(fields: MatchFields): number {
  return (1 << fields.npcs) - 1;
}

function bitOf(seat: SeatId): number {
  return 1 << (seat - PLAYER_SEATS);
}

function countBits(mask: number): number {
  let count = 0;
  for (let remaining = mask; remaining !== 0; remaining &= remaining - 1) count++;
  return count;
}
