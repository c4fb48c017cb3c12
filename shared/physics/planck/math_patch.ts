/**
 * Puts the portable functions into `Math`. planck copies `Math.sin`, `Math.cos` and `Math.atan2`
 * when it is loaded. With the portable ones every function of planck's has the same bits on every
 * engine. The hull needs none of the three. The tests compare the stage with functions of planck's
 * that do.
 *
 * `polygon_hull.ts` imports this file before planck, and `math_restore.ts` after it. Modules run in
 * the order of their imports, bundled or not.
 */
import { atan2, cos, sin } from "../core/math.ts";

/** The engine's own functions, for `math_restore.ts`. */
export const nativeMath = { sin: Math.sin, cos: Math.cos, atan2: Math.atan2 };

Object.assign(Math, { sin, cos, atan2 });
