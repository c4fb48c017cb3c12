/**
 * Tells the bundler that the modules of `client/` and `shared/` only define something when they are
 * loaded, as `"sideEffects": false` does in a package. So a page does not contain a module of which
 * it uses nothing. Without it, a kit game would have the solvers of all joints, because a bundler
 * cannot know that tables and scratch arrays at a module's top are safe to leave out.
 */
import { resolve } from "node:path";
import type { Plugin } from "esbuild";

export const noSideEffects: Plugin = {
  name: "no side effects",
  setup(build) {
    build.onResolve(
      { filter: /^\.\.?\/.*\.ts$/ },
      ({ path, resolveDir }) => ({ path: resolve(resolveDir, path), sideEffects: false }),
    );
  },
};
