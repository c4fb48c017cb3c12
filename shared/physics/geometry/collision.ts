/**
 * The result of the narrow phase: one manifold without impulses, in the layout of
 * `contact_rows.ts`. All functions of this room write it, so none of them allocates. It is valid
 * until the next call of one of them.
 */
import { Contact, ContactPoint } from "../core/contact_rows.ts";

/**
 * Normal, reference point and points in `values`; their number, type and features in `ints`.
 * Without a point, only the number of points is valid.
 */
export const collision = {
  values: new Float64Array(Contact.POINTS + 2 * ContactPoint.STRIDE),
  ints: new Int32Array(4),
};

/**
 * @returns a feature pair as one word. Indices are below 256; types are `FeatureType.VERTEX` or
 *   `FeatureType.FACE`.
 */
export function packFeatures(indexA: number, typeA: number, indexB: number, typeB: number): number {
  return indexA | indexB << 8 | typeA + 1 << 16 | typeB + 1 << 24;
}

/** @returns the feature pair with A and B exchanged */
export function swapFeatures(features: number): number {
  return (features & 0x00ff00ff) << 8 | features >>> 8 & 0x00ff00ff;
}
