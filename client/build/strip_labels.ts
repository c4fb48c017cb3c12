/**
 * Leaves the states' labels out of a page. A kit game holds them in the same object as its rules,
 * for the server, which names what differs; pages do not call them.
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
