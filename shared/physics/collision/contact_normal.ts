/** A contact's normal: planck's world manifold without its points, which cost most and are rarely needed. */
import * as bodyLayout from "../core/body_rows.ts";
import type { BodyRow } from "../core/body_rows.ts";
import * as manifoldLayout from "../core/manifold_rows.ts";
import type { PlanckContact, Vector } from "../planck/planck.ts";

const { LOCAL_NORMAL_X, LOCAL_NORMAL_Y, LOCAL_POINT_X, LOCAL_POINT_Y, MANIFOLD_POINTS } = manifoldLayout;
const { POINT_LOCAL_X, POINT_LOCAL_Y, MANIFOLD_TYPE, CIRCLES, FACE_A } = manifoldLayout;
const { COS, SIN, ORIGIN_X, ORIGIN_Y } = bodyLayout;

const normal = { x: 0.5, y: 0.5 };
const centerA = { x: 0.5, y: 0.5 };
const centerB = { x: 0.5, y: 0.5 };
/** Squared metres: two centres at this distance coincide. EPSILON² of planck's WorldManifold. */
const TINY_SQUARED = 1e-9 * 1e-9;

/** @returns the unit vector from fixture A to B, valid until the next call; not for sensors */
export function normalOf({ manifold, m_fixtureA: fixtureA, m_fixtureB: fixtureB }: PlanckContact): Vector {
  const type = manifold[MANIFOLD_TYPE]!, a = fixtureA.m_body, b = fixtureB.m_body;
  if (type === CIRCLES) {
    transform(centerA, a, manifold[LOCAL_POINT_X]!, manifold[LOCAL_POINT_Y]!);
    transform(centerB, b, manifold[MANIFOLD_POINTS + POINT_LOCAL_X]!, manifold[MANIFOLD_POINTS + POINT_LOCAL_Y]!);
    const dx = centerB.x - centerA.x, dy = centerB.y - centerA.y, squared = dx * dx + dy * dy;
    const inverse = squared > TINY_SQUARED ? 1 / Math.sqrt(squared) : 0;
    normal.x = inverse > 0 ? inverse * dx : 1;
    normal.y = inverse > 0 ? inverse * dy : 0;
  } else {
    const isA = type === FACE_A, { values, offset } = isA ? a : b, sign = isA ? 1 : -1;
    const c = values[offset + COS]!, s = values[offset + SIN]!;
    const localX = manifold[LOCAL_NORMAL_X]!, localY = manifold[LOCAL_NORMAL_Y]!;
    normal.x = sign * (c * localX - s * localY);
    normal.y = sign * (s * localX + c * localY);
  }
  return normal;
}

function transform(into: Vector, { values, offset }: BodyRow, x: number, y: number): void {
  const c = values[offset + COS]!, s = values[offset + SIN]!;
  into.x = c * x - s * y + values[offset + ORIGIN_X]!;
  into.y = s * x + c * y + values[offset + ORIGIN_Y]!;
}
