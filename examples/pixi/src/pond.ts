/**
 * The pond, drawn by PixiJS. Everything in the world is in a container that measures metres with y
 * upwards, so a thing's place and angle are its picture's. Names are outside of it, because they
 * neither turn nor scale.
 */
import {
  Application,
  Container,
  Graphics,
  Sprite,
  Text,
  type Texture,
  TilingSprite,
} from "pixi.js";
import type { TypesOf } from "wyvern";
import type { MatchFrame } from "wyvern/session";
import { type game, HALF_HEIGHT, HALF_WIDTH, HULL, LOG, ROCKS } from "../games/skiffs/game.ts";
import { colourOf } from "./hud.ts";
import { lightTexture, ripplesTexture } from "./textures.ts";

type Frame = MatchFrame<TypesOf<typeof game>>;
type Thing = Frame["things"][number];

/** An upright window shows so many metres of the width, and follows the own boat. */
const WIDTH_SEEN_MIN = 14;
/** Metres of land around the pond that a window shows. */
const LAND = 1.2;
/** The most sparks at a time; more would be noise. */
const SPARKS_MAX = 500;
const FRAME_SECONDS_MAX = 0.1;

const WARM = 0xffc46b;
const COLD = 0xaee4ff;

/** What the page draws of a thing. */
interface Picture {
  readonly body: Container;
  /** A player's name, outside of the world's container. */
  readonly name?: Text;
}

/** A light that moves, shrinks and fades. Metres and seconds. */
interface Spark {
  readonly sprite: Sprite;
  readonly vx: number;
  readonly vy: number;
  readonly seconds: number;
  readonly size: number;
  left: number;
}

export class Pond {
  readonly #app: Application;
  readonly #world = new Container();
  readonly #wakes = new Container();
  readonly #bodies = new Container();
  readonly #lights = new Container();
  readonly #names = new Container();
  readonly #light: Texture;
  readonly #ripples: TilingSprite;
  readonly #pictures = new Map<number, Picture>();
  readonly #sparks: Spark[] = [];
  #seconds = 0;

  /** Opens a canvas in an element that fills the window. */
  static async open(element: HTMLElement): Promise<Pond> {
    const app = new Application();
    await app.init({
      resizeTo: window,
      background: "#0b1512",
      antialias: true,
      autoDensity: true,
      resolution: Math.min(2, devicePixelRatio),
      autoStart: false, // each frame of the match draws once
      sharedTicker: false,
    });
    element.append(app.canvas);
    return new Pond(app);
  }

  private constructor(app: Application) {
    this.#app = app;
    this.#light = lightTexture();
    this.#ripples = new TilingSprite({
      texture: ripplesTexture(),
      width: 2 * HALF_WIDTH,
      height: 2 * HALF_HEIGHT,
      tileScale: { x: 0.035, y: 0.035 },
    });
    this.#ripples.position.set(-HALF_WIDTH, -HALF_HEIGHT);
    this.#world.addChild(drawWater(), this.#ripples, this.#wakes);
    this.#world.addChild(drawShore(), this.#bodies, this.#lights);
    app.stage.addChild(this.#world, this.#names);
  }

  /** Draws one frame. */
  draw(frame: Frame): void {
    const passed = Math.min(FRAME_SECONDS_MAX, Math.max(0, frame.seconds - this.#seconds));
    this.#seconds = frame.seconds;
    this.#placeCamera(frame);
    this.#ripples.tilePosition.set(0.25 * frame.seconds, 0.1 * Math.sin(frame.seconds / 2));

    for (const id of frame.gone) this.#remove(id);
    for (const thing of frame.things) {
      const picture = this.#pictures.get(thing.id) ?? this.#add(thing);
      picture.body.position.set(thing.x, thing.y);
      picture.body.rotation = thing.angle;
      if (thing.name === "boat") this.#leaveWake(thing, passed);
      if (thing.name === "lantern") {
        picture.body.scale.set(1 + 0.08 * Math.sin(3 * frame.seconds + thing.id));
      }
      if (picture.name !== undefined) {
        const at = this.#world.toGlobal({ x: thing.x, y: thing.y + 1.1 });
        picture.name.position.set(at.x, at.y);
      }
    }

    for (const { kind, x, y } of frame.events) {
      if (kind === "lantern") this.#burst(x, y, 30, WARM);
      else this.#burst(x, y, 12, COLD);
    }
    this.#moveSparks(passed);
    this.#app.render();
  }

  /** Shows the whole pond, or on an upright phone the part around the own boat. */
  #placeCamera({ followed }: Frame): void {
    const { width, height } = this.#app.screen;
    const whole = Math.min(
      width / (2 * (HALF_WIDTH + LAND)),
      height / (2 * (HALF_HEIGHT + LAND)),
    );
    const near = Math.min(width / WIDTH_SEEN_MIN, height / (2 * (HALF_HEIGHT + LAND)));
    const scale = Math.max(whole, near);

    const rangeX = Math.max(0, HALF_WIDTH + LAND - width / scale / 2);
    const x = Math.max(-rangeX, Math.min(rangeX, followed?.x ?? 0));
    this.#world.scale.set(scale, -scale);
    this.#world.position.set(width / 2 - x * scale, height / 2);
  }

  #add(thing: Thing): Picture {
    const body = new Container();
    let name: Text | undefined;
    switch (thing.name) {
      case "boat": {
        body.addChild(drawBoat(colourOf(thing), thing.own));
        const lamp = this.#glow(thing.own ? 0xffffff : WARM, thing.own ? 5 : 3.4);
        lamp.position.set(0.6, 0);
        body.addChild(lamp);

        const { label, own } = thing;
        const style = {
          fill: own ? "#ffffff" : "#b9cbd6",
          fontSize: 13,
          fontWeight: "600",
        } as const;
        name = new Text({ text: label, style: { ...style, fontFamily: "system-ui, sans-serif" } });
        name.anchor.set(0.5, 1);
        this.#names.addChild(name);
        break;
      }
      case "log":
        body.addChild(drawLog());
        break;
      case "lantern":
        body.addChild(this.#glow(WARM, 6.5), drawLantern());
        break;
    }
    const layer = thing.name === "lantern" ? this.#lights : this.#bodies;
    layer.addChild(body);
    const picture = { body, ...name !== undefined && { name } };
    this.#pictures.set(thing.id, picture);
    return picture;
  }

  #remove(id: number): void {
    const picture = this.#pictures.get(id);
    picture?.body.destroy({ children: true });
    picture?.name?.destroy();
    this.#pictures.delete(id);
  }

  /** A light that brightens what lies below it. @param size its width, metres */
  #glow(tint: number, size: number): Sprite {
    const sprite = new Sprite({ texture: this.#light, anchor: 0.5, tint, blendMode: "add" });
    sprite.width = size;
    sprite.height = size;
    return sprite;
  }

  /** A fast boat stirs up foam behind it. */
  #leaveWake({ x, y, angle, speed }: Thing, passed: number): void {
    if (Math.random() > 7 * speed * passed) return;
    const side = Math.random() - 0.5;
    this.#throw(this.#wakes, {
      x: x - Math.cos(angle) - 0.6 * side * Math.sin(angle),
      y: y - Math.sin(angle) + 0.6 * side * Math.cos(angle),
      vx: -side * Math.sin(angle),
      vy: side * Math.cos(angle),
      seconds: 1.4,
      size: 0.9,
      tint: COLD,
    });
  }

  #burst(x: number, y: number, count: number, tint: number): void {
    for (let i = 0; i < count; i++) {
      const angle = Math.random() * 2 * Math.PI;
      const speed = 2 + 6 * Math.random();
      const [vx, vy] = [speed * Math.cos(angle), speed * Math.sin(angle)];
      this.#throw(this.#lights, { x, y, vx, vy, seconds: 0.7, size: 0.8, tint });
    }
  }

  #throw(
    layer: Container,
    { x, y, tint, ...spark }: Omit<Spark, "sprite" | "left"> & {
      readonly x: number;
      readonly y: number;
      readonly tint: number;
    },
  ): void {
    if (this.#sparks.length >= SPARKS_MAX) return;
    const sprite = this.#glow(tint, spark.size);
    sprite.position.set(x, y);
    layer.addChild(sprite);
    this.#sparks.push({ ...spark, sprite, left: spark.seconds });
  }

  #moveSparks(passed: number): void {
    for (let i = this.#sparks.length - 1; i >= 0; i--) {
      const spark = this.#sparks[i]!;
      spark.left -= passed;
      if (spark.left <= 0) {
        spark.sprite.destroy();
        this.#sparks.splice(i, 1);
        continue;
      }
      const share = spark.left / spark.seconds;
      spark.sprite.x += spark.vx * share * passed;
      spark.sprite.y += spark.vy * share * passed;
      spark.sprite.alpha = 0.6 * share;
    }
  }
}

/** Deep in the middle, shallow towards the shore. */
function drawWater(): Graphics {
  const water = new Graphics();
  for (let i = 0; i < 8; i++) {
    const inset = 0.7 * i;
    const blue = [0x123a4a, 0x10364a, 0x0e3247, 0x0c2d43, 0x0b283e, 0x092338, 0x081e32, 0x07192b];
    water.roundRect(
      -HALF_WIDTH + inset,
      -HALF_HEIGHT + inset,
      2 * (HALF_WIDTH - inset),
      2 * (HALF_HEIGHT - inset),
      2,
    ).fill(blue[i]!);
  }
  return water;
}

/** Land, reeds and rocks. */
function drawShore(): Graphics {
  const shore = new Graphics();
  const [width, height, far] = [HALF_WIDTH, HALF_HEIGHT, 30];
  shore.rect(-width - far, height, 2 * (width + far), far)
    .rect(-width - far, -height - far, 2 * (width + far), far)
    .rect(-width - far, -height, far, 2 * height)
    .rect(width, -height, far, 2 * height)
    .fill(0x13251d);
  shore.rect(-width, -height, 2 * width, 2 * height).stroke({ width: 0.25, color: 0x2c4a35 });
  for (let i = 0; i < 120; i++) {
    const along = i * 61 % 120 / 120;
    const isTop = i % 2 === 0;
    const x = -width + 2 * width * along;
    const y = isTop ? height : -height;
    const length = (0.3 + i % 5 * 0.09) * (isTop ? 1 : -1);
    shore.moveTo(x, y).lineTo(x + 0.1 * (i % 3 - 1), y + length);
  }
  shore.stroke({ width: 0.08, color: 0x4a7a4c });

  for (const { x, y, radius } of ROCKS) {
    const corners = Array.from({ length: 11 }, (_, i) => {
      const angle = i * 2 * Math.PI / 11;
      const reach = radius * (1 - 0.07 * (i * 5 % 3));
      return { x: x + reach * Math.cos(angle), y: y + reach * Math.sin(angle) };
    });
    shore.circle(x, y, radius + 0.22).fill({ color: 0x9fd6e6, alpha: 0.12 });
    shore.poly(corners).fill(0x3b4652).stroke({ width: 0.08, color: 0x1b232b });
    shore.poly(corners.map((each) => ({
      x: x - 0.15 * radius + 0.6 * (each.x - x),
      y: y + 0.2 * radius + 0.6 * (each.y - y),
    }))).fill(0x55636f);
  }
  return shore;
}

function drawBoat(colour: string, isOwn: boolean): Graphics {
  const outline = HULL.map(([x, y]) => ({ x, y }));
  const scaled = (factor: number) => outline.map(({ x, y }) => ({ x: factor * x, y: factor * y }));
  const boat = new Graphics();
  if (isOwn) boat.poly(scaled(1.25)).fill({ color: 0xffffff, alpha: 0.25 });
  boat.poly(outline).fill(colour).stroke({ width: 0.06, color: 0x0c1116 });
  boat.poly(scaled(0.74)).fill(0x3d2a1c);
  for (const x of [-0.5, -0.1, 0.3]) boat.rect(x, -0.28, 0.12, 0.56).fill(0x7a5638);
  return boat;
}

function drawLog(): Graphics {
  const { halfLength, radius } = LOG;
  const log = new Graphics();
  log.roundRect(-halfLength, -radius, 2 * halfLength, 2 * radius, 0.12).fill(0x5d432d)
    .stroke({ width: 0.06, color: 0x2b1e13 });
  for (const y of [-0.1, 0.08]) log.moveTo(-0.9 * halfLength, y).lineTo(0.8 * halfLength, y);
  log.stroke({ width: 0.04, color: 0x81603f });
  return log;
}

function drawLantern(): Graphics {
  const lantern = new Graphics();
  lantern.circle(0, 0, 0.42).fill(0x6a4a24);
  for (let i = 0; i < 6; i++) {
    const angle = i * Math.PI / 3;
    lantern.circle(0.34 * Math.cos(angle), 0.34 * Math.sin(angle), 0.16).fill(0xe59aa8);
  }
  return lantern.circle(0, 0, 0.22).fill(0xfff1c9);
}
