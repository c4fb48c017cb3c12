/** Maps of Tiled as ground and places, and what the kit refuses in them (SPEC 13.76 to 13.78). */
import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import {
  CHAINS,
  defineGame,
  GameError,
  press,
  tiledMap,
} from "../../../../shared/game_kit/game_kit.ts";
import {
  outlinesOfTiles,
  type TileCorner,
  topsOfTiles,
} from "../../../../shared/game_kit/tiled/tile_outlines.ts";
import { Random } from "../../../../shared/random.ts";
import { SEATS } from "../../../../shared/netcode/game.ts";

/** A map of 4 × 3 tiles of 8 pixels, as Tiled writes it. */
function mapOf(layers: readonly object[], more: object = {}): string {
  return JSON.stringify({
    orientation: "orthogonal",
    infinite: false,
    width: 4,
    height: 3,
    tilewidth: 8,
    tileheight: 8,
    tilesets: [{ firstgid: 1, name: "stone", columns: 2, tilewidth: 8, tileheight: 8 }],
    layers,
    ...more,
  });
}

const tilesOf = (name: string, data: readonly number[], more: object = {}) => ({
  type: "tilelayer",
  name,
  data,
  ...more,
});
const objectsOf = (name: string, ...objects: readonly object[]) => ({
  type: "objectgroup",
  name,
  objects: objects.map((object, i) => ({ id: i + 1, x: 0, y: 0, width: 0, height: 0, ...object })),
});

const ROCK = tilesOf("rock", [0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1]);

Deno.test("tiledMap: blocks of tiles become loops, rows platforms, and shapes fixtures; y points up (SPEC 13.76)", () => {
  const planks = tilesOf("planks", [2, 2, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0]);
  const shapes = objectsOf(
    "shapes",
    { x: 8, y: 8, width: 16, height: 8 },
    { x: 0, y: 8, width: 8, height: 8, ellipse: true },
    { x: 8, y: 16, polygon: [{ x: 0, y: 0 }, { x: 8, y: 0 }, { x: 0, y: -8 }] },
    { x: 0, y: 0, polyline: [{ x: 0, y: 0 }, { x: 8, y: 8 }], rotation: 90 },
  );
  const map = tiledMap(mapOf([ROCK, planks, shapes]), {
    metres: 2,
    ground: ["rock", "shapes"],
    oneWay: ["planks"],
  });
  assertEquals([map.width, map.height], [8, 6]);
  assertEquals(map.ground.slice(0, 4), [
    { shape: { chain: [[6, 4], [8, 4], [8, 0], [0, 0], [0, 2], [6, 2]], loop: true } },
    { shape: { box: [2, 1], x: 4, y: 3, angle: -0 } },
    { shape: { circle: 1, x: 1, y: 3 } },
    { shape: { chain: [[2, 2], [4, 2], [2, 4]], loop: true } },
  ]);
  const { chain } = map.ground[4]!.shape as { chain: readonly (readonly number[])[] };
  [[0, 6], [-2, 4]].flat().forEach((value, i) =>
    assertAlmostEquals(chain.flat()[i]!, value, 1e-9, "turned clockwise by 90 degrees")
  );
  assertEquals(map.ground.slice(5), [
    { shape: { edge: [0, 6, 4, 6] }, oneWay: true },
    { shape: { edge: [6, 6, 8, 6] }, oneWay: true },
  ]);
});

Deno.test("tiledMap: objects are places by class, in the order of the file (SPEC 13.76)", () => {
  const things = objectsOf(
    "things",
    { type: "coin", x: 4, y: 4, point: true, name: "first" },
    { class: "door", x: 8, y: 8, width: 8, height: 16, properties: [{ name: "to", value: "B" }] },
    { type: "coin", x: 8, y: 24, width: 8, height: 8, gid: 1, rotation: 90 },
  );
  const map = tiledMap(mapOf([ROCK, things]), { ground: ["rock"] });
  const at = (x: number, y: number) => ({ x, y, angle: 0, width: 0, height: 0, properties: {} });
  const [first, second] = map.places("coin");
  assertEquals(first, { name: "first", ...at(0.5, 2.5) });
  assertAlmostEquals(second!.x, 1.5, 1e-9, "a tile turns around its lower left corner");
  assertAlmostEquals(second!.y, -0.5, 1e-9);
  assertAlmostEquals(second!.angle, -Math.PI / 2);
  assertEquals(map.places("door"), [
    { name: "", x: 1.5, y: 1, angle: 0, width: 1, height: 2, properties: { to: "B" } },
  ]);
});

Deno.test("tiledMap: a body lands on tiles and passes platforms from below (SPEC 13.77)", () => {
  const { ground } = tiledMap(
    mapOf([ROCK, tilesOf("planks", [0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 0, 0])]),
    { ground: ["rock"], oneWay: ["planks"] },
  );
  const game = defineGame({
    id: "ledge-1",
    title: "Ledge",
    gravity: 20,
    features: [CHAINS],
    ground,
    command: { jump: press() },
    things: { ball: { body: { fixtures: [{ shape: { circle: 0.3 } }] } } },
    player: "ball",
  }, {
    enter: () => ({ x: 1, y: 1.35 }),
    drive(world, me, { jump }) {
      if (jump > 0 && world.isSupported(me)) world.setVelocity(me, 0, 9);
    },
  });
  const simulation = game.start({ npcs: 0 }, 1);
  const commands = new Array(SEATS).fill(undefined);
  let before = game.command.neutral;
  const step = (ticks: number, jump = 0) => {
    for (let i = 0; i < ticks; i++) {
      commands[0] = before = game.commandOf(i === 0 ? { jump } : {}, before);
      simulation.step(commands);
    }
    return simulation.world.player(0)!.y;
  };
  assertAlmostEquals(step(20), 1.3, 0.03, "on the tiles");
  assertAlmostEquals(step(40, 1), 2.3, 0.03, "on the planks, from below through them");
});

const REFUSALS: readonly [sentence: string, text: string, options?: object][] = [
  ["the map is no text of a .tmj file, which Tiled writes", "<map>"],
  [
    `the map's orientation is isometric; only "orthogonal" is allowed`,
    mapOf([], { orientation: "isometric" }),
  ],
  ["the map is infinite: in its properties switch Infinite off", mapOf([], { infinite: true })],
  ["the map's width is 5000; a whole number from 1 to 1024 is allowed", mapOf([], { width: 5000 })],
  [
    "the map has 1048576 tiles; at most 65536 are allowed",
    mapOf([], { width: 1024, height: 1024 }),
  ],
  [
    `layer "rock" is stored as base64: in the map's properties choose the tile layer format CSV`,
    mapOf([tilesOf("rock", [], { data: "AAAA", encoding: "base64" })]),
  ],
  [`layer "rock" has 3 tiles; the map has 12`, mapOf([tilesOf("rock", [1, 2, 3])])],
  [`layer "rock" is moved; no offset is allowed`, mapOf([{ ...ROCK, offsetx: 4 }])],
  [
    `layer "far" is of the type imagelayer; tile layers and object layers are allowed`,
    mapOf([{ type: "imagelayer", name: "far" }]),
  ],
  [
    `object 1 "blob" of layer "shapes" has the shape ellipse; only a circle is allowed`,
    mapOf([objectsOf("shapes", { name: "blob", width: 8, height: 4, ellipse: true })]),
    { ground: ["shapes"] },
  ],
  [
    `object 2 of layer "shapes" has the shape point; rectangles, circles, polygons and lines are allowed`,
    mapOf([objectsOf("shapes", { width: 8, height: 8 }, { point: true })]),
    { ground: ["shapes"] },
  ],
  [
    `object 1 of layer "shapes" has the shape box; lines are allowed`,
    mapOf([objectsOf("shapes", { width: 8, height: 8 })]),
    { oneWay: ["shapes"] },
  ],
  [`object 1 of layer "words" is a text`, mapOf([objectsOf("words", { text: { text: "hi" } })])],
  [
    `object 1 of layer "things": x is 4; a number is allowed`,
    mapOf([objectsOf("things", { x: "4" })]),
  ],
  [`the map has no layer "rocks"; it has "rock"`, mapOf([ROCK]), { ground: ["rocks"] }],
  [
    `tileset "stone" has gaps; neither margin nor spacing is allowed`,
    mapOf([ROCK], { tilesets: [{ firstgid: 1, name: "stone", spacing: 1 }] }),
  ],
  [
    `tileset "stone" has tiles of 16 × 16 pixels; the map's are 8 × 8`,
    mapOf([ROCK], { tilesets: [{ firstgid: 1, name: "stone", tilewidth: 16, tileheight: 16 }] }),
  ],
  ["tiledMap: metres is 0; more than 0, at most 1000 is allowed", mapOf([ROCK]), { metres: 0 }],
  [
    "the map's ground has 512 edges; at most 256 are allowed",
    mapOf([tilesOf("rock", Array.from({ length: 256 }, (_, i) => (i + (i >> 4)) % 2))], {
      width: 16,
      height: 16,
    }),
    { ground: ["rock"] },
  ],
];

Deno.test("tiledMap: what the kit cannot do is refused in a sentence that names layer and object (SPEC 13.78)", () => {
  for (const [sentence, text, options] of REFUSALS) {
    const { message } = assertThrows(() => tiledMap(text, options), GameError);
    assertEquals(message, sentence);
  }
  const map = tiledMap(mapOf([ROCK, objectsOf("things", { type: "coin" }, { type: "coin" })]));
  const refusals: readonly [() => unknown, string][] = [
    [() => map.places("coiin"), `the map has no object of the class "coiin"; it has "coin"`],
    [() => map.tiles("rocks"), `the map has no layer "rocks"; it has "rock", "things"`],
    [() => map.tiles("things"), `layer "things" has objects; a layer of tiles is allowed`],
  ];
  for (const [act, sentence] of refusals) {
    assertEquals(assertThrows(act, GameError).message, sentence);
  }
});

Deno.test("outlinesOfTiles: every edge between solid and empty is in one loop once, in any grid (SPEC 13.76)", () => {
  const random = new Random(3);
  for (let round = 0; round < 300; round++) {
    const columns = 1 + Math.floor(random.fraction() * 9);
    const rows = 1 + Math.floor(random.fraction() * 9);
    const solid = Array.from({ length: columns * rows }, () => random.fraction() < 0.5);
    const isSolid = (x: number, y: number) =>
      x >= 0 && y >= 0 && x < columns && y < rows && solid[y * columns + x]!;

    /** Unit edges with the solid tile at their right. */
    const expected: string[] = [];
    for (let y = 0; y < rows; y++) {
      for (let x = 0; x < columns; x++) {
        if (!isSolid(x, y)) continue;
        if (!isSolid(x, y - 1)) expected.push(`${x},${y} ${x + 1},${y}`);
        if (!isSolid(x + 1, y)) expected.push(`${x + 1},${y} ${x + 1},${y + 1}`);
        if (!isSolid(x, y + 1)) expected.push(`${x + 1},${y + 1} ${x},${y + 1}`);
        if (!isSolid(x - 1, y)) expected.push(`${x},${y + 1} ${x},${y}`);
      }
    }
    const loops = outlinesOfTiles({ columns, rows, isSolid });
    assertEquals(loops.flatMap(unitEdges).sort(), expected.sort());
    for (const loop of loops) {
      // Each corner is a turn, and no loop meets itself: it would have two points in one place.
      loop.forEach(([x, y], i) => {
        const [beforeX, beforeY] = loop.at(i - 1)!;
        const [afterX, afterY] = loop[(i + 1) % loop.length]!;
        assert((beforeX === x) !== (afterX === x) && (beforeY === y) !== (afterY === y));
      });
    }
  }
});

Deno.test("outlinesOfTiles: blocks that touch at a corner alone are apart, and a hole is a loop (SPEC 13.76)", () => {
  const corners = (...rows: readonly string[]) =>
    outlinesOfTiles({
      columns: rows[0]!.length,
      rows: rows.length,
      isSolid: (x, y) => rows[y]![x] === "#",
    }).map((loop) => loop.length);
  assertEquals(corners("#.", ".#"), [4, 4]);
  assertEquals(corners(".#", "#."), [4, 4]);
  assertEquals(corners("###", "#.#", "###"), [4, 4]);
  assertEquals(corners("..", ".."), []);
});

function unitEdges(loop: readonly TileCorner[]): string[] {
  return loop.flatMap(([fromX, fromY], i) => {
    const [toX, toY] = loop[(i + 1) % loop.length]!;
    const stepX = Math.sign(toX - fromX);
    const stepY = Math.sign(toY - fromY);
    const edges: string[] = [];
    for (let [x, y] = [fromX, fromY]; x !== toX || y !== toY; x += stepX, y += stepY) {
      edges.push(`${x},${y} ${x + stepX},${y + stepY}`);
    }
    return edges;
  });
}

Deno.test("topsOfTiles: one line for each row of tiles", () => {
  const isSolid = (x: number, y: number) => y === 1 && x !== 2;
  assertEquals(topsOfTiles({ columns: 5, rows: 2, isSolid }), [
    [[0, 1], [2, 1]],
    [[3, 1], [5, 1]],
  ]);
});
