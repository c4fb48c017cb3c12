/**
 * Strips the NPC policy from the page's script. The server decides for NPCs and announces their
 * commands, so a page never calls the policy. If it does, the call throws an error.
 */
import type { Plugin } from "esbuild";

/** Replaces shared/games/dragons/npc/policy.ts. */
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
