/**
 * The two inner loops of an island: impulses that stop bodies from closing in and sliding (sequential impulses, two points of a
 * contact solved together), and pushes that take away what overlap is left. Both go through the contacts in planck's order, the pushes
 * with planck's operations.
 */
import * as bodyLayout from "../core/body_rows.ts";
import * as solverLayout from "../core/solver_scratch.ts";
import { updateTransformAt } from "../core/body_transform.ts";
import { memory } from "../core/solver_scratch.ts";
import { BAUMGARTE, LINEAR_SLOP, MAX_LINEAR_CORRECTION } from "../planck/planck.ts";

/** Named here again: V8 compiles a module's own constants into the code and reads another's each time, 7 % of a step. */
const { VX, VY, SPIN, CENTER_X, CENTER_Y, ANGLE, COS, SIN, ORIGIN_X, ORIGIN_Y } = bodyLayout;
const { NORMAL_X, NORMAL_Y, FRICTION, MASS_A, INERTIA_A, MASS_B, INERTIA_B, PUSH_AX, PUSH_AY, PUSH_BX, PUSH_BY } =
  solverLayout;
const { SLIDE, K11, K12, K22, INVERSE_11, INVERSE_12, INVERSE_22 } = solverLayout;
const { POINTS, POINT_NUMBERS, LEVER_A, LEVER_B, TURN_A, TURN_B, MASS, IMPULSE } = solverLayout;
const { BIAS, CONTACT_NUMBERS, LOCAL_NORMAL_X, LOCAL_NORMAL_Y, LOCAL_POINT_X, LOCAL_POINT_Y, LOCAL_POINTS } =
  solverLayout;
const { RADIUS_A, RADIUS_B, SHAPE_NUMBERS, BODY_A, BODY_B, VELOCITY_POINTS, POSITION_POINTS, TYPE } = solverLayout;
const { LINK_NUMBERS, CIRCLES, FACE_A } = solverLayout;

/** What both points' speeds would be without their impulses, and then the impulses of a case of `solveCases`. */
const pair = new Float64Array(2);

/**
 * Once over all contacts: of each first friction, as strong as the last iteration pressed, then the normals. What an impulse does to both
 * bodies was worked out beforehand (`contact_constraints.ts`), so that nothing here waits for more than two sums in a row.
 * @returns whether an impulse changed. Where none did, none ever will: the next time over would read and write the same numbers
 */
export function solveVelocities(contactCount: number): boolean {
  const { links, contacts, bodies } = memory;
  let isChanged = false;
  for (let i = 0; i < contactCount; i++) {
    const link = i * LINK_NUMBERS, c = i * CONTACT_NUMBERS, p = c + POINTS, q = p + POINT_NUMBERS;
    const a = links[link + BODY_A]!, b = links[link + BODY_B]!, isPair = links[link + VELOCITY_POINTS]! === 2;
    const nx = contacts[c + NORMAL_X]!, ny = contacts[c + NORMAL_Y]!;
    const pushAX = contacts[c + PUSH_AX]!, pushAY = contacts[c + PUSH_AY]!;
    const pushBX = contacts[c + PUSH_BX]!, pushBY = contacts[c + PUSH_BY]!;
    let vax = bodies[a + VX]!, vay = bodies[a + VY]!, wA = bodies[a + SPIN]!;
    let vbx = bodies[b + VX]!, vby = bodies[b + VY]!, wB = bodies[b + SPIN]!;
    const before1 = contacts[p + IMPULSE]!, before2 = isPair ? contacts[q + IMPULSE]! : 0;
    const tangentBefore = contacts[c + SLIDE + IMPULSE]!, max = contacts[c + FRICTION]! * (before1 + before2);
    const slide = (vbx - vax) * ny - (vby - vay) * nx +
      (contacts[c + SLIDE + LEVER_B]! * wB - contacts[c + SLIDE + LEVER_A]! * wA);
    const tangent = Math.max(-max, Math.min(max, tangentBefore - contacts[c + SLIDE + MASS]! * slide));
    const slid = tangent - tangentBefore;
    contacts[c + SLIDE + IMPULSE] = tangent;
    vax -= pushAY * slid;
    vay += pushAX * slid;
    wA -= contacts[c + SLIDE + TURN_A]! * slid;
    vbx += pushBY * slid;
    vby -= pushBX * slid;
    wB += contacts[c + SLIDE + TURN_B]! * slid;
    const speed = (vbx - vax) * nx + (vby - vay) * ny;
    const speed1 = speed + (contacts[p + LEVER_B]! * wB - contacts[p + LEVER_A]! * wA) - contacts[p + BIAS]!;
    let impulse1: number, impulse2 = 0;
    if (isPair) {
      const speed2 = speed + (contacts[q + LEVER_B]! * wB - contacts[q + LEVER_A]! * wA) - contacts[q + BIAS]!;
      const k12 = contacts[c + K12]!, inverse12 = contacts[c + INVERSE_12]!;
      const free1 = pair[0] = speed1 - (contacts[c + K11]! * before1 + k12 * before2);
      const free2 = pair[1] = speed2 - (k12 * before1 + contacts[c + K22]! * before2);
      impulse1 = -(contacts[c + INVERSE_11]! * free1 + inverse12 * free2);
      impulse2 = -(inverse12 * free1 + contacts[c + INVERSE_22]! * free2);
      if (!(impulse1 >= 0 && impulse2 >= 0)) {
        solveCases(c);
        impulse1 = pair[0]!;
        impulse2 = pair[1]!;
      }
      contacts[q + IMPULSE] = impulse2;
    } else impulse1 = Math.max(before1 - contacts[p + MASS]! * speed1, 0);
    contacts[p + IMPULSE] = impulse1;
    const change1 = impulse1 - before1, change2 = impulse2 - before2, change = change1 + change2;
    if (slid !== 0 || change1 !== 0 || change2 !== 0) isChanged = true;
    // what never moves is not written, so that nobody else who lies on it has to wait for that
    if (contacts[c + MASS_A]! !== 0) {
      bodies[a + VX] = vax - pushAX * change;
      bodies[a + VY] = vay - pushAY * change;
      bodies[a + SPIN] = wA - (contacts[p + TURN_A]! * change1 + contacts[q + TURN_A]! * change2);
    }
    if (contacts[c + MASS_B]! !== 0) {
      bodies[b + VX] = vbx + pushBX * change;
      bodies[b + VY] = vby + pushBY * change;
      bodies[b + SPIN] = wB + (contacts[p + TURN_B]! * change1 + contacts[q + TURN_B]! * change2);
    }
  }
  return isChanged;
}

/**
 * Where two points cannot both push: of the other cases of the linear complementarity problem (either pushes, none does) the first that
 * holds. Where none does, both stay as they are.
 */
function solveCases(c: number): void {
  const { contacts } = memory, p = c + POINTS, q = p + POINT_NUMBERS, k12 = contacts[c + K12]!;
  const free1 = pair[0]!, free2 = pair[1]!;
  const alone1 = -contacts[p + MASS]! * free1, alone2 = -contacts[q + MASS]! * free2;
  pair[0] = pair[1] = 0;
  if (alone1 >= 0 && k12 * alone1 + free2 >= 0) pair[0] = alone1;
  else if (alone2 >= 0 && k12 * alone2 + free1 >= 0) pair[1] = alone2;
  else if (!(free1 >= 0 && free2 >= 0)) {
    pair[0] = contacts[p + IMPULSE]!;
    pair[1] = contacts[q + IMPULSE]!;
  }
}

/** Once over all contacts. @returns whether they overlap little enough */
export function solvePositions(contactCount: number): boolean {
  const { links } = memory;
  let deepest = 0;
  for (let i = 0; i < contactCount; i++) {
    const link = i * LINK_NUMBERS, c = i * CONTACT_NUMBERS, s = i * SHAPE_NUMBERS;
    const count = links[link + POSITION_POINTS]!, isCircles = links[link + TYPE]! === CIRCLES;
    for (let j = 0; j < count; j++) {
      if (isCircles) meetCircles(link, s);
      else meetFace(link, s, j);
      deepest = Math.min(deepest, meeting[SEPARATION]!);
      pushApart(link, c);
    }
  }
  return deepest >= -3 * LINEAR_SLOP;
}

/** Where two bodies meet now: the point, the normal from A to B, and how far apart they are there, negative for an overlap. */
const meeting = new Float64Array(5);
const X = 0, Y = 1, AWAY_X = 2, AWAY_Y = 3, SEPARATION = 4;

function meetCircles(link: number, s: number): void {
  const { links, shapes, bodies } = memory, a = links[link + BODY_A]!, b = links[link + BODY_B]!;
  const lax = shapes[s + LOCAL_POINT_X]!, lay = shapes[s + LOCAL_POINT_Y]!;
  const lbx = shapes[s + LOCAL_POINTS]!, lby = shapes[s + LOCAL_POINTS + 1]!;
  const ca = bodies[a + COS]!, sa = bodies[a + SIN]!, cb = bodies[b + COS]!, sb = bodies[b + SIN]!;
  const ax = ca * lax - sa * lay + bodies[a + ORIGIN_X]!, ay = sa * lax + ca * lay + bodies[a + ORIGIN_Y]!;
  const bx = cb * lbx - sb * lby + bodies[b + ORIGIN_X]!, by = sb * lbx + cb * lby + bodies[b + ORIGIN_Y]!;
  let nx = bx - ax, ny = by - ay;
  const length = Math.sqrt(nx * nx + ny * ny);
  if (length > 0) {
    const inverse = 1 / length;
    nx *= inverse;
    ny *= inverse;
  }
  meeting[X] = 0.5 * ax + 0.5 * bx;
  meeting[Y] = 0.5 * ay + 0.5 * by;
  meeting[AWAY_X] = nx;
  meeting[AWAY_Y] = ny;
  meeting[SEPARATION] = bx * nx + by * ny - (ax * nx + ay * ny) - shapes[s + RADIUS_A]! - shapes[s + RADIUS_B]!;
}

function meetFace(link: number, s: number, index: number): void {
  const { links, shapes, bodies } = memory, isA = links[link + TYPE]! === FACE_A;
  const face = links[link + (isA ? BODY_A : BODY_B)]!, other = links[link + (isA ? BODY_B : BODY_A)]!;
  const cf = bodies[face + COS]!, sf = bodies[face + SIN]!;
  const co = bodies[other + COS]!, so = bodies[other + SIN]!;
  const lnx = shapes[s + LOCAL_NORMAL_X]!, lny = shapes[s + LOCAL_NORMAL_Y]!;
  const lx = shapes[s + LOCAL_POINT_X]!, ly = shapes[s + LOCAL_POINT_Y]!;
  const px = shapes[s + LOCAL_POINTS + 2 * index]!, py = shapes[s + LOCAL_POINTS + 2 * index + 1]!;
  const nx = cf * lnx - sf * lny, ny = sf * lnx + cf * lny;
  const planeX = cf * lx - sf * ly + bodies[face + ORIGIN_X]!;
  const planeY = sf * lx + cf * ly + bodies[face + ORIGIN_Y]!;
  const x = co * px - so * py + bodies[other + ORIGIN_X]!, y = so * px + co * py + bodies[other + ORIGIN_Y]!;
  meeting[X] = x;
  meeting[Y] = y;
  meeting[AWAY_X] = isA ? nx : -nx;
  meeting[AWAY_Y] = isA ? ny : -ny;
  meeting[SEPARATION] = x * nx + y * ny - (planeX * nx + planeY * ny) - shapes[s + RADIUS_A]! -
    shapes[s + RADIUS_B]!;
}

/** Moves both bodies until a fifth of the overlap beyond the slop is gone. */
function pushApart(link: number, c: number): void {
  const wanted = BAUMGARTE * (meeting[SEPARATION]! + LINEAR_SLOP);
  if (wanted >= 0) return; // planck goes on with an impulse of 0
  const correction = wanted < -MAX_LINEAR_CORRECTION ? -MAX_LINEAR_CORRECTION : wanted;
  const { links, contacts, bodies } = memory, a = links[link + BODY_A]!, b = links[link + BODY_B]!;
  const nx = meeting[AWAY_X]!, ny = meeting[AWAY_Y]!;
  const mA = contacts[c + MASS_A]!, iA = contacts[c + INERTIA_A]!;
  const mB = contacts[c + MASS_B]!, iB = contacts[c + INERTIA_B]!;
  const ax = meeting[X]! - bodies[a + CENTER_X]!, ay = meeting[Y]! - bodies[a + CENTER_Y]!;
  const bx = meeting[X]! - bodies[b + CENTER_X]!, by = meeting[Y]! - bodies[b + CENTER_Y]!;
  const rnA = ax * ny - ay * nx, rnB = bx * ny - by * nx;
  const mass = mA + mB + iA * rnA * rnA + iB * rnB * rnB, impulse = mass > 0 ? -correction / mass : 0;
  const x = impulse * nx, y = impulse * ny;
  if (mA !== 0 || iA !== 0) {
    bodies[a + CENTER_X]! -= mA * x;
    bodies[a + CENTER_Y]! -= mA * y;
    bodies[a + ANGLE]! -= iA * (ax * y - ay * x);
    updateTransformAt(bodies, a);
  }
  if (mB !== 0 || iB !== 0) {
    bodies[b + CENTER_X]! += mB * x;
    bodies[b + CENTER_Y]! += mB * y;
    bodies[b + ANGLE]! += iB * (bx * y - by * x);
    updateTransformAt(bodies, b);
  }
}
