/**
 * Maps of the editor Tiled: ground, platforms, and places of things, for rules and view alike. It
 * follows from the file's text alone, so it is the same on every machine.
 *
 *     import text from "cave.tmj" with { type: "text" };
 *     export const cave = tiledMap(text, { ground: ["rock"], oneWay: ["planks"] });
 */
import type { FixtureDef } from "../../physics/core/types.ts";
import { cos, sin } from "../../physics/core/math.ts";
import { GameError } from "../game_error.ts";
import { outlinesOfTiles, type TileCorner, topsOfTiles } from "./tile_outlines.ts";
import {
  type ObjectLayer,
  type RawObject,
  readTiledFile,
  type TiledFile,
  type TiledValue,
  type TileLayer,
} from "./tiled_file.ts";

/** A ground's fixtures and segments of chains. */
const GROUND_PARTS_MAX = 256;

/** What each layer is for. Layers that are not named are there to be drawn, or for `places`. */
export interface TiledOptions {
  /** A tile's width, metres; default 1. */
  readonly metres?: number;
  /**
   * Layers that are solid. Of tiles, the edges of all blocks; of objects, their shapes: rectangles,
   * circles, polygons and lines.
   */
  readonly ground?: readonly string[];
  /** Layers that are solid from above: tops of rows of tiles, and lines. */
  readonly oneWay?: readonly string[];
}

/** An object of the map. Metres, y upwards; radians, counter-clockwise. */
export interface TiledPlace {
  /** As in Tiled; empty for none. */
  readonly name: string;
  /** Its middle, or a point itself. */
  readonly x: number;
  readonly y: number;
  /** Radians, counter-clockwise. */
  readonly angle: number;
  /** Metres; 0 for a point. */
  readonly width: number;
  /** Metres; 0 for a point. */
  readonly height: number;
  /** What the author gave it in Tiled. */
  readonly properties: Readonly<Record<string, TiledValue>>;
}

/** The tiles of one layer, to draw. */
export interface TiledTiles {
  /** Tiles side by side. */
  readonly columns: number;
  /** Tiles below one another. */
  readonly rows: number;
  /** Metres. */
  readonly tileWidth: number;
  /** Metres. */
  readonly tileHeight: number;
  /** Row by row from the top, with flips in the upper four bits; 0 is empty. */
  readonly tiles: readonly number[];
  /** The number of each tileset's first tile, ascending. */
  readonly firstTiles: readonly number[];
}

/** A map whose lower left corner is at 0, 0. */
export interface TiledMap {
  /** Metres. */
  readonly width: number;
  /** Metres. */
  readonly height: number;
  /** For the declaration's `ground`, which needs the feature `CHAINS`. */
  readonly ground: readonly FixtureDef[];
  /**
   * The objects of a class, in the order of the file.
   * @throws GameError if there is none; it lists the classes
   */
  places(className: string): readonly TiledPlace[];
  /** @throws GameError if there is no such layer of tiles; it lists them */
  tiles(layer: string): TiledTiles;
}

/**
 * Reads a map.
 * @param text of a .tmj file
 * @throws GameError that names the layer and the object for what the kit cannot do, and lists the
 *   layers if one that is named is not there
 */
export function tiledMap(text: string, options: TiledOptions = {}): TiledMap {
  const { metres = 1, ground = [], oneWay = [] } = options;
  if (!(metres > 0 && metres <= 1000)) {
    throw new GameError(`tiledMap: metres is ${metres}; more than 0, at most 1000 is allowed`);
  }
  const map = new MapReader(readTiledFile(text), metres);

  const fixtures = [
    ...ground.flatMap((name) => map.solids(name)),
    ...oneWay.flatMap((name) => map.platforms(name)),
  ];
  const parts = fixtures.reduce((sum, { shape }) => sum + partsOf(shape), 0);
  if (parts > GROUND_PARTS_MAX) {
    throw new GameError(
      `the map's ground has ${parts} edges; at most ${GROUND_PARTS_MAX} are allowed`,
    );
  }

  return {
    width: map.width,
    height: map.height,
    ground: fixtures,
    places: (className) => map.places(className),
    tiles: (layer) => map.tiles(layer),
  };
}

function partsOf(shape: FixtureDef["shape"]): number {
  if (!("chain" in shape)) return 1;
  return shape.loop ? shape.chain.length : shape.chain.length - 1;
}

class MapReader {
  readonly width: number;
  readonly height: number;
  readonly #file: TiledFile;
  /** Metres per pixel. */
  readonly #scale: number;
  readonly #solidLayers = new Set<string>();

  constructor(file: TiledFile, metres: number) {
    this.#file = file;
    this.#scale = metres / file.tileWidth;
    this.width = file.columns * metres;
    this.height = file.rows * file.tileHeight * this.#scale;
  }

  solids(name: string): FixtureDef[] {
    const layer = this.#solid(name);
    if (layer.kind === "objects") return layer.objects.map((each) => this.#solidOf(each, layer));
    return outlinesOfTiles(this.#gridOf(layer)).map((corners) => ({
      shape: { chain: corners.map((corner) => this.#corner(corner)), loop: true },
    }));
  }

  platforms(name: string): FixtureDef[] {
    const layer = this.#solid(name);
    if (layer.kind === "tiles") {
      return topsOfTiles(this.#gridOf(layer)).map(([from, to]) => ({
        shape: { edge: [...this.#corner(from), ...this.#corner(to)] },
        oneWay: true,
      }));
    }
    return layer.objects.map((object) => {
      if (object.shape !== "polyline") throw refused(object, layer, "lines are allowed");
      return { shape: { chain: this.#pointsOf(object) }, oneWay: true };
    });
  }

  places(className: string): readonly TiledPlace[] {
    const objects = this.#file.layers.flatMap((layer) =>
      layer.kind === "objects" && !this.#solidLayers.has(layer.name) ? layer.objects : []
    );
    const found = objects.filter((object) => object.class === className);
    if (found.length > 0) return found.map((object) => this.#placeOf(object));
    throw new GameError(
      `the map has no object of the class "${className}"; it has ${
        listed(objects.map((object) => object.class))
      }`,
    );
  }

  tiles(name: string): TiledTiles {
    const layer = this.#layer(name);
    if (layer.kind === "objects") {
      throw new GameError(`layer "${name}" has objects; a layer of tiles is allowed`);
    }
    const { columns, rows, tileWidth, tileHeight, firstTiles } = this.#file;
    return {
      columns,
      rows,
      tileWidth: tileWidth * this.#scale,
      tileHeight: tileHeight * this.#scale,
      tiles: layer.tiles,
      firstTiles,
    };
  }

  #layer(name: string): TileLayer | ObjectLayer {
    const { layers } = this.#file;
    const layer = layers.find((layer) => layer.name === name);
    if (layer !== undefined) return layer;
    throw new GameError(
      `the map has no layer "${name}"; it has ${listed(layers.map(({ name }) => name))}`,
    );
  }

  #solid(name: string): TileLayer | ObjectLayer {
    this.#solidLayers.add(name);
    return this.#layer(name);
  }

  #gridOf({ tiles }: TileLayer) {
    const { columns, rows } = this.#file;
    return { columns, rows, isSolid: (x: number, y: number) => tiles[y * columns + x] !== 0 };
  }

  #corner([x, y]: TileCorner): readonly [x: number, y: number] {
    const { tileWidth, tileHeight } = this.#file;
    return this.#metres(x * tileWidth, y * tileHeight);
  }

  /** @param x pixels, y downwards */
  #metres(x: number, y: number): readonly [x: number, y: number] {
    return [x * this.#scale, this.height - y * this.#scale];
  }

  /** @param x pixels from the object's place, before it is turned */
  #point({ x: atX, y: atY, rotation }: RawObject, x: number, y: number): readonly [number, number] {
    if (rotation === 0) return this.#metres(atX + x, atY + y);
    const c = cos(radiansOf(rotation));
    const s = sin(radiansOf(rotation));
    return this.#metres(atX + c * x - s * y, atY + s * x + c * y);
  }

  #pointsOf(object: RawObject): (readonly [number, number])[] {
    return object.points.map(({ x, y }) => this.#point(object, x, y));
  }

  #solidOf(object: RawObject, layer: ObjectLayer): FixtureDef {
    const { shape, width, height, rotation } = object;
    switch (shape) {
      case "polygon":
        return { shape: { chain: this.#pointsOf(object), loop: true } };
      case "polyline":
        return { shape: { chain: this.#pointsOf(object) } };
      case "box": {
        if (width <= 0 || height <= 0) throw refused(object, layer, "it has no size");
        const [x, y] = this.#point(object, width / 2, height / 2);
        const box = [width / 2 * this.#scale, height / 2 * this.#scale] as const;
        return { shape: { box, x, y, angle: -radiansOf(rotation) } };
      }
      case "ellipse": {
        if (width !== height) throw refused(object, layer, "only a circle is allowed");
        const [x, y] = this.#point(object, width / 2, height / 2);
        return { shape: { circle: width / 2 * this.#scale, x, y } };
      }
      case "point":
      case "tile":
        throw refused(object, layer, "rectangles, circles, polygons and lines are allowed");
    }
  }

  #placeOf(object: RawObject): TiledPlace {
    const { name, shape, width, height, rotation, properties } = object;
    // A tile's place is its lower left corner, and that of all others the upper left one.
    const [x, y] = this.#point(object, width / 2, shape === "tile" ? -height / 2 : height / 2);
    return {
      name,
      x,
      y,
      angle: rotation === 0 ? 0 : -radiansOf(rotation),
      width: width * this.#scale,
      height: height * this.#scale,
      properties,
    };
  }
}

function radiansOf(degrees: number): number {
  return degrees * Math.PI / 180;
}

function refused({ id, name, shape }: RawObject, layer: ObjectLayer, allowed: string): GameError {
  const named = name === "" ? "" : ` "${name}"`;
  return new GameError(
    `object ${id}${named} of layer "${layer.name}" has the shape ${shape}; ${allowed}`,
  );
}

function listed(names: readonly string[]): string {
  const all = [...new Set(names)].filter((name) => name !== "");
  return all.length === 0 ? "none" : all.map((name) => `"${name}"`).join(", ");
}
