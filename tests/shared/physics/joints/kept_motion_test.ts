/**
 * What springs, pendulums and ropes keep of their motion: the figures and formulas of
 * docs/archetypes_and_fields.md.
 */
import { assertAlmostEquals, assertEquals } from "@std/assert";
import { archetype, type JointDef, jointDef } from "../../../../shared/physics/core/types.ts";
import { type Entity, type Joint, Stage } from "../../../../shared/physics/stage/stage.ts";
import { FEATURES } from "../scenes/features.ts";

const DOCUMENT = new URL("../../../../docs/archetypes_and_fields.md", import.meta.url);
const RATES = [[20, 2], [60, 1], [20, 8], [60, 8]] as const;
type Rate = typeof RATES[number];

const BALL = archetype({
  name: "ball",
  body: { fixtures: [{ shape: { circle: 0.1 } }], allowSleep: false },
  fields: {},
});
const PIN = jointDef({ name: "pin", type: "revolute", fields: {} });
const ROD = jointDef({ name: "rod", type: "distance", fields: {} });
const ROPE = jointDef({ name: "rope", type: "rope", fields: {} });
type Kind = JointDef<Record<never, never>>;

/** A ball at (x, 0) that is joined to the origin. */
class Swing {
  readonly stage: Stage;
  readonly ball: Entity;
  readonly joint: Joint;
  readonly #tickHz: number;

  constructor(
    [tickHz, substeps]: Rate,
    kind: Kind,
    { gravity = 0, x, vy = 0, length = x }: {
      gravity?: number;
      x: number;
      vy?: number;
      length?: number;
    },
  ) {
    this.#tickHz = tickHz;
    this.stage = new Stage({
      gravity,
      tickHz,
      substeps,
      features: FEATURES,
      ground: [],
      archetypes: [BALL],
      joints: [kind],
      fields: {},
    });
    this.ball = this.stage.spawn(BALL, { x, y: 0, vy });
    const at = kind === PIN ? { x: 0, y: 0 } : { x: 0, y: 0, bx: x, by: 0, length };
    this.joint = this.stage.joints.add(kind, this.stage.ground, this.ball, at);
  }

  /** @param rules called before each tick, with its length in seconds */
  run(seconds: number, rules: (tickS: number) => void = () => {}): this {
    for (let tick = 0; tick < seconds * this.#tickHz; tick++) {
      rules(1 / this.#tickHz);
      this.stage.advance();
      this.stage.endTick();
    }
    return this;
  }

  get speed(): number {
    return Math.sqrt(this.ball.vx ** 2 + this.ball.vy ** 2);
  }

  /** For each kilogram, m²/s. */
  get angularMomentum(): number {
    return this.ball.x * this.ball.vy - this.ball.y * this.ball.vx;
  }
}

function springOf(frequencyHz: number, dampingRatio: number): Kind {
  return jointDef({
    name: "spring",
    type: "distance",
    spring: { frequencyHz, dampingRatio },
    fields: {},
  });
}

/**
 * The share of a spring's amplitude that is left: √(potential + kinetic energy), in units of the
 * first.
 */
function springLeft(rate: Rate, frequencyHz: number, seconds: number, dampingRatio = 0): number {
  const w = 2 * Math.PI * frequencyHz;
  const { ball } = new Swing(rate, springOf(frequencyHz, dampingRatio), { x: 2.5, length: 2 })
    .run(seconds);
  return Math.sqrt((ball.x - 2) ** 2 + (ball.vx / w) ** 2) / 0.5;
}

function pendulumLeft(rate: Rate, kind: Kind): number {
  const gravity = 10;
  const length = 2;
  const { ball, speed } = new Swing(rate, kind, { gravity, x: length }).run(60);
  const turning = kind === PIN ? ball.inertia * ball.spin ** 2 / ball.mass / 2 : 0;
  return (speed ** 2 / 2 + turning + gravity * (ball.y + length)) / (gravity * length);
}

function circlingLeft(rate: Rate, length: number, vy: number, seconds: number): number {
  return new Swing(rate, ROPE, { x: length, vy }).run(seconds).speed / vy;
}

/** @param scales whether the rules multiply the velocity by old / new length */
function drawnInLeft(rate: Rate, scales: boolean): number {
  const swing = new Swing(rate, ROPE, { x: 5, vy: 5 });
  const { stage, ball, joint, angularMomentum } = swing;
  swing.run(2.5, (tickS) => {
    const before = joint.length;
    stage.joints.setLength(joint, Math.max(2.5, before - tickS));
    if (scales) {
      stage.setVelocity(ball, ball.vx * before / joint.length, ball.vy * before / joint.length);
    }
  });
  assertAlmostEquals(Math.sqrt(ball.x ** 2 + ball.y ** 2), 2.5, 0.01);
  return swing.angularMomentum / angularMomentum;
}

/** By the first column of the table. */
const MEASURES: Readonly<Record<string, (rate: Rate) => number>> = {
  "spring of 0.5 Hz without damping, 10 s": (rate) => springLeft(rate, 0.5, 10),
  "spring of 1 Hz, 10 s": (rate) => springLeft(rate, 1, 10),
  "spring of 2 Hz, 10 s": (rate) => springLeft(rate, 2, 10),
  "spring of 4 Hz, 10 s": (rate) => springLeft(rate, 4, 10),
  "spring of 4 Hz, 1 s": (rate) => springLeft(rate, 4, 1),
  "pendulum of 2 m from 90°, 60 s": (rate) => pendulumLeft(rate, PIN),
  "ball on a rope of 5 m at 5 m/s, 10 s": (rate) => circlingLeft(rate, 5, 5, 10),
  "that rope drawn in to 2.5 m in 2.5 s": (rate) => drawnInLeft(rate, false),
  "the same, and the rules scale its speed": (rate) => drawnInLeft(rate, true),
};

Deno.test("docs: the table of what springs, pendulums and ropes keep has the stage's figures, in per cent (SPEC 9.78)", async () => {
  const text = await Deno.readTextFile(DOCUMENT);
  assertEquals(/\|\s*20×2 \|\s*60×1 \|\s*20×8 \|\s*60×8 \|/.test(text), true);
  for (const [what, measure] of Object.entries(MEASURES)) {
    const row = text.split("\n").find((line) => line.startsWith(`| ${what} `));
    const figures = row?.split("|").slice(3, 7).map((cell) => cell.trim());
    assertEquals(figures, RATES.map((rate) => `${(100 * measure(rate)).toFixed(0)} %`), what);
  }
});

Deno.test("joints: a spring loses by implicit integration what the formula says, with and without damping (SPEC 9.78)", () => {
  for (const rate of RATES) {
    const h = 1 / (rate[0] * rate[1]);
    for (const frequencyHz of [0.5, 1, 2]) {
      for (const ratio of [0, 0.1, 0.5]) {
        // The area between two motions shrinks by the square of the amplitude, at every moment of
        // the period.
        const kind = springOf(frequencyHz, ratio);
        const [one, other] = [2.5, 2].map((x) => new Swing(rate, kind, { x, length: 2 }));
        other!.stage.setVelocity(other!.ball, 1, 0);
        for (const each of [one!, other!]) each.run(1);
        const area = (one!.ball.x - 2) * other!.ball.vx - (other!.ball.x - 2) * one!.ball.vx;
        const w = 2 * Math.PI * frequencyHz;
        const expected = (1 + 2 * ratio * w * h + (w * h) ** 2) ** (-1 / h);
        assertAlmostEquals(area / 0.5 / expected, 1, 0.005, `${rate}, ${frequencyHz} Hz, ${ratio}`);
      }
    }
  }
});

Deno.test("joints: what circles on a rope, a rod or a pin loses speed as the formula says, and pendulums alike (SPEC 9.78)", () => {
  for (const rate of RATES) {
    const h = 1 / (rate[0] * rate[1]);
    for (const [length, speed, seconds] of [[5, 5, 10], [2.5, 5, 10], [2, 2, 20]] as const) {
      const expected = 1 / Math.sqrt(1 + h * seconds * (speed / length) ** 2);
      assertAlmostEquals(
        circlingLeft(rate, length, speed, seconds),
        expected,
        0.002,
        `${rate} ${length}`,
      );
    }
    const left = pendulumLeft(rate, ROPE);
    for (const kind of [PIN, ROD]) assertAlmostEquals(pendulumLeft(rate, kind), left, 0.01);
  }
});
