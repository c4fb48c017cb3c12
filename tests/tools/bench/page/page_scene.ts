/**
 * The script of `bench page`: it runs the page's session, presenter and renderer, and times each
 * frame. It adds fireballs and particles to the match until there are as many as in a busy second.
 * If the debug overlay is open, it times the overlay's part of each frame separately.
 */
import { dragonGame, dragonGame as game } from "../../../../shared/games/dragons/game.ts";
import { openOverlay } from "../../../../client/debug/overlay.ts";
import { dragonView } from "../../../../client/games/dragons/view.ts";
import type { InputDevice } from "../../../../client/input/input_device.ts";
import { ConditionedLink } from "../../../../client/net/network_conditions.ts";
import { MatchPresenter } from "../../../../client/presentation/match_presenter.ts";
import type { KitFrame } from "../../../../client/game_kit/kit_frame.ts";
import type { PresentedEvent } from "../../../../client/presentation/event_reconciler.ts";
import type { DebuggedMatch, DebugHost } from "../../../../client/ui/debug_host.ts";
import { openWebSocketLink } from "../../../../client/net/websocket_link.ts";
import { Telemetry } from "../../../../client/presentation/telemetry.ts";
import type { Renderer } from "../../../../client/presentation/view.ts";
import type { ShownThing } from "../../../../client/game_kit/shown_thing.ts";
import { bodyStreamSupport } from "../../../../client/session/body_stream_client.ts";
import type { Clock } from "../../../../shared/netcode/link.ts";
import { ServerMessageDecoder } from "../../../../shared/netcode/wire/server_messages.ts";

export interface SceneOptions {
  readonly socket: string;
  readonly seconds: number;
  readonly fireballs: number;
  readonly particles: number;
  readonly overlay: boolean;
}

/** Times in ms, and counts. */
export interface SceneResult {
  readonly scripts: readonly number[];
  /** The overlay's part, which `scripts` excludes; empty without the overlay. */
  readonly overlays: readonly number[];
  readonly intervals: readonly number[];
  /** In the last frame, as `fireballs`. */
  readonly dragons: number;
  readonly fireballs: number;
  /** The smallest and the largest number in one frame. */
  readonly particles: readonly [number, number];
  readonly rollbacks: number;
}

const QUALITY = { rttMs: 100, jitterMs: 20, lossPercent: 0, more: {} };
const WARM_UP_MS = 3000;

/** Flaps all the time, fires in every tick, and turns every 30 ticks. */
class RoamingInput implements InputDevice {
  dir = 1;
  #firePresses = 0;

  isHeld(button: string): boolean {
    return button === "flaps";
  }

  presses(button: string): number {
    return button === "fires" ? this.#firePresses : 0;
  }

  readAxis(_axis: string, consumes: boolean): number {
    if (!consumes) return this.dir;
    this.#firePresses++;
    if (this.#firePresses % 30 === 0) this.dir = this.dir === 1 ? -1 : 1;
    return this.dir;
  }
}

/**
 * The frame's fireballs, and artificial ones on curves of their own, up to the requested number.
 */
function padFireballs(
  { things }: KitFrame,
  { fireballs }: SceneOptions,
  nowMs: number,
): ShownThing[] {
  const padding: object[] = [];
  for (let i = fireballsIn(things); i < fireballs; i++) {
    const turn = nowMs / 700 + i * 0.7;
    const place = { x: 16 + 14 * Math.sin(turn), y: 9 + 7 * Math.cos(turn * 1.3), angle: 0 };
    padding.push({ id: -1 - i, name: "fireball", ...place, vx: 8, vy: 0, fields: { seat: i % 8 } });
  }
  return padding as ShownThing[];
}

function fireballsIn(things: KitFrame["things"]): number {
  return things.filter(({ name }) => name === "fireball").length;
}

/** The nth explosion, at a place computed from n. */
function explosion(n: number): PresentedEvent {
  return {
    key: `bench ${n}`,
    tick: n,
    kind: "burn",
    x: 2 + (n * 7) % 28,
    y: 2 + (n * 5) % 14,
    seat: n % 8,
    otherSeat: -1,
  };
}

/** The view's renderer counts its particles. */
type PageRenderer = Renderer<KitFrame> & { readonly particleCount: number };

/** Provides all that the overlay needs from a page. */
function hostOf({ clock, telemetry, match, renderer }: {
  clock: Clock;
  telemetry: Telemetry;
  match: DebuggedMatch;
  renderer: PageRenderer;
}): DebugHost {
  const { camera } = renderer;
  return {
    clock,
    game: dragonGame as unknown as DebugHost["game"],
    telemetry,
    conditions: QUALITY,
    marks: [],
    qualityRung: () => 0,
    camera,
    match: () => match,
    close() {},
  };
}

async function run(options: SceneOptions): Promise<SceneResult> {
  const clock = { now: () => performance.now() };
  const telemetry = new Telemetry(clock, () => new ServerMessageDecoder(game.command));
  const link = new ConditionedLink(openWebSocketLink(options.socket), {
    conditions: QUALITY,
    clock,
    seed: 1,
  });
  const input = new RoamingInput();
  const commandSource = dragonView.controls(() => input);
  const match = new MatchPresenter(
    { game, view: dragonView, bodyStream: bodyStreamSupport(game) },
    {
      link,
      clock,
      room: "BENC",
      name: "",
      spectate: false,
      resume: undefined,
      commandSource,
      telemetry,
    },
  );
  const renderer = dragonView.renderer(document.querySelector("canvas")!) as PageRenderer;
  const overlay = options.overlay
    ? openOverlay(hostOf({ clock, telemetry, match, renderer }))
    : undefined;
  const scripts: number[] = [];
  const overlays: number[] = [];
  const intervals: number[] = [];
  const particleCounts: number[] = [];
  let exploded = 0;
  let beganMs = 0;
  let lastMs = 0;
  let scene: KitFrame | undefined;
  await new Promise<void>((resolve) => {
    const draw = (frameMs: number) => {
      const fromMs = performance.now();
      link.advance();
      match.advance();
      const frame = match.composeFrame();

      if (frame !== undefined) {
        if (beganMs === 0) beganMs = frameMs + WARM_UP_MS;
        const effects = renderer.particleCount < options.particles ? [explosion(exploded++)] : [];
        scene = {
          ...frame,
          things: [...frame.things, ...padFireballs(frame, options, frameMs)],
          events: [...frame.events, ...effects],
        };
        renderer.draw(scene, frameMs);
        const drawnMs = performance.now();
        overlay?.draw();
        if (frameMs > beganMs) {
          scripts.push(drawnMs - fromMs);
          // The curves are drawn in a microtask after the frame.
          if (overlay !== undefined) {
            queueMicrotask(() => overlays.push(performance.now() - drawnMs));
          }
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
    overlays,
    intervals,
    dragons: scene!.things.filter(({ name }) => name === "dragon").length,
    fireballs: fireballsIn(scene!.things),
    particles,
    rollbacks,
  };
}

Object.assign(globalThis, { benchPage: run });
