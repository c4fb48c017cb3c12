/** The sentence about Haul in the lobby. */
import type { PageDifferences } from "../../build/page_source.ts";

export const page: PageDifferences = {
  texts: {
    pitch: "Race over the hills, and bring your trailer:",
    point: "six points if you are first.",
  },
};
