/**
 * planck 1.5.0 with the stage's sine, cosine and arc tangent: the judge of the stage's geometry.
 * Import it before anything that imports planck itself.
 */
import "./math_patch.ts";
import * as planck from "planck";
import "./math_restore.ts";

export { planck };
