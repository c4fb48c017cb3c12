/**
 * Turns tiles into lines: the edges of all blocks, so that bodies roll over the joints of tiles
 * without a hitch, and the tops of platforms.
 */

/** A corner, in tiles from the upper left one; y downwards. */
export type TileCorner = readonly [x: number, y: number];

/** A grid of tiles, row by row from the top. */
export interface TileGrid {
  readonly columns: number;
  readonly rows: number;
  isSolid(column: number, row: number): boolean;
}

/** To the right, down, to the left, up. */
const STEPS: readonly TileCorner[] = [[1, 0], [0, 1], [-1, 0], [0, -1]];

/**
 * @returns the edges of all blocks as loops without needless corners, from the upper left on.
 *   Blocks that touch at a corner alone are apart there.
 */
export function outlinesOfTiles(grid: TileGrid): readonly (readonly TileCorner[])[] {
  const { columns, rows } = grid;
  const solid = (x: number, y: number) =>
    x >= 0 && y >= 0 && x < columns && y < rows && grid.isSolid(x, y);

  // Every edge between a solid and an empty tile, with the solid one on its right hand: by its
  // first corner, a bit for each direction
  const stride = columns + 1;
  const open = new Uint8Array(stride * (rows + 1));
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      if (!solid(x, y)) continue;
      if (!solid(x, y - 1)) open[y * stride + x]! |= 1;
      if (!solid(x + 1, y)) open[y * stride + x + 1]! |= 2;
      if (!solid(x, y + 1)) open[(y + 1) * stride + x + 1]! |= 4;
      if (!solid(x - 1, y)) open[(y + 1) * stride + x]! |= 8;
    }
  }

  const loops: TileCorner[][] = [];
  for (let start = 0; start < open.length; start++) {
    while (open[start] !== 0) loops.push(loopFrom(open, start, stride));
  }
  return loops;
}

/**
 * Follows the edges around one block, and takes them out of `open`.
 * @param start the upper left one of its corners, so no side leads through it
 */
function loopFrom(open: Uint8Array, start: number, stride: number): TileCorner[] {
  const corners: TileCorner[] = [];
  let at = start;
  let before = -1;
  do {
    // Where two blocks touch at a corner, the right turn stays at the own block.
    const turns = before < 0 ? [0, 1, 2, 3] : [(before + 1) % 4, before, (before + 3) % 4];
    const direction = turns.find((turn) => (open[at]! & (1 << turn)) !== 0)!;
    open[at]! &= ~(1 << direction);
    if (direction !== before) corners.push([at % stride, Math.floor(at / stride)]);
    const [dx, dy] = STEPS[direction]!;
    at += dy * stride + dx;
    before = direction;
  } while (at !== start);
  return corners;
}

/** @returns the tops of all rows of solid tiles, each from its left to its right end */
export function topsOfTiles({ columns, rows, isSolid }: TileGrid): readonly (readonly [
  TileCorner,
  TileCorner,
])[] {
  const tops: (readonly [TileCorner, TileCorner])[] = [];
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      if (!isSolid(x, y)) continue;
      const from = x;
      while (x < columns && isSolid(x, y)) x++;
      tops.push([[from, y], [x, y]]);
    }
  }
  return tops;
}
