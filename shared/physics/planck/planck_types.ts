/**
 * Types of planck 1.5.0's objects with their hidden fields, as far as an exact stage reads and writes them. Names with
 * `m_`, `c_` and `s_` are planck's own and missing from its declarations. The stage adds the properties that are marked
 * "Ours".
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

/** Centre of mass and unwrapped angle of a body: now (`c`, `a`) and at the start of the step (`c0`, `a0`). */
export interface PlanckSweep {
  readonly localCenter: Vector;
  readonly c: Vector;
  a: number;
  readonly c0: Vector;
  a0: number;
  alpha0: number;
}

interface PlanckShapeBase {
  /** A circle's radius; the skin of other shapes, b2_polygonRadius. */
  readonly m_radius: number;
}

export interface PlanckPolygon {
  readonly m_type: "polygon";
  readonly m_radius: number;
  readonly m_count: number;
  readonly m_vertices: readonly Vector[];
  readonly m_normals: readonly Vector[];
  readonly m_centroid: Vector;
  /** Ours: the corners as flat numbers, once `collide_polygons.ts` has computed them. */
  corners: Float64Array | undefined;
  /** Ours: the polygon as a box, empty if it is none, once `collide_boxes.ts` has computed it. */
  box: Float64Array | undefined;
}

/** A shape. */
export type PlanckShape =
  & PlanckShapeBase
  & (
    | { readonly m_type: "circle"; readonly m_p: Vector }
    | PlanckPolygon
    | { readonly m_type: "edge"; readonly m_vertex1: Vector; readonly m_vertex2: Vector }
  );

/** The argument of `createFixture`. */
export interface PlanckFixtureDef {
  readonly shape: PlanckShape;
}

export interface PlanckProxy {
  readonly aabb: Bounds;
  readonly fixture: PlanckFixture;
  readonly proxyId: number;
  /** Ours: entity id · 256 + fixture index. */
  key: number;
}

export interface PlanckFixture {
  /** Ours: the fixture's swept shape, which projectiles hit. */
  m_userData: unknown;
  readonly m_body: PlanckBody;
  readonly m_shape: PlanckShape;
  /** Every shape of a stage has one proxy. */
  readonly m_proxies: readonly [PlanckProxy];
  readonly m_isSensor: boolean;
  readonly m_restitution: number;
  readonly m_filterCategoryBits: number;
  readonly m_filterMaskBits: number;
  readonly m_next: PlanckFixture | null;
  /** Ours: solid only for bodies that come down on it. */
  oneWay: boolean;
}

export interface PlanckContactEdge {
  readonly other: PlanckBody;
  readonly contact: PlanckContact;
  next: PlanckContactEdge | null;
  prev: PlanckContactEdge | null;
}

/** A body. Its numbers are in its row; planck's properties are accessors onto the row, for planck and its joints. */
export interface PlanckBody extends BodyRow {
  /** Ours: the record of the body's entity. */
  m_userData: unknown;
  readonly m_type: "static" | "kinematic" | "dynamic";
  readonly m_xf: PlanckTransform;
  readonly m_sweep: PlanckSweep;
  readonly m_linearVelocity: Vector;
  m_angularVelocity: number;
  /** Position and velocity that planck's joints read and write while an island is solved. */
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
  /** planck calls it after a time of impact has moved the body. The stage replaces it. */
  synchronizeFixtures(): void;
  setAwake(awake: boolean): void;
  isDynamic(): boolean;
  /** Whether the joints and types of both bodies allow a contact. */
  shouldCollide(other: PlanckBody): boolean;
  /** Ours: the rows of all bodies in its world, and the offset of its own row. */
  values: Float64Array;
  offset: number;
  /** Ours: whether it moved farther in this world step than a slow body. */
  isFast: boolean;
  /** Ours: whether it moved so far in this world step that it may have an impact. */
  hasMoved: boolean;
  /** Ours: whether its AABBs enclose the present pose alone, and not a swept motion. */
  aabbIsCurrent: boolean;
  /** Ours: shape and proxy id of an only fixture, copied for speed; undefined and −1 if there are several. */
  onlyShape: PlanckShape | undefined;
  onlyProxy: number;
  /** Ours: the newest contact event of this tick with a body of a smaller id. */
  newestContactEvent: object | undefined;
}

/** The common part of all joints. */
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
  /** @returns whether the error is within planck's tolerances */
  solvePositionConstraints(step: PlanckStep): boolean;
}

export interface PlanckJointEdge {
  readonly joint: PlanckJoint;
  readonly other: PlanckBody;
  next: PlanckJointEdge | null;
  prev: PlanckJointEdge | null;
}

/** The parameters of a world step. */
export interface PlanckStep {
  /** Seconds. */
  readonly dt: number;
  /** dt / previous dt; 0 before the first step. */
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
    /** The four numbers below as one. */
    readonly key: number;
    readonly indexA: number;
    readonly indexB: number;
    readonly typeA: number;
    readonly typeB: number;
    setFeatures(indexA: number, typeA: number, indexB: number, typeB: number): void;
  };
}

/** The points at which two shapes touch, with the impulses for warm starting. */
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
  /** At each point, metres; negative for an overlap. */
  readonly separations: readonly [number, number];
  readonly pointCount: number;
}

/** A contact. */
export interface PlanckContact {
  readonly m_fixtureA: PlanckFixture;
  readonly m_fixtureB: PlanckFixture;
  readonly m_indexA: number;
  readonly m_indexB: number;
  /** Computes the manifold from two transforms. */
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
  /** Ours: the manifold as a row (`manifold_rows.ts`). It is copied into planck's own when planck reads that. */
  manifold: number[];
  /** Ours: the contact event of its pair in this tick. */
  contactEvent: object | undefined;
  /** Ours: the smaller and the larger of its proxies' keys. */
  lowKey: number;
  highKey: number;
  /** Ours: its one-way fixtures as bits (`one_way.ts`). */
  oneWaySides: number;
  /** Ours: whether the contact pushes nothing until the two part. Decided when they began to touch. */
  oneWayIgnored: boolean;
  getWorldManifold(into: PlanckWorldManifold): void;
}

/** The part of a broad-phase that planck calls. */
export interface PlanckBroadPhase {
  createProxy(bounds: Bounds, proxy: PlanckProxy): number;
  destroyProxy(proxyId: number): void;
  moveProxy(proxyId: number, bounds: Bounds): void;
  testOverlap(proxyIdA: number, proxyIdB: number): boolean;
}

/** A world. */
export interface PlanckWorld {
  /** Ours: the rows of its bodies. */
  readonly bodies: BodyRows;
  m_broadPhase: PlanckBroadPhase;
  m_contactList: PlanckContact | null;
  m_contactCount: number;
  m_bodyList: PlanckBody | null;
  /** Makes the next step begin with a search for new contacts. */
  m_newFixture: boolean;
  m_locked: boolean;
  readonly m_gravity: Vector;
  m_jointList: PlanckJoint | null;
  readonly m_continuousPhysics: boolean;
  /** False within a step until all times of impact are solved. */
  m_stepComplete: boolean;
  readonly m_solver: {
    readonly m_bodies: readonly PlanckBody[];
    readonly m_contacts: readonly PlanckContact[];
    solveWorldTOI(step: PlanckStep): void;
    /** Solves the bodies and contacts of one time of impact. The stage replaces it. */
    solveIslandTOI(step: PlanckStep): void;
  };
  readonly s_step: PlanckStep;
  /** Prepends a body to the list. */
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
