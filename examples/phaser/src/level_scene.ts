/**
 * The level, drawn by Phaser. Phaser steps no physics: its configuration has none, and each frame
 * of the match moves the sprites. Phaser's y points down, so only this file turns metres to pixels.
 */
import Phaser from "phaser";
import type { TypesOf } from "wyvern";
import type { MatchFrame } from "wyvern/session";
import type { game } from "../games/hop/game.ts";
import { COLUMNS, isSolid, LINES } from "../games/hop/level.ts";
import { colourOf } from "./hud.ts";
import { paintTextures, TILE_PX } from "./textures.ts";

type Frame = MatchFrame<TypesOf<typeof game>>;
type Thing = Frame["things"][number];

/** The least part of the level that a window shows, metres. */
const WIDTH_SEEN_MIN = 13;
const HEIGHT_SEEN_MIN = 13;
/** How fast the camera comes up to the hero: by this share of the rest, per second. */
const CAMERA_RATE = 7;
const FRAME_SECONDS_MAX = 0.3;
/** A hero runs if it is faster than this, m/s, and is in the air if it rises or falls so fast. */
const RUN_SPEED_MIN = 0.7;
const FALL_SPEED_MIN = 2.5;
/** Steps and turns of coins in a second. */
const STEPS_HZ = 9;
const COIN_HZ = 6;

/** What the page draws of a thing. */
interface Picture {
  readonly body: Phaser.GameObjects.Sprite;
  readonly face?: Phaser.GameObjects.Sprite;
  readonly name?: Phaser.GameObjects.Text;
}

export class LevelScene extends Phaser.Scene {
  readonly #pictures = new Map<number, Picture>();
  readonly #hills: Phaser.GameObjects.TileSprite[] = [];
  #sparks!: Phaser.GameObjects.Particles.ParticleEmitter;
  #dust!: Phaser.GameObjects.Particles.ParticleEmitter;
  /** The middle of the picture, pixels of the level; undefined before the first frame. */
  #middle: { x: number; y: number } | undefined;
  #seconds = 0;

  /** Opens a canvas in an element that fills the window. */
  static async open(parent: HTMLElement): Promise<LevelScene> {
    const scene = new LevelScene("level");
    new Phaser.Game({
      type: Phaser.AUTO,
      parent,
      transparent: true, // the page's own sky shows through
      pixelArt: true,
      banner: false,
      audio: { noAudio: true },
      input: { keyboard: false, mouse: false, touch: false }, // the page has controls of its own
      scale: { mode: Phaser.Scale.RESIZE, width: "100%", height: "100%" },
      scene,
    });
    await new Promise<void>((resolve) => scene.#whenCreated = resolve);
    return scene;
  }

  #whenCreated: () => void = () => {};

  /** Phaser calls this once, as soon as it can draw. */
  create(): void {
    paintTextures(this.textures);
    for (const layer of [0, 1]) {
      const hills = this.add.tileSprite(0, 0, 4 * COLUMNS * TILE_PX, 160, `hills${layer}`);
      hills.setOrigin(0.5, 1);
      this.#hills.push(hills);
    }

    const data = Array.from(
      { length: LINES },
      (_, line) => Array.from({ length: COLUMNS }, (_, column) => tileAt(column, line)),
    );
    const map = this.make.tilemap({ data, tileWidth: TILE_PX, tileHeight: TILE_PX });
    map.createLayer(0, map.addTilesetImage("tiles")!, 0, 0);

    const life = { emitting: false, lifespan: 600, scale: { start: 1.2, end: 0 } };
    this.#sparks = this.add.particles(0, 0, "spark", {
      ...life,
      speed: { min: 30, max: 110 },
      gravityY: 160,
      tint: [0xffd65c, 0xfff4e0],
    });
    this.#dust = this.add.particles(0, 0, "spark", { ...life, speed: { min: 8, max: 30 } });
    for (const particles of [this.#sparks, this.#dust]) particles.setDepth(3);
    this.#whenCreated();
  }

  /** Moves all sprites to where the frame has their things. Phaser draws them by itself. */
  draw(frame: Frame): void {
    for (const id of frame.gone) this.#remove(id);
    for (const thing of frame.things) {
      const picture = this.#pictures.get(thing.id) ?? this.#add(thing);
      const at = pixelsOf(thing);
      picture.body.setPosition(at.x, at.y).setRotation(-thing.angle);
      if (thing.name === "coin") {
        // There, and back the other way
        const turn = Math.floor(frame.seconds * COIN_HZ + thing.id) % 4;
        picture.body.setFrame(turn === 3 ? 1 : turn);
      }
      if (thing.name === "hero") this.#pose(thing, picture, frame.seconds);
    }

    for (const { kind, ...place } of frame.events) {
      const { x, y } = pixelsOf(place);
      if (kind === "jump") this.#dust.explode(6, x, y + 7);
      else this.#sparks.explode(kind === "coin" ? 16 : 10, x, y);
    }
    this.#placeCamera(frame);
  }

  #add(thing: Thing): Picture {
    const picture = this.#pictureOf(thing);
    this.#pictures.set(thing.id, picture);
    return picture;
  }

  #pictureOf(thing: Thing): Picture {
    switch (thing.name) {
      case "crate":
        return { body: this.add.sprite(0, 0, "crate") };
      case "coin":
        return { body: this.add.sprite(0, 0, "coin").setScale(1.5) };
      case "hero": {
        const tint = Phaser.Display.Color.ValueToColor(colourOf(thing)).color;
        const name = this.add.text(0, 0, thing.label, {
          fontFamily: "system-ui, sans-serif",
          fontStyle: thing.own ? "bold" : "normal",
          fontSize: 36,
          color: thing.own ? "#ffffff" : "#f1e6ee",
          stroke: "#2b2540",
          strokeThickness: 6,
        });
        // Larger letters, drawn small, stay sharp when the camera zooms.
        name.setOrigin(0.5, 1).setScale(1 / 6).setDepth(4);
        name.texture.setFilter(Phaser.Textures.FilterMode.LINEAR);
        return {
          body: this.add.sprite(0, 0, "coat", 0).setTint(tint).setDepth(thing.own ? 2 : 1),
          face: this.add.sprite(0, 0, "face", 0).setOrigin(0.5, 1).setDepth(thing.own ? 2 : 1),
          name,
        };
      }
    }
  }

  #remove(id: number): void {
    const picture = this.#pictures.get(id);
    picture?.body.destroy();
    picture?.face?.destroy();
    picture?.name?.destroy();
    this.#pictures.delete(id);
  }

  /** A hero faces where it goes, swings its feet, and stretches in the air. */
  #pose(
    hero: Extract<Thing, { name: "hero" }>,
    { body, face, name }: Picture,
    seconds: number,
  ): void {
    const isDizzy = hero.fields.dizzy > 0;
    const isInAir = Math.abs(hero.vy) > FALL_SPEED_MIN;
    const isRunning = Math.abs(hero.vx) > RUN_SPEED_MIN;
    const step = 1 + Math.floor(seconds * STEPS_HZ + hero.id) % 2;
    body.setFrame(isInAir ? 3 : isRunning ? step : 0);
    if (isRunning) body.setFlipX(hero.vx < 0);

    const stretch = isDizzy ? -0.3 : isInAir ? Math.min(0.18, Math.abs(hero.vy) / 80) : 0;
    body.setScale(1 - stretch, 1 + stretch);
    body.y += isDizzy ? 2.4 : 0;

    face?.setFrame(isDizzy ? 1 : 0).setFlipX(body.flipX).setScale(body.scaleX, body.scaleY);
    face?.setPosition(body.x, body.y);
    name?.setPosition(body.x, body.y - 9);
  }

  /** Follows the own hero, and stays within the level. */
  #placeCamera({ followed, seconds }: Frame): void {
    const passed = Math.min(FRAME_SECONDS_MAX, Math.max(0, seconds - this.#seconds));
    this.#seconds = seconds;
    const camera = this.cameras.main;
    const { width, height } = this.scale;
    const zoom = Math.min(width / WIDTH_SEEN_MIN, height / HEIGHT_SEEN_MIN) / TILE_PX;
    camera.setZoom(zoom);

    const aim = followed === undefined
      ? { x: COLUMNS * TILE_PX / 2, y: LINES * TILE_PX / 2 }
      : pixelsOf(followed);
    const x = clamped(aim.x, width / zoom / 2, COLUMNS * TILE_PX);
    const y = Math.min(aim.y, LINES * TILE_PX - height / zoom / 2);
    this.#middle ??= { x, y };
    const share = 1 - Math.exp(-CAMERA_RATE * passed);
    this.#middle.x += share * (x - this.#middle.x);
    this.#middle.y += share * (y - this.#middle.y);
    camera.centerOn(this.#middle.x, this.#middle.y);

    // Far hills go along with most of the camera's way.
    this.#hills.forEach((hills, layer) => {
      const share = [0.85, 0.65][layer]!;
      hills.setPosition(this.#middle!.x * share, LINES * TILE_PX - 20);
    });
  }
}

/** The tileset's index: 0 has grass, 1 is below another tile, −1 is air. */
function tileAt(column: number, line: number): number {
  if (!isSolid(column, line)) return -1;
  return isSolid(column, line - 1) ? 1 : 0;
}

/** A place of the world in pixels of the level, y downwards. */
function pixelsOf({ x, y }: { readonly x: number; readonly y: number }): { x: number; y: number } {
  return { x: x * TILE_PX, y: (LINES - y) * TILE_PX };
}

/** Keeps the middle of the picture so far from the level's ends; a wider picture shows all of it. */
function clamped(value: number, half: number, length: number): number {
  return half > length / 2 ? length / 2 : Math.max(half, Math.min(length - half, value));
}
