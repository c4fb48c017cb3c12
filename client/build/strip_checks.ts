/**
 * Leaves the checks of a game's declaration, rules and codec out of a page. The build imports the
 * game before it bundles it, and so does the server, so a mistake ends both with its message; a page
 * has the same game and would only find the same again, at each start of a player's device.
 */
import type { Plugin } from "esbuild";

const CHECKS =
  /[\\/]shared[\\/](game_kit[\\/]checks[\\/]check_(declaration|rules)|netcode[\\/]codec_check)\.ts$/;

/** What the modules export to those who build a game. */
const STUB = `
  export function checkDeclaration() {}
  export function checkRules() {}
  export function checkCodecOnce() {}
`;

export const stripChecks: Plugin = {
  name: "strip checks",
  setup(build) {
    build.onLoad({ filter: CHECKS }, () => ({ contents: STUB, loader: "js" }));
  },
};
