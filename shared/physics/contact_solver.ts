/**
 * The two inner loops of an island: impulses that stop bodies from closing in and sliding (sequential impulses, two points of a
 * contact solved together), and pushes that take away what overlap is left. Both in planck's order of operations, bit for bit.
 */
import * as at from "./island_memory.ts";
import { memory, transformBody } from "./island_memory.ts";
import { BAUMGARTE, LINEAR_SLOP, MAX_LINEAR_CORRECTION } from "./planck.ts";

/** Named here again: V8 compiles a module's own constants into the code and reads another's each time, 7 % of a step. */
const { VX, VY, SPIN, CENTER_X, CENTER_Y, ANGLE, COS, SIN, ORIGIN_X, ORIGIN_Y, NORMAL_X, NORMAL_Y, FRICTION } = at;
const { TANGENT_SPEED, MASS_A, INERTIA_A, MASS_B, INERTIA_B, K11, K12, K22, INVERSE_11, INVERSE_12, INVERSE_22 } = at;
const { POINTS, POINT_NUMBERS, ARM_AX, ARM_AY, ARM_BX, ARM_BY, NORMAL_MASS, TANGENT_MASS, NORMAL_IMPULSE } = at;
const { TANGENT_IMPULSE, BIAS, CONTACT_NUMBERS, LOCAL_NORMAL_X, LOCAL_NORMAL_Y, LOCAL_X, LOCAL_Y, LOCAL_POINTS } = at;
const { RADIUS_A, RADIUS_B, SHAPE_NUMBERS, BODY_A, BODY_B, VELOCITY_POINTS, POSITION_POINTS, TYPE } = at;
const { LINK_NUMBERS, CIRCLES, FACE_A } = at;

/**
 * Once over all contacts.
 * @returns whether an impulse changed. Where none did, none ever will: the next time over would read and write the same numbers
 */
export function solveVelocities(contactCount: number): boolean {
  const { links, contacts, bodies } = memory;
  let isChanged = false;
  for (let i = 0; i < contactCount; i++) {
    const link = i * LINK_NUMBERS, c = i * CONTACT_NUMBERS;
    const a = links[link + BODY_A]!, b = links[link + BODY_B]!, count = links[link + VELOCITY_POINTS]!;
    const nx = contacts[c + NORMAL_X]!, ny = contacts[c + NORMAL_Y]!, tx = ny, ty = -nx;
    const mA = contacts[c + MASS_A]!, iA = contacts[c + INERTIA_A]!;
    const mB = contacts[c + MASS_B]!, iB = contacts[c + INERTIA_B]!;
    let vax = bodies[a + VX]!, vay = bodies[a + VY]!, wA = bodies[a + SPIN]!;
    let vbx = bodies[b + VX]!, vby = bodies[b + VY]!, wB = bodies[b + SPIN]!;
    // twice over the points: friction first, then, for a single one, the normal
    for (let j = 0, end = count === 1 ? 2 : count; j < end; j++) {
      const isNormal = count === 1 && j === 1, p = c + POINTS + (isNormal ? 0 : j) * POINT_NUMBERS;
      const ax = contacts[p + ARM_AX]!, ay = contacts[p + ARM_AY]!;
      const bx = contacts[p + ARM_BX]!, by = contacts[p + ARM_BY]!;
      const dx = vbx + -wB * by - vax - -wA * ay, dy = vby + wB * bx - vay - wA * ax;
      let x: number, y: number;
      if (isNormal) {
        const before = contacts[p + NORMAL_IMPULSE]!;
        const change = -contacts[p + NORMAL_MASS]! * (dx * nx + dy * ny - contacts[p + BIAS]!);
        const impulse = Math.max(before + change, 0), applied = impulse - before;
        contacts[p + NORMAL_IMPULSE] = impulse;
        if (impulse !== before) isChanged = true;
        x = applied * nx;
        y = applied * ny;
      } else {
        const before = contacts[p + TANGENT_IMPULSE]!,
          max = contacts[c + FRICTION]! * contacts[p + NORMAL_IMPULSE]!;
        const slide = dx * tx + dy * ty - contacts[c + TANGENT_SPEED]!;
        let impulse = before + contacts[p + TANGENT_MASS]! * -slide;
        if (impulse < -max) impulse = -max;
        else if (impulse > max) impulse = max;
        const applied = impulse - before;
        contacts[p + TANGENT_IMPULSE] = impulse;
        if (impulse !== before) isChanged = true;
        x = applied * tx;
        y = applied * ty;
      }
      vax -= mA * x;
      vay -= mA * y;
      wA -= iA * (ax * y - ay * x);
      vbx += mB * x;
      vby += mB * y;
      wB += iB * (bx * y - by * x);
    }
    bodies[a + VX] = vax;
    bodies[a + VY] = vay;
    bodies[a + SPIN] = wA;
    bodies[b + VX] = vbx;
    bodies[b + VY] = vby;
    bodies[b + SPIN] = wB;
    if (count === 2 && solveBoth(c, a, b)) isChanged = true;
  }
  return isChanged;
}

/**
 * Both normals at once: of the four cases of the linear complementarity problem (both push, either, none) the first that holds.
 * Where none does, both stay as they are. @returns whether one changed
 */
function solveBoth(c: number, a: number, b: number): boolean {
  const { contacts, bodies } = memory, p = c + POINTS, q = p + POINT_NUMBERS;
  const nx = contacts[c + NORMAL_X]!, ny = contacts[c + NORMAL_Y]!;
  const vax = bodies[a + VX]!, vay = bodies[a + VY]!, wA = bodies[a + SPIN]!;
  const vbx = bodies[b + VX]!, vby = bodies[b + VY]!, wB = bodies[b + SPIN]!;
  const ax1 = contacts[p + ARM_AX]!, ay1 = contacts[p + ARM_AY]!;
  const bx1 = contacts[p + ARM_BX]!, by1 = contacts[p + ARM_BY]!;
  const ax2 = contacts[q + ARM_AX]!, ay2 = contacts[q + ARM_AY]!;
  const bx2 = contacts[q + ARM_BX]!, by2 = contacts[q + ARM_BY]!;
  const before1 = contacts[p + NORMAL_IMPULSE]!, before2 = contacts[q + NORMAL_IMPULSE]!;
  const dx1 = vbx + -wB * by1 - vax - -wA * ay1, dy1 = vby + wB * bx1 - vay - wA * ax1;
  const dx2 = vbx + -wB * by2 - vax - -wA * ay2, dy2 = vby + wB * bx2 - vay - wA * ax2;
  const k11 = contacts[c + K11]!, k12 = contacts[c + K12]!, k22 = contacts[c + K22]!;
  let b1 = dx1 * nx + dy1 * ny - contacts[p + BIAS]!, b2 = dx2 * nx + dy2 * ny - contacts[q + BIAS]!;
  b1 -= k11 * before1 + k12 * before2;
  b2 -= k12 * before1 + k22 * before2;
  const inverse12 = contacts[c + INVERSE_12]!;
  let x1 = -(contacts[c + INVERSE_11]! * b1 + inverse12 * b2);
  let x2 = -(inverse12 * b1 + contacts[c + INVERSE_22]! * b2);
  if (!(x1 >= 0 && x2 >= 0)) {
    x1 = -contacts[p + NORMAL_MASS]! * b1;
    x2 = 0;
    if (!(x1 >= 0 && k12 * x1 + b2 >= 0)) {
      x1 = 0;
      x2 = -contacts[q + NORMAL_MASS]! * b2;
      if (!(x2 >= 0 && k12 * x2 + b1 >= 0)) {
        x2 = 0;
        if (!(b1 >= 0 && b2 >= 0)) return false;
      }
    }
  }
  const mA = contacts[c + MASS_A]!, iA = contacts[c + INERTIA_A]!;
  const mB = contacts[c + MASS_B]!, iB = contacts[c + INERTIA_B]!;
  const e1 = x1 - before1, e2 = x2 - before2, p1x = e1 * nx, p1y = e1 * ny, p2x = e2 * nx, p2y = e2 * ny;
  bodies[a + VX] = -mA * p1x + -mA * p2x + vax;
  bodies[a + VY] = -mA * p1y + -mA * p2y + vay;
  bodies[a + SPIN] = wA - iA * (ax1 * p1y - ay1 * p1x + (ax2 * p2y - ay2 * p2x));
  bodies[b + VX] = mB * p1x + mB * p2x + vbx;
  bodies[b + VY] = mB * p1y + mB * p2y + vby;
  bodies[b + SPIN] = wB + iB * (bx1 * p1y - by1 * p1x + (bx2 * p2y - by2 * p2x));
  contacts[p + NORMAL_IMPULSE] = x1;
  contacts[q + NORMAL_IMPULSE] = x2;
  return x1 !== before1 || x2 !== before2;
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
  const lax = shapes[s + LOCAL_X]!, lay = shapes[s + LOCAL_Y]!;
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
  const lx = shapes[s + LOCAL_X]!, ly = shapes[s + LOCAL_Y]!;
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
    transformBody(a);
  }
  if (mB !== 0 || iB !== 0) {
    bodies[b + CENTER_X]! += mB * x;
    bodies[b + CENTER_Y]! += mB * y;
    bodies[b + ANGLE]! += iB * (bx * y - by * x);
    transformBody(b);
  }
}
