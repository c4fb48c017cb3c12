/**
 * Puts the portable functions into `Math`. planck copies `Math.sin`, `Math.cos` and `Math.atan2`
 * when it is loaded. With the portable ones every function of planck's has the stage's bits, on
 * every engine.
 *
 * `portable_planck.ts` imports this file before planck, and `math_restore.ts` after it. Modules run
 * in the order of their imports.
 */
import { atan2, cos, sin } from "../../../../shared/physics/core/math.ts";

/** The engine's own functions, for `math_restore.ts`. */
export const nativeMath = { sin: Math.sin, cos: Math.cos, atan2: Math.atan2 };

Object.assign(Math, { sin, cos, atan2 });
