/**
 * Vectors of predictions: every age, exact halves, the games' gravities and others, and numbers
 * near 2^24.
 */
import { Random } from "../../../../shared/random.ts";
import {
  type ClockCase,
  type ClockRow,
  type MotionCase,
  type MotionQuestion,
  predictClock,
  predictMotion,
} from "../check/predictions.ts";
import type { Motion } from "../meanings/sent_bodies.ts";

/** Ticks per second and world steps per tick. */
const RATES = [[20, 2], [30, 3], [60, 1], [60, 4], [16, 2]] as const;
const GRAVITIES = [0, 896, 179, 640, 1, -640];
const AGES = [...Array.from({ length: 40 }, (_, i) => i + 1), 254, 255, 256, 257, 5000];
const MOTION_MAX = 2 ** 24 - 1;
/** Random rows per rate, besides those of each age. */
const RANDOM_ROWS = 60;
/** Rows per rate with an exact half, and the draws that may find them. */
const HALVES = 40;
const HALF_DRAWS = 5000;

type Rates = Pick<MotionCase, "tickHz" | "worldStepsPerTick">;

/** All cases of `predictions.json`. */
export function predictionCases(): (MotionCase | ClockCase)[] {
  return [
    ...RATES.map(([tickHz, worldStepsPerTick], i) => {
      const rates = { tickHz, worldStepsPerTick };
      const random = new Random(1320 + i);
      const questions = [
        ...questionsOfAges(random),
        ...halves(rates, random),
        ...extremes(),
        ...randomQuestions(random),
      ];
      return {
        about: `${tickHz} ticks of ${worldStepsPerTick} world steps`,
        ...rates,
        rows: questions.map((question) => predictMotion(rates, question)),
      };
    }),
    { about: "fields with clocks", clocks: clockRows() },
  ];
}

/** A whole number with so many bits, of both signs. */
function signedOf(random: Random, bits: number): number {
  return random.below(2 ** bits) * (random.chance(0.5) ? 1 : -1);
}

function motionBy(random: Random, bits: number): Motion {
  const number = () => signedOf(random, bits);
  return [
    signedOf(random, 16),
    signedOf(random, 16),
    number(),
    number(),
    number(),
    signedOf(random, 14),
  ];
}

/** For each age a body that flies, one that falls, and one that does not begin to fall. */
function questionsOfAges(random: Random): MotionQuestion[] {
  return AGES.flatMap((n) =>
    GRAVITIES.slice(0, 4).map((gravity): MotionQuestion => {
      const [x, y, vx, vy, spin, angle] = motionBy(random, 11);
      const velocity = [vx + signedOf(random, 5), vy - 3] as const;
      const isStill = gravity > 0 && n % 5 === 0;
      return [gravity, n, [x, y, vx, isStill ? 0 : vy, spin, angle], [
        velocity[0],
        isStill && n % 2 === 0 ? 0 : velocity[1],
      ]];
    })
  );
}

/** Random rows in which a number lies exactly between two whole ones. Some rates have none. */
function halves({ tickHz: H, worldStepsPerTick: s }: Rates, random: Random): MotionQuestion[] {
  const found: MotionQuestion[] = [];
  for (let draws = 0; draws < HALF_DRAWS && found.length < HALVES; draws++) {
    const gravity = GRAVITIES[random.below(GRAVITIES.length)]!;
    const n = 1 + random.below(12);
    const motion = motionBy(random, 9);
    const [, , vx, vy, spin] = motion;
    const velocity = [signedOf(random, 9), signedOf(random, 9)] as const;
    const ratios: (readonly [a: number, b: number])[] = [
      [4 * vx * n, H],
      [4 * spin * n, H],
      [gravity * n, H],
      [(4 * vy * H * s - 2 * gravity * (n * s + 1)) * n, H * H * s],
      n === 1
        ? [4 * velocity[1] * H * s + 2 * gravity * (s - 1), H * H * s]
        : [2 * (vx + velocity[0]) * n, H],
    ];
    if (ratios.some(([a, b]) => Math.abs(a / b % 1) === 0.5)) {
      found.push([gravity, n, motion, velocity]);
    }
  }

  return found;
}

function extremes(): MotionQuestion[] {
  const all = (value: number): Motion => [value, -value, value, -value, value, -value];
  return [MOTION_MAX, -MOTION_MAX, 2 ** 23 + 1, -(2 ** 23) - 1].flatMap((value) =>
    [1, 2, 10, 255, 256].map((
      n,
      i,
    ): MotionQuestion => [GRAVITIES[i]!, n, all(value), [value, i % 2 === 0 ? -value : value]])
  );
}

function randomQuestions(random: Random): MotionQuestion[] {
  return Array.from({ length: RANDOM_ROWS }, () => {
    const gravity = GRAVITIES[random.below(GRAVITIES.length)]!;
    const n = random.chance(0.5) ? 1 : 1 + random.below(300);
    const bits = 1 + random.below(24);
    return [gravity, n, motionBy(random, bits), [
      signedOf(random, bits),
      random.chance(0.1) ? 0 : signedOf(random, bits),
    ]];
  });
}

function clockRows(): ClockRow[] {
  const values = [
    0,
    1,
    2,
    100,
    253,
    254,
    255,
    256,
    300,
    65_535,
    2 ** 31 - 1,
    2 ** 31,
    2 ** 32 - 2,
    2 ** 32 - 1,
  ];
  return ([-1, 0, 1] as const).flatMap((clock) =>
    values.flatMap((value) =>
      [1, 2, 10, 254, 255, 256, 1000].map((n) => predictClock(clock, value, n))
    )
  );
}
