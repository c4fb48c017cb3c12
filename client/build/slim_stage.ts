/**
 * Two plugins that make the stage's script smaller.
 *
 * - `withoutUnused`: for a game without joints, paths and one-way fixtures. Stubs replace their modules. A stage that
 *   declares one of them throws a `StageError` when it is made.
 * - `withLayout`: replaces the names of layout constants by their numbers.
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
 * Stub of the modules of shared/physics/joints, as far as a stage without joints uses them. The check of snapshots
 * refuses one with joints, because `JOINTS_MAX` is 0.
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

/** Stub of kinematic_paths.ts. */
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

/** Stub of one_way.ts. */
const NO_ONE_WAY = `${REFUSAL}
  export const oneWaySides = () => 0;
  export const shouldIgnoreOneWay = () => refuse("one-way fixtures");
  export const canLand = shouldIgnoreOneWay;
  export const projectileLands = shouldIgnoreOneWay;
`;

/** Replaces collide_polygons.ts: without planck's `Polygon` all polygons are boxes. */
const BOXES_ONLY = `export { collideBoxes as collidePolygons } from "./collide_boxes.ts";`;

/** The statement of compiled_archetypes.ts that reads whether a fixture is one-way. */
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
  // The replacement goes by names, whatever their module, so one name needs one value.
  if ((LAYOUT.get(name) ?? value) !== value) throw new Error(`${name} has two meanings in the stage's memories`);
  LAYOUT.set(name, value);
}

/** Modules that make local copies of the layout's constants, which V8 inlines. */
const NAMES_LAYOUT = inPhysics(
  "body_transform|aabb|projectiles|collide_boxes|contact_constraints|contact_normal|contact_solver|entity|forces|island_solver|kinematic_paths|entity_table|quantize|stage_snapshot|contact_events",
);

/** Statements that copy constants from a layout's namespace, and imports of constants by name. */
const TAKEN = /^const \{[^}]*\} =\s+(?:bodyLayout|manifoldLayout|solverLayout);$/gm,
  IMPORTED = /^import \{([^}]*)\} from ("[./\w]+\/(?:body_rows|manifold_rows|solver_scratch)\.ts");$/gm;
const SAID = /\b(?:(?:bodyLayout|manifoldLayout|solverLayout)\.)?([A-Z]\w*)\b/g;

/** Replaces `BODY_STRIDE` by 28, and so on: esbuild does not inline constants across modules. */
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
