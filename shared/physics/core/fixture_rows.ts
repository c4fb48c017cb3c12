/**
 * The fixtures of one world's bodies as rows of numbers, `values` and `ints`. A fixture is one
 * shape on one body. The number of its row is also its id in the broad phase.
 */
import { RowTable } from "./row_table.ts";

/**
 * A row of `values`: the fixture's key (`proxy_key.ts`); Coulomb's coefficient; restitution, 0 … 1;
 * speed of the surface along its tangent, m/s; the unit vector out of the solid side of a `TURNING`
 * one-way fixture, in its body's frame.
 */
export const FIXTURE_KEY = 0;
export const FRICTION_COEFFICIENT = 1;
export const RESTITUTION = 2;
export const SURFACE_SPEED = 3;
export const ONE_WAY_X = 4;
export const ONE_WAY_Y = 5;
export const FIXTURE_VALUES = 6;

/**
 * A row of `ints`: row of its body; row of the body's next fixture, or `NONE`; offset of its shape;
 * the flags below.
 */
export const FIXTURE_BODY = 0;
export const NEXT_FIXTURE = 1;
export const FIXTURE_SHAPE = 2;
export const FIXTURE_FLAGS = 3;
/** 16 bits each: its own groups, and those that it collides with. */
export const CATEGORY = 4;
export const MASK = 5;
/**
 * Its index in the declaration's list of fixtures. A chain's segments share one; then the segment,
 * 0 for other shapes.
 */
export const DECLARED_INDEX = 6;
export const SEGMENT = 7;
export const FIXTURE_INTS = 8;

/**
 * Flags. A sensor pushes nothing. A one-way fixture is solid only for bodies that come down on it,
 * or if it is `TURNING`, from the side that its normal points to. A sensor that is `SWEEPING` sees
 * what passes it within a world step.
 */
export const SENSOR = 1;
export const ONE_WAY = 2;
export const TURNING = 4;
export const SWEEPING = 8;

/** Initial capacity in rows; it doubles when it is used up. */
const ROWS_MIN = 64;

/** The rows of one world's fixtures. */
export class FixtureTable extends RowTable {
  constructor() {
    super(ROWS_MIN, FIXTURE_VALUES, FIXTURE_INTS);
  }
}
