/** Which way two bodies touch: planck's world manifold without its points, which cost most and are seldom asked for. */
import { CIRCLES, FACE_A } from "./island_memory.ts";
import type { PlanckContact, PlanckTransform, Vector } from "./planck.ts";

const normal = { x: 0.5, y: 0.5 };
const centerA = { x: 0.5, y: 0.5 };
const centerB = { x: 0.5, y: 0.5 };
/** planck's, squared metres: two centres that are one. */
const TINY_SQUARED = 1e-9 * 1e-9;

/** Unit vector from fixture A to fixture B of a contact that touches and is no sensor's; valid until the next call. */
export function normalOf({ m_manifold: manifold, m_fixtureA: fixtureA, m_fixtureB: fixtureB }: PlanckContact): Vector {
  const { localNormal, localPoint, type } = manifold, a = fixtureA.m_body.m_xf, b = fixtureB.m_body.m_xf;
  if (type === CIRCLES) {
    transform(centerA, a, localPoint);
    transform(centerB, b, manifold.points[0].localPoint);
    const dx = centerB.x - centerA.x, dy = centerB.y - centerA.y, squared = dx * dx + dy * dy;
    const inverse = squared > TINY_SQUARED ? 1 / Math.sqrt(squared) : 0;
    normal.x = inverse > 0 ? inverse * dx : 1;
    normal.y = inverse > 0 ? inverse * dy : 0;
  } else {
    const { c, s } = type === FACE_A ? a.q : b.q, sign = type === FACE_A ? 1 : -1;
    normal.x = sign * (c * localNormal.x - s * localNormal.y);
    normal.y = sign * (s * localNormal.x + c * localNormal.y);
  }
  return normal;
}

function transform(into: Vector, { p, q }: PlanckTransform, local: Vector): void {
  into.x = q.c * local.x - q.s * local.y + p.x;
  into.y = q.s * local.x + q.c * local.y + p.y;
}
