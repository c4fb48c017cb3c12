/** The exact stage. Each body has an archetype of its own, because a path and a density belong to the archetype. */
import { Stage } from "../../../shared/physics/stage/stage.ts";
import { archetype, type FixtureDef, jointDef } from "../../../shared/physics/core/types.ts";
import { bodyOf, type BodySpec, type Engine, type Rate, type Scene } from "../scene.ts";

const PIN = jointDef({ name: "pin", type: "revolute", fields: {} });

function archetypeOf({ parts, x, y, angle = 0, bullet = false, turning }: BodySpec, index: number, { tickHz }: Rate) {
  const fixtures: readonly FixtureDef[] = parts, name = `body${index}`;
  if (turning === undefined) return archetype({ name, body: { fixtures, bullet }, fields: {} });
  const path = (tick: number) => ({ x, y, angle: angle + turning * tick / tickHz });
  return archetype({ name, body: { fixtures, path }, fields: {} });
}

/** Bodies that are declared alike share an archetype: a stage has at most 255. */
function archetypesOf({ bodies }: Scene, rate: Rate) {
  const byText = new Map<string, ReturnType<typeof archetypeOf>>();
  return bodies.map((body, i) => {
    const { parts, bullet, turning } = body;
    const text = JSON.stringify(turning === undefined ? { parts, bullet } : body);
    const known = byText.get(text) ?? archetypeOf(body, i, rate);
    byText.set(text, known);
    return known;
  });
}

export const stageEngine: Engine = {
  integrations: 1,
  hasPairRestitution: true,
  build(scene, rate) {
    const { gravity, ground, bodies, pins = [], groundPairRestitution } = scene, archetypes = archetypesOf(scene, rate);
    const different = [...new Set(archetypes)];
    const stage = new Stage({
      gravity,
      ...rate,
      ground,
      archetypes: different,
      joints: [PIN],
      fields: {},
      restitutions: groundPairRestitution === undefined
        ? []
        : different.map(({ name }) => ["ground", name, groundPairRestitution] as const),
    });
    const entities = bodies.map(({ x, y, angle, vx, vy, turning }, i) =>
      turning === undefined
        ? stage.spawn(archetypes[i]!, { x, y, angle: angle ?? 0, vx: vx ?? 0, vy: vy ?? 0 })
        : stage.spawn(archetypes[i]! as never)
    );
    for (const { a, b, x, y } of pins) {
      stage.joints.add(PIN, bodyOf(entities, stage.ground, a), bodyOf(entities, stage.ground, b), { x, y });
    }
    stage.endTick();
    return {
      tick: () => {
        stage.advance();
        stage.endTick();
      },
      motionOf: (body) => entities[body]!,
      free: () => {},
    };
  },
};
