/**
 * A scripted explosion on a real canvas and through a real audio graph, for a browser's console.
 * Its clocks are arguments.
 */
import type { EventChanges } from "../../../client/presentation/event_reconciler.ts";
import type { KitFrame } from "../../../client/game_kit/kit_frame.ts";
import { ErrorSmoother } from "../../../client/presentation/error_smoother.ts";
import { dragonView } from "../../../client/games/dragons/view.ts";
import type { Renderer } from "../../../client/presentation/view.ts";
import { ScriptedExplosion } from "../../client/games/dragons/render/scripted_explosion.ts";

export type Correction = "other" | "fire" | "none";

export interface Explosion {
  readonly resimulated: number;
  /** How often steps emitted the burn event, and how often frames showed and retracted it. */
  readonly emitted: number;
  readonly shown: number;
  readonly ended: number;
  /**
   * Pixels that differ from the same frames without effects: at the correction, and 150 ms later.
   */
  readonly pixelsBefore: number;
  readonly pixelsAfter: number;
  /** Root mean square of the sound: up to the correction, and from 150 ms after it on. */
  readonly loudBefore: number;
  readonly loudAfter: number;
}

const FRAME_MS = 10;
/**
 * The delay of the correction, ms. The explosion's sound lasts 420 ms, and without a correction it
 * must still be loud.
 */
const CORRECTED_MS = 30;
const GONE_MS = 150;
const RATE_HZ = 44_100;
/** The length of the rendered sound. */
const SECONDS = 0.4;

function openView(): { view: Renderer<KitFrame>; pixels: () => Uint8ClampedArray } {
  const canvas = document.createElement("canvas");
  canvas.style.cssText = "width:640px;height:360px";
  document.body.append(canvas);
  const context = canvas.getContext("2d", { alpha: false })!;
  return {
    view: dragonView.renderer(canvas),
    pixels: () => context.getImageData(0, 0, canvas.width, canvas.height).data,
  };
}

/** The number of pixels that differ. */
function difference(a: Uint8ClampedArray, b: Uint8ClampedArray): number {
  let count = 0;
  for (let i = 0; i < a.length; i += 4) {
    if (a[i] !== b[i] || a[i + 1] !== b[i + 1] || a[i + 2] !== b[i + 2]) count++;
  }
  return count;
}

function loudness(samples: Float32Array, from: number, to: number): number {
  const part = samples.subarray(Math.floor(from * RATE_HZ), Math.floor(to * RATE_HZ));
  return Math.sqrt(part.reduce((sum, value) => sum + value * value, 0) / part.length);
}

/** Applies the correction. @returns the number of resimulated ticks */
function correct(match: ScriptedExplosion, correction: Correction): number {
  if (correction === "none") return 0;
  return correction === "other" ? match.correctOtherSeat() : match.retractFire();
}

async function explode(correction: Correction): Promise<Explosion> {
  const match = new ScriptedExplosion();
  const composer = dragonView.composer(match.simulation);
  const smoother = new ErrorSmoother();
  const sceneOf = (events: EventChanges): KitFrame => {
    const frame = composer.compose({
      atMs: 0,
      simulation: match.simulation,
      poses: match.poses,
      names: new Map(),
      smoother,
      ownSeat: -1,
      fraction: 1,
      events,
      extrapolated: undefined,
      definitive: match.simulation,
      guessedTicks: () => 0,
    });
    // Fireballs and crates last as long as the state has them. With the embers that they shed, they
    // are other effects.
    return { ...frame, things: frame.things.filter(({ name }) => name === "dragon") };
  };
  const audio = new OfflineAudioContext(1, SECONDS * RATE_HZ, RATE_HZ);
  const sound = dragonView.sound!(() => audio as unknown as AudioContext);
  sound.setVolume(1);
  sound.unlock();
  const seen = openView();
  const plain = openView();
  let nowMs = 1000;
  let shown = 0;
  let ended = 0;
  const draw = (changes: EventChanges) => {
    shown += changes.begun.length;
    ended += changes.retracted.length;
    const scene = sceneOf(changes);
    seen.view.draw(scene, nowMs);
    plain.view.draw({ ...scene, events: [], retractedEvents: [] }, nowMs);
    sound.play(scene);
    nowMs += FRAME_MS;
  };
  const drawFor = (ms: number) => {
    for (let passed = 0; passed < ms; passed += FRAME_MS) {
      draw({ begun: [], retracted: [], settled: [] });
    }
  };
  draw(match.burn());
  drawFor(CORRECTED_MS);
  const pixelsBefore = difference(seen.pixels(), plain.pixels());
  let resimulated = 0;
  let pixelsAfter = 0;

  // The time of the audio graph stands still here, while the time of frames goes on.
  const corrected = audio.suspend(CORRECTED_MS / 1000).then(() => {
    resimulated = correct(match, correction);
    draw(match.takeBurnEvents());
    drawFor(GONE_MS);
    pixelsAfter = difference(seen.pixels(), plain.pixels());
    return audio.resume();
  });
  const samples = (await audio.startRendering()).getChannelData(0);
  await corrected;
  const from = (CORRECTED_MS + GONE_MS) / 1000;
  return {
    resimulated,
    emitted: match.burnsEmitted,
    shown,
    ended,
    pixelsBefore,
    pixelsAfter,
    loudBefore: loudness(samples, 0, CORRECTED_MS / 1000),
    loudAfter: loudness(samples, from, SECONDS),
  };
}

Object.assign(globalThis, { explode });
