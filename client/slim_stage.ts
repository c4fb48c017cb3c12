/**
 * The stage without joints, for the page of a game that declares none: what makes and drives them stays out of its script. A stage
 * that declares one all the same throws when it is made.
 */
import type { Plugin } from "esbuild";

/** Stands in for shared/physics/joints.ts and joint_kinds.ts, as far as a stage without kinds of joints uses them. */
const NO_JOINTS = `
  export { Joint } from "./joint.ts";
  export class Joints {
    count = 0;
    broken = [];
    add() { throw new Error("this page was built without joints"); }
  }
  export function compileJoints({ joints = [] }) {
    if (joints.length > 0) throw new Error("this page was built without joints");
    return [];
  }
`;

export const withoutJoints: Plugin = {
  name: "no joints",
  setup(build) {
    build.onLoad({ filter: /[\\/]shared[\\/]physics[\\/]joint(s|_kinds)\.ts$/ }, ({ path }) => ({
      contents: NO_JOINTS,
      resolveDir: path.replace(/[\\/][^\\/]*$/, ""),
      loader: "js",
    }));
  },
};
