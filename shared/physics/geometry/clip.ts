/**
 * Clips the incident edge to the width of the reference face: planck's `clipSegmentToLine` on flat
 * numbers, bit by bit. The edge is scratch. The caller sets `incidentEdge` and `line`; `clip`
 * copies from one edge to the next.
 */
import { FeatureType } from "../core/contact_rows.ts";
import { packFeatures } from "./collision.ts";

/** An edge: x and y of both ends; their features, those of the reference shape first. */
interface ClippedEdge {
  readonly places: Float64Array;
  readonly features: Int32Array;
}

function newEdge(): ClippedEdge {
  return { places: new Float64Array(4), features: new Int32Array(2) };
}

/** The whole edge; behind the face's one end; behind both ends. */
export const incidentEdge: ClippedEdge = newEdge();
export const halfClipped: ClippedEdge = newEdge();
export const clipped: ClippedEdge = newEdge();

/** The line to clip at: unit normal, and its distance from the origin along the normal. */
export const line = new Float64Array(3);
export const LINE_X = 0;
export const LINE_Y = 1;
export const LINE_OFFSET = 2;

/**
 * Copies the part of an edge behind `line`.
 * @param corner index of the reference shape's corner on the line: a feature of a new end
 * @returns the number of ends, 0 … 2
 */
export function clip(into: ClippedEdge, { places, features }: ClippedEdge, corner: number): number {
  const nx = line[LINE_X]!;
  const ny = line[LINE_Y]!;
  const offset = line[LINE_OFFSET]!;
  const distance0 = nx * places[0]! + ny * places[1]! - offset;
  const distance1 = nx * places[2]! + ny * places[3]! - offset;
  let count = 0;

  // The ends behind the line
  if (distance0 <= 0) {
    into.places[0] = places[0]!;
    into.places[1] = places[1]!;
    into.features[0] = features[0]!;
    count = 1;
  }
  if (distance1 <= 0) {
    into.places[2 * count] = places[2]!;
    into.places[2 * count + 1] = places[3]!;
    into.features[count++] = features[1]!;
  }

  // Where the edge crosses the line
  if (distance0 * distance1 < 0) {
    const t = distance0 / (distance0 - distance1);
    into.places[2 * count] = (1 - t) * places[0]! + t * places[2]!;
    into.places[2 * count + 1] = (1 - t) * places[1]! + t * places[3]!;
    into.features[count++] = packFeatures(
      corner,
      FeatureType.VERTEX,
      features[0]! >>> 8 & 0xff,
      FeatureType.FACE,
    );
  }

  return count;
}
