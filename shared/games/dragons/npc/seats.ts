/**
 * The NPC seats that the match requests, and the tier of the NPC on each. The first `npcs` seats
 * are requested for good. An egg that hatches requests one more until its rider is lost. Bit n of
 * each mask in the match's fields is seat 16 + n.
 */
import { type NpcNames, PLAYER_SEATS, type SeatId, SEATS } from "../../../netcode/game.ts";
import { DRAGON, type DragonStage, type MatchFields } from "../archetypes.ts";
import { HATCHLINGS_MAX } from "../tuning.ts";

/** NPC tiers, the weaker first. For the tier of an egg, a player counts as a Drifter. */
const DRIFTER = 0;
export const HUNTER = 1;

/** The match's field with the tiers: the bit of a Hunter's seat is set. */
const TIER_FIELD = "hunters" satisfies keyof MatchFields;
const HUNTER_NAME = "Hunter";
const DRIFTER_NAME = "Drifter";

/**
 * `npcNameOf` as data. The page has the function alone: its build leaves out an object that nothing
 * names.
 */
export const NPC_NAMES: NpcNames = {
  firstSeat: PLAYER_SEATS,
  field: TIER_FIELD,
  set: HUNTER_NAME,
  notSet: DRIFTER_NAME,
};

/** The mask of all requested seats. */
export function requestedSeats(fields: MatchFields): number {
  return initialSeats(fields) | fields.hatchlings;
}

/** True if the match requests an NPC for this seat; false for players' seats. */
export function isSeatRequested(fields: MatchFields, seat: SeatId): boolean {
  return seat >= PLAYER_SEATS && (requestedSeats(fields) & bitOf(seat)) !== 0;
}

/** True for an NPC seat that is not requested any more: its dragon never gets another rider. */
export function isSeatRetired(fields: MatchFields, seat: SeatId): boolean {
  return seat >= PLAYER_SEATS && !isSeatRequested(fields, seat);
}

/** The tier of the NPC on this seat: `HUNTER` or `DRIFTER`. */
export function tierOf(fields: MatchFields, seat: SeatId): number {
  return seat >= PLAYER_SEATS && (fields[TIER_FIELD] & bitOf(seat)) !== 0 ? HUNTER : DRIFTER;
}

/** The name of the NPC on this seat, after its tier: "Drifter 1". */
export function npcNameOf(fields: MatchFields, seat: SeatId): string {
  return `${tierOf(fields, seat) === HUNTER ? HUNTER_NAME : DRIFTER_NAME} ${
    seat - PLAYER_SEATS + 1
  }`;
}

/**
 * Requests the lowest free NPC seat for a hatchling. A seat is free once its last dragon has left.
 * @returns the seat; 0 if none is free or there are `HATCHLINGS_MAX` hatchlings
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

/**
 * Ends the request for a hatchling's seat; does nothing for another seat. The tier stays known
 * while the dragon tumbles.
 */
export function releaseHatchlingSeat(fields: MatchFields, seat: SeatId): void {
  if (seat >= PLAYER_SEATS) fields.hatchlings &= ~bitOf(seat);
}

/** Ends the requests for all hatchlings' seats; the initial NPC seats stay. */
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
