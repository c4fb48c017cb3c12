/**
 * The only door to planck. It loads planck with portable sin, cos and atan2, and gives types to the fields that planck hides
 * and that an exact stage must read and write. The names with `m_` are planck 1.5.0's own.
 */
import "./math_patch.ts";
import { Box, Circle, Edge, Polygon, World, WorldManifold } from "planck";
import "./math_restore.ts";
import { type FixtureDef, type Shape, StageError } from "./types.ts";

export interface Vector {
  x: number;
  y: number;
}

export interface Bounds {
  readonly lowerBound: Vector;
  readonly upperBound: Vector;
}

export interface PlanckTransform {
  readonly p: Vector;
  /** Sine and cosine of the angle. */
  readonly q: { s: number; c: number };
}

/** Where a body is (`c`, `a`) and was when the step began (`c0`, `a0`): its centre of mass and unwrapped angle. */
export interface PlanckSweep {
  readonly localCenter: Vector;
  readonly c: Vector;
  a: number;
  readonly c0: Vector;
  a0: number;
  alpha0: number;
}

interface PlanckShapeBase {
  /** A circle's own; of the others the skin that keeps them apart. */
  readonly m_radius: number;
  computeAABB(into: Bounds, transform: PlanckTransform, child: number): void;
}

/** What planck hides of a shape. */
export type PlanckShape =
  & PlanckShapeBase
  & (
    | { readonly m_type: "circle"; readonly m_p: Vector }
    | { readonly m_type: "polygon"; readonly m_vertices: readonly Vector[]; readonly m_normals: readonly Vector[] }
    | { readonly m_type: "edge"; readonly m_vertex1: Vector; readonly m_vertex2: Vector }
  );

/** What `createFixture` takes. */
export interface PlanckFixtureDef {
  readonly shape: PlanckShape;
}

export interface PlanckProxy {
  readonly aabb: Bounds;
  readonly fixture: PlanckFixture;
  readonly proxyId: number;
  /** Ours: entity id * 256 + fixture index. */
  key: number;
}

export interface PlanckFixture {
  /** Ours: what casts meet of it. */
  m_userData: unknown;
  readonly m_body: PlanckBody;
  readonly m_shape: PlanckShape;
  /** One for every shape that is used here. */
  readonly m_proxies: readonly [PlanckProxy];
  readonly m_isSensor: boolean;
  readonly m_restitution: number;
  readonly m_filterCategoryBits: number;
  readonly m_filterMaskBits: number;
  /** Ours: solid only for what comes down on it. */
  oneWay: boolean;
}

export interface PlanckContactEdge {
  readonly contact: PlanckContact;
  next: PlanckContactEdge | null;
  prev: PlanckContactEdge | null;
}

/** What planck hides of a body. */
export interface PlanckBody {
  /** Ours: the actor that it is the body of. */
  m_userData: unknown;
  readonly m_xf: PlanckTransform;
  readonly m_sweep: PlanckSweep;
  readonly m_linearVelocity: Vector;
  m_angularVelocity: number;
  m_awakeFlag: boolean;
  m_sleepTime: number;
  /** 1/kg and 1/(kg m²); 0 for what nothing moves or turns. */
  readonly m_invMass: number;
  readonly m_invI: number;
  readonly m_force: Vector;
  m_torque: number;
  m_contactList: PlanckContactEdge | null;
  m_next: PlanckBody | null;
  m_prev: PlanckBody | null;
  createFixture(def: object): PlanckFixture;
  synchronizeTransform(): void;
  setAwake(awake: boolean): void;
}

export interface PlanckManifoldPoint {
  readonly localPoint: Vector;
  normalImpulse: number;
  tangentImpulse: number;
  readonly id: {
    readonly indexA: number;
    readonly indexB: number;
    readonly typeA: number;
    readonly typeB: number;
    setFeatures(indexA: number, typeA: number, indexB: number, typeB: number): void;
  };
}

/** Where two shapes touch, and the impulses that warm the next step. */
export interface PlanckManifold {
  type: number;
  readonly localNormal: Vector;
  readonly localPoint: Vector;
  readonly points: readonly [PlanckManifoldPoint, PlanckManifoldPoint];
  pointCount: number;
  recycle(): void;
}

export interface PlanckWorldManifold {
  /** From fixture A to fixture B. */
  readonly normal: Vector;
  readonly points: readonly [Vector, Vector];
  /** At each point, metres; negative where the two are inside each other. */
  readonly separations: readonly [number, number];
  readonly pointCount: number;
}

/** What planck hides of a contact. */
export interface PlanckContact {
  readonly m_fixtureA: PlanckFixture;
  readonly m_fixtureB: PlanckFixture;
  readonly m_nodeA: PlanckContactEdge;
  readonly m_nodeB: PlanckContactEdge;
  readonly m_manifold: PlanckManifold;
  m_prev: PlanckContact | null;
  m_next: PlanckContact | null;
  m_enabledFlag: boolean;
  m_touchingFlag: boolean;
  m_restitution: number;
  /** Ours: the smaller and the larger of its proxies' keys. */
  lowKey: number;
  highKey: number;
  /** Ours: which of its fixtures are one-way, as bits; 0 where none is. */
  oneWaySides: number;
  /** Ours: not solid until the two part; decided when they began to touch. */
  passing: boolean;
  getWorldManifold(into: PlanckWorldManifold): void;
}

/** What planck asks of a broad-phase. */
export interface PlanckBroadPhase {
  createProxy(bounds: Bounds, proxy: PlanckProxy): number;
  destroyProxy(proxyId: number): void;
  moveProxy(proxyId: number, bounds: Bounds): void;
  testOverlap(proxyIdA: number, proxyIdB: number): boolean;
}

/** What planck hides of a world. */
export interface PlanckWorld {
  m_broadPhase: PlanckBroadPhase;
  m_contactList: PlanckContact | null;
  m_contactCount: number;
  m_bodyList: PlanckBody | null;
  /** Makes the next step look for new contacts before anything else. */
  m_newFixture: boolean;
  m_locked: boolean;
  /** Whether forces end with each world step; they shall last for a tick. */
  m_clearForces: boolean;
  readonly s_step: { readonly dt: number; reset(seconds: number): void };
  createBody(def: object): PlanckBody;
  destroyBody(body: PlanckBody): void;
  createContact(a: PlanckProxy, b: PlanckProxy): void;
  destroyContact(contact: PlanckContact): void;
  step(seconds: number): void;
  findNewContacts(): void;
  beginContact(contact: PlanckContact): void;
  endContact(contact: PlanckContact): void;
  preSolve(contact: PlanckContact): void;
  postSolve(contact: PlanckContact): void;
}

/** Box2D's own advice for its iterations; fewer let stacks creep. */
const VELOCITY_ITERATIONS = 8;
const POSITION_ITERATIONS = 3;
/** planck ignores further vertices in silence. */
const POLYGON_VERTICES_MAX = 12;

const nothing = (): void => {};

/** @param gravity m/s², downwards positive */
export function createWorld(gravity: number): PlanckWorld {
  const options = {
    gravity: { x: 0, y: -gravity },
    allowSleep: true,
    warmStarting: true,
    continuousPhysics: true,
    blockSolve: true,
    velocityIterations: VELOCITY_ITERATIONS,
    positionIterations: POSITION_ITERATIONS,
  };
  const world = new World(options) as unknown as PlanckWorld;
  // planck's own publish to lists of listeners, which nobody here fills
  world.beginContact = nothing;
  world.endContact = nothing;
  world.preSolve = nothing;
  world.postSolve = nothing;
  world.m_clearForces = false;
  return world;
}

/** An empty one, to be filled again and again. */
export function createWorldManifold(): PlanckWorldManifold {
  return new WorldManifold() as unknown as PlanckWorldManifold;
}

/** What `createFixture` takes. Shapes never change, so all bodies of an archetype share theirs. @throws StageError */
export function fixtureDef(def: FixtureDef, defaultDensity: number): PlanckFixtureDef {
  const shape = createShape(def.shape) as unknown as PlanckShape;
  const planck = {
    shape,
    density: def.density ?? defaultDensity,
    friction: def.friction ?? 0.6,
    restitution: def.restitution ?? 0,
    isSensor: def.sensor ?? false,
    filterCategoryBits: def.category ?? 1,
    filterMaskBits: def.mask ?? 0xffff,
  };
  return planck;
}

function createShape(shape: Shape): object {
  if ("circle" in shape) return new Circle({ x: shape.x ?? 0, y: shape.y ?? 0 }, shape.circle);
  if ("box" in shape) {
    return new Box(shape.box[0], shape.box[1], { x: shape.x ?? 0, y: shape.y ?? 0 }, shape.angle ?? 0);
  }
  if ("edge" in shape) {
    const [x1, y1, x2, y2] = shape.edge;
    return new Edge({ x: x1, y: y1 }, { x: x2, y: y2 });
  }
  const corners = shape.polygon.length;
  if (corners < 3 || corners > POLYGON_VERTICES_MAX) {
    throw new StageError(`a polygon of ${corners} corners; 3 to ${POLYGON_VERTICES_MAX} are allowed`);
  }
  return new Polygon(shape.polygon.map(([x, y]) => ({ x, y })));
}
