/**
 * Solves K x = v for a symmetric matrix K of three rows, or for its upper two, in the operations of
 * planck's `Mat33`. Determinants and a cross product are functions of K alone: a matrix that is
 * used in several iterations has them computed once.
 */

/** A matrix's values. */
export enum Matrix {
  K11 = 0,
  K12 = 1,
  K13 = 2,
  K22 = 3,
  K23 = 4,
  K33 = 5,

  /** Inverse determinants, 0 for a singular matrix. */
  INVERSE_22 = 6,
  INVERSE_33 = 7,

  /** The cross product of the last two columns. */
  CROSS_X = 8,
  CROSS_Y = 9,
  CROSS_Z = 10,

  STRIDE = 11,
}

/**
 * v, and then x. No function takes fractions as arguments: V8 allocates a heap number for each one.
 */
export const vector = new Float64Array(3);

/** Computes the part of the layout that `solve22` reads, from the numbers of K. */
export function prepare22(values: Float64Array, k: number): void {
  const determinant = values[k + Matrix.K11]! * values[k + Matrix.K22]! -
    values[k + Matrix.K12]! * values[k + Matrix.K12]!;
  values[k + Matrix.INVERSE_22] = determinant !== 0 ? 1 / determinant : determinant;
}

/** Computes the part of the layout that `solve33` reads, from the numbers of K. */
export function prepare33(values: Float64Array, k: number): void {
  const k12 = values[k + Matrix.K12]!;
  const k13 = values[k + Matrix.K13]!;
  const k22 = values[k + Matrix.K22]!;
  const k23 = values[k + Matrix.K23]!;
  const k33 = values[k + Matrix.K33]!;
  const x = k22 * k33 - k23 * k23;
  const y = k23 * k13 - k12 * k33;
  const z = k12 * k23 - k22 * k13;
  const determinant = values[k + Matrix.K11]! * x + k12 * y + k13 * z;
  values[k + Matrix.INVERSE_33] = determinant !== 0 ? 1 / determinant : determinant;
  values[k + Matrix.CROSS_X] = x;
  values[k + Matrix.CROSS_Y] = y;
  values[k + Matrix.CROSS_Z] = z;
}

/** x for the upper two rows of K, after `prepare22`. */
export function solve22(values: Float64Array, k: number): void {
  const inverse = values[k + Matrix.INVERSE_22]!;
  const k12 = values[k + Matrix.K12]!;
  const x = vector[0]!;
  const y = vector[1]!;
  vector[0] = inverse * (values[k + Matrix.K22]! * x - k12 * y);
  vector[1] = inverse * (values[k + Matrix.K11]! * y - k12 * x);
}

/** x for all of K, after `prepare33`. */
export function solve33(values: Float64Array, k: number): void {
  const k11 = values[k + Matrix.K11]!;
  const k12 = values[k + Matrix.K12]!;
  const k13 = values[k + Matrix.K13]!;
  const k22 = values[k + Matrix.K22]!;
  const k23 = values[k + Matrix.K23]!;
  const k33 = values[k + Matrix.K33]!;
  const inverse = values[k + Matrix.INVERSE_33]!;
  const x = vector[0]!;
  const y = vector[1]!;
  const z = vector[2]!;
  vector[0] = inverse *
    (x * values[k + Matrix.CROSS_X]! + y * values[k + Matrix.CROSS_Y]! +
      z * values[k + Matrix.CROSS_Z]!);
  vector[1] = inverse *
    (k11 * (y * k33 - z * k23) + k12 * (z * k13 - x * k33) + k13 * (x * k23 - y * k13));
  vector[2] = inverse *
    (k11 * (k22 * z - k23 * y) + k12 * (k23 * x - k12 * z) + k13 * (k12 * y - k22 * x));
}
