/**
 * Entities that teleport as one piece. The first one's pose (p, a) becomes (p', a'). All others
 * keep their poses relative to it, and the momentum of the piece stays:
 *
 *     R = rotation by a' - a        position := p' + R (position - p)        angle := angle + a' - a
 *     velocity := V + R (velocity - V),  V = Σ mass · velocity / Σ mass
 */
import { cos, sin } from "../core/math.ts";
import { checkPosition, checkVelocity } from "../core/limits.ts";
import { type FieldSpec, type Spawn, StageError } from "../core/types.ts";
import { requireTurning } from "./entity_checks.ts";
import { BodyRecord, type EntityRecord } from "./entity.ts";

/** Where the first entity comes to: metres, radians. */
interface Pose {
  readonly x: number;
  readonly y: number;
  readonly angle: number;
}

/**
 * The motions of a piece, in the order of its entities, of which there is at least one.
 * @throws StageError for a pose out of bounds, an entity that does not turn but would have to, and
 * one that is listed twice
 */
export function movedAsOne(
  records: readonly EntityRecord[],
  pose: Pose,
): readonly Spawn<FieldSpec>[] {
  const first = records[0]!;
  const turn = pose.angle - first.angle;
  const c = cos(turn);
  const s = sin(turn);
  const mean = meanVelocity(records);

  return records.map((record, i) => {
    if (records.indexOf(record) < i) throw new StageError(`teleport(): ${record} is listed twice`);
    const { vx, vy, spin } = record;
    const dx = record.x - first.x;
    const dy = record.y - first.y;
    const x = record === first ? pose.x : pose.x + (c * dx - s * dy);
    const y = record === first ? pose.y : pose.y + (s * dx + c * dy);
    const angle = record === first ? pose.angle : record.angle + turn;
    checkPosition(record, x, y);

    // Also for an angle that is not a number.
    if (angle !== record.angle) requireTurning(record, angle);

    const keepsVelocity = turn === 0 || records.length === 1 ||
      record instanceof BodyRecord && record.isStatic;
    if (keepsVelocity) return { x, y, angle, vx, vy, spin };

    const relativeX = vx - mean.vx;
    const relativeY = vy - mean.vy;
    const turnedX = mean.vx + (c * relativeX - s * relativeY);
    const turnedY = mean.vy + (s * relativeX + c * relativeY);
    checkVelocity(record, turnedX, turnedY);
    return { x, y, angle, vx: turnedX, vy: turnedY, spin };
  });
}

/** The velocity of the centre of mass; of a piece without mass that of its first entity. */
function meanVelocity(
  records: readonly EntityRecord[],
): { readonly vx: number; readonly vy: number } {
  let mass = 0;
  let x = 0;
  let y = 0;
  for (const record of records) {
    mass += record.mass;
    x += record.mass * record.vx;
    y += record.mass * record.vy;
  }
  return mass > 0 ? { vx: x / mass, vy: y / mass } : records[0]!;
}
