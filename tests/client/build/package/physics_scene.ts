/** A scene of the physics alone, as a project of one's own would write it. */
import {
  archetype,
  chains,
  cos,
  hashOfSnapshot,
  jointDef,
  joints,
  queries,
  Random,
  rounded,
  sin,
  Snapshot,
  Stage,
} from "wyvern/physics";

const CRATE = archetype({
  name: "crate",
  body: { fixtures: [{ shape: { box: [0.5, 0.4] }, density: 1, restitution: 0.2 }] },
  fields: { age: "u16" },
});
const BALL = archetype({
  name: "ball",
  body: { fixtures: [{ shape: { circle: 0.4 }, density: 2, friction: 0.6 }] },
  fields: {},
});
const ROD = archetype({
  name: "rod",
  body: {
    bullet: true,
    fixtures: [{ shape: { capsule: [-0.6, 0, 0.6, 0], radius: 0.15 }, density: 1 }],
  },
  fields: {},
});
const HINGE = jointDef({ name: "hinge", type: "revolute", fields: {} });

/** Begins the scene: a heap of three shapes in a bowl, with a chain of crates over it. */
function begin(): Stage {
  const stage = new Stage({
    gravity: 10,
    tickHz: 60,
    substeps: 1,
    features: [chains, joints, queries, rounded],
    ground: [{
      shape: {
        chain: Array.from({ length: 13 }, (_, i) => {
          const angle = Math.PI + i * Math.PI / 12;
          return [9 * cos(angle), 9 * sin(angle)] as const;
        }),
        ghosts: [null, null],
      },
    }],
    archetypes: [CRATE, BALL, ROD],
    joints: [HINGE],
    fields: {},
  });

  const random = new Random(19);
  const place = () => ({ x: random.below(100) / 10 - 5, y: random.below(60) / 10 });
  for (let i = 0; i < 30; i++) stage.spawn([CRATE, BALL, ROD][i % 3]!, place());
  let before = stage.spawn(CRATE, { x: -4, y: 8 });
  for (let i = 1; i < 6; i++) {
    const next = stage.spawn(CRATE, { x: -4 + i, y: 8 });
    stage.joints.add(HINGE, before, next, { x: -4.5 + i, y: 8 });
    before = next;
  }
  stage.endTick();
  return stage;
}

/**
 * Plays the scene, and once more from a state in its middle.
 * @returns the hash of the last state, in hexadecimal digits
 * @throws Error if the second time ends in another state
 */
export function play(ticks: number): string {
  const stage = begin();
  const middle = new Snapshot();
  const step = (count: number) => {
    for (let tick = 0; tick < count; tick++) {
      stage.advance();
      stage.endTick();
    }
    const end = new Snapshot();
    stage.save(end);
    return hashOfSnapshot(end).toString(16);
  };

  step(ticks >> 1);
  stage.save(middle);
  const once = step(ticks >> 1);
  stage.load(middle);
  const again = step(ticks >> 1);
  if (once !== again) throw new Error(`a rollback gives ${again} for ${once}`);
  return once;
}
