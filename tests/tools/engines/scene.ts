/**
 * A scene as every engine can build it: fixed ground, bodies of circles and boxes, and pins. The
 * measures describe their scenes in these terms, so that all engines simulate the same thing.
 */

/** The engines that are measured. */
export const ENGINE_NAMES = ["stage", "planck", "box2dWasm", "rapier"] as const;
export type EngineName = typeof ENGINE_NAMES[number];

/** One solid part in its body's frame. Metres, kg/m², radians. */
export interface Part {
  readonly shape:
    | { readonly circle: number }
    | {
      readonly box: readonly [halfWidth: number, halfHeight: number];
      readonly x?: number;
      readonly y?: number;
      readonly angle?: number;
    }
    | ChainPart;
  /** Default 1. */
  readonly density?: number;
  /** Default 0.6. */
  readonly friction?: number;
  /** Default 0. A pair has the larger of both. */
  readonly restitution?: number;
}

/**
 * Segments from point to point. Bodies are on the left of its direction: Box2D's chains are solid
 * from one side.
 */
export interface ChainPart {
  readonly chain: readonly (readonly [x: number, y: number])[];
  readonly loop?: boolean;
}

/** One body with its initial motion. */
export interface BodySpec {
  readonly parts: readonly Part[];
  readonly x: number;
  readonly y: number;
  readonly angle?: number;
  readonly vx?: number;
  readonly vy?: number;
  /** Excludes tunnelling through other dynamic bodies, too. */
  readonly bullet?: boolean;
  /** rad/s: the body is kinematic and turns at this rate. */
  readonly turning?: number;
}

/**
 * A point at which two bodies are held together. A body is its index in the scene; -1 is the
 * ground.
 */
export interface Pin {
  readonly a: number;
  readonly b: number;
  readonly x: number;
  readonly y: number;
  /** Radians: how far b may turn against a, from its first angle. Default: any angle. */
  readonly limits?: PinLimits;
}

export interface PinLimits {
  readonly lower: number;
  readonly upper: number;
}

export interface Scene {
  /** m/s², downwards positive. */
  readonly gravity: number;
  readonly ground: readonly Part[];
  readonly bodies: readonly BodySpec[];
  readonly pins?: readonly Pin[];
  /** Restitution of every body against the ground. Only the stage can declare it by pair. */
  readonly groundPairRestitution?: number;
}

/** Ticks per second and world steps per tick. */
export interface Rate {
  readonly tickHz: number;
  readonly substeps: number;
  /** Solver steps in a world step, of the stage alone. Default 1. */
  readonly solverSteps?: number;
}

export const RATES: readonly Rate[] = [{ tickHz: 20, substeps: 2 }, { tickHz: 60, substeps: 1 }];
/** The same for what must hold at every length of step: 50, 25, 17 and 2 ms. */
export const STEP_RATES: readonly Rate[] = [
  { tickHz: 20, substeps: 1 },
  { tickHz: 20, substeps: 2 },
  { tickHz: 60, substeps: 1 },
  { tickHz: 60, substeps: 8 },
];

/** Place and motion of a body's origin: metres, radians, m/s. */
export interface Motion {
  readonly x: number;
  readonly y: number;
  readonly angle: number;
  readonly vx: number;
  readonly vy: number;
}

/** A scene in one engine. */
export interface World {
  /** Advances by one tick. */
  tick(): void;
  /** @param body its index in the scene */
  motionOf(body: number): Motion;
  isAwake(body: number): boolean;
  /** The number of pairs of parts that touch. */
  countContacts(): number;
  /** Frees what the garbage collector does not. */
  free(): void;
}

export interface Engine {
  build(scene: Scene, rate: Rate): World;
  /** How many integrations the engine makes in one world step. */
  readonly integrations: number;
  /** Whether a pair of fixtures can have a restitution of its own. */
  readonly hasPairRestitution: boolean;
}

/**
 * @returns the names of the scene's joined pairs' bodies as the engine's own, by index; -1 is the
 *   ground
 */
export function bodyOf<Body>(bodies: readonly Body[], ground: Body, index: number): Body {
  return index < 0 ? ground : bodies[index]!;
}

/** Kilograms: the mass of a body. */
export function massOf({ parts }: BodySpec): number {
  let mass = 0;
  for (const { shape, density = 1 } of parts) {
    if ("chain" in shape) continue;
    mass += density *
      ("circle" in shape ? Math.PI * shape.circle ** 2 : 4 * shape.box[0] * shape.box[1]);
  }
  return mass;
}
