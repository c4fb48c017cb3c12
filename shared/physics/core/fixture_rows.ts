/**
 * The fixtures of one world's bodies as rows of numbers, `values` and `ints`. A fixture is one shape on one body. The
 * number of its row is also its id in the broad phase.
 */
import { RowTable } from "./row_table.ts";

/** A row of `values`: the fixture's key (`proxy_key.ts`); Coulomb's coefficient; restitution, 0 … 1. */
export const FIXTURE_KEY = 0, FRICTION_COEFFICIENT = 1, RESTITUTION = 2;
export const FIXTURE_VALUES = 4;

/** A row of `ints`: row of its body; row of the body's next fixture, or `NONE`; offset of its shape; the flags below. */
export const FIXTURE_BODY = 0, NEXT_FIXTURE = 1, FIXTURE_SHAPE = 2, FIXTURE_FLAGS = 3;
/** 16 bits each: its own groups, and those that it collides with. */
export const CATEGORY = 4, MASK = 5;
export const FIXTURE_INTS = 8;

/** Flags. A sensor pushes nothing. A one-way fixture is solid only for bodies that come down on it. */
export const SENSOR = 1, ONE_WAY = 2;

/** Initial capacity in rows; it doubles when it is used up. */
const ROWS_MIN = 64;

/** The rows of one world's fixtures. */
export class FixtureTable extends RowTable {
  constructor() {
    super(ROWS_MIN, FIXTURE_VALUES, FIXTURE_INTS);
  }
}
