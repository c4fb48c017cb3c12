/**
 * The manifold of two boxes: the result of `collide_polygons.ts` up to rounding, in a third of its time. In a heap
 * nearly all touching pairs are boxes.
 *
 * By a box's symmetry the separation along an axis is a sum, and a sign selects the face that is turned to the other
 * box:
 *
 *     separation along an axis = |d · axis| − own half side − projection of the other's half sides on the axis
 *
 * The reference face, turned to lie flat, always gives the same picture:
 *
 *            up ↑    ╲        the incident edge, which is the most anti-parallel to the face,
 *          ─────┴─────╲──     clipped to the face's width
 *       reference face ╲      → along
 *
 * It is the box case of the separating axes of Gottschalk, Lin and Manocha, "OBBTree" (1996).
 */
import * as bodyLayout from "../core/body_rows.ts";
import type { BodyRow } from "../core/body_rows.ts";
import { FACE_A, FACE_B } from "../core/manifold_rows.ts";
import { LINEAR_SLOP, type PlanckManifold, type PlanckPolygon } from "../planck/planck.ts";

const { COS, SIN, ORIGIN_X, ORIGIN_Y } = bodyLayout;

/**
 * A box's layout, in its body's frame, metres: centre, first axis, half sides along the first and second axis. Face 0
 * faces along the first axis, face 1 along the second. Face i leads from corner i to the next.
 */
export const X = 0, Y = 1, AXIS_X = 2, AXIS_Y = 3, HALF_SIDES = 4;
/** The value for a polygon that is no box. */
const NO_BOX = new Float64Array(0);
/** Tolerance for a box's normals, whose corners are rounded. */
const ROUNDING = 1e-9;

/** planck's feature types. */
export const VERTEX = 0, FACE = 1;
/** Metres: B's face must be better by more than this, or the choice would flicker. k_tol of b2CollidePolygons. */
export const TOLERANCE = 0.1 * LINEAR_SLOP;

/** Scratch: the incident box in the reference box's axes: its centre and its first axis. */
const incidentBox = new Float64Array(4);
const MIDDLE_X = 0, MIDDLE_Y = 1, COSINE = 2, SINE = 3;
/** Each face's normal in its box's axes. */
const FACE_NORMAL_X = [1, 0, -1, 0] as const, FACE_NORMAL_Y = [0, 1, 0, -1] as const;

/** @returns the polygon as a box, empty if it is none; computed once per polygon */
export function boxOf(polygon: PlanckPolygon): Float64Array {
  return polygon.box ??= measureBox(polygon);
}

function measureBox({ m_count: count, m_vertices: corners, m_normals: normals }: PlanckPolygon): Float64Array {
  if (count !== 4) return NO_BOX;
  const { x, y } = normals[0]!, expected = [{ x, y }, { x: -y, y: x }, { x: -x, y: -y }, { x: y, y: -x }];
  const isBox = expected.every((axis, i) =>
    Math.abs(normals[i]!.x - axis.x) + Math.abs(normals[i]!.y - axis.y) < ROUNDING
  );
  if (!isBox) return NO_BOX;
  const centerX = (corners[0]!.x + corners[2]!.x) / 2, centerY = (corners[0]!.y + corners[2]!.y) / 2;
  const first = x * (corners[0]!.x - centerX) + y * (corners[0]!.y - centerY);
  const second = -y * (corners[1]!.x - centerX) + x * (corners[1]!.y - centerY);
  return Float64Array.of(centerX, centerY, x, y, first, second);
}

/** Fills the manifold except its impulses. Both polygons must be boxes. */
export function collideBoxes(
  into: PlanckManifold,
  a: PlanckPolygon,
  { values: n, offset: k }: BodyRow,
  b: PlanckPolygon,
  { values: m, offset: l }: BodyRow,
): void {
  into.pointCount = 0;
  const cosA = n[k + COS]!, sinA = n[k + SIN]!, cosB = m[l + COS]!, sinB = m[l + SIN]!;
  const boxA = boxOf(a), boxB = boxOf(b), radius = a.m_radius + b.m_radius;
  const ux = cosA * boxA[AXIS_X]! - sinA * boxA[AXIS_Y]!, uy = sinA * boxA[AXIS_X]! + cosA * boxA[AXIS_Y]!;
  const wx = cosB * boxB[AXIS_X]! - sinB * boxB[AXIS_Y]!, wy = sinB * boxB[AXIS_X]! + cosB * boxB[AXIS_Y]!;
  const dx = cosB * boxB[X]! - sinB * boxB[Y]! + m[l + ORIGIN_X]! -
    (cosA * boxA[X]! - sinA * boxA[Y]! + n[k + ORIGIN_X]!);
  const dy = sinB * boxB[X]! + cosB * boxB[Y]! + m[l + ORIGIN_Y]! -
    (sinA * boxA[X]! + cosA * boxA[Y]! + n[k + ORIGIN_Y]!);
  const cosine = ux * wx + uy * wy, sine = ux * wy - uy * wx, c = Math.abs(cosine), s = Math.abs(sine);
  const a0 = boxA[HALF_SIDES]!, a1 = boxA[HALF_SIDES + 1]!, b0 = boxB[HALF_SIDES]!, b1 = boxB[HALF_SIDES + 1]!;
  const alongA0 = dx * ux + dy * uy, alongA1 = dy * ux - dx * uy;
  const sepA0 = Math.abs(alongA0) - a0 - (b0 * c + b1 * s), sepA1 = Math.abs(alongA1) - a1 - (b0 * s + b1 * c);
  const alongB0 = -dx * wx - dy * wy, alongB1 = dx * wy - dy * wx;
  const sepB0 = Math.abs(alongB0) - b0 - (a0 * c + a1 * s), sepB1 = Math.abs(alongB1) - b1 - (a0 * s + a1 * c);
  const sepA = Math.max(sepA0, sepA1), sepB = Math.max(sepB0, sepB1);
  if (sepA > radius || sepB > radius) return;
  incidentBox[COSINE] = cosine;
  if (sepB > sepA + TOLERANCE) {
    incidentBox[MIDDLE_X] = alongB0;
    incidentBox[MIDDLE_Y] = alongB1;
    incidentBox[SINE] = -sine;
    into.type = FACE_B;
    clipToFace(into, sepB0 >= sepB1 ? (alongB0 >= 0 ? 0 : 2) : (alongB1 >= 0 ? 1 : 3), b, a);
  } else {
    incidentBox[MIDDLE_X] = alongA0;
    incidentBox[MIDDLE_Y] = alongA1;
    incidentBox[SINE] = sine;
    into.type = FACE_A;
    clipToFace(into, sepA0 >= sepA1 ? (alongA0 >= 0 ? 0 : 2) : (alongA1 >= 0 ? 1 : 3), a, b);
  }
}

/** Clips the incident edge to the width of the reference face and adds the ends that reach the face. */
function clipToFace(into: PlanckManifold, face: number, reference: PlanckPolygon, incident: PlanckPolygon): void {
  const box = reference.box!, otherBox = incident.box!, radius = reference.m_radius + incident.m_radius;
  // Turned so that the face's normal points up.
  const turnX = FACE_NORMAL_X[face]!, turnY = FACE_NORMAL_Y[face]!, c = incidentBox[COSINE]!, s = incidentBox[SINE]!;
  const upC = c * turnX + s * turnY, alongC = s * turnX - c * turnY;
  // The up components of the incident box's normals 0 … 3: upC, -alongC, -upC, alongC.
  const edge = Math.abs(upC) >= Math.abs(alongC) ? (upC >= 0 ? 2 : 0) : (alongC >= 0 ? 1 : 3);
  const edgeX = FACE_NORMAL_X[edge]!, edgeY = FACE_NORMAL_Y[edge]!;
  const normalUp = upC * edgeX - alongC * edgeY, normalAlong = alongC * edgeX + upC * edgeY;
  const toEdge = otherBox[HALF_SIDES + (edge & 1)]!, halfEdge = otherBox[HALF_SIDES + 1 - (edge & 1)]!;
  const middleUp = incidentBox[MIDDLE_X]! * turnX + incidentBox[MIDDLE_Y]! * turnY + toEdge * normalUp;
  const middleAlong = incidentBox[MIDDLE_Y]! * turnX - incidentBox[MIDDLE_X]! * turnY + toEdge * normalAlong;
  const first = middleAlong - halfEdge * normalUp, firstUp = middleUp + halfEdge * normalAlong;
  const second = middleAlong + halfEdge * normalUp, secondUp = middleUp - halfEdge * normalAlong;
  const alongMax = box[HALF_SIDES + 1 - (face & 1)]! + radius, upMax = box[HALF_SIDES + (face & 1)]! + radius;
  if (Math.min(first, second) > alongMax || Math.max(first, second) < -alongMax) return;
  setFace(into, reference, face);
  for (let end = 0; end < 2; end++) {
    const along = end === 0 ? first : second, clipped = Math.min(Math.max(along, -alongMax), alongMax);
    const t = clipped === along ? end : (clipped - first) / (second - first);
    if (firstUp * (1 - t) + secondUp * t > upMax) continue;
    const point = into.points[into.pointCount++ as 0 | 1], corner = edge + end & 3;
    const from = incident.m_vertices[edge]!, to = incident.m_vertices[edge + 1 & 3]!;
    point.localPoint.x = from.x * (1 - t) + to.x * t;
    point.localPoint.y = from.y * (1 - t) + to.y * t;
    const isClipped = clipped !== along, index = isClipped ? edge : corner;
    const ownIndex = isClipped && clipped > 0 ? face + 1 & 3 : face;
    const ownType = isClipped ? VERTEX : FACE, type = isClipped ? FACE : VERTEX;
    if (into.type === FACE_A) point.id.setFeatures(ownIndex, ownType, index, type);
    else point.id.setFeatures(index, type, ownIndex, ownType);
  }
}

function setFace({ localNormal, localPoint }: PlanckManifold, reference: PlanckPolygon, face: number): void {
  const { m_normals: normals, m_vertices: corners } = reference;
  const normal = normals[face]!, from = corners[face]!, to = corners[face + 1 & 3]!;
  localNormal.x = normal.x;
  localNormal.y = normal.y;
  localPoint.x = 0.5 * from.x + 0.5 * to.x;
  localPoint.y = 0.5 * from.y + 0.5 * to.y;
}
