/**
 * Passages of planck 1.5.0 that are unreachable here, but not by names alone (`slim_planck.ts`). Each must occur
 * exactly as often as stated. In another version of planck a developer must review them.
 */

/** A passage to remove or replace. */
export interface Cut {
  readonly passage: RegExp;
  readonly by: string;
  readonly times: number;
}

/** A world has no listeners: `planck.ts` replaces the functions that would publish. */
const EVENTS: readonly Cut[] = [
  { passage: /^ *this\.(?:m_world\.)?publish\(.*\);\n/gm, by: "", times: 14 },
];

/** Options are plain objects, and TypeScript's helper for errors is never called. */
const HELPERS: readonly Cut[] = [
  { passage: /^ *if \(typeof Object\.getOwnPropertySymbols[\s\S]*?\n {2}\}\n/gm, by: "", times: 1 },
  { passage: /^typeof SuppressedError[\s\S]*?\n\};\n/gm, by: "", times: 1 },
];

/** The stage's own `collide_polygons.ts` replaces planck's test of two polygons. */
const POLYGONS: readonly Cut[] = [
  { passage: /^Contact\.addType\(PolygonShape\.TYPE, PolygonShape\.TYPE, PolygonContact\);\n/gm, by: "", times: 1 },
];

/**
 * The stage moves a body by its sweep, since `setTransform` rounds, and computes its AABBs itself (`aabb.ts`). Other
 * classes have methods of the same names, which would keep these alive.
 */
const MOVES: readonly Cut[] = ["setTransform", "setAngle", "getMassData", "getInertia", "synchronizeFixtures"].map((
  name,
) => ({
  passage: new RegExp(`^ {4}Body2\\.prototype\\.${name} = function[^]*?\n {4}\\};\n`, "gm"),
  by: "",
  times: 1,
}));

/** Cuts for every bundle. */
export const ALWAYS: readonly Cut[] = [...EVENTS, ...HELPERS, ...POLYGONS, ...MOVES];

/** Cuts for a page without joints: destroying a body need not remove its joints. */
export const WITHOUT_JOINTS: readonly Cut[] = [
  { passage: /^ *var je = b2\.m_jointList;\n[\s\S]*?\n {6}\}\n/gm, by: "", times: 1 },
];

/** Cuts for a page whose only polygons are boxes: they need no convex hull. */
export const WITHOUT_POLYGONS: readonly Cut[] = [
  { passage: /^ *if \(vertices && vertices\.length\) \{\n.*_set\(vertices\);\n {6}\}\n/gm, by: "", times: 1 },
];

/** @throws Error for another version of planck */
export function cut(planck: string, cuts: readonly Cut[]): string {
  return cuts.reduce((text, { passage, by, times }) => {
    const found = text.match(passage)?.length ?? 0;
    if (found !== times) throw new Error(`planck has ${found} times ${passage}, not ${times}: look at it again`);
    return text.replace(passage, by);
  }, planck);
}
