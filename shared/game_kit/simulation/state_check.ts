/**
 * Checks that a well-formed stage is a match of this game, because a state from outside is not
 * trusted.
 */
import type { Stage } from "../../physics/stage/stage.ts";
import { SnapshotError } from "../../snapshot.ts";
import { PLAYER_SEATS, SEATS } from "../../netcode/game.ts";
import {
  ADDED_NPCS_FIELD,
  type CompiledGame,
  NPC_KINDS_FIELD,
  npcKindIn,
  NPCS_FIELD,
  SEAT_FIELD,
} from "../compiled_game.ts";
import type { CompiledFields, RawFields } from "../fields/compiled_fields.ts";

/**
 * Checks a stage.
 * @throws SnapshotError that names the first field with a value that no rule can give it
 */
export function checkState(
  { match, things, player, npcKinds }: CompiledGame,
  stage: Stage,
): void {
  checkBounds(stage.fields, match, "match");
  for (const { name, archetype, fields: compiled } of things.values()) {
    if (compiled.bounds.length === 0) continue;
    for (const { fields } of stage.all(archetype)) checkBounds(fields, compiled, name);
  }
  checkNpcs(stage.fields, npcKinds);
  let taken = 0;
  for (const { fields } of stage.all(player.archetype)) {
    const seat = fields[SEAT_FIELD]!;
    if ((taken >>> seat & 1) === 1) {
      throw new SnapshotError(`two of ${player.name} on seat ${seat}`);
    }
    taken |= 1 << seat;
  }
}

function checkNpcs(fields: RawFields, npcKinds: readonly string[]): void {
  const added = fields[ADDED_NPCS_FIELD] ?? 0;
  const fromStart = (1 << fields[NPCS_FIELD]!) - 1;
  if ((added & fromStart) !== 0) throw new SnapshotError("an NPC's seat was added twice");

  const kinds = fields[NPC_KINDS_FIELD] ?? 0;
  for (let index = 0; index < SEATS - PLAYER_SEATS; index++) {
    const kind = npcKindIn(kinds, index);
    if (kind > 0 && kind >= npcKinds.length) {
      throw new SnapshotError(
        `the NPC on seat ${PLAYER_SEATS + index} is of kind ${kind} of ${npcKinds.length}`,
      );
    }
  }
}

function checkBounds(fields: RawFields, { bounds }: CompiledFields, owner: string): void {
  for (let i = 0; i < bounds.length; i++) {
    const { field, count } = bounds[i]!;
    if (fields[field]! >= count) {
      throw new SnapshotError(`${owner}.${field} is ${fields[field]} of ${count} values`);
    }
  }
}
