/**
 * The fixtures of one world's bodies as rows of numbers, `values` and `ints`. A fixture is one
 * shape on one body. The number of its row is also its id in the broad phase.
 */
import { BodyInt, type BodyTable, NONE } from "./body_rows.ts";
import { RowTable } from "./row_table.ts";

/** A row of `values`. */
export enum Fixture {
  /** `proxy_key.ts` */
  KEY = 0,

  /** Coulomb's coefficient. */
  FRICTION = 1,

  /** 0 … 1 */
  RESTITUTION = 2,

  /** Speed of the surface along its tangent, m/s. */
  SURFACE_SPEED = 3,

  /** The unit vector out of the solid side of a `TURNING` one-way fixture, in its body's frame. */
  ONE_WAY_X = 4,
  ONE_WAY_Y = 5,

  /** Share of its radius, ≥ 0. */
  ROLLING_RESISTANCE = 6,

  STRIDE = 7,
}

/** A row of `ints`. */
export enum FixtureInt {
  /** The row of its body, and of the next fixture in the same list of that body, or `NONE`. */
  BODY = 0,
  NEXT = 1,

  /** Offset of its shape (`shape_rows.ts`). */
  SHAPE = 2,

  /** `FixtureFlag`s. */
  FLAGS = 3,

  /** 16 bits each: its own groups, and those that it collides with. */
  CATEGORY = 4,
  MASK = 5,

  /** Its index in the declaration's list of fixtures, which a chain's segments share. */
  DECLARED_INDEX = 6,

  /** Its segment in a chain; 0 for other shapes. */
  SEGMENT = 7,

  STRIDE = 8,
}

export enum FixtureFlag {
  /** It pushes nothing. */
  SENSOR = 1,

  /**
   * Solid only for bodies that come down on it, or if it is `TURNING`, from the side that its
   * normal points to.
   */
  ONE_WAY = 2,
  TURNING = 4,

  /** A sensor that sees what passes it within a world step. */
  SWEEPING = 8,

  /** It is switched off: in none of its body's contacts, and not in the broad phase. */
  OFF = 16,
}

/** Initial capacity in rows; it doubles when it is used up. */
const ROWS_MIN = 64;

/** The rows of one world's fixtures. */
export class FixtureTable extends RowTable {
  constructor() {
    super(ROWS_MIN, Fixture.STRIDE, FixtureInt.STRIDE);
  }
}

/** The rows of all fixtures of a body as a new list: first those that are switched on. */
export function allFixturesOf(bodies: BodyTable, fixtures: FixtureTable, body: number): number[] {
  const rows: number[] = [];
  for (const list of [BodyInt.FIRST_FIXTURE, BodyInt.FIRST_OFF]) {
    for (let row = bodies.ints[body * BodyInt.STRIDE + list]!; row !== NONE;) {
      rows.push(row);
      row = fixtures.ints[row * FixtureInt.STRIDE + FixtureInt.NEXT]!;
    }
  }
  return rows;
}
