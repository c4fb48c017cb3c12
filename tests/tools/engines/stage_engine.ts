/**
 * The exact stage. Bodies that differ in more than their motion have different archetypes, because
 * a path and a density belong to the archetype.
 */
import { chains } from "../../../shared/physics/chains/feature.ts";
import { joints } from "../../../shared/physics/joints/feature.ts";
import { paths } from "../../../shared/physics/stage/kinematic_paths.ts";
import { type Entity, Stage } from "../../../shared/physics/stage/stage.ts";
import {
  archetype,
  type FixtureDef,
  type JointDef,
  jointDef,
} from "../../../shared/physics/core/types.ts";
import {
  bodyOf,
  type BodySpec,
  type Engine,
  type Pin,
  type Rate,
  type Scene,
  type World,
} from "./scene.ts";

function archetypeOf(
  { parts, x, y, angle = 0, bullet = false, turning }: BodySpec,
  index: number,
  { tickHz }: Rate,
) {
  const fixtures: readonly FixtureDef[] = parts;
  const name = `body${index}`;
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

/** Pins with the same limits share a definition. @returns the definition of each pin */
function jointDefsOf(pins: readonly Pin[]) {
  const byText = new Map<string, JointDef>();
  return pins.map(({ limits }) => {
    const text = JSON.stringify(limits ?? null);
    const range = limits === undefined ? {} : { limits };
    const known = byText.get(text) ??
      jointDef({ name: `pin${byText.size}`, type: "revolute", fields: {}, ...range });
    byText.set(text, known);
    return known;
  });
}

/** A scene on a stage. */
export interface StageWorld extends World {
  readonly stage: Stage;
  /** @param body its index in the scene */
  entityOf(body: number): Entity;
  /** @returns a stage of the same declaration with nothing but the ground */
  newStage(): Stage;
}

/**
 * The features that the scenes use. Touches would cost time, and the other engines keep no log
 * either.
 */
const FEATURES = [chains, joints, paths];

export const stageEngine = {
  integrations: 1,
  hasPairRestitution: true,
  build(scene: Scene, rate: Rate): StageWorld {
    const { gravity, ground, bodies, pins = [], groundPairRestitution } = scene;
    const archetypes = archetypesOf(scene, rate);
    const jointDefs = jointDefsOf(pins);
    const different = [...new Set(archetypes)];
    const newStage = () =>
      new Stage({
        gravity,
        ...rate,
        ground,
        archetypes: different,
        features: FEATURES,
        joints: [...new Set(jointDefs)],
        fields: {},
        restitutions: groundPairRestitution === undefined
          ? []
          : different.map(({ name }) => ["ground", name, groundPairRestitution] as const),
      });
    const stage = newStage();
    const entities = bodies.map(({ x, y, angle, vx, vy, turning }, i) =>
      turning === undefined
        ? stage.spawn(archetypes[i]!, { x, y, angle: angle ?? 0, vx: vx ?? 0, vy: vy ?? 0 })
        : stage.spawn(archetypes[i]! as never)
    );
    pins.forEach(({ a, b, x, y }, i) => {
      stage.joints.add(
        jointDefs[i]!,
        bodyOf(entities, stage.ground, a),
        bodyOf(entities, stage.ground, b),
        { x, y },
      );
    });
    stage.endTick();
    return {
      stage,
      newStage,
      entityOf: (body) => stage.get(entities[body]!.id)!,
      tick: () => {
        stage.advance();
        stage.endTick();
      },
      motionOf: (body) => entities[body]!,
      isAwake: (body) => entities[body]!.awake,
      countContacts: () => stage.contactCount,
      free: () => {},
    };
  },
} satisfies Engine;
