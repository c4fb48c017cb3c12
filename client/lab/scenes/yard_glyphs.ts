/** Crates and the anvil, seen from above. Cars are those of Puck. */
import type { Glyph } from "../draw/glyph.ts";
import { crateOf, OUTLINE, outlinedDisc } from "../draw/glyph_parts.ts";
import { PUCK_GLYPHS } from "./puck_glyphs.ts";

const crate: Glyph = (context) => crateOf(context, 0.5);

const anvil: Glyph = (context) => {
  outlinedDisc(context, 0.9, "#8b90ad");
  context.fillStyle = OUTLINE;
  context.fillRect(-0.45, -0.12, 0.9, 0.24);
};

/** Cars without teams. */
const car: Glyph = (context, body, ms) => PUCK_GLYPHS.car(context, { ...body, team: -1 }, ms);

export const YARD_GLYPHS = { crate, anvil, car } as const;
