/** The side of a joint's limits that a revolute angle or a prismatic translation is at. */
import { JointInt, type JointRows, JointValue, LimitSide } from "../joint_rows.ts";

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
  const j = joint * JointValue.STRIDE;
  const i = joint * JointInt.STRIDE;
  const lower = values[j + JointValue.LOWER]!;
  const upper = values[j + JointValue.UPPER]!;
  if (Math.abs(upper - lower) < 2 * slop) {
    ints[i + JointInt.LIMIT_SIDE] = LimitSide.EQUAL;
    return;
  }

  let side = LimitSide.FREE;
  if (now <= lower) side = LimitSide.LOWER;
  else if (now >= upper) side = LimitSide.UPPER;
  if (side === LimitSide.FREE || side !== ints[i + JointInt.LIMIT_SIDE]) values[j + impulseAt] = 0;
  ints[i + JointInt.LIMIT_SIDE] = side;
}
