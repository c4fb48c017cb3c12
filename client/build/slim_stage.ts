/**
 * The stage in fewer bytes, for the page of a game that declares no joints, no paths and no one-way fixtures: what makes and drives
 * them stays out of its script, and a stage that declares one all the same throws a `StageError` when it is made. And with the solver's
 * layout as numbers, not names.
 */
import type { Plugin } from "esbuild";
import * as bodyLayout from "../../shared/physics/core/body_rows.ts";
import * as manifoldLayout from "../../shared/physics/core/manifold_rows.ts";
import * as solverLayout from "../../shared/physics/core/solver_scratch.ts";

const REFUSAL = `
  import { StageError } from "../core/types.ts";
  const refuse = (what) => { throw new StageError("this page was built without " + what); };
`;

/**
 * Stands in for what shared/physics has of joints, as far as a stage that has none uses it. That a snapshot with joints is refused
 * is the snapshot's own check: none are allowed.
 */
const NO_JOINTS = `${REFUSAL}
  export class Joint {}
  export class Joints {
    count = 0;
    broken = [];
    add() { refuse("joints"); }
  }
  export class JointTable {
    all = [];
    broken = [];
    beginTick() {}
    trackPeakForces() {}
    breakOverloaded() {}
    canonicalize() {}
    removeAllOf() {}
    shiftWholeTurns() {}
  }
  export const JOINTS_MAX = 0;
  export const jointWords = () => 0;
  export const jointLabels = () => [];
  export const saveJoints = (joints, into, cursor) => cursor;
  export const loadJoints = (joints, count, from, cursor) => cursor;
  export const checkJoints = (check, count, from, cursor) => cursor;
  export function compileJoints({ joints = [] }) {
    if (joints.length > 0) refuse("joints");
    return [];
  }
`;

/** Stands in for what moves bodies on their paths. */
const NO_PATHS = `${REFUSAL}
  export class KinematicPaths {
    constructor(world, entities, joints, { archetypes }) {
      if (archetypes.some(({ body }) => body?.path)) refuse("paths");
    }
    setTargets() {}
    snapToTargets() {}
    clearTargets() {}
  }
  export const pathStart = () => refuse("paths");
`;

/** Stands in for who may pass what is one-way. */
const NO_ONE_WAY = `${REFUSAL}
  export const oneWaySides = () => 0;
  export const shouldIgnoreOneWay = () => refuse("one-way fixtures");
  export const canLand = shouldIgnoreOneWay;
  export const projectileLands = shouldIgnoreOneWay;
`;

/** Where all polygons are boxes: a page without planck's `Polygon` can make no others. */
const BOXES_ONLY = `export { collideBoxes as collidePolygons } from "./collide_boxes.ts";`;

/** Where a declaration is asked whether a fixture is one-way. */
const ASKS_ONE_WAY = "return oneWay === true;";

const inPhysics = (files: string) => new RegExp(`[\\\\/]shared[\\\\/]physics[\\\\/][a-z]+[\\\\/](${files})\\.ts$`);

export const withoutUnused: Plugin = {
  name: "no joints, paths, one-way fixtures",
  setup(build) {
    const stub = (files: string, contents: string) =>
      build.onLoad({ filter: inPhysics(files) }, () => ({ contents, loader: "js" }));
    stub("joints|compiled_joints|joint_snapshot|joint_table", NO_JOINTS);
    stub("kinematic_paths", NO_PATHS);
    stub("one_way", NO_ONE_WAY);
    stub("collide_polygons", BOXES_ONLY);
    build.onLoad({ filter: inPhysics("compiled_archetypes") }, async ({ path }) => {
      const kinds = await Deno.readTextFile(path);
      if (kinds.split(ASKS_ONE_WAY).length !== 2) {
        throw new Error(`compiled_archetypes.ts has not one "${ASKS_ONE_WAY}"`);
      }
      const refusing =
        `if (oneWay) throw new StageError("this page was built without one-way fixtures"); return false;`;
      return { contents: kinds.replace(ASKS_ONE_WAY, refusing), loader: "ts" };
    });
  },
};

const LAYOUT = new Map<string, unknown>();
for (const [name, value] of [bodyLayout, manifoldLayout, solverLayout].flatMap(Object.entries<unknown>)) {
  if (typeof value !== "number") continue;
  // names alone are looked at, not whose they are
  if ((LAYOUT.get(name) ?? value) !== value) throw new Error(`${name} has two meanings in the stage's memories`);
  LAYOUT.set(name, value);
}

/** Who names the layout's constants, each once more for itself: V8 compiles in a module's own. */
const NAMES_LAYOUT = inPhysics(
  "body_transform|aabb|projectiles|collide_boxes|contact_constraints|contact_normal|contact_solver|entity|forces|island_solver|kinematic_paths|entity_table|quantize|stage_snapshot|contact_events",
);

/** What the modules with the layout are called where their names are taken from, and what is taken by name. */
const TAKEN = /^const \{[^}]*\} =\s+(?:bodyLayout|manifoldLayout|solverLayout);$/gm,
  IMPORTED = /^import \{([^}]*)\} from ("[./\w]+\/(?:body_rows|manifold_rows|solver_scratch)\.ts");$/gm;
const SAID = /\b(?:(?:bodyLayout|manifoldLayout|solverLayout)\.)?([A-Z]\w*)\b/g;

/** `BODY_STRIDE` becomes 28: esbuild does not do it by itself across modules. */
export const withLayout: Plugin = {
  name: "layout as numbers",
  setup(build) {
    build.onLoad({ filter: NAMES_LAYOUT }, async ({ path }) => {
      const others = (names: string) => names.split(",").filter((name) => !LAYOUT.has(name.trim())).join();
      const contents = (await Deno.readTextFile(path)).replace(TAKEN, "")
        .replace(IMPORTED, (_, names, from) => `import {${others(names)}} from ${from};`)
        .replace(SAID, (said, name) => String(LAYOUT.get(name) ?? said));
      return { contents, loader: "ts" };
    });
  },
};
