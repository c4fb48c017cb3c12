/**
 * The only module that imports planck. It loads planck with portable sin, cos and atan2. Its types include the hidden
 * fields that an exact stage reads and writes. Names with `m_` are planck 1.5.0's own.
 */
import "./math_patch.ts";
import {
  Body,
  Box,
  Circle,
  Contact,
  DistanceJoint,
  Edge,
  Manifold,
  Polygon,
  PrismaticJoint,
  RevoluteJoint,
  RopeJoint,
  Settings,
  Sweep,
  WeldJoint,
  World,
  WorldManifold,
} from "planck";
import "./math_restore.ts";
import { BODY_STRIDE, type BodyRow, BodyRows } from "../core/body_rows.ts";
import { bodyClass } from "./planck_body.ts";
import type {
  PlanckBody,
  PlanckContact,
  PlanckFixtureDef,
  PlanckJoint,
  PlanckManifold,
  PlanckPolygon,
  PlanckShape,
  PlanckWorld,
  PlanckWorldManifold,
} from "./planck_types.ts";
import { type FixtureDef, type JointType, type Shape, StageError } from "../core/types.ts";

export type * from "./planck_types.ts";

/** The iterations that Box2D's manual recommends. With fewer, stacks creep. */
const VELOCITY_ITERATIONS = 8;
const POSITION_ITERATIONS = 3;
/** planck's maxPolygonVertices; it silently ignores further vertices. */
const POLYGON_VERTICES_MAX = 12;

/** Box2D's constants as planck has them, in SI units: b2_linearSlop, b2_maxLinearCorrection, b2_toiBaumgarte, … */
export const LINEAR_SLOP = Settings.linearSlop;
export const MAX_LINEAR_CORRECTION = Settings.maxLinearCorrection;
export const MAX_TRANSLATION = Settings.maxTranslation;
export const MAX_ROTATION = Settings.maxRotation;
export const BAUMGARTE = Settings.baumgarte;
export const TOI_BAUMGARTE = Settings.toiBaugarte;
export const TIME_TO_SLEEP = Settings.timeToSleep;
export const LINEAR_SLEEP_TOLERANCE = Settings.linearSleepTolerance;
export const ANGULAR_SLEEP_TOLERANCE = Settings.angularSleepTolerance;

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
  const world = Object.assign(new World(options), { bodies: new BodyRows() }) as unknown as PlanckWorld;
  // planck's own functions publish to lists of listeners, which are empty here.
  world.beginContact = nothing;
  world.endContact = nothing;
  world.preSolve = nothing;
  world.postSolve = nothing;
  world.s_step.velocityIterations = VELOCITY_ITERATIONS;
  world.s_step.positionIterations = POSITION_ITERATIONS;
  world.s_step.warmStarting = true;
  world.s_step.blockSolve = true;
  return world;
}

const StageBody = bodyClass(Body as never, Sweep);

/** Creates a body in the world, at rest at the origin. @param def planck's body definition without pose and motion */
export function createBody(world: PlanckWorld, def: object): PlanckBody {
  const { bodies } = world;
  if (bodies.isFull) {
    bodies.grow();
    for (let body = world.m_bodyList; body !== null; body = body.m_next) body.values = bodies.values;
  }
  const body = new StageBody(world, def);
  world._addBody(body);
  return body;
}

/** Removes a body with its contacts and joints. The object keeps its last numbers, for code that still refers to it. */
export function destroyBody(world: PlanckWorld, body: PlanckBody): void {
  const { values, offset } = body;
  world.destroyBody(body);
  world.bodies.release(offset);
  // The next body gets its row.
  body.values = values.slice(offset, offset + BODY_STRIDE);
  body.offset = 0;
}

/**
 * Replaces planck's own test of two polygons, for every world. planck calls it only while it solves a time of impact.
 * So both solvers use one function, and the page need not load planck's. A program without a stage, such as a bench of
 * unmodified planck, keeps planck's.
 */
export function collidePolygonsBy(
  collide: (
    into: PlanckManifold,
    a: PlanckPolygon,
    bodyA: BodyRow,
    b: PlanckPolygon,
    bodyB: BodyRow,
  ) => void,
): void {
  const evaluate: PlanckContact["m_evaluateFcn"] = (
    into,
    _transformA,
    { m_shape: a, m_body: bodyA },
    _childA,
    _transformB,
    { m_shape: b, m_body: bodyB },
  ) => collide(into, a as PlanckPolygon, bodyA, b as PlanckPolygon, bodyB);
  (Contact as unknown as ContactTypes).addType("polygon", "polygon", evaluate);
}

/** The hidden method of planck's contact class that registers the narrow-phase function of two types of shapes. */
interface ContactTypes {
  addType(typeA: string, typeB: string, evaluate: PlanckContact["m_evaluateFcn"]): void;
}

/** planck's own `update` of a contact, which the stage's contacts override. */
export const updateByPlanck = Contact.prototype.update as unknown as PlanckContact["update"];

/** @returns an empty manifold, to be reused */
export function createManifold(): PlanckManifold {
  return new Manifold() as unknown as PlanckManifold;
}

/** @returns an empty world manifold, to be reused */
export function createWorldManifold(): PlanckWorldManifold {
  return new WorldManifold() as unknown as PlanckWorldManifold;
}

/** @returns planck's definition, with a shape that all bodies of an archetype share. @throws StageError */
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

/** planck's joint classes. Each reads only its own properties of the definition. */
const JOINT_CLASSES = {
  revolute: RevoluteJoint,
  prismatic: PrismaticJoint,
  distance: DistanceJoint,
  rope: RopeJoint,
  weld: WeldJoint,
} as unknown as Readonly<Record<JointType, new (def: object) => PlanckJoint>>;

/** @returns a joint with dummies in place of the values that planck would derive from the poses; set them afterwards */
export function newJoint(type: JointType, bodyA: PlanckBody, bodyB: PlanckBody, collide: boolean): PlanckJoint {
  const origin = { x: 0, y: 0 }, anchors = { localAnchorA: origin, localAnchorB: origin, localAxisA: { x: 1, y: 0 } };
  const dummies = { ...anchors, referenceAngle: 0, length: 1, maxLength: 1 };
  return new JOINT_CLASSES[type]({ bodyA, bodyB, collideConnected: collide, ...dummies });
}
