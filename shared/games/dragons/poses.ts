/** The poses of all entities in ascending order of id: a merge of the archetypes' ascending lists. */
import type { SeatId } from "../../netcode/game.ts";
import type { PoseList } from "../../netcode/pose_list.ts";
import type { Entity } from "../../physics/stage/stage.ts";
import { ARCHETYPES, type DragonStage, isDragon } from "./archetypes.ts";

/** Fills `out` with the pose of every entity on the stage. */
export function fillPoses(stage: DragonStage, out: PoseList): void {
  out.reset();
  const lists: readonly (readonly Entity[])[] = ARCHETYPES.map((archetype) => stage.all(archetype));
  const cursors = lists.map(() => 0);
  for (let remaining = stage.entityCount; remaining > 0; remaining--) {
    let next = -1, nextId = Infinity;
    for (let i = 0; i < lists.length; i++) {
      const id = lists[i]![cursors[i]!]?.id ?? Infinity;
      if (id >= nextId) continue;
      next = i;
      nextId = id;
    }
    const entity = lists[next]![cursors[next]!++]!;
    addPose(out, entity, isDragon(entity) ? entity.fields.seat : -1);
  }
}

function addPose(out: PoseList, entity: Pick<Entity, "id" | "x" | "y" | "angle" | "teleports">, seat: SeatId): void {
  const pose = out.add();
  pose.entity = entity.id;
  pose.seat = seat;
  pose.x = entity.x;
  pose.y = entity.y;
  pose.angle = entity.angle;
  pose.teleports = entity.teleports;
}
