/** The side of a joint's limits that a revolute angle or a prismatic translation is at. */
import * as jointLayout from "../joint_rows.ts";
import type { JointRows } from "../joint_rows.ts";

/** Local copies: V8 inlines a module's own constants but reads imported ones each time. */
const { LOWER, UPPER, LIMIT_SIDE, JOINT_VALUES, JOINT_INTS } = jointLayout;
const { SIDE_FREE, SIDE_LOWER, SIDE_UPPER, SIDE_EQUAL } = jointLayout;

/**
 * Finds the side again. A limit that is newly reached, or left, has no impulse.
 * @param now the present angle or translation
 * @param slop limits less than twice as far apart are one
 * @param impulseAt index of the limits' impulse in the row
 */
export function updateLimitSide(
  { values, ints }: JointRows,
  joint: number,
  now: number,
  slop: number,
  impulseAt: number,
): void {
  const j = joint * JOINT_VALUES;
  const i = joint * JOINT_INTS;
  const lower = values[j + LOWER]!;
  const upper = values[j + UPPER]!;
  if (Math.abs(upper - lower) < 2 * slop) {
    ints[i + LIMIT_SIDE] = SIDE_EQUAL;
    return;
  }

  let side = SIDE_FREE;
  if (now <= lower) side = SIDE_LOWER;
  else if (now >= upper) side = SIDE_UPPER;
  if (side === SIDE_FREE || side !== ints[i + LIMIT_SIDE]) values[j + impulseAt] = 0;
  ints[i + LIMIT_SIDE] = side;
}
