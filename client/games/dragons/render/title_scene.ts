/**
 * The scene behind the lobby: three dragons on fixed paths, one of them in the visitor's own
 * colour. It is a function of the time alone and needs no server. It shows at a glance what the
 * game is about.
 */
import { LEDGES } from "../../../../shared/games/dragons/arena.ts";
import type { DragonSprite } from "../presenters/dragon/sprite.ts";
import { emptyScene, type RenderScene } from "../scene.ts";

/** Level flight has one beat of the wings in this time, ms. */
const BEAT_MS = 650;
const TICK_MS = 50;

/**
 * A path shaped like a lying 8. Its middle and half size are in metres, its rate in rad/s, its
 * phase in radians.
 */
interface Loop {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly rate: number;
  readonly phase: number;
}

const LOOPS: readonly Loop[] = [
  { x: 5.5, y: 9, width: 3, height: 1.6, rate: 0.9, phase: 0 },
  { x: 26.5, y: 8.6, width: 3, height: 1.7, rate: 0.8, phase: 2 },
  { x: 16, y: 15.6, width: 11, height: 0.8, rate: 0.45, phase: 4 },
];

const crates = LEDGES.crates.map(({ x, y }, id) => ({ id: 100 + id, x, y, angle: 0, burning: 0 }));

/** @param nowMs the page's clock */
export function titleScene(nowMs: number): RenderScene {
  const dragons = LOOPS.map((loop, seat) => flying(loop, { seat, nowMs }));
  return { ...emptyScene(LEDGES), atMs: nowMs, dragons, crates };
}

function flying(loop: Loop, { seat, nowMs }: { seat: number; nowMs: number }): DragonSprite {
  const angle = loop.phase + loop.rate * nowMs / 1000;
  const vx = Math.cos(angle) * loop.width * loop.rate;
  const beatMs = (nowMs + seat * 210) % BEAT_MS;
  return {
    id: seat,
    seat,
    name: "",
    own: seat === 1,
    npc: false,
    x: loop.x + Math.sin(angle) * loop.width,
    // A dragon rises after each beat and sinks until the next.
    y: loop.y + Math.sin(angle * 2) * loop.height + 0.25 * Math.sin(beatMs / BEAT_MS * Math.PI),
    angle: 0,
    vx,
    vy: Math.cos(angle * 2) * 2 * loop.height * loop.rate,
    facing: vx < 0 ? -1 : 1,
    onGround: false,
    flapAge: Math.floor(beatMs / TICK_MS),
    dead: false,
    invulnerableTicks: 0,
    stunnedTicks: 0,
    charges: 3,
    score: 0,
    lance: undefined,
  };
}
