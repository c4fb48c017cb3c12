/**
 * Flat ground with a thin wall, crates, balls that may be ghosts, and shots, for the tests of the
 * stage.
 */
import { FEATURES } from "./features.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import { archetype, type StageDef } from "../../../../shared/physics/core/types.ts";

export const CRATE = archetype({
  name: "crate",
  body: { fixtures: [{ shape: { box: [0.4, 0.4] } }] },
  fields: { burning: "u8" },
});
export const BALL = archetype({
  name: "ball",
  body: { fixtures: [{ shape: { circle: 0.5 } }] },
  fields: { heat: "f32", debt: "i32", score: "u16", when: "u32", ghost: "u8" },
});
export const SHOT = archetype({
  name: "shot",
  body: { fixtures: [{ shape: { circle: 0.1 } }], bullet: true, gravityScale: 0 },
  fields: {},
});

export const YARD: StageDef<{ round: "u8" }> = {
  gravity: 14,
  tickHz: 20,
  substeps: 2,
  features: FEATURES,
  ground: [{ shape: { box: [50, 0.5], y: -0.5 } }, { shape: { box: [0.05, 5], x: 10, y: 5 } }],
  archetypes: [CRATE, BALL, SHOT],
  fields: { round: "u8" },
  shouldCollide: (a, b) => !a.fields["ghost"] && !b.fields["ghost"],
};

export type Yard = Stage<{ round: "u8" }>;

export function run(stage: Yard, ticks: number): void {
  for (let i = 0; i < ticks; i++) {
    stage.advance();
    stage.endTick();
  }
}

export function yard(): Yard {
  return new Stage(YARD);
}
