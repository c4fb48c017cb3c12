/**
 * Checks that a well-formed stage is a match of dragons, because a state from outside is not
 * trusted.
 */
import { PLAYER_SEATS, SEATS } from "../../netcode/game.ts";
import { SnapshotError } from "../../snapshot.ts";
import { type Arena, isOutside } from "./arena.ts";
import { ARCHETYPES, DRAGON, type DragonStage, EGG } from "./archetypes.ts";
import { isSeatRequested } from "./npc/seats.ts";
import { RESULT } from "./rounds.ts";

/**
 * @throws SnapshotError if the stage is no match of dragons, or an entity is outside of the arena
 */
export function checkMatch(stage: DragonStage, arena: Arena): void {
  checkSeats(stage);
  for (const archetype of ARCHETYPES) {
    for (const entity of stage.all(archetype)) {
      if (isOutside(arena, entity)) {
        throw new SnapshotError(`entity ${entity.id} is outside the arena`);
      }
    }
  }
}

/** Checks all but the poses, which a body stream has only roughly. @throws SnapshotError */
export function checkSeats(stage: DragonStage): void {
  const { npcs, phase, hatchlings } = stage.fields;
  if (npcs > SEATS - PLAYER_SEATS) throw new SnapshotError("more NPCs than seats");
  if ((hatchlings & ((1 << npcs) - 1)) !== 0) throw new SnapshotError("a seat is requested twice");
  if (phase > RESULT) throw new SnapshotError(`phase ${phase}`);
  checkDragons(stage);
  checkEggs(stage);
}

function checkDragons(stage: DragonStage): void {
  let taken = 0;
  for (const { id, fields } of stage.all(DRAGON)) {
    if (fields.seat >= SEATS) throw new SnapshotError(`dragon ${id} is on seat ${fields.seat}`);
    if (fields.facing !== 1 && fields.facing !== -1) {
      throw new SnapshotError(`dragon ${id} faces ${fields.facing}`);
    }
    const bit = 1 << fields.seat;
    if ((taken & bit) !== 0) throw new SnapshotError(`two dragons on seat ${fields.seat}`);
    taken |= bit;
  }
}

function checkEggs(stage: DragonStage): void {
  let taken = 0;
  for (const { id, fields: { seat, hatchSeat } } of stage.all(EGG)) {
    if (seat >= SEATS) throw new SnapshotError(`egg ${id} belongs to seat ${seat}`);
    if (hatchSeat === 0) continue;
    if (hatchSeat >= SEATS || !isSeatRequested(stage.fields, hatchSeat)) {
      throw new SnapshotError(`egg ${id} hatches into seat ${hatchSeat}`);
    }
    const bit = 1 << hatchSeat;
    if ((taken & bit) !== 0) throw new SnapshotError(`two eggs hatch into seat ${hatchSeat}`);
    taken |= bit;
  }
}
