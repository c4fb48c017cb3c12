/**
 * The crowds: scenes of 190 to 1,000 bodies, which every engine builds from the same description.
 */
import { hashOf } from "../../../../../shared/random.ts";
import {
  type BodySpec,
  type Part,
  type Pin,
  type PinLimits,
  type Rate,
  type Scene,
} from "../../../engines/scene.ts";
import { tumbler } from "../../../quality/measures/moving.ts";
import { FLOOR, pyramid } from "../../../quality/measures/standing.ts";

const GRAVITY = 10;

export const RATE: Rate = { tickHz: 60, substeps: 1 };

/** A scene, and which of its ticks are timed. */
export interface Crowd {
  readonly scene: Scene;
  /** How many ticks precede the timed ones, until the bodies meet or all of them sleep. */
  readonly leadTicks: number;
  /** A multiple of `BLOCK_TICKS`. No engine lets a body fall asleep or wake up meanwhile. */
  readonly timedTicks: number;
  readonly isAsleep?: boolean;
}

/** How many ticks one engine runs before it is the next one's turn. */
export const BLOCK_TICKS = 20;

/** A floor at y = 0 between two high walls, with its middle at x = 0. */
function pit(halfWidth: number): Part[] {
  const wall = (x: number): Part => ({ shape: { box: [0.5, 60], x, y: 59 } });
  return [
    { shape: { box: [halfWidth + 1, 0.5], y: -0.5 } },
    wall(-halfWidth - 0.5),
    wall(halfWidth + 0.5),
  ];
}

/** Circles in rows that are slightly out of line, so that none balances on another. */
function circles(columns: number, rows: number): BodySpec[] {
  const radius = 0.4;
  const pitch = 2 * radius + 0.03;
  return Array.from({ length: columns * rows }, (_, i) => ({
    parts: [{ shape: { circle: radius } }],
    x: (i % columns - (columns - 1) / 2) * pitch + (hashOf(3, i) % 100 / 100 - 0.5) * 0.02,
    y: (Math.floor(i / columns) + 0.5) * pitch,
  }));
}

/** A ragdoll's limb: half sizes or a radius, and its place relative to the hip's. */
interface Limb {
  readonly shape: Part["shape"];
  readonly x: number;
  readonly y: number;
  /** The pin: the index of the limb that holds this one, the place, and how far it turns. */
  readonly pin?: {
    readonly to: number;
    readonly x: number;
    readonly y: number;
    readonly limits: PinLimits;
  };
}

const SHOULDER: PinLimits = { lower: -1.5, upper: 1.5 };
const HIP: PinLimits = { lower: -1, upper: 1 };
const BEND_LEFT: PinLimits = { lower: -2, upper: 0 };
const BEND_RIGHT: PinLimits = { lower: 0, upper: 2 };

/** Trunk, head, and two parts for each arm and leg: ten bodies and nine pins. */
const RAGDOLL: readonly Limb[] = [
  { shape: { box: [0.2, 0.35] }, x: 0, y: 0.35 },
  {
    shape: { circle: 0.18 },
    x: 0,
    y: 0.9,
    pin: { to: 0, x: 0, y: 0.7, limits: { lower: -0.5, upper: 0.5 } },
  },
  {
    shape: { box: [0.2, 0.07] },
    x: -0.4,
    y: 0.6,
    pin: { to: 0, x: -0.2, y: 0.6, limits: SHOULDER },
  },
  {
    shape: { box: [0.2, 0.06] },
    x: -0.8,
    y: 0.6,
    pin: { to: 2, x: -0.6, y: 0.6, limits: BEND_LEFT },
  },
  { shape: { box: [0.2, 0.07] }, x: 0.4, y: 0.6, pin: { to: 0, x: 0.2, y: 0.6, limits: SHOULDER } },
  {
    shape: { box: [0.2, 0.06] },
    x: 0.8,
    y: 0.6,
    pin: { to: 4, x: 0.6, y: 0.6, limits: BEND_RIGHT },
  },
  { shape: { box: [0.09, 0.22] }, x: -0.11, y: -0.22, pin: { to: 0, x: -0.11, y: 0, limits: HIP } },
  {
    shape: { box: [0.08, 0.22] },
    x: -0.11,
    y: -0.66,
    pin: { to: 6, x: -0.11, y: -0.44, limits: BEND_LEFT },
  },
  { shape: { box: [0.09, 0.22] }, x: 0.11, y: -0.22, pin: { to: 0, x: 0.11, y: 0, limits: HIP } },
  {
    shape: { box: [0.08, 0.22] },
    x: 0.11,
    y: -0.66,
    pin: { to: 8, x: 0.11, y: -0.44, limits: BEND_RIGHT },
  },
];

function ragdolls(columns: number, rows: number): Scene {
  const bodies: BodySpec[] = [];
  const pins: Pin[] = [];
  for (let i = 0; i < columns * rows; i++) {
    const row = Math.floor(i / columns);
    const first = bodies.length;
    // Each row is shifted by half a place against the one below.
    const hipX = (i % columns - (columns - 1) / 2 + (row % 2 - 0.5) / 2) * 2.05;
    const hipY = 0.9 + row * 2;
    for (const { shape, x, y, pin } of RAGDOLL) {
      if (pin !== undefined) {
        const { to, limits } = pin;
        pins.push({ a: first + to, b: bodies.length, x: hipX + pin.x, y: hipY + pin.y, limits });
      }
      bodies.push({ parts: [{ shape }], x: hipX + x, y: hipY + y });
    }
  }
  return { gravity: GRAVITY, ground: pit(columns * 1.025 + 1), bodies, pins };
}

/** Crates in stacks that do not touch, so that each stack is an island. */
function stacks(count: number, rows: number): BodySpec[] {
  const half = 0.4;
  return Array.from({ length: count * rows }, (_, i) => ({
    parts: [{ shape: { box: [half, half] as const } }],
    x: (Math.floor(i / rows) - (count - 1) / 2) * 1.5,
    y: half + (i % rows) * 2 * half,
  }));
}

export const CROWDS = {
  pit500: {
    scene: { gravity: GRAVITY, ground: pit(8.5), bodies: circles(20, 25) },
    leadTicks: 20,
    timedTicks: 100,
  },
  pyramid190: {
    scene: { gravity: GRAVITY, ground: FLOOR, bodies: pyramid(19) },
    leadTicks: 0,
    timedTicks: 60,
  },
  tumbler300: {
    scene: tumbler({ half: 6, columns: 20, rows: 15 }),
    leadTicks: 20,
    timedTicks: 100,
  },
  ragdolls100: { scene: ragdolls(10, 10), leadTicks: 60, timedTicks: 80 },
  asleep1000: {
    scene: { gravity: GRAVITY, ground: pit(400), bodies: stacks(250, 4) },
    leadTicks: 60,
    timedTicks: 200,
    isAsleep: true,
  },
} satisfies Readonly<Record<string, Crowd>>;

export type CrowdName = keyof typeof CROWDS;
export const CROWD_NAMES = Object.keys(CROWDS) as CrowdName[];
