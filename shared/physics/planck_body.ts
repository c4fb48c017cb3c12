/**
 * planck's bodies on the stage's rows (`body_memory.ts`): what planck reads and writes of a body's motion are windows onto its row. They
 * are slow, but planck itself runs only where bodies come and go and a time of impact is settled.
 */
import * as at from "./body_memory.ts";
import type { PlanckBody, PlanckTransform, PlanckWorld, Vector } from "./planck_types.ts";

/** Two numbers of a row. */
class RowVector implements Vector {
  readonly #body: PlanckBody;
  readonly #at: number;

  constructor(body: PlanckBody, at: number) {
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
  readonly #body: PlanckBody;

  constructor(body: PlanckBody) {
    this.#body = body;
  }

  get c(): number {
    return this.#body.numbers[this.#body.row + at.COS]!;
  }

  set c(c: number) {
    this.#body.numbers[this.#body.row + at.COS] = c;
  }

  get s(): number {
    return this.#body.numbers[this.#body.row + at.SIN]!;
  }

  set s(s: number) {
    this.#body.numbers[this.#body.row + at.SIN] = s;
  }
}

/** A row's place and way; planck's methods of a sweep are added in `bodyClass`. */
class RowSweep {
  readonly localCenter: Vector;
  readonly c: Vector;
  readonly c0: Vector;
  readonly #body: PlanckBody;

  constructor(body: PlanckBody, localCenter: Vector) {
    this.localCenter = localCenter;
    this.c = new RowVector(body, at.CENTER_X);
    this.c0 = new RowVector(body, at.CENTER_X0);
    this.#body = body;
  }

  get a(): number {
    return this.#body.numbers[this.#body.row + at.ANGLE]!;
  }

  set a(a: number) {
    this.#body.numbers[this.#body.row + at.ANGLE] = a;
  }

  get a0(): number {
    return this.#body.numbers[this.#body.row + at.ANGLE0]!;
  }

  set a0(a: number) {
    this.#body.numbers[this.#body.row + at.ANGLE0] = a;
  }

  get alpha0(): number {
    return this.#body.numbers[this.#body.row + at.ALPHA0]!;
  }

  set alpha0(part: number) {
    this.#body.numbers[this.#body.row + at.ALPHA0] = part;
  }
}

/** A class of planck's, whose type hides what is needed here. */
interface PlanckClass<Made> {
  readonly prototype: object;
  new (world: PlanckWorld, def: object): Made;
}

/** What planck's constructor makes and a row's body replaces. */
interface Replaced {
  m_sweep: { readonly localCenter: Vector };
  m_xf: PlanckTransform;
  m_linearVelocity: Vector;
  m_force: Vector;
}

/** A row that nobody reads, for planck's constructor, which runs before there is one. */
const NO_ROW = new Float64Array(at.BODY_NUMBERS);

/** @returns planck's `Body` on a row of its world's, which must have room; at rest at the origin */
export function bodyClass(
  Body: PlanckClass<Replaced>,
  Sweep: { readonly prototype: object },
): new (world: PlanckWorld, def: object) => PlanckBody {
  Object.setPrototypeOf(RowSweep.prototype, Sweep.prototype);
  class RowBody extends Body {
    declare numbers: Float64Array;
    declare row: number;

    constructor(world: PlanckWorld, def: object) {
      super(world, def);
      this.numbers = world.bodies.numbers;
      this.row = world.bodies.take();
      this.numbers[this.row + at.COS] = 1;
      const body = this as unknown as PlanckBody;
      this.m_sweep = new RowSweep(body, this.m_sweep.localCenter);
      this.m_xf = { p: new RowVector(body, at.ORIGIN_X), q: new RowTurn(body) };
      this.m_linearVelocity = new RowVector(body, at.VX);
      this.m_force = new RowVector(body, at.FORCE_X);
    }

    get m_angularVelocity(): number {
      return this.numbers[this.row + at.SPIN]!;
    }

    set m_angularVelocity(spin: number) {
      this.numbers[this.row + at.SPIN] = spin;
    }

    get m_torque(): number {
      return this.numbers[this.row + at.TORQUE]!;
    }

    set m_torque(torque: number) {
      this.numbers[this.row + at.TORQUE] = torque;
    }

    get m_sleepTime(): number {
      return this.numbers[this.row + at.SLEEP_S]!;
    }

    set m_sleepTime(seconds: number) {
      this.numbers[this.row + at.SLEEP_S] = seconds;
    }
  }
  Object.assign(RowBody.prototype, { numbers: NO_ROW, row: 0 });
  return RowBody as unknown as new (world: PlanckWorld, def: object) => PlanckBody;
}
