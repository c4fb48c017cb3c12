/** The sentence about Puck in the lobby. */
import type { PageDifferences } from "../../build/page_source.ts";

export const page: PageDifferences = {
  texts: {
    pitch: "Two teams, one heavy puck, a wrecking ball:",
    point: "five goals win.",
  },
};
