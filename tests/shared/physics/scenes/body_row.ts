/** A body's row with nothing but its transform, for code that reads nothing else. */
import { BODY_STRIDE, type BodyRow, COS, ORIGIN_X, ORIGIN_Y, SIN } from "../../../../shared/physics/core/body_rows.ts";
import type { PlanckTransform } from "../../../../shared/physics/planck/planck.ts";

export function rowOf({ p, q }: PlanckTransform): BodyRow {
  const values = new Float64Array(BODY_STRIDE);
  values[COS] = q.c;
  values[SIN] = q.s;
  values[ORIGIN_X] = p.x;
  values[ORIGIN_Y] = p.y;
  return { values, offset: 0 };
}
