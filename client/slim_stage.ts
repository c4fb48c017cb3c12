/**
 * The stage without joints, for the page of a game that declares none: what makes and drives them stays out of its script. A stage
 * that declares one all the same throws when it is made.
 */
import type { Plugin } from "esbuild";

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
