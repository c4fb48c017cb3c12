/**
 * The manifold of two boxes: the result of `collide_polygons.ts` up to rounding, in a third of its
 * time. In a heap nearly all touching pairs are boxes.
 *
 * By a box's symmetry the separation along an axis is a sum, and a sign selects the face that is
 * turned to the other box:
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
import { Body } from "../core/body_rows.ts";
import {
  Contact,
  ContactInt,
  ContactPoint,
  FeatureType,
  ManifoldType,
} from "../core/contact_rows.ts";
import { Corner, ShapeValue } from "../core/shape_rows.ts";
import { LINEAR_SLOP } from "../core/tuning.ts";
import { collision, packFeatures } from "./collision.ts";

const { values, ints } = collision;

/**
 * Metres: B's face must be better by more than this, or the choice would flicker. k_tol of
 * b2CollidePolygons.
 */
const TOLERANCE = 0.1 * LINEAR_SLOP;

/**
 * Scratch: the incident box in the reference box's axes: its centre and its first axis. Written by
 * `collideBoxes`, read by `clipToFace`.
 */
const incidentBox = new Float64Array(4);
const MIDDLE_X = 0;
const MIDDLE_Y = 1;
const COSINE = 2;
const SINE = 3;
/** Each face's normal in its box's axes. */
const FACE_AXIS_X = [1, 0, -1, 0] as const;
const FACE_AXIS_Y = [0, 1, 0, -1] as const;

/** Sets `collision` for two polygons that are boxes. */
export function collideBoxes(
  shapes: Float64Array,
  a: number,
  bodies: Float64Array,
  bodyA: number,
  b: number,
  bodyB: number,
): void {
  ints[ContactInt.POINT_COUNT] = 0;

  // The boxes' axes in the world
  const cosA = bodies[bodyA + Body.COS]!;
  const sinA = bodies[bodyA + Body.SIN]!;
  const cosB = bodies[bodyB + Body.COS]!;
  const sinB = bodies[bodyB + Body.SIN]!;
  const axisAx = shapes[a + ShapeValue.BOX_AXIS_X]!, axisAy = shapes[a + ShapeValue.BOX_AXIS_Y]!;
  const axisBx = shapes[b + ShapeValue.BOX_AXIS_X]!, axisBy = shapes[b + ShapeValue.BOX_AXIS_Y]!;
  const ux = cosA * axisAx - sinA * axisAy, uy = sinA * axisAx + cosA * axisAy;
  const wx = cosB * axisBx - sinB * axisBy, wy = sinB * axisBx + cosB * axisBy;

  // From A's middle to B's
  const xA = shapes[a + ShapeValue.BOX_X]!;
  const yA = shapes[a + ShapeValue.BOX_Y]!;
  const xB = shapes[b + ShapeValue.BOX_X]!;
  const yB = shapes[b + ShapeValue.BOX_Y]!;
  const dx = cosB * xB - sinB * yB + bodies[bodyB + Body.ORIGIN_X]! -
    (cosA * xA - sinA * yA + bodies[bodyA + Body.ORIGIN_X]!);
  const dy = sinB * xB + cosB * yB + bodies[bodyB + Body.ORIGIN_Y]! -
    (sinA * xA + cosA * yA + bodies[bodyA + Body.ORIGIN_Y]!);

  const cosine = ux * wx + uy * wy;
  const sine = ux * wy - uy * wx;
  const c = Math.abs(cosine);
  const s = Math.abs(sine);

  // How far apart they are along the axes of A, then along those of B
  const a0 = shapes[a + ShapeValue.BOX_HALF_SIDES]!;
  const a1 = shapes[a + ShapeValue.BOX_HALF_SIDES + 1]!;
  const b0 = shapes[b + ShapeValue.BOX_HALF_SIDES]!;
  const b1 = shapes[b + ShapeValue.BOX_HALF_SIDES + 1]!;
  const alongA0 = dx * ux + dy * uy;
  const alongA1 = dy * ux - dx * uy;
  const sepA0 = Math.abs(alongA0) - a0 - (b0 * c + b1 * s);
  const sepA1 = Math.abs(alongA1) - a1 - (b0 * s + b1 * c);
  const alongB0 = -dx * wx - dy * wy;
  const alongB1 = dx * wy - dy * wx;
  const sepB0 = Math.abs(alongB0) - b0 - (a0 * c + a1 * s);
  const sepB1 = Math.abs(alongB1) - b1 - (a0 * s + a1 * c);

  const sepA = Math.max(sepA0, sepA1);
  const sepB = Math.max(sepB0, sepB1);
  const radius = shapes[a + ShapeValue.RADIUS]! + shapes[b + ShapeValue.RADIUS]!;
  if (sepA > radius || sepB > radius) return;
  incidentBox[COSINE] = cosine;

  // The face that is farther from the other box is the reference
  if (sepB > sepA + TOLERANCE) {
    incidentBox[MIDDLE_X] = alongB0;
    incidentBox[MIDDLE_Y] = alongB1;
    incidentBox[SINE] = -sine;
    ints[ContactInt.MANIFOLD_TYPE] = ManifoldType.FACE_B;
    clipToFace(shapes, sepB0 >= sepB1 ? (alongB0 >= 0 ? 0 : 2) : (alongB1 >= 0 ? 1 : 3), b, a);
  } else {
    incidentBox[MIDDLE_X] = alongA0;
    incidentBox[MIDDLE_Y] = alongA1;
    incidentBox[SINE] = sine;
    ints[ContactInt.MANIFOLD_TYPE] = ManifoldType.FACE_A;
    clipToFace(shapes, sepA0 >= sepA1 ? (alongA0 >= 0 ? 0 : 2) : (alongA1 >= 0 ? 1 : 3), a, b);
  }
}

/**
 * Clips the incident edge to the width of the reference face and adds the ends that reach the face.
 */
function clipToFace(shapes: Float64Array, face: number, reference: number, incident: number): void {
  const radius = shapes[reference + ShapeValue.RADIUS]! + shapes[incident + ShapeValue.RADIUS]!;

  // Turned so that the face's normal points up.
  const turnX = FACE_AXIS_X[face]!;
  const turnY = FACE_AXIS_Y[face]!;
  const c = incidentBox[COSINE]!;
  const s = incidentBox[SINE]!;
  const upC = c * turnX + s * turnY;
  const alongC = s * turnX - c * turnY;

  // The up components of the incident box's normals 0 … 3: upC, -alongC, -upC, alongC.
  const edge = Math.abs(upC) >= Math.abs(alongC) ? (upC >= 0 ? 2 : 0) : (alongC >= 0 ? 1 : 3);
  const edgeX = FACE_AXIS_X[edge]!, edgeY = FACE_AXIS_Y[edge]!;
  const normalUp = upC * edgeX - alongC * edgeY;
  const normalAlong = alongC * edgeX + upC * edgeY;

  // Where the incident edge is: along the face, and above the middle of its box
  const sides = incident + ShapeValue.BOX_HALF_SIDES;
  const toEdge = shapes[sides + (edge & 1)]!;
  const halfEdge = shapes[sides + 1 - (edge & 1)]!;
  const middleUp = incidentBox[MIDDLE_X]! * turnX + incidentBox[MIDDLE_Y]! * turnY +
    toEdge * normalUp;
  const middleAlong = incidentBox[MIDDLE_Y]! * turnX - incidentBox[MIDDLE_X]! * turnY +
    toEdge * normalAlong;

  const first = middleAlong - halfEdge * normalUp;
  const firstUp = middleUp + halfEdge * normalAlong;
  const second = middleAlong + halfEdge * normalUp;
  const secondUp = middleUp - halfEdge * normalAlong;

  // Beside the face there is no contact
  const ownSides = reference + ShapeValue.BOX_HALF_SIDES;
  const alongMax = shapes[ownSides + 1 - (face & 1)]! + radius;
  const upMax = shapes[ownSides + (face & 1)]! + radius;
  if (Math.min(first, second) > alongMax || Math.max(first, second) < -alongMax) return;
  setFace(shapes, reference, face);
  const from = incident + ShapeValue.CORNERS + edge * Corner.STRIDE;
  const to = incident + ShapeValue.CORNERS + (edge + 1 & 3) * Corner.STRIDE;

  // Each end, clipped to the width of the face
  let count = 0;
  for (let end = 0; end < 2; end++) {
    const along = end === 0 ? first : second;
    const clipped = Math.min(Math.max(along, -alongMax), alongMax);
    const t = clipped === along ? end : (clipped - first) / (second - first);
    if (firstUp * (1 - t) + secondUp * t > upMax) continue;
    const at = Contact.POINTS + count * ContactPoint.STRIDE;
    values[at + ContactPoint.LOCAL_X] = shapes[from + Corner.X]! * (1 - t) +
      shapes[to + Corner.X]! * t;
    values[at + ContactPoint.LOCAL_Y] = shapes[from + Corner.Y]! * (1 - t) +
      shapes[to + Corner.Y]! * t;
    const isClipped = clipped !== along;
    const index = isClipped ? edge : edge + end & 3;
    const ownIndex = isClipped && clipped > 0 ? face + 1 & 3 : face;
    const ownType = isClipped ? FeatureType.VERTEX : FeatureType.FACE;
    const type = isClipped ? FeatureType.FACE : FeatureType.VERTEX;
    ints[ContactInt.FEATURES + count++] = ints[ContactInt.MANIFOLD_TYPE] === ManifoldType.FACE_A
      ? packFeatures(ownIndex, ownType, index, type)
      : packFeatures(index, type, ownIndex, ownType);
  }

  ints[ContactInt.POINT_COUNT] = count;
}

function setFace(shapes: Float64Array, reference: number, face: number): void {
  const from = reference + ShapeValue.CORNERS + face * Corner.STRIDE;
  const to = reference + ShapeValue.CORNERS + (face + 1 & 3) * Corner.STRIDE;
  values[Contact.LOCAL_NORMAL_X] = shapes[from + Corner.NORMAL_X]!;
  values[Contact.LOCAL_NORMAL_Y] = shapes[from + Corner.NORMAL_Y]!;
  values[Contact.LOCAL_POINT_X] = 0.5 * shapes[from + Corner.X]! + 0.5 * shapes[to + Corner.X]!;
  values[Contact.LOCAL_POINT_Y] = 0.5 * shapes[from + Corner.Y]! + 0.5 * shapes[to + Corner.Y]!;
}
