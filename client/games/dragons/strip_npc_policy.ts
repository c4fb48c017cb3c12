/**
 * The dragon game in fewer bytes, for its page: what NPCs do, the server decides and tells far ahead. A page that asks a mind all the
 * same is refused in words.
 */
import type { Plugin } from "esbuild";

/** Stands in for shared/games/dragons/npc/policy.ts. */
const NPC_POLICY_STUB = `
  export function npcPolicy() {
    throw new Error("this page was built without minds");
  }
  export const reactionTicksOf = npcPolicy;
`;

export const stripNpcPolicy: Plugin = {
  name: "strip the NPC policy",
  setup(build) {
    build.onLoad(
      { filter: /[\\/]shared[\\/]games[\\/]dragons[\\/]npc[\\/]policy\.ts$/ },
      () => ({ contents: NPC_POLICY_STUB, loader: "js" }),
    );
  },
};
