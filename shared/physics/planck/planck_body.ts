/**
 * planck's bodies on the stage's rows (`body_rows.ts`): what planck reads and writes of a body's numbers are windows onto its row. They
 * are slow, but planck itself runs only where bodies come and go and a time of impact is solved.
 */
import * as at from "../core/body_rows.ts";
import type { BodyRow } from "../core/body_rows.ts";
import type { PlanckBody, PlanckTransform, PlanckWorld, Vector } from "./planck_types.ts";

/**
 * Gives all of a class windows onto a row.
 * @param windows by their names, which number of the row each shows
 * @param rowOf whose row it is
 */
function openWindows<Of>(prototype: Of, windows: Readonly<Record<string, number>>, rowOf: (of: Of) => BodyRow): void {
  for (const [name, at] of Object.entries(windows)) {
    Object.defineProperty(prototype, name, {
      get(this: Of): number {
        const { numbers, row } = rowOf(this);
        return numbers[row + at]!;
      },
      set(this: Of, value: number) {
        const { numbers, row } = rowOf(this);
        numbers[row + at] = value;
      },
    });
  }
}

/** Two numbers of a row that stand side by side. */
class RowVector implements Vector {
  readonly #body: BodyRow;
  readonly #at: number;

  constructor(body: BodyRow, at: number) {
    this.#body = body;
    this.#at = at;
  }

  get x(): number {
    return this.#body.numbers[this.#body.row + this.#at]!;
  }

  set x(x: number) {
    this.#body.numbers[this.#body.row + this.#at] = x;
  }

  get y(): number {
    return this.#body.numbers[this.#body.row + this.#at + 1]!;
  }

  set y(y: number) {
    this.#body.numbers[this.#body.row + this.#at + 1] = y;
  }

  /** planck's. */
  setZero(): void {
    this.x = this.y = 0;
  }
}

/** The turn of a row's transform. */
class RowTurn {
  declare c: number;
  declare s: number;
  readonly body: BodyRow;

  constructor(body: BodyRow) {
    this.body = body;
  }
}

openWindows(RowTurn.prototype, { c: at.COS, s: at.SIN }, ({ body }) => body);

/** A row's place and way; planck's methods of a sweep are added in `bodyClass`. */
class RowSweep {
  declare a: number;
  declare a0: number;
  declare alpha0: number;
  readonly localCenter: Vector;
  readonly c: Vector;
  readonly c0: Vector;
  readonly body: BodyRow;

  constructor(body: BodyRow) {
    this.localCenter = new RowVector(body, at.LOCAL_CENTER_X);
    this.c = new RowVector(body, at.CENTER_X);
    this.c0 = new RowVector(body, at.CENTER_X0);
    this.body = body;
  }
}

openWindows(RowSweep.prototype, { a: at.ANGLE, a0: at.ANGLE0, alpha0: at.ALPHA0 }, ({ body }) => body);

/** What planck's constructor makes and a row's body replaces. */
interface Replaced {
  m_sweep: object;
  m_xf: PlanckTransform;
  m_linearVelocity: Vector;
  m_force: Vector;
}

/** Where planck's constructor writes, which runs before there is a row. */
const made = new Float64Array(at.BODY_NUMBERS);

/** @returns planck's `Body` on a row of its world's, which must have room; at rest at the origin */
export function bodyClass(
  Body: new (world: PlanckWorld, def: object) => Replaced,
  Sweep: { readonly prototype: object },
): new (world: PlanckWorld, def: object) => PlanckBody {
  Object.setPrototypeOf(RowSweep.prototype, Sweep.prototype);
  class RowBody extends Body implements BodyRow {
    declare numbers: Float64Array;
    declare row: number;

    constructor(world: PlanckWorld, def: object) {
      super(world, def);
      this.numbers = world.bodies.numbers;
      this.row = world.bodies.take();
      this.numbers.set(made, this.row);
      this.numbers[this.row + at.COS] = 1;
      this.m_sweep = new RowSweep(this);
      this.m_xf = { p: new RowVector(this, at.ORIGIN_X), q: new RowTurn(this) };
      this.m_linearVelocity = new RowVector(this, at.VX);
      this.m_force = new RowVector(this, at.FORCE_X);
    }
  }
  Object.assign(RowBody.prototype, { numbers: made, row: 0 });
  const windows = {
    m_angularVelocity: at.SPIN,
    m_torque: at.TORQUE,
    m_sleepTime: at.SLEEP_S,
    m_invMass: at.INVERSE_MASS,
    m_invI: at.INVERSE_INERTIA,
    m_gravityScale: at.GRAVITY_SCALE,
    m_linearDamping: at.LINEAR_DAMPING,
    m_angularDamping: at.ANGULAR_DAMPING,
  };
  openWindows(RowBody.prototype, windows, (body) => body);
  return RowBody as unknown as new (world: PlanckWorld, def: object) => PlanckBody;
}
