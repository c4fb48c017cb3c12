/**
 * The dragon game in fewer bytes, for its page: what NPCs do, the server decides and tells far ahead. A page that asks a mind all the
 * same is refused in words.
 */
import type { Plugin } from "esbuild";

/** Stands in for shared/games/dragons/npc/policy.ts. */
const NO_MINDS = `
  export function decide() {
    throw new Error("this page was built without minds");
  }
  export const reactionTicksOf = decide;
`;

export const withoutMinds: Plugin = {
  name: "no minds",
  setup(build) {
    build.onLoad(
      { filter: /[\\/]shared[\\/]games[\\/]dragons[\\/]npc[\\/]policy\.ts$/ },
      () => ({ contents: NO_MINDS, loader: "js" }),
    );
  },
};
