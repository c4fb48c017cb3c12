/**
 * Reads the text of a map of the editor Tiled (`.tmj`), and refuses what the kit cannot do. Numbers
 * are as in the file: pixels, y downwards, degrees clockwise. A tile is a number of the whole map,
 * with its flips in the upper bits.
 */
import { GameError } from "../game_error.ts";

/** A value that an author gave an object. */
export type TiledValue = string | number | boolean;

export interface TileLayer {
  readonly kind: "tiles";
  readonly name: string;
  /** Row by row from the top; 0 is empty. */
  readonly tiles: readonly number[];
}

export interface ObjectLayer {
  readonly kind: "objects";
  readonly name: string;
  readonly objects: readonly RawObject[];
}

/** An object as the file has it. */
export interface RawObject {
  readonly id: number;
  readonly name: string;
  readonly class: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly rotation: number;
  readonly shape: "box" | "point" | "ellipse" | "tile" | "polygon" | "polyline";
  /** Of a polygon or polyline, from the object's place. */
  readonly points: readonly { readonly x: number; readonly y: number }[];
  readonly properties: Readonly<Record<string, TiledValue>>;
}

/** A map as the file has it. */
export interface TiledFile {
  readonly columns: number;
  readonly rows: number;
  /** A tile's sides, pixels. */
  readonly tileWidth: number;
  readonly tileHeight: number;
  readonly layers: readonly (TileLayer | ObjectLayer)[];
  /** The number of each tileset's first tile, ascending. */
  readonly firstTiles: readonly number[];
}

/** A side of the map, tiles. */
const SIDE_MAX = 1024;
/** Tiles in a layer. */
const TILES_MAX = 65_536;
const LAYERS_MAX = 64;
const OBJECTS_MAX = 1024;

type Raw = Readonly<Record<string, unknown>>;

/**
 * @param text the file's
 * @throws GameError that names the layer and the object, and says what is allowed
 */
export function readTiledFile(text: string): TiledFile {
  const map = parsed(text);
  if (map.orientation !== "orthogonal") {
    throw new GameError(
      `the map's orientation is ${map.orientation}; only "orthogonal" is allowed`,
    );
  }
  if (map.infinite === true) {
    throw new GameError("the map is infinite: in its properties switch Infinite off");
  }

  const columns = wholeNumber(map.width, 1, SIDE_MAX, "the map's width");
  const rows = wholeNumber(map.height, 1, SIDE_MAX, "the map's height");
  const tiles = columns * rows;
  if (tiles > TILES_MAX) {
    throw new GameError(`the map has ${tiles} tiles; at most ${TILES_MAX} are allowed`);
  }
  const tileWidth = wholeNumber(map.tilewidth, 1, SIDE_MAX, "the map's tile width");
  const tileHeight = wholeNumber(map.tileheight, 1, SIDE_MAX, "the map's tile height");
  const layers = listOf(map.layers, LAYERS_MAX, "the map's layers");
  return {
    columns,
    rows,
    tileWidth,
    tileHeight,
    layers: layers.map((layer) => layerOf(layer, tiles)),
    firstTiles: listOf(map.tilesets ?? [], LAYERS_MAX, "the map's tilesets").map((tileset) =>
      firstTileOf(tileset, { tileWidth, tileHeight })
    ),
  };
}

function parsed(text: string): Raw {
  try {
    const map: unknown = JSON.parse(text);
    if (typeof map === "object" && map !== null && "layers" in map) return map as Raw;
  } catch {
    // It is told below.
  }
  throw new GameError("the map is no text of a .tmj file, which Tiled writes");
}

function layerOf(layer: Raw, tiles: number): TileLayer | ObjectLayer {
  const name = String(layer.name);
  const owner = `layer "${name}"`;
  for (const offset of ["offsetx", "offsety"]) {
    if ((layer[offset] ?? 0) !== 0) throw new GameError(`${owner} is moved; no offset is allowed`);
  }

  switch (layer.type) {
    case "tilelayer":
      if (!Array.isArray(layer.data)) {
        throw new GameError(
          `${owner} is stored as ${layer.encoding}: in the map's properties choose the tile layer format CSV`,
        );
      }
      if (layer.data.length !== tiles) {
        throw new GameError(`${owner} has ${layer.data.length} tiles; the map has ${tiles}`);
      }
      return {
        kind: "tiles",
        name,
        tiles: layer.data.map((tile) => wholeNumber(tile, 0, 0xffff_ffff, `a tile of ${owner}`)),
      };
    case "objectgroup":
      return {
        kind: "objects",
        name,
        objects: listOf(layer.objects, OBJECTS_MAX, `the objects of ${owner}`).map((object) =>
          objectOf(object, owner)
        ),
      };
    default:
      throw new GameError(
        `${owner} is of the type ${layer.type}; tile layers and object layers are allowed`,
      );
  }
}

function objectOf(object: Raw, layer: string): RawObject {
  // Tiled 1.9 alone calls the class `class`.
  const { id, name = "" } = object;
  const owner = `object ${id}${name === "" ? "" : ` "${name}"`} of ${layer}`;
  for (const member of ["template", "text"]) {
    if (object[member] !== undefined) throw new GameError(`${owner} is a ${member}`);
  }
  const number = (member: string) => {
    const value = object[member] ?? 0;
    if (typeof value === "number" && Number.isFinite(value)) return value;
    throw new GameError(`${owner}: ${member} is ${value}; a number is allowed`);
  };

  const points = (object.polygon ?? object.polyline ?? []) as readonly { x: number; y: number }[];
  return {
    id: number("id"),
    name: String(name),
    class: String(object.class ?? object.type ?? ""),
    x: number("x"),
    y: number("y"),
    width: number("width"),
    height: number("height"),
    rotation: number("rotation"),
    shape: shapeOf(object),
    points: points.map(({ x, y }) => ({ x: Number(x), y: Number(y) })),
    properties: propertiesOf(object, owner),
  };
}

function shapeOf(object: Raw): RawObject["shape"] {
  if (object.gid !== undefined) return "tile";
  if (object.polygon !== undefined) return "polygon";
  if (object.polyline !== undefined) return "polyline";
  if (object.ellipse === true) return "ellipse";
  return object.point === true ? "point" : "box";
}

function propertiesOf(object: Raw, owner: string): Readonly<Record<string, TiledValue>> {
  const properties = listOf(object.properties ?? [], OBJECTS_MAX, `the properties of ${owner}`);
  return Object.fromEntries(properties.map(({ name, value }) => {
    if (typeof value === "object") {
      throw new GameError(`${owner}: property ${name} is no text, number or truth value`);
    }
    return [name, value as TiledValue];
  }));
}

function firstTileOf(
  tileset: Raw,
  { tileWidth, tileHeight }: Pick<TiledFile, "tileWidth" | "tileHeight">,
): number {
  const name = String(tileset.name ?? tileset.source);
  // A tileset in a file of its own says no more than this.
  const { firstgid, margin = 0, spacing = 0, columns } = tileset;
  if (margin !== 0 || spacing !== 0) {
    throw new GameError(`tileset "${name}" has gaps; neither margin nor spacing is allowed`);
  }
  if (columns === 0) {
    throw new GameError(`tileset "${name}" is a collection of images; one image is allowed`);
  }
  const { tilewidth = tileWidth, tileheight = tileHeight } = tileset;
  if (tilewidth !== tileWidth || tileheight !== tileHeight) {
    throw new GameError(
      `tileset "${name}" has tiles of ${tilewidth} × ${tileheight} pixels; ` +
        `the map's are ${tileWidth} × ${tileHeight}`,
    );
  }
  return wholeNumber(firstgid, 1, 0xfff_ffff, `the first tile of tileset "${name}"`);
}

function listOf(value: unknown, most: number, name: string): readonly Raw[] {
  if (!Array.isArray(value)) throw new GameError(`${name} are no list`);
  if (value.length <= most) return value;
  throw new GameError(`${name} are ${value.length}; at most ${most} are allowed`);
}

function wholeNumber(value: unknown, least: number, most: number, name: string): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) {
    return value;
  }
  throw new GameError(`${name} is ${value}; a whole number from ${least} to ${most} is allowed`);
}
