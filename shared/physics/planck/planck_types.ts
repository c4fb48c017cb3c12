/**
 * Types for what planck 1.5.0 hides and an exact stage must read and write. The names with `m_`, `c_` and `s_` are planck's own,
 * missing from its declarations; what is marked "Ours" is set by the stage on planck's objects.
 */
import type { BodyRow, BodyRows } from "../core/body_rows.ts";

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
}

export interface PlanckPolygon {
  readonly m_type: "polygon";
  readonly m_radius: number;
  readonly m_count: number;
  readonly m_vertices: readonly Vector[];
  readonly m_normals: readonly Vector[];
  readonly m_centroid: Vector;
  /** Ours: the same in flat numbers, once somebody has asked for them. */
  corners: Float64Array | undefined;
  /** Ours: the box that it is, empty where it is none, once somebody has asked. */
  box: Float64Array | undefined;
}

/** What planck hides of a shape. */
export type PlanckShape =
  & PlanckShapeBase
  & (
    | { readonly m_type: "circle"; readonly m_p: Vector }
    | PlanckPolygon
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
  /** Ours: what projectiles meet of it. */
  m_userData: unknown;
  readonly m_body: PlanckBody;
  readonly m_shape: PlanckShape;
  /** One for every shape that is used here. */
  readonly m_proxies: readonly [PlanckProxy];
  readonly m_isSensor: boolean;
  readonly m_restitution: number;
  readonly m_filterCategoryBits: number;
  readonly m_filterMaskBits: number;
  readonly m_next: PlanckFixture | null;
  /** Ours: solid only for what comes down on it. */
  oneWay: boolean;
}

export interface PlanckContactEdge {
  readonly other: PlanckBody;
  readonly contact: PlanckContact;
  next: PlanckContactEdge | null;
  prev: PlanckContactEdge | null;
}

/** What planck hides of a body. Its numbers stand in its row: planck's own are accessors onto that, for planck and its joints. */
export interface PlanckBody extends BodyRow {
  /** Ours: the entity that it is the body of. */
  m_userData: unknown;
  readonly m_type: "static" | "kinematic" | "dynamic";
  readonly m_xf: PlanckTransform;
  readonly m_sweep: PlanckSweep;
  readonly m_linearVelocity: Vector;
  m_angularVelocity: number;
  /** What planck's joints read and write instead of sweep and velocity while an island is solved. */
  readonly c_position: { readonly c: Vector; a: number };
  readonly c_velocity: { readonly v: Vector; w: number };
  readonly m_activeFlag: boolean;
  readonly m_autoSleepFlag: boolean;
  readonly m_bulletFlag: boolean;
  m_islandFlag: boolean;
  m_awakeFlag: boolean;
  readonly m_fixtureList: PlanckFixture | null;
  m_contactList: PlanckContactEdge | null;
  m_jointList: PlanckJointEdge | null;
  m_next: PlanckBody | null;
  m_prev: PlanckBody | null;
  createFixture(def: object): PlanckFixture;
  synchronizeTransform(): void;
  /** Called by planck where a time of impact moved it; ours replaces planck's. */
  synchronizeFixtures(): void;
  setAwake(awake: boolean): void;
  isDynamic(): boolean;
  /** Whether joints and types let the two collide. */
  shouldCollide(other: PlanckBody): boolean;
  /** Ours: the rows of all bodies in its world, and its own. */
  values: Float64Array;
  offset: number;
  /** Ours: it went farther in this world step than a slow one. */
  isFast: boolean;
  /** Ours: its proxies' boxes are those of where it is, not of where it has been, too. */
  aabbIsCurrent: boolean;
  /** Ours: of a body with one fixture its shape and its proxy's id: what a step needs of it, without a look at the fixture. */
  onlyShape: PlanckShape | undefined;
  onlyProxy: number;
  /** Ours: the newest of this tick's touches with a body of a smaller id. */
  newestContactEvent: object | undefined;
}

/** What planck hides of every joint. */
export interface PlanckJoint {
  /** Ours: the record of this joint. */
  m_userData: unknown;
  readonly m_edgeA: PlanckJointEdge;
  readonly m_edgeB: PlanckJointEdge;
  readonly m_localAnchorA: Vector;
  readonly m_localAnchorB: Vector;
  m_islandFlag: boolean;
  m_prev: PlanckJoint | null;
  m_next: PlanckJoint | null;
  initVelocityConstraints(step: PlanckStep): void;
  solveVelocityConstraints(step: PlanckStep): void;
  /** @returns whether it holds closely enough */
  solvePositionConstraints(step: PlanckStep): boolean;
}

export interface PlanckJointEdge {
  readonly joint: PlanckJoint;
  readonly other: PlanckBody;
  next: PlanckJointEdge | null;
  prev: PlanckJointEdge | null;
}

/** How a world step is to be made. */
export interface PlanckStep {
  /** Seconds. */
  readonly dt: number;
  /** This step's length over the last one's. */
  readonly dtRatio: number;
  velocityIterations: number;
  positionIterations: number;
  warmStarting: boolean;
  blockSolve: boolean;
  reset(seconds: number): void;
}

export interface PlanckManifoldPoint {
  readonly localPoint: Vector;
  normalImpulse: number;
  tangentImpulse: number;
  readonly id: {
    /** Of all four below. */
    readonly key: number;
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
  readonly m_indexA: number;
  readonly m_indexB: number;
  /** Fills the manifold from two poses. */
  readonly m_evaluateFcn: (
    into: PlanckManifold,
    transformA: PlanckTransform,
    fixtureA: PlanckFixture,
    childA: number,
    transformB: PlanckTransform,
    fixtureB: PlanckFixture,
    childB: number,
  ) => void;
  readonly m_nodeA: PlanckContactEdge;
  readonly m_nodeB: PlanckContactEdge;
  readonly m_manifold: PlanckManifold;
  m_prev: PlanckContact | null;
  m_next: PlanckContact | null;
  m_enabledFlag: boolean;
  m_touchingFlag: boolean;
  readonly m_friction: number;
  m_restitution: number;
  m_islandFlag: boolean;
  m_filterFlag: boolean;
  m_toiFlag: boolean;
  m_toiCount: number;
  m_toi: number;
  update(listener: PlanckWorld): void;
  /** Ours: its manifold (`manifold_rows.ts`); planck's own is filled where planck needs it. */
  manifold: number[];
  /** Ours: what this tick's log says of its pair. */
  contactEvent: object | undefined;
  /** Ours: the smaller and the larger of its proxies' keys. */
  lowKey: number;
  highKey: number;
  /** Ours: which of its fixtures are one-way, as bits; 0 where none is. */
  oneWaySides: number;
  /** Ours: not solid until the two part; decided when they began to touch. */
  oneWayIgnored: boolean;
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
  /** Ours: the rows of its bodies. */
  readonly bodies: BodyRows;
  m_broadPhase: PlanckBroadPhase;
  m_contactList: PlanckContact | null;
  m_contactCount: number;
  m_bodyList: PlanckBody | null;
  /** Makes the next step look for new contacts before anything else. */
  m_newFixture: boolean;
  m_locked: boolean;
  readonly m_gravity: Vector;
  m_jointList: PlanckJoint | null;
  readonly m_continuousPhysics: boolean;
  /** False within a step whose times of impact are not all solved. */
  m_stepComplete: boolean;
  readonly m_solver: { solveWorldTOI(step: PlanckStep): void };
  readonly s_step: PlanckStep;
  /** Puts a new one first in the list. */
  _addBody(body: PlanckBody): void;
  destroyBody(body: PlanckBody): void;
  createJoint(joint: PlanckJoint): void;
  destroyJoint(joint: PlanckJoint): void;
  createContact(a: PlanckProxy, b: PlanckProxy): void;
  destroyContact(contact: PlanckContact): void;
  findNewContacts(): void;
  beginContact(contact: PlanckContact): void;
  endContact(contact: PlanckContact): void;
  preSolve(contact: PlanckContact): void;
  postSolve(contact: PlanckContact): void;
}
