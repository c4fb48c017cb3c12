/**
 * Closed rooms: random crowds inside walls of chains, edges or boxes, on the stage alone. A seed
 * makes a room, and what leaves it has got through a wall (SPEC 9.26).
 */
import { hashOf, Random } from "../../../../shared/random.ts";
import {
  archetype,
  type FixtureDef,
  type Shape,
  type StageDef,
} from "../../../../shared/physics/core/types.ts";
import { chains } from "../../../../shared/physics/chains/feature.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import { type Rate, STEP_RATES } from "../../engines/scene.ts";

type Point = readonly [x: number, y: number];

/** Seconds that a room runs, and ticks between two kicks of a body. */
const ROOM_S = 3;
const KICK_TICKS = 15;
/** Metres: the inner radius of a room, and the thickness of its boxes. */
const RADIUS_MIN = 2;
const RADIUS_MAX = 6;
const THICKNESS_MIN = 0.02;
const THICKNESS_MAX = 1;
const CORNERS_MIN = 3;
const CORNERS_MAX = 10;
/**
 * Metres between two places of the grid on which bodies begin: none overlaps another one or a wall.
 */
const PITCH = 0.95;
const BODIES_MAX = 40;
const KINDS = 5;
/** m/s. A stage without a declared limit has 2 m in a world step. */
const SPEEDS_MAX = [undefined, undefined, 20, 100, 200, 400];
/** m/s: the speeds of kicks in a calm room, and the greatest of all. */
const CALM_SPEED = 6;
const GRAVITIES = [0, 10, 10, 10, 30];

/** A number between two bounds, evenly on a logarithmic scale. */
function between(random: Random, low: number, high: number): number {
  return low * (high / low) ** random.fraction();
}

/**
 * The corners of a room around the origin, counter-clockwise: a polygon that is a star as seen from
 * there.
 */
function cornersOf(random: Random, radius: number): Point[] {
  const count = CORNERS_MIN + random.below(CORNERS_MAX - CORNERS_MIN + 1);
  const isRegular = random.chance(0.4);
  const turn = random.fraction() * 2 * Math.PI;
  return Array.from({ length: count }, (_, i) => {
    const angle = turn + 2 * Math.PI * (i + (isRegular ? 0 : 0.5 * random.fraction())) / count;
    const far = radius * (isRegular ? 1 : 0.7 + 0.6 * random.fraction());
    return [far * Math.cos(angle), far * Math.sin(angle)];
  });
}

/** A rectangle of boxes. @returns its inner corners, too */
function boxRoom(random: Random, radius: number): { corners: Point[]; ground: FixtureDef[] } {
  const width = radius * (0.6 + 0.6 * random.fraction());
  const height = radius * (0.6 + 0.6 * random.fraction());
  const thickness = between(random, THICKNESS_MIN, THICKNESS_MAX);
  const half = thickness / 2;
  const wall = (x: number, y: number, halfWidth: number, halfHeight: number): FixtureDef => ({
    shape: { box: [halfWidth, halfHeight], x, y },
  });
  return {
    corners: [[-width, -height], [width, -height], [width, height], [-width, height]],
    ground: [
      wall(0, -height - half, width + thickness, half),
      wall(0, height + half, width + thickness, half),
      wall(-width - half, 0, half, height + thickness),
      wall(width + half, 0, half, height + thickness),
    ],
  };
}

function roomOf(random: Random): { corners: Point[]; ground: FixtureDef[] } {
  const radius = between(random, RADIUS_MIN, RADIUS_MAX);
  const kind = random.below(3);
  if (kind === 0) return boxRoom(random, radius);
  const corners = cornersOf(random, radius);
  if (kind === 1) return { corners, ground: [{ shape: { chain: corners, loop: true } }] };
  const ground = corners.map(([x, y], i): FixtureDef => {
    const [toX, toY] = corners[(i + 1) % corners.length]!;
    return { shape: { edge: [x, y, toX, toY] } };
  });
  return { corners, ground };
}

/** Rods, slabs, stones and balls that fit the grid. */
function shapeOf(random: Random): Shape {
  switch (random.below(4)) {
    case 0:
      return { circle: between(random, 0.03, 0.44) };
    case 1:
      return { box: [between(random, 0.15, 0.42), between(random, 0.015, 0.1)] };
    case 2:
      return { box: [between(random, 0.05, 0.3), between(random, 0.05, 0.3)] };
    default: {
      const count = 3 + random.below(6);
      const turn = random.fraction();
      const long = between(random, 0.1, 0.42);
      const wide = long * between(random, 0.2, 1);
      return {
        polygon: Array.from({ length: count }, (_, i): Point => {
          const angle = 2 * Math.PI * (i + turn + 0.4 * random.fraction()) / count;
          return [long * Math.cos(angle), wide * Math.sin(angle)];
        }),
      };
    }
  }
}

function isInside(corners: readonly Point[], x: number, y: number): boolean {
  let inside = false;
  for (let i = 0, k = corners.length - 1; i < corners.length; k = i++) {
    const [xi, yi] = corners[i]!;
    const [xk, yk] = corners[k]!;
    if ((yi > y) !== (yk > y) && x < xi + (y - yi) * (xk - xi) / (yk - yi)) inside = !inside;
  }
  return inside;
}

/** @returns the distance of a place from the nearest wall, metres */
function distanceTo(corners: readonly Point[], x: number, y: number): number {
  let nearest = Infinity;
  for (let i = 0; i < corners.length; i++) {
    const [x1, y1] = corners[i]!;
    const [x2, y2] = corners[(i + 1) % corners.length]!;
    const dx = x2 - x1;
    const dy = y2 - y1;
    const share = Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy)));
    nearest = Math.min(nearest, Math.hypot(x - x1 - share * dx, y - y1 - share * dy));
  }
  return nearest;
}

/**
 * @returns the places of the grid from which half a pitch in any direction is free, in a random
 *   order
 */
function placesOf(random: Random, corners: readonly Point[]): Point[] {
  const places: Point[] = [];
  const reach = Math.max(...corners.map(([x, y]) => Math.hypot(x, y)));
  for (let x = -reach; x <= reach; x += PITCH) {
    for (let y = -reach; y <= reach; y += PITCH) {
      if (isInside(corners, x, y) && distanceTo(corners, x, y) > PITCH / 2 + 0.02) {
        places.push([x, y]);
      }
    }
  }
  for (let i = places.length - 1; i > 0; i--) {
    const k = random.below(i + 1);
    [places[i], places[k]] = [places[k]!, places[i]!];
  }
  return places;
}

/** A body's first motion, or that of a kick. */
interface Motion {
  readonly vx: number;
  readonly vy: number;
  readonly spin: number;
}

/** One closed room. Everything in it follows from its seed, so it can be rolled back. */
export class Room {
  readonly rate: Rate;
  readonly ticks: number;
  readonly stage: Stage;
  readonly #def: StageDef;
  readonly #seed: number;
  readonly #corners: readonly Point[];
  readonly #ids: readonly number[];
  readonly #kickMax: number;
  readonly #spinMax: number;

  constructor(seed: number) {
    const random = new Random(seed);
    const rate = STEP_RATES[random.below(STEP_RATES.length)]!;
    const { corners, ground } = roomOf(random);
    const speedMax = SPEEDS_MAX[random.below(SPEEDS_MAX.length)];
    const fastest = speedMax ?? 2 * rate.tickHz * rate.substeps;
    this.rate = rate;
    this.ticks = ROOM_S * rate.tickHz;
    this.#seed = seed;
    this.#corners = corners;
    this.#kickMax = random.chance(0.4) ? CALM_SPEED : fastest * 0.98;
    this.#spinMax = Math.PI / 2 * rate.tickHz * rate.substeps;

    const restitution = random.chance(0.5) ? 0 : random.fraction();
    const archetypes = Array.from({ length: KINDS }, (_, i) =>
      archetype({
        name: `kind${i}`,
        body: {
          bullet: random.chance(0.2),
          fixtures: [{ shape: shapeOf(random), density: between(random, 0.1, 100), restitution }],
        },
        fields: {},
      }));
    this.#def = {
      gravity: GRAVITIES[random.below(GRAVITIES.length)]!,
      ...rate,
      solverSteps: seed % 2 === 0 ? 4 : 1,
      ...speedMax !== undefined && { speedMax },
      ground: ground.map((fixture) => ({ ...fixture, restitution })),
      archetypes,
      features: [chains],
      fields: {},
    };
    this.stage = this.newStage();
    this.#ids = placesOf(random, corners).slice(0, BODIES_MAX).map(([x, y]) => {
      const angle = (2 * random.fraction() - 1) * Math.PI;
      return this.stage.spawn(archetypes[random.below(KINDS)]!, {
        x,
        y,
        angle,
        ...this.#motion(random),
      }).id;
    });
    this.stage.endTick();
  }

  get bodies(): number {
    return this.#ids.length;
  }

  /** @returns a stage of the same declaration with nothing but the walls */
  newStage(): Stage {
    return new Stage(this.#def);
  }

  /**
   * Runs one tick of a stage in the state of the room.
   * @param tick from 0 on: some bodies are kicked
   */
  step(stage: Stage, tick: number): void {
    this.#ids.forEach((id, i) => {
      if (tick === 0 || (tick + i) % KICK_TICKS !== 0) return;
      const { vx, vy, spin } = this.#motion(new Random(hashOf(this.#seed, tick, i)));
      const entity = stage.get(id)!;
      stage.setVelocity(entity, vx, vy);
      stage.setSpin(entity, spin);
    });
    stage.advance();
    stage.endTick();
  }

  /** @returns the ids of the bodies whose centre of mass is not inside the walls */
  outside(): number[] {
    return this.#ids.filter((id) => {
      const { centerX, centerY } = this.stage.get(id)!;
      return !isInside(this.#corners, centerX, centerY);
    });
  }

  #motion(random: Random): Motion {
    const angle = random.fraction() * 2 * Math.PI;
    const speed = this.#kickMax * Math.sqrt(random.fraction());
    const spin = (2 * random.fraction() - 1) * this.#spinMax;
    return { vx: speed * Math.cos(angle), vy: speed * Math.sin(angle), spin };
  }
}

/** Runs the room of a seed. @returns the number of bodies that were outside at the end of a tick */
export function runRoom(seed: number): number {
  const room = new Room(seed);
  const left = new Set<number>();
  for (let tick = 0; tick < room.ticks; tick++) {
    room.step(room.stage, tick);
    for (const id of room.outside()) left.add(id);
  }
  return left.size;
}
