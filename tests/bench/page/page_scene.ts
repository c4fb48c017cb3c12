/**
 * The page's own parts in a browser, timed picture by picture: a real match over a bad line, looked ahead and drawn, and beside it so
 * many fireballs and particles as a busy second has.
 */
import { dragonView } from "../../../client/games/dragons/view.ts";
import { DragonControls } from "../../../client/games/dragons/controls.ts";
import type { Direction, InputDevice } from "../../../client/input/input_device.ts";
import { ConditionedLink } from "../../../client/net/network_conditions.ts";
import { MatchPresenter } from "../../../client/presentation/match_presenter.ts";
import type { FireballSprite, RenderScene } from "../../../client/games/dragons/scene.ts";
import type { PresentedEvent } from "../../../client/presentation/event_reconciler.ts";
import { openWebSocketLink } from "../../../client/net/websocket_link.ts";
import { Telemetry } from "../../../client/presentation/telemetry.ts";
import { DragonRenderer } from "../../../client/games/dragons/render/renderer.ts";
import { bodyStreamSupport } from "../../../client/session/body_stream_client.ts";
import { streamedDragonGame as game } from "../../../shared/games/dragons/body_stream.ts";
import { ServerMessageDecoder } from "../../../shared/netcode/wire/server_messages.ts";

export interface SceneOptions {
  readonly socket: string;
  readonly seconds: number;
  readonly fireballs: number;
  readonly particles: number;
}

/** All in ms, but for counts. */
export interface SceneResult {
  readonly scripts: readonly number[];
  readonly intervals: readonly number[];
  /** In the last picture. */
  readonly dragons: number;
  readonly fireballs: number;
  /** The fewest and the most at once. */
  readonly particles: readonly [number, number];
  readonly rollbacks: number;
}

const QUALITY = { rttMs: 100, jitterMs: 20, lossPercent: 0, more: {} };
const WARM_UP_MS = 3000;

/** Flies about by itself, as fast as fingers do. */
class RoamingInput implements InputDevice {
  dir: Direction = 1;
  #firePresses = 0;

  isHeld(button: string): boolean {
    return button === "flap";
  }

  presses(button: string): number {
    return button === "fire" ? this.#firePresses : 0;
  }

  consumeDirection(): Direction {
    this.#firePresses++;
    if (this.#firePresses % 30 === 0) this.dir = this.dir === 1 ? -1 : 1;
    return this.dir;
  }

  peekDirection(): Direction {
    return this.dir;
  }
}

/** As many as are asked for, on paths of their own. */
function padFireballs(scene: RenderScene, { fireballs }: SceneOptions, nowMs: number): FireballSprite[] {
  const all = [...scene.fireballs];
  for (let i = all.length; i < fireballs; i++) {
    const turn = nowMs / 700 + i * 0.7;
    all.push({ id: -1 - i, x: 16 + 14 * Math.sin(turn), y: 9 + 7 * Math.cos(turn * 1.3), vx: 8, vy: 0, seat: i % 8 });
  }
  return all;
}

/** The nth explosion, somewhere. */
function explosion(n: number): PresentedEvent {
  return { key: `bench ${n}`, kind: "burn", x: 2 + (n * 7) % 28, y: 2 + (n * 5) % 14, seat: n % 8 };
}

async function run(options: SceneOptions): Promise<SceneResult> {
  const clock = { now: () => performance.now() };
  const telemetry = new Telemetry(clock, () => new ServerMessageDecoder(game.command));
  const link = new ConditionedLink(openWebSocketLink(options.socket), { conditions: QUALITY, clock, seed: 1 });
  const input = new RoamingInput(), commandSource = new DragonControls(() => input);
  const match = new MatchPresenter({ game, view: dragonView, bodyStream: bodyStreamSupport(game) }, {
    link,
    clock,
    room: "BENC",
    name: "",
    spectate: false,
    resume: undefined,
    commandSource,
    telemetry,
  });
  const renderer = new DragonRenderer(document.querySelector("canvas")!);
  const scripts: number[] = [], intervals: number[] = [], particleCounts: number[] = [];
  let exploded = 0, beganMs = 0, lastMs = 0, scene: RenderScene | undefined;
  await new Promise<void>((resolve) => {
    const draw = (frameMs: number) => {
      const fromMs = performance.now();
      link.advance();
      match.advance();
      const frame = match.composeFrame();
      if (frame !== undefined) {
        if (beganMs === 0) beganMs = frameMs + WARM_UP_MS;
        const effects = renderer.particleCount < options.particles ? [explosion(exploded++)] : [];
        scene = { ...frame, fireballs: padFireballs(frame, options, frameMs), effects: [...frame.effects, ...effects] };
        renderer.draw(scene, frameMs);
        if (frameMs > beganMs) {
          scripts.push(performance.now() - fromMs);
          intervals.push(frameMs - lastMs);
          particleCounts.push(renderer.particleCount);
        }
        lastMs = frameMs;
      }
      if (beganMs > 0 && frameMs > beganMs + options.seconds * 1000) resolve();
      else requestAnimationFrame(draw);
    };
    requestAnimationFrame(draw);
  });
  const { rollbacks } = match.session.stats;
  match.session.close();
  const particles = [Math.min(...particleCounts), Math.max(...particleCounts)] as const;
  return {
    scripts,
    intervals,
    dragons: scene!.dragons.length,
    fireballs: scene!.fireballs.length,
    particles,
    rollbacks,
  };
}

Object.assign(globalThis, { benchPage: run });
