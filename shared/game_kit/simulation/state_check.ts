/** Checks that a well-formed stage is a match of this game, because a state from outside is not trusted. */
import { PLAYER_SEATS, SEATS } from "../../netcode/game.ts";
import type { Stage } from "../../physics/stage/stage.ts";
import { SnapshotError } from "../../snapshot.ts";
import { type CompiledGame, NPCS_FIELD, SEAT_FIELD } from "../compiled_game.ts";
import type { CompiledFields, RawFields } from "../fields/compiled_fields.ts";

/** @throws SnapshotError that names the first field with a value that no rule can have given it */
export function checkState(game: CompiledGame, stage: Stage): void {
  const { fields } = stage;
  if (fields[NPCS_FIELD]! > SEATS - PLAYER_SEATS) throw new SnapshotError("more NPCs than seats");
  for (const { field, words } of game.options) checkBound(fields, field, words.length, "match");
  checkBounds(fields, game.match, "match");
  for (const { name, archetype, fields: compiled } of game.things.values()) {
    if (compiled.bounds.length === 0) continue;
    for (const { fields } of stage.all(archetype)) checkBounds(fields, compiled, name);
  }
  checkSeats(game, stage);
}

function checkBounds(fields: RawFields, { bounds }: CompiledFields, owner: string): void {
  for (const { field, count } of bounds) checkBound(fields, field, count, owner);
}

function checkBound(fields: RawFields, field: string, count: number, owner: string): void {
  if (fields[field]! >= count) throw new SnapshotError(`${owner}.${field} is ${fields[field]} of ${count} values`);
}

function checkSeats({ player, asks }: CompiledGame, stage: Stage): void {
  let taken = 0;
  for (const { id, fields } of stage.all(player.archetype)) {
    const seat = fields[SEAT_FIELD]!;
    if (seat >= SEATS) throw new SnapshotError(`${player.name} ${id} is on seat ${seat}`);
    if ((taken >>> seat & 1) === 1) throw new SnapshotError(`two of ${player.name} on seat ${seat}`);
    taken |= 1 << seat;
    if (!asks.isKept(fields)) throw new SnapshotError(`${player.name} ${id} keeps no command`);
  }
}
