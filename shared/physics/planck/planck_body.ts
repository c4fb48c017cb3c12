/**
 * planck's bodies on the stage's rows (`body_rows.ts`): planck reads and writes a body's numbers by accessors onto its
 * row. They are slow, but planck's own code runs only when bodies come and go and while a time of impact is solved.
 */
import * as bodyLayout from "../core/body_rows.ts";
import type { BodyRow } from "../core/body_rows.ts";
import type { PlanckBody, PlanckTransform, PlanckWorld, Vector } from "./planck_types.ts";

/**
 * Defines accessors onto a row for all objects of a class.
 * @param offsets offset in the row, by property name
 * @param rowOf returns an object's row
 */
function defineAccessors<Of>(
  prototype: Of,
  offsets: Readonly<Record<string, number>>,
  rowOf: (of: Of) => BodyRow,
): void {
  for (const [name, at] of Object.entries(offsets)) {
    Object.defineProperty(prototype, name, {
      get(this: Of): number {
        const { values, offset } = rowOf(this);
        return values[offset + at]!;
      },
      set(this: Of, value: number) {
        const { values, offset } = rowOf(this);
        values[offset + at] = value;
      },
    });
  }
}

/** A vector view of two adjacent numbers of a row. */
class RowVector implements Vector {
  readonly #body: BodyRow;
  readonly #index: number;

  constructor(body: BodyRow, index: number) {
    this.#body = body;
    this.#index = index;
  }

  get x(): number {
    return this.#body.values[this.#body.offset + this.#index]!;
  }

  set x(x: number) {
    this.#body.values[this.#body.offset + this.#index] = x;
  }

  get y(): number {
    return this.#body.values[this.#body.offset + this.#index + 1]!;
  }

  set y(y: number) {
    this.#body.values[this.#body.offset + this.#index + 1] = y;
  }

  /** planck calls it. */
  setZero(): void {
    this.x = this.y = 0;
  }
}

/** The rotation of a row's transform, as planck's `Rot`. */
class RowTurn {
  declare c: number;
  declare s: number;
  readonly body: BodyRow;

  constructor(body: BodyRow) {
    this.body = body;
  }
}

defineAccessors(RowTurn.prototype, { c: bodyLayout.COS, s: bodyLayout.SIN }, ({ body }) => body);

/** The sweep of a row. `bodyClass` adds planck's methods of a sweep. */
class RowSweep {
  declare a: number;
  declare a0: number;
  declare alpha0: number;
  readonly localCenter: Vector;
  readonly c: Vector;
  readonly c0: Vector;
  readonly body: BodyRow;

  constructor(body: BodyRow) {
    this.localCenter = new RowVector(body, bodyLayout.LOCAL_CENTER_X);
    this.c = new RowVector(body, bodyLayout.CENTER_X);
    this.c0 = new RowVector(body, bodyLayout.CENTER_X0);
    this.body = body;
  }
}

defineAccessors(
  RowSweep.prototype,
  { a: bodyLayout.ANGLE, a0: bodyLayout.ANGLE0, alpha0: bodyLayout.ALPHA0 },
  ({ body }) => body,
);

/** Properties that planck's constructor creates and `RowBody` replaces. */
interface Replaced {
  m_sweep: object;
  m_xf: PlanckTransform;
  m_linearVelocity: Vector;
  m_force: Vector;
}

/** Temporary row for planck's constructor, which runs before the body has its own. */
const made = new Float64Array(bodyLayout.BODY_STRIDE);

/** @returns a subclass of planck's `Body` on a free row of its world, at rest at the origin */
export function bodyClass(
  Body: new (world: PlanckWorld, def: object) => Replaced,
  Sweep: { readonly prototype: object },
): new (world: PlanckWorld, def: object) => PlanckBody {
  Object.setPrototypeOf(RowSweep.prototype, Sweep.prototype);
  class RowBody extends Body implements BodyRow {
    declare values: Float64Array;
    declare offset: number;

    constructor(world: PlanckWorld, def: object) {
      super(world, def);
      this.values = world.bodies.values;
      this.offset = world.bodies.acquire();
      this.values.set(made, this.offset);
      this.values[this.offset + bodyLayout.COS] = 1;
      this.m_sweep = new RowSweep(this);
      this.m_xf = { p: new RowVector(this, bodyLayout.ORIGIN_X), q: new RowTurn(this) };
      this.m_linearVelocity = new RowVector(this, bodyLayout.VX);
      this.m_force = new RowVector(this, bodyLayout.FORCE_X);
    }
  }
  Object.assign(RowBody.prototype, { values: made, offset: 0 });
  const offsets = {
    m_angularVelocity: bodyLayout.SPIN,
    m_torque: bodyLayout.TORQUE,
    m_sleepTime: bodyLayout.SLEEP_S,
    m_invMass: bodyLayout.INVERSE_MASS,
    m_invI: bodyLayout.INVERSE_INERTIA,
    m_gravityScale: bodyLayout.GRAVITY_SCALE,
    m_linearDamping: bodyLayout.LINEAR_DAMPING,
    m_angularDamping: bodyLayout.ANGULAR_DAMPING,
  };
  defineAccessors(RowBody.prototype, offsets, (body) => body);
  return RowBody as unknown as new (world: PlanckWorld, def: object) => PlanckBody;
}
