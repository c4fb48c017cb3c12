/** Checks of the numbers and shapes in a declaration. Each throws a `StageError` that names the part. */
import { type Chain, type Shape, StageError } from "./types.ts";

/** Metres. planck merges two corners that are nearer. */
const CORNER_DISTANCE_MIN = 0.003;
/** Limit of declared lengths, masses and factors. A larger number is a mistake. */
const NUMBER_MAX = 1e5;

/** The properties that belong to each type of shape. */
const SHAPE_KEYS: Readonly<Record<string, readonly string[]>> = {
  circle: ["x", "y"],
  box: ["x", "y", "angle"],
  polygon: [],
  edge: [],
  chain: ["loop", "ghosts"],
};

/** Finite, at most 1e5 in magnitude. @throws StageError */
export function checkNumber(value: number, what: string): void {
  if (typeof value !== "number" || !(Math.abs(value) <= NUMBER_MAX)) throw new StageError(`${what} is ${value}`);
}

/** As `checkNumber`, and not below 0. @throws StageError */
export function checkNotNegative(value: number, what: string): void {
  checkNumber(value, what);
  if (value < 0) throw new StageError(`${what} is ${value}; less than 0 makes no sense`);
}

/**
 * The points of a chain are checked where it becomes segments (`chains/segments.ts`).
 * @throws StageError also for a property that the shape does not have: nothing is ignored in silence
 */
export function checkShape(shape: Shape | Chain, owner: string): void {
  const type = Object.keys(SHAPE_KEYS).find((type) => type in shape);
  if (type === undefined) throw new StageError(`${owner} has no shape`);
  for (const key of Object.keys(shape)) {
    if (key !== type && !SHAPE_KEYS[type]!.includes(key)) throw new StageError(`${owner}'s ${type} has no "${key}"`);
  }
  if ("chain" in shape) return;
  for (const value of allNumbersOf(shape)) checkNumber(value, `${owner}'s shape`);
  for (const size of sizesOf(shape)) if (size <= 0) throw new StageError(`${owner}'s shape has no size`);
  if ("polygon" in shape && shape.polygon.length > 2) checkConvex(shape.polygon, owner);
}

/** planck silently replaces any other polygon by its hull or by a box of 1 m. */
function checkConvex(corners: readonly (readonly [number, number])[], owner: string): void {
  let turns = 0;
  for (const [i, [x, y]] of corners.entries()) {
    const [nextX, nextY] = corners[(i + 1) % corners.length]!, [afterX, afterY] = corners[(i + 2) % corners.length]!;
    const dx = nextX - x, dy = nextY - y;
    if (!(dx * dx + dy * dy >= CORNER_DISTANCE_MIN * CORNER_DISTANCE_MIN)) {
      throw new StageError(`${owner}'s polygon has two corners in one place`);
    }
    turns += Math.sign(dx * (afterY - nextY) - dy * (afterX - nextX));
  }
  if (Math.abs(turns) !== corners.length) throw new StageError(`${owner}'s polygon is not convex`);
}

function allNumbersOf(shape: Shape): readonly number[] {
  if ("circle" in shape) return [shape.circle, shape.x ?? 0, shape.y ?? 0];
  if ("box" in shape) return [...shape.box, shape.x ?? 0, shape.y ?? 0, shape.angle ?? 0];
  return "edge" in shape ? shape.edge : shape.polygon.flat();
}

function sizesOf(shape: Shape): readonly number[] {
  if ("circle" in shape) return [shape.circle];
  if ("edge" in shape) {
    return [Math.max(Math.abs(shape.edge[2] - shape.edge[0]), Math.abs(shape.edge[3] - shape.edge[1]))];
  }
  return "box" in shape ? shape.box : [];
}

/** @throws StageError */
export function checkInteger(value: number, what: string, { min, max }: { min: number; max: number }): void {
  const fits = Number.isInteger(value) && value >= min && value <= max;
  if (!fits) throw new StageError(`${what} is ${value}; ${min} to ${max} are allowed`);
}

/** @throws StageError */
export function checkRange(value: number, what: string, { min, max }: { min: number; max: number }): void {
  if (typeof value !== "number" || !(value >= min && value <= max)) {
    throw new StageError(`${what} is ${value}; ${min} to ${max} are allowed`);
  }
}

/** @throws StageError */
export function checkBits(owner: string, ...masks: readonly number[]): void {
  for (const bits of masks) {
    if ((bits & 0xffff) !== bits) {
      throw new StageError(`${owner}: category, mask and expiresOn have 16 bits, not ${bits}`);
    }
  }
}
