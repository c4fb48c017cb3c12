/**
 * The scene's rounded shapes and its rolling resistance. A pen between capsules holds bullets that
 * are capsules, cushions with an arm that is switched on and off, and marbles that stop on a slope.
 * One more pill is in the barrel, so that a rounded shape meets a chain.
 */
import { archetype, type FixtureDef } from "../../../../shared/physics/core/types.ts";
import type { Stage } from "../../../../shared/physics/stage/stage.ts";

/** The lowest place of the pen's floor, and a place above it where nothing lies. */
const LOW_X = -17;
const LOW_Y = 11.6;
const HIGH_Y = 15;
/** What is farther away than this from `LOW_X` has left the pen. */
const PEN_HALF_WIDTH = 3.2;

/** The right slope is 0.1: the marbles' resistance holds them there, and not on the left one. */
export const ROUND_GROUND: readonly FixtureDef[] = [
  { shape: { capsule: [LOW_X - 2.5, LOW_Y + 0.7, LOW_X, LOW_Y], radius: 0.2 } },
  { shape: { capsule: [LOW_X, LOW_Y, LOW_X + 3, LOW_Y + 0.3], radius: 0.2 } },
  { shape: { box: [0.1, 1.2], x: LOW_X + 3.2, y: LOW_Y + 1.4, radius: 0.2 }, restitution: 0.3 },
];

export const PILL = archetype({
  name: "pill",
  body: {
    fixtures: [{ shape: { capsule: [-0.3, 0, 0.3, 0.1], radius: 0.2 }, restitution: 0.2 }],
    bullet: true,
  },
  fields: { felt: "u16" },
});

/** The second fixture is its arm. */
export const CUSHION = archetype({
  name: "cushion",
  body: {
    fixtures: [
      { shape: { polygon: [[-0.3, -0.2], [0.3, -0.2], [0, 0.2]], radius: 0.12 } },
      { shape: { capsule: [0.3, 0, 0.7, 0.1], radius: 0.1 }, density: 2 },
    ],
    mutable: ["enabled"],
  },
  fields: { felt: "u16" },
});
const ARM = 1;

export const MARBLE = archetype({
  name: "marble",
  body: { fixtures: [{ shape: { circle: 0.25 }, friction: 1, rollingResistance: 0.15 }] },
  fields: { felt: "u16" },
});
/** All of them, for mutations that are for their contacts alone. */
export const ROUND = [PILL, CUSHION, MARBLE] as const;

/** Sums over ticks. The sync test requires each of them to be above 0. */
export interface RoundTally {
  /** Pairs of two of them, each counted twice. */
  roundTouches: number;
  pillsAsleep: number;
  /** Those that sleep on the right slope, where only their resistance holds them. */
  marblesHeld: number;
  armsOff: number;
}

export const NOTHING_ROUND: Readonly<RoundTally> = {
  roundTouches: 0,
  pillsAsleep: 0,
  marblesHeld: 0,
  armsOff: 0,
};

type Draw = (salt: number) => number;

// deno-lint-ignore no-explicit-any
type AnyStage = Stage<any>;

/** @param barrel where one more pill begins */
export function startRound(stage: AnyStage, barrel: { readonly x: number; readonly y: number }) {
  for (let i = 0; i < 2; i++) {
    stage.spawn(PILL, { x: LOW_X - 1.5 + i, y: 13.5, angle: i });
    stage.spawn(CUSHION, { x: LOW_X + i, y: 14.5, spin: i });
    stage.spawn(MARBLE, { x: LOW_X + 1 + i, y: 13, vx: -i });
  }
  stage.spawn(PILL, { x: barrel.x, y: barrel.y });
}

/** Before `advance`: kicks them, and brings back those that have left the pen. */
export function stepRound(stage: AnyStage, draw: Draw): void {
  for (const kind of ROUND) {
    for (const body of stage.all(kind)) {
      const choice = draw(body.id + 8_000);
      const side = (choice >>> 8) % 2 === 0 ? 1 : -1;
      if (choice % 113 === 0) stage.setVelocity(body, 25 * side, (choice >>> 12) % 5);
      else if (choice % 61 === 1) stage.setSpin(body, side * ((choice >>> 12) % 12));
      else if (choice % 79 === 2) stage.applyImpulse(body, 0.3 * side, 0.8);
      if (kind === CUSHION && choice % 47 === 3) {
        stage.properties.set(body, { enabled: side > 0 }, ARM);
      }
      const isInBarrel = body.x > 14 && body.y > 10;
      const isInPen = body.y > LOW_Y - 1 && Math.abs(body.x - LOW_X) < PEN_HALF_WIDTH;
      if (!isInBarrel && !isInPen && choice % 10 === 4) {
        stage.teleport(body, LOW_X + (choice >>> 8) % 3 - 1, HIGH_Y, choice % 7);
      }
    }
  }
}

/** After `advance`: counts what they touch. */
export function countRound(stage: AnyStage): void {
  for (const { a, b, began } of stage.contactEvents) {
    for (const one of [a, b]) {
      if (began && isRound(one.archetype)) one.fields["felt"] = one.fields["felt"]! + 1 & 0xffff;
    }
  }
}

/** Adds one tick. */
export function tallyRound(stage: AnyStage, tally: RoundTally): void {
  for (const kind of ROUND) {
    for (const body of stage.all(kind)) {
      tally.roundTouches += stage.touchingNow(body).filter((other) => isRound(other.archetype))
        .length;
    }
  }
  tally.pillsAsleep += stage.all(PILL).filter(({ awake }) => !awake).length;
  tally.marblesHeld +=
    stage.all(MARBLE).filter(({ awake, x, y }) =>
      !awake && y > LOW_Y && x > LOW_X + 0.5 && x < LOW_X + 2.5
    ).length;
  tally.armsOff +=
    stage.all(CUSHION).filter((cushion) => !stage.properties.get(cushion, "enabled", ARM)).length;
}

function isRound(kind: { readonly name: string }): boolean {
  return ROUND.some(({ name }) => name === kind.name);
}
