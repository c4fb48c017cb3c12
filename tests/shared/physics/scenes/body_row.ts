/** A body's row that holds nothing but where it is, for what reads nothing else. */
import { BODY_NUMBERS, type BodyRow, COS, ORIGIN_X, ORIGIN_Y, SIN } from "../../../../shared/physics/core/body_rows.ts";
import type { PlanckTransform } from "../../../../shared/physics/planck/planck.ts";

export function rowOf({ p, q }: PlanckTransform): BodyRow {
  const numbers = new Float64Array(BODY_NUMBERS);
  numbers[COS] = q.c;
  numbers[SIN] = q.s;
  numbers[ORIGIN_X] = p.x;
  numbers[ORIGIN_Y] = p.y;
  return { numbers, row: 0 };
}
