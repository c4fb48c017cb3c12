/** Collects the poses of all entities on a stage, for `Simulation.poses`. */
import type { PoseList } from "../../netcode/pose_list.ts";
import type { Entity } from "../../physics/stage/entity.ts";

/**
 * Fills `out` with each entity's pose, ascending by id.
 * @param seatOf returns the seat that drives an entity; −1 for none
 */
export function fillPoses(
  stage: { entities(): readonly Entity[] },
  seatOf: (entity: Entity) => number,
  out: PoseList,
): void {
  out.reset();
  for (const entity of stage.entities()) {
    const pose = out.add();
    pose.entity = entity.id;
    pose.seat = seatOf(entity);
    pose.x = entity.x;
    pose.y = entity.y;
    pose.angle = entity.angle;
    pose.teleports = entity.teleports;
  }
}
