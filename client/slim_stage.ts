/**
 * The stage in fewer bytes. Without joints, for the page of a game that declares none: what makes and drives them stays out of its
 * script, and a stage that declares one all the same throws when it is made. And with the solver's layout as numbers, not names.
 */
import type { Plugin } from "esbuild";
import * as layout from "../shared/physics/island_memory.ts";

/**
 * Stands in for what shared/physics has of joints, as far as a stage that has none uses it. That a snapshot with joints is refused
 * is the snapshot's own check: none are allowed.
 */
const NO_JOINTS = `
  export class Joint {}
  export class Joints {
    count = 0;
    broken = [];
    add() { throw new Error("this page was built without joints"); }
  }
  export class Bonds {
    all = [];
    broken = [];
    begin() {}
    see() {}
    end() {}
    settle() {}
    removeOf() {}
    followTurns() {}
  }
  export const JOINTS_MAX = 0;
  export const jointWords = () => 0;
  export const jointNames = () => [];
  export const saveJoints = (bonds, into, at) => at;
  export const loadJoints = (bonds, count, from, at) => at;
  export const checkJoints = (check, count, from, at) => at;
  export function compileJoints({ joints = [] }) {
    if (joints.length > 0) throw new Error("this page was built without joints");
    return [];
  }
`;

export const withoutJoints: Plugin = {
  name: "no joints",
  setup(build) {
    build.onLoad({ filter: /[\\/]shared[\\/]physics[\\/](joints|joint_kinds|joint_snapshot|bonds)\.ts$/ }, () => ({
      contents: NO_JOINTS,
      loader: "js",
    }));
  },
};

/** Who names the layout's constants, each once more for itself: V8 compiles in a module's own. */
const NAMES_LAYOUT = /[\\/]shared[\\/]physics[\\/](contact_constraints|contact_solver|island_solver)\.ts$/;

/** `BODY_NUMBERS` becomes 16: esbuild does not do it by itself across modules. */
export const withLayout: Plugin = {
  name: "layout as numbers",
  setup(build) {
    const numbers = new Map(Object.entries(layout).filter(([, value]) => typeof value === "number"));
    build.onLoad({ filter: NAMES_LAYOUT }, async ({ path }) => {
      const named = (await Deno.readTextFile(path)).replace(/^const \{[^}]*\} = at;$/gm, "");
      return { contents: named.replace(/\b[A-Z]\w*\b/g, (name) => String(numbers.get(name) ?? name)), loader: "ts" };
    });
  },
};
