/**
 * Everything that never moves: dusk, mountains, the arena's platforms and walls. It is painted once
 * per window size and arena onto a canvas of its own, which each frame copies in one call. It is
 * dark and dull, so that sprites stand out.
 */
import type { Arena, Platform } from "../../../../shared/games/dragons/arena.ts";
import { ARENAS, type ArenaWord } from "../../../../shared/games/dragons/arenas/arenas.ts";
import { Random } from "../../../../shared/random.ts";
import type { LayerMoment } from "../../../game_kit/client_kit.ts";
import { type Context, traceDisc } from "../../../presentation/picture/canvas.ts";
import { TONES, type Tones } from "./tones.ts";

const EARTH = "#14162a";
const SEAM = "#2d3350";
const WALL = "#0c0e1d";
const WALL_EDGE = "#3b4163";

const STAR_COUNT = 90;

export class Backdrop {
  readonly #canvas: HTMLCanvasElement = document.createElement("canvas");
  #drawnArena: ArenaWord | undefined;
  #drawnScale = 0;

  /** Copies the backdrop for this moment into `context`, which must measure canvas pixels. */
  draw(context: Context, word: ArenaWord, { camera, shake }: LayerMoment): void {
    const arena = ARENAS[word];
    const { width, height } = context.canvas;
    const { scale } = camera;
    const top = camera.yPx(arena.height);

    // The whole arena is painted, also if only a part of it is visible.
    const paintedWidth = Math.max(width, Math.ceil(scale * arena.width));
    const left = Math.round((paintedWidth - scale * arena.width) / 2);
    const fits = this.#canvas.width === paintedWidth && this.#canvas.height === height;

    if (!fits || this.#drawnScale !== scale || this.#drawnArena !== word) {
      this.#drawnScale = scale;
      this.#drawnArena = word;
      this.#canvas.width = paintedWidth;
      this.#canvas.height = height;
      const place = { scale, left, top };
      const tones = TONES[word];
      paint(this.#canvas.getContext("2d", { alpha: false })!, { arena, place, tones });
    }

    if (shake.x !== 0 || shake.y !== 0) {
      context.fillStyle = EARTH;
      context.fillRect(0, 0, width, height);
    }
    context.drawImage(this.#canvas, camera.xPx(shake.x) - left, -shake.y * scale);
  }
}

/** Where the arena's upper left corner is on the painted canvas, and how large a metre is: pixels. */
interface Place {
  readonly scale: number;
  readonly left: number;
  readonly top: number;
}

interface Painting {
  readonly arena: Arena;
  readonly place: Place;
  readonly tones: Tones;
}

/** The seed is fixed, so all players see the same mountains. */
function paint(context: Context, painting: Painting): void {
  const random = new Random(7);
  const { arena, place, tones } = painting;
  const { scale, left, top } = place;
  paintSky(context, painting);
  if (tones.isOpen) paintStars(context, random);
  context.setTransform(scale, 0, 0, -scale, left, top + scale * arena.height);
  if (tones.isOpen) paintMoon(context, arena);
  for (const range of tones.ranges) paintRange(context, { arena, place, random, range });
  for (const platform of arena.platforms) paintPlatform(context, platform, { random, tones });
  paintSurroundings(context, painting);
  context.setTransform(1, 0, 0, 1, 0, 0);
}

function paintSky(context: Context, { arena, place, tones }: Painting): void {
  const { top, scale } = place;
  const sky = context.createLinearGradient(
    0,
    Math.min(0, top),
    0,
    top + scale * arena.height * 0.88,
  );
  for (const [at, colour] of tones.sky) sky.addColorStop(at, colour);
  context.fillStyle = sky;
  context.fillRect(0, 0, context.canvas.width, context.canvas.height);
}

function paintStars(context: Context, random: Random): void {
  const { width, height } = context.canvas;
  const size = Math.max(1, height / 700);
  context.fillStyle = "#dfe3ff";
  for (let i = 0; i < STAR_COUNT; i++) {
    const y = random.fraction() ** 1.5 * height * 0.55;
    context.globalAlpha = (0.15 + 0.4 * random.fraction()) * (1 - y / height);
    traceDisc(context, random.fraction() * width, y, size * (0.5 + random.fraction()));
    context.fill();
  }
  context.globalAlpha = 1;
}

function paintMoon(context: Context, arena: Arena): void {
  const x = arena.width * 0.71;
  const y = arena.height * 0.83;
  const glow = context.createRadialGradient(x, y, 0.8, x, y, 5);
  glow.addColorStop(0, "rgb(226 214 236 / 12%)");
  glow.addColorStop(1, "rgb(226 214 236 / 0%)");
  context.fillStyle = glow;
  context.fillRect(x - 5, y - 5, 10, 10);
  context.fillStyle = "#847d9c";
  traceDisc(context, x, y, 1);
  context.fill();
  context.fillStyle = "#766f90";
  for (
    const [dx, dy, radius] of [[-0.3, 0.3, 0.22], [0.35, -0.1, 0.3], [-0.25, -0.45, 0.16]] as const
  ) {
    traceDisc(context, x + dx, y + dy, radius);
    context.fill();
  }
}

interface RangeDrawing {
  readonly arena: Arena;
  readonly place: Place;
  readonly random: Random;
  readonly range: Tones["ranges"][number];
}

/** A ridge from one side of the window to the other. */
function paintRange(context: Context, { arena, place, random, range }: RangeDrawing): void {
  const [base, rugged, colour] = range;
  const margin = place.left / place.scale + 1;
  context.beginPath();
  context.moveTo(-margin, 0);
  let up = false;
  for (let x = -margin; x < arena.width + margin; x += 0.8 + random.fraction() * 1.8) {
    up = !up;
    context.lineTo(x, base + (up ? 1 : 0.25) * rugged * (0.45 + 0.55 * random.fraction()));
  }
  context.lineTo(arena.width + margin, base);
  context.lineTo(arena.width + margin, 0);
  context.closePath();
  context.fillStyle = colour;
  context.fill();
}

/** A slab with a lit upper edge, seams between its stones, and rough ends below. */
function paintPlatform(
  context: Context,
  platform: Platform,
  { random, tones }: { readonly random: Random; readonly tones: Tones },
): void {
  const left = platform.x - platform.width / 2;
  const top = platform.y + platform.height / 2;
  const bottom = platform.y - platform.height / 2;
  const right = left + platform.width;
  context.fillStyle = tones.stoneDark;
  context.beginPath();
  context.moveTo(left, bottom + 0.05);

  for (let x = left + 0.3; x < right - 0.2; x += 0.5 + random.fraction() * 0.6) {
    context.lineTo(
      x,
      bottom - 0.35 * random.fraction() * Math.min(1, (x - left) / 2, (right - x) / 2) - 0.04,
    );
  }

  context.lineTo(right, bottom + 0.05);
  context.fill();
  context.fillStyle = tones.stone;
  context.fillRect(left, bottom, platform.width, platform.height);
  context.strokeStyle = SEAM;
  context.lineWidth = 0.05;
  context.beginPath();
  for (let x = left + 0.7; x < right - 0.3; x += 0.7 + random.fraction() * 0.8) {
    context.moveTo(x, top);
    context.lineTo(x + 0.06, bottom);
  }
  context.stroke();
  context.fillStyle = tones.stoneLit;
  context.fillRect(left, top - 0.11, platform.width, 0.11);
}

/** Walls and ground around the arena, and the edge that stops a dragon. */
function paintSurroundings(context: Context, { arena, place, tones }: Painting): void {
  const { scale, left, top } = place;
  const { canvas } = context;
  const margin = left / scale + 1;
  const above = top / scale + 1;
  const below = canvas.height / scale + 1;
  context.fillStyle = WALL;
  context.fillRect(-margin, -below, margin, below + arena.height + above);
  context.fillRect(arena.width, -below, margin, below + arena.height + above);
  const earth = context.createLinearGradient(0, 0, 0, -6);
  earth.addColorStop(0, tones.stoneDark);
  earth.addColorStop(1, WALL);
  context.fillStyle = earth;
  context.fillRect(0, -below, arena.width, below);
  context.strokeStyle = WALL_EDGE;
  context.lineWidth = 0.08;
  context.strokeRect(0, 0, arena.width, arena.height);
}
