/** Box2D 2.4 as WebAssembly, with planck's numbers of iterations. */
import Box2DFactory from "box2d-wasm";
import { bodyOf, type ChainPart, type Engine, type Part, type Pin } from "./scene.ts";

/** Read here, because the package's own loader supports Node and browsers only. */
const wasmBinary =
  Deno.readFileSync(new URL("Box2D.simd.wasm", import.meta.resolve("box2d-wasm"))).buffer;
const box2d = await Box2DFactory({ wasmBinary });
const {
  b2BodyDef,
  b2CircleShape,
  b2EdgeShape,
  b2FixtureDef,
  b2PolygonShape,
  b2RevoluteJointDef,
  b2Vec2,
  b2World,
} = box2d;

/** Reused by every call, because each object made for JavaScript would have to be freed. */
const vector = new b2Vec2(0, 0);
const box = new b2PolygonShape();
const circle = new b2CircleShape();
const edge = new b2EdgeShape();

function at(x: number, y: number): Box2D.b2Vec2 {
  vector.Set(x, y);
  return vector;
}

function addParts(body: Box2D.b2Body, parts: readonly Part[]): void {
  for (const { shape, density = 1, friction = 0.6, restitution = 0 } of parts) {
    const fixture = new b2FixtureDef();
    fixture.density = density;
    fixture.friction = friction;
    fixture.restitution = restitution;
    for (const each of shapesOf(shape)) {
      fixture.shape = each;
      body.CreateFixture(fixture);
    }
    box2d.destroy(fixture);
  }
}

/** Sets one reused shape after the other. A fixture has a copy of its own. */
function* shapesOf(shape: Part["shape"]): Generator<Box2D.b2Shape> {
  if ("circle" in shape) {
    circle.m_radius = shape.circle;
    yield circle;
  } else if ("chain" in shape) {
    yield* segmentsOf(shape);
  } else {
    box.SetAsBox(shape.box[0], shape.box[1], at(shape.x ?? 0, shape.y ?? 0), shape.angle ?? 0);
    yield box;
  }
}

/**
 * The segments of a chain, backwards: Box2D's are solid on the right of their direction. Free ends
 * go straight on.
 */
function* segmentsOf({ chain, loop = false }: ChainPart): Generator<Box2D.b2Shape> {
  const points = chain.toReversed();
  const count = points.length;
  const beyond = ([x1, y1]: readonly [number, number], [x2, y2]: readonly [number, number]) =>
    [2 * x1 - x2, 2 * y1 - y2] as const;
  const line = loop
    ? [points.at(-1)!, ...points, points[0]!, points[1]!]
    : [beyond(points[0]!, points[1]!), ...points, beyond(points[count - 1]!, points[count - 2]!)];
  for (let i = 0; i + 3 < line.length; i++) {
    const corners = line.slice(i, i + 4).map(([x, y]) => new b2Vec2(x, y));
    edge.SetOneSided(corners[0]!, corners[1]!, corners[2]!, corners[3]!);
    corners.forEach((corner) => box2d.destroy(corner));
    yield edge;
  }
}

/** Creates a body of planck's defaults. */
function createBody(world: Box2D.b2World, set: (def: Box2D.b2BodyDef) => void): Box2D.b2Body {
  const def = new b2BodyDef();
  set(def);
  const body = world.CreateBody(def);
  box2d.destroy(def);
  return body;
}

function addPin(
  world: Box2D.b2World,
  { x, y, limits }: Pin,
  a: Box2D.b2Body,
  b: Box2D.b2Body,
): void {
  const def = new b2RevoluteJointDef();
  def.Initialize(a, b, at(x, y));
  if (limits !== undefined) {
    def.enableLimit = true;
    def.lowerAngle = limits.lower;
    def.upperAngle = limits.upper;
  }
  world.CreateJoint(def);
  box2d.destroy(def);
}

export const box2dEngine: Engine = {
  integrations: 1,
  hasPairRestitution: false,
  build({ gravity, ground: groundParts, bodies: specs, pins = [] }, { tickHz, substeps }) {
    const world = new b2World(at(0, -gravity));
    const ground = createBody(world, () => {});
    addParts(ground, groundParts);
    const bodies = specs.map(
      ({ parts, x, y, angle = 0, vx = 0, vy = 0, bullet = false, turning }) => {
        const body = createBody(world, (def) => {
          def.type = turning === undefined ? box2d.b2_dynamicBody : box2d.b2_kinematicBody;
          def.position = at(x, y);
          def.angle = angle;
          def.linearVelocity = at(vx, vy);
          def.angularVelocity = turning ?? 0;
          def.bullet = bullet;
        });
        addParts(body, parts);
        return body;
      },
    );
    for (const pin of pins) {
      addPin(world, pin, bodyOf(bodies, ground, pin.a), bodyOf(bodies, ground, pin.b));
    }
    return {
      tick: () => {
        for (let i = 0; i < substeps; i++) world.Step(1 / (tickHz * substeps), 8, 3);
      },
      motionOf: (index) => {
        const body = bodies[index]!;
        const { x, y } = body.GetPosition();
        const { x: vx, y: vy } = body.GetLinearVelocity();
        return { x, y, angle: body.GetAngle(), vx, vy };
      },
      isAwake: (index) => bodies[index]!.IsAwake(),
      countContacts: () => {
        let count = 0;
        for (
          let contact = world.GetContactList();
          box2d.getPointer(contact) !== 0;
          contact = contact.GetNext()
        ) {
          if (contact.IsTouching()) count++;
        }
        return count;
      },
      free: () => box2d.destroy(world),
    };
  },
};
