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

/** Where two polygons touch is told by the stage's own `collide_polygons.ts`, which takes the place of planck's with the first stage. */
const POLYGONS: readonly Cut[] = [
  { passage: /^Contact\.addType\(PolygonShape\.TYPE, PolygonShape\.TYPE, PolygonContact\);\n/gm, by: "", times: 1 },
];

/**
 * The stage moves a body by its sweep, since `setTransform` rounds, and boxes it by itself (`aabb.ts`). Others have methods of these names,
 * so that somebody says them.
 */
const MOVES: readonly Cut[] = ["setTransform", "setAngle", "getMassData", "getInertia", "synchronizeFixtures"].map((
  name,
) => ({
  passage: new RegExp(`^ {4}Body2\\.prototype\\.${name} = function[^]*?\n {4}\\};\n`, "gm"),
  by: "",
  times: 1,
}));

/** For every bundle. */
export const ALWAYS: readonly Cut[] = [...EVENTS, ...HELPERS, ...POLYGONS, ...MOVES];

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
