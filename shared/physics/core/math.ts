/**
 * sin, cos and atan2 with the same bits on every engine.
 *
 * IEEE 754 fixes + - * / and sqrt to the last bit. It leaves these three to the engine, and two
 * builds of one engine may differ. Here they are polynomials of exact operations, with the
 * coefficients of Sun's fdlibm 5.3 (k_sin.c, k_cos.c, s_atan.c) and its range reduction angle = n ·
 * pi/2 + remainder.
 *
 * "Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved. Permission to use, copy,
 * modify, and distribute this software is freely granted, provided that this notice is preserved."
 *
 * Absolute error: at most 4.5e-16 for |angle| ≤ 1024 rad. The tests compare with the engine's own
 * functions.
 */

/** pi/2 = HIGH + LOW. n · HIGH is exact for |n| < 2^20. */
const HALF_PI_HIGH = 1.57079632673412561417e+00;
const HALF_PI_LOW = 6.07710050650619224932e-11;
const HALF_PI_INVERSE = 6.36619772367581382433e-01;
const QUARTER_PI = 7.85398163397448278999e-01;

const S1 = -1.66666666666666324348e-01;
const S2 = 8.33333333332248946124e-03;
const S3 = -1.98412698298579493134e-04;
const S4 = 2.75573137070700676789e-06;
const S5 = -2.50507602534068634195e-08;
const S6 = 1.58969099521155010221e-10;

const C1 = 4.16666666666666019037e-02;
const C2 = -1.38888888888741095749e-03;
const C3 = 2.48015872894767294178e-05;
const C4 = -2.75573143513906633035e-07;
const C5 = 2.08757232129817482790e-09;
const C6 = -1.13596475577881948265e-11;

const T0 = 3.33333333333329318027e-01;
const T1 = -1.99999999998764832476e-01;
const T2 = 1.42857142725034663711e-01;
const T3 = -1.11111104054623557880e-01;
const T4 = 9.09088713343650656196e-02;
const T5 = -7.69187620504482999495e-02;
const T6 = 6.66107313738753120669e-02;
const T7 = -5.83357013379057348645e-02;
const T8 = 4.97687799461593236017e-02;
const T9 = -3.65315727442169155270e-02;
const T10 = 1.62858201153657823623e-02;

/**
 * @param angle radians, finite; beyond 2^20 the result is less precise, but still equal on every
 *   engine
 */
export function sin(angle: number): number {
  if (angle < QUARTER_PI && angle > -QUARTER_PI) return sinNearZero(angle);
  const quarters = Math.floor(angle * HALF_PI_INVERSE + 0.5);
  const remainder = (angle - quarters * HALF_PI_HIGH) - quarters * HALF_PI_LOW;
  switch (quarters - 4 * Math.floor(quarters * 0.25)) {
    case 0:
      return sinNearZero(remainder);
    case 1:
      return cosNearZero(remainder);
    case 2:
      return -sinNearZero(remainder);
    default:
      return -cosNearZero(remainder);
  }
}

/**
 * @param angle radians, finite; beyond 2^20 the result is less precise, but still equal on every
 *   engine
 */
export function cos(angle: number): number {
  if (angle < QUARTER_PI && angle > -QUARTER_PI) return cosNearZero(angle);
  const quarters = Math.floor(angle * HALF_PI_INVERSE + 0.5);
  const remainder = (angle - quarters * HALF_PI_HIGH) - quarters * HALF_PI_LOW;
  switch (quarters - 4 * Math.floor(quarters * 0.25)) {
    case 0:
      return cosNearZero(remainder);
    case 1:
      return -sinNearZero(remainder);
    case 2:
      return -cosNearZero(remainder);
    default:
      return sinNearZero(remainder);
  }
}

/**
 * Writes `cos` and `sin` of the angle `values[from]` to `values[to]` and `values[to + 1]`, with the
 * bits of both functions. V8 allocates no heap numbers for values that pass through an array.
 */
export function cosSinInto(values: Float64Array, from: number, to: number): void {
  const angle = values[from]!;
  const near = angle < QUARTER_PI && angle > -QUARTER_PI;
  const quarters = near ? 0 : Math.floor(angle * HALF_PI_INVERSE + 0.5);
  const x = near ? angle : (angle - quarters * HALF_PI_HIGH) - quarters * HALF_PI_LOW;
  const z = x * x;
  const c = 1 - (0.5 * z - z * z * (C1 + z * (C2 + z * (C3 + z * (C4 + z * (C5 + z * C6))))));
  const s = x + z * x * (S1 + z * (S2 + z * (S3 + z * (S4 + z * (S5 + z * S6)))));
  const quadrant = quarters - 4 * Math.floor(quarters * 0.25);
  const swapped = quadrant === 1 || quadrant === 3;
  const cosine = swapped ? s : c;
  const sine = swapped ? c : s;
  values[to] = quadrant === 1 || quadrant === 2 ? -cosine : cosine;
  values[to + 1] = quadrant >= 2 ? -sine : sine;
}

/**
 * @returns the angle of (x, y) in −pi … pi. Both must be finite. Signed zeros count, as in
 *   `Math.atan2`.
 */
export function atan2(y: number, x: number): number {
  const isLeft = x < 0 || Object.is(x, -0);
  if (y === 0) return isLeft ? (Object.is(y, -0) ? -Math.PI : Math.PI) : y;
  if (x === 0) return y > 0 ? Math.PI / 2 : -Math.PI / 2;
  const acute = atanOfPositive(Math.abs(y) / Math.abs(x));
  const angle = isLeft ? Math.PI - acute : acute;
  return y < 0 ? -angle : angle;
}

function sinNearZero(x: number): number {
  const z = x * x;
  return x + z * x * (S1 + z * (S2 + z * (S3 + z * (S4 + z * (S5 + z * S6)))));
}

function cosNearZero(x: number): number {
  const z = x * x;
  return 1 - (0.5 * z - z * z * (C1 + z * (C2 + z * (C3 + z * (C4 + z * (C5 + z * C6))))));
}

function atanOfPositive(x: number): number {
  let base = 0;
  let t = x;

  if (x > 2.4375) {
    base = Math.PI / 2;
    t = -1 / x;
  } else if (x > 1.1875) {
    base = 9.82793723247329054082e-01; // atan(1.5)
    t = (x - 1.5) / (1 + 1.5 * x);
  } else if (x > 0.6875) {
    base = Math.PI / 4;
    t = (x - 1) / (x + 1);
  } else if (x > 0.4375) {
    base = 4.63647609000806093515e-01; // atan(0.5)
    t = (2 * x - 1) / (2 + x);
  }

  const z = t * t, w = z * z;
  const odd = z * (T0 + w * (T2 + w * (T4 + w * (T6 + w * (T8 + w * T10)))));
  const even = w * (T1 + w * (T3 + w * (T5 + w * (T7 + w * T9))));
  return base + (t - t * (odd + even));
}
