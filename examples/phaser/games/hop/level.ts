/** The level as rows of letters, one a metre: `#` is solid, `o` is where coins can be. */
const ROWS = [
  "#..............................................#",
  "#..............................................#",
  "#....o.....................o...................#",
  "#..####.......o..........#####........o........#",
  "#...........#####..................#######.....#",
  "#...................o.......................o..#",
  "#........o........#####.........o........#######",
  "#......#####...................####............#",
  "#o..........................................o..#",
  "####............o......####.................####",
  "#............#######...............o...........#",
  "#.......o......................#########.......#",
  "#.....#####.............o....................o.#",
  "#..........................................#####",
  "#...o...............#######....................#",
  "################################################",
  "################################################",
] as const;

export const COLUMNS = ROWS[0].length;
export const LINES = ROWS.length;

/** Whether the tile in a column and a line from the top is solid. */
export function isSolid(column: number, line: number): boolean {
  return ROWS[line]?.[column] === "#";
}

/** A place in the world, metres. The lower left corner of the level is at 0, 0, and y points up. */
interface Spot {
  readonly x: number;
  readonly y: number;
}

/** The middles of the tiles with a letter, from the top. */
function spotsOf(letter: string): Spot[] {
  return ROWS.flatMap((row, line) =>
    [...row].flatMap((each, column) =>
      each === letter ? [{ x: column + 0.5, y: LINES - line - 0.5 }] : []
    )
  );
}

/** Where coins can be. */
export const COIN_SPOTS: readonly Spot[] = spotsOf("o");

/** The solid tiles as boxes: each run of tiles in a line is one. Metres. */
export const BLOCKS = ROWS.flatMap((row, line) =>
  [...row.matchAll(/#+/g)].map(({ index, 0: run }) => ({
    x: index + run.length / 2,
    y: LINES - line - 0.5,
    halfWidth: run.length / 2,
  }))
);
