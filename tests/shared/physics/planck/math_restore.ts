/**
 * Restores the engine's functions in `Math` after planck has copied the portable ones; see
 * `math_patch.ts`.
 */
import { nativeMath } from "./math_patch.ts";

Object.assign(Math, nativeMath);
