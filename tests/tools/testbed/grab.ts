/**
 * The grab: a mouse joint between the pointer and the body under it. It is part of the rules, so it
 * rolls back.
 */
import {
  type FieldSpec,
  jointDef,
  type StageDef,
  type StageFeature,
} from "../../../shared/physics/core/types.ts";
import { joints } from "../../../shared/physics/joints/feature.ts";
import { touches } from "../../../shared/physics/events/touches.ts";
import { queries } from "../../../shared/physics/stage/queries.ts";
import type { Stage } from "../../../shared/physics/stage/stage.ts";
import type { Scene, SceneInput } from "./scene.ts";

/** N per kg of the body: strong enough to carry what hangs on it, weak enough that joints hold. */
const PULL = 250;
/** Metres: a finger takes hold of what is so near. */
const REACH = 0.35;

export const GRAB = jointDef({
  name: "grab",
  type: "mouse",
  forceMax: PULL,
  spring: { frequencyHz: 4, dampingRatio: 0.8 },
  changeable: true,
  // The other end is the ground, and a body in the hand still touches it.
  collide: true,
  fields: {},
});

/** Adds all that the grab, and the drawing of contacts, need to the declaration of a scene. */
export function withGrab(def: StageDef): StageDef {
  const features: readonly StageFeature[] = [...def.features ?? [], joints, queries, touches];
  return {
    ...def,
    features: [...new Set(features)],
    joints: [...def.joints ?? [], GRAB],
    // A grab begins with the press alone: a pressed pointer that sweeps over bodies takes none.
    fields: { ...def.fields, pointerWasPressed: "u8" } satisfies FieldSpec,
  };
}

/** The rules of the grab in one tick. */
export function grab(
  stage: Stage,
  { pointer: { x, y, pressed } }: SceneInput,
  { mayGrab }: Scene,
): void {
  const [held] = stage.joints.all(GRAB);
  const begins = pressed && stage.fields.pointerWasPressed === 0;
  stage.fields.pointerWasPressed = pressed ? 1 : 0;
  if (held !== undefined && !pressed) stage.joints.remove(held);
  else if (held !== undefined) stage.joints.setTarget(held, x, y);
  if (!begins) return;
  const nearest = stage.queries.closest({ x, y }, REACH, {
    where: (entity) => entity.mass > 0 && (mayGrab?.(entity) ?? true),
  });
  if (nearest === undefined) return;
  const joint = stage.joints.add(GRAB, stage.ground, nearest.entity, {
    x: nearest.x,
    y: nearest.y,
  });
  stage.joints.setStrength(joint, { forceMax: PULL * nearest.entity.mass });
}
