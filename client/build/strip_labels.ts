/**
 * Leaves the labels of states out of a page. A game of the kit has them in the same object as its
 * rules, for the server, which names what differs. No page calls them.
 */
import type { Plugin } from "esbuild";

const LABELS = /[\\/]shared[\\/]physics[\\/]snapshot[\\/]labels\.ts$/;

const STUB = `
  export function snapshotLabels() {
    throw new Error("this page was built without labels");
  }
`;

export const stripLabels: Plugin = {
  name: "strip labels",
  setup(build) {
    build.onLoad({ filter: LABELS }, () => ({ contents: STUB, loader: "js" }));
  },
};
