/**
 * Passages of planck 1.5.0 that nothing here can reach, which `slim_planck.ts` cannot see by names alone. Each must be found exactly as
 * often as it says: in another planck somebody has to look again.
 */

/** What to leave out, or what stands in for it. */
export interface Cut {
  readonly passage: RegExp;
  readonly by: string;
  readonly times: number;
}

/** Nobody listens to a world: the stage's facade puts functions of its own in the place of these. */
const EVENTS: readonly Cut[] = [
  { passage: /^ *this\.(?:m_world\.)?publish\(.*\);\n/gm, by: "", times: 14 },
];

/** Options are plain objects, and TypeScript's helper for errors is called by nobody. */
const HELPERS: readonly Cut[] = [
  { passage: /^ *if \(typeof Object\.getOwnPropertySymbols[\s\S]*?\n {2}\}\n/gm, by: "", times: 1 },
  { passage: /^typeof SuppressedError[\s\S]*?\n\};\n/gm, by: "", times: 1 },
];

/** The name under which planck, so cut, asks for what finds where two polygons touch. */
export const COLLIDE_POLYGONS = "collidePolygonsBy";

/** Where two polygons touch is found by the stage's own `collide_polygons.ts`, bit for bit the same: one of the two is enough. */
const POLYGONS: readonly Cut[] = [
  { passage: /^ {2}CollidePolygons\((manifold, .*\);\n)/gm, by: `  PolygonContact.collide($1`, times: 1 },
  {
    passage: /^export \{/gm,
    by: `export function ${COLLIDE_POLYGONS}(collide) {\n  PolygonContact.collide = collide;\n}\nexport {`,
    times: 1,
  },
];

/** For every bundle. */
export const ALWAYS: readonly Cut[] = [...EVENTS, ...HELPERS, ...POLYGONS];

/** For who makes no joint: a body that is destroyed has none. */
export const WITHOUT_JOINTS: readonly Cut[] = [
  { passage: /^ *var je = b2\.m_jointList;\n[\s\S]*?\n {6}\}\n/gm, by: "", times: 1 },
];

/** For who makes no polygon but boxes: theirs are no vertices to make a hull of. */
export const WITHOUT_POLYGONS: readonly Cut[] = [
  { passage: /^ *if \(vertices && vertices\.length\) \{\n.*_set\(vertices\);\n {6}\}\n/gm, by: "", times: 1 },
];

/** @throws Error where planck is not the one that this was written for */
export function cut(planck: string, cuts: readonly Cut[]): string {
  return cuts.reduce((text, { passage, by, times }) => {
    const found = text.match(passage)?.length ?? 0;
    if (found !== times) throw new Error(`planck has ${found} times ${passage}, not ${times}: look at it again`);
    return text.replace(passage, by);
  }, planck);
}
