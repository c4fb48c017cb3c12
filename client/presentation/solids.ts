/**
 * The static geometry that bodies are never drawn inside: axis-aligned boxes, given by the game's
 * view. All in metres.
 */

/** A box by its centre. */
export interface Solid {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A round body and the boxes around it. */
export interface Body {
  readonly radius: number;
  readonly solids: readonly Solid[];
}

interface Point {
  x: number;
  y: number;
}

/**
 * Moves a round body out of a box by the shortest way, so that a body that moves along the box,
 * even around its corner, never leaps. If its centre is inside the box, no side is nearest and it
 * stays.
 */
export function pushOut({ x, y, width, height }: Solid, centre: Point, radius: number): void {
  const nearestX = Math.max(x - width / 2, Math.min(x + width / 2, centre.x));
  const nearestY = Math.max(y - height / 2, Math.min(y + height / 2, centre.y));
  const dx = centre.x - nearestX;
  const dy = centre.y - nearestY;
  const square = dx * dx + dy * dy;
  if (square >= radius * radius || square === 0) return;
  const scale = radius / Math.sqrt(square);
  centre.x = nearestX + dx * scale;
  centre.y = nearestY + dy * scale;
}

/**
 * Whether the straight line between two points passes through a box (Liang and Barsky's line
 * clipping).
 */
export function isBetween(
  { x, y, width, height }: Solid,
  a: Readonly<Point>,
  b: Readonly<Point>,
): boolean {
  const dx = b.x - a.x, dy = b.y - a.y;
  const left = (x - width / 2 - a.x) / dx;
  const right = (x + width / 2 - a.x) / dx;
  const bottom = (y - height / 2 - a.y) / dy;
  const top = (y + height / 2 - a.y) / dy;
  const enters = Math.max(0, Math.min(left, right), Math.min(bottom, top));
  return enters < Math.min(1, Math.max(left, right), Math.max(bottom, top));
}
