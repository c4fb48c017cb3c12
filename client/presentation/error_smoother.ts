/**
 * Hides corrections. A drawn pose is the simulated pose plus an error offset. The offset is a
 * critically damped spring:
 *
 *     x″ = −2ω x′ − ω² x,   so   x(t) = ( x + (v + ω x) t ) e^(−ωt),   v(t) = ( v − ω (v + ω x) t ) e^(−ωt)
 *
 *     at a correction:  x += place drawn before − place simulated after
 *                       v += ½ ( velocity drawn before − velocity simulated after ),   at most V = 36 m/s
 *                       ω  = min( 14/s + 10/(m s) |x|, 2V / |x| )
 *
 * So the drawn place does not jump, the drawn velocity jumps by half, and an offset at rest never
 * swings past its end. Each frame uses the exact solution, so frames of any length lead to the same
 * place (Lowe, "Critically Damped Ease-In/Ease-Out Smoothing", Game Programming Gems 4; Juckett,
 * "Damped Springs"). ω bounds the speed, because for
 * |v| ≤ V, ω |x| ≤ 2V
 *
 *     |v(t)| ≤ V ( |1 − ωt| + 2ωt ) e^(−ωt) ≤ V      for all t ≥ 0
 *
 * The simulated people in the lab chose the figures; `people_lab_test.ts` shows the method, which
 * feeds every smoother the same messages. O is the offset's 95th percentile in metres, and P the
 * pop-meter, at round trips of 200 and 100 ms:
 *
 *     ω                            velocity kept   fade      O 200   P 200   O 100   P 100
 *     min( 25, 48 / |x| )          all             3 m       1.33    5.1     0.87    3.1
 *     14 + 10 |x|                  half            3.5 m     1.22    5.0     0.84    3.0
 *
 * A long slide must be quick, and a short slow one pops less. With the whole velocity kept, the
 * offset travels on, away from the simulated place; with none, a flap's turn becomes a kink. An
 * underdamped spring shows more of both.
 *
 * A body that would slide for more than 3.5 m, or through something solid, is faded over instead:
 * its old picture fades out where it was, and the new one fades in where it is simulated. A fade
 * strikes the eye less than a step but more than a slide. A teleport is neither eased nor faded,
 * nor is an entity that was not drawn before.
 */
import type { Pose, PoseList } from "../../shared/netcode/pose_list.ts";
import type { SeatId } from "../../shared/netcode/game.ts";
import type { PosePair } from "../session/session_poses.ts";
import { type Body, isBetween, pushOut, type Solid } from "./solids.ts";

/** ω, 1/s, and 1/(m s). An offset of 0.2, 1 or 2 m at rest is halved after 105, 70 or 49 ms. */
const RATE_MIN = 14;
const RATE_PER_METRE = 10;
/** How much of a velocity's jump is hidden. */
const KEPT_VELOCITY = 0.5;
/**
 * m/s relative to the simulated body: 0.6 m per frame at 60 Hz, so that a dragon's successive
 * pictures overlap.
 */
const SLIDE_SPEED_MAX = 36;
/** A slide over a longer distance does not look natural. */
const FADE_METRES = 3.5;
/** How long a fade's two pictures overlap. */
const FADE_MS = 120;
/** Less than a pixel, and less than a pixel in the next frame. */
const FORGET_METRES = 0.002;
const FORGET_SPEED = 0.1;

/** Metres, radians. */
export interface Place {
  x: number;
  y: number;
  angle: number;
}

interface Offset extends Place {
  vx: number;
  vy: number;
  /** ω from the last correction. */
  rate: number;
}

/** A place with the velocity at which a segment passes it, metres per tick. */
interface Passage extends Place {
  vx: number;
  vy: number;
}

/** A body that is faded over: where its old picture is, and how much of the new one shows. */
export interface Fade {
  readonly x: number;
  readonly y: number;
  /** 0 … 1; the rest goes to the old picture. */
  readonly opacity: number;
}

/** When and how a correction happens. */
export interface Absorption {
  /**
   * 0 … 1: the moment between `before.previous` and `before.head` at which poses must not jump. By
   * default this frame's fraction; pass the last frame's if it differs.
   */
  readonly drawn?: number;
  /** This seat's body changes its velocity at once, because the player's own keys cause that. */
  readonly ownSeat?: SeatId;
}

export class ErrorSmoother {
  readonly #tickHz: number;
  /** By entity; visible offsets only. */
  readonly #offsets = new Map<number, Offset>();
  readonly #fades = new Map<number, { x: number; y: number; opacity: number }>();

  /** @param tickHz ticks per second; absorbed poses are one tick apart */
  constructor(tickHz = 20) {
    this.#tickHz = tickHz;
  }

  /**
   * Adds a correction to the offsets.
   * @param fraction 0 … 1, this frame's moment between `after.previous` and `after.head`
   */
  absorb(
    before: PosePair,
    after: PosePair,
    fraction: number,
    { drawn = fraction, ownSeat }: Absorption = {},
  ): void {
    for (let i = 0; i < after.head.count; i++) {
      const now = after.head.at(i);
      const then = before.head.find(now.entity);
      if (then === undefined || then.teleports !== now.teleports) {
        this.#offsets.delete(now.entity);
        continue;
      }
      const hadPath = passageOf(before.previous, then, { fraction: drawn, out: PASSED });
      const hasPath = passageOf(after.previous, now, { fraction, out: PASSING });
      this.#shift(
        now.entity,
        hadPath && hasPath && now.seat !== ownSeat ? this.#tickHz * KEPT_VELOCITY : 0,
      );
    }
  }

  /** Lets all offsets decay and fades progress. @param elapsedMs since the last call */
  decay(elapsedMs: number): void {
    const seconds = elapsedMs / 1000;
    for (const [entity, offset] of this.#offsets) {
      const { x, y, vx, vy, rate } = offset;
      const keep = Math.exp(-rate * seconds);
      const pullX = vx + rate * x, pullY = vy + rate * y;
      offset.x = (x + pullX * seconds) * keep;
      offset.y = (y + pullY * seconds) * keep;
      offset.vx = (vx - rate * pullX * seconds) * keep;
      offset.vy = (vy - rate * pullY * seconds) * keep;
      offset.angle *= keep;
      const isVisible = length(offset.x, offset.y) > FORGET_METRES ||
        length(offset.vx, offset.vy) > FORGET_SPEED;
      if (!isVisible && Math.abs(offset.angle) < FORGET_METRES) this.#offsets.delete(entity);
    }

    for (const [entity, fade] of this.#fades) {
      fade.opacity += elapsedMs / FADE_MS;
      if (fade.opacity >= 1) this.#fades.delete(entity);
    }
  }

  /**
   * Writes where to draw an entity into `out`.
   * @param options.fraction 0 … 1 between previous and head
   * @param options.body the entity's size, and the solids that it is never drawn inside
   */
  place(
    pair: PosePair,
    pose: Pose,
    { fraction, out, body }: { fraction: number; out: Place; body?: Body | undefined },
  ): void {
    passageOf(pair.previous, pose, { fraction, out: PASSING });
    const offset = this.#offsets.get(pose.entity);
    out.x = PASSING.x + (offset?.x ?? 0);
    out.y = PASSING.y + (offset?.y ?? 0);
    out.angle = PASSING.angle + (offset?.angle ?? 0);
    if (body === undefined) return;

    // Never inside a solid
    if (offset !== undefined && isBehind(body.solids, out, PASSING)) {
      this.#fade(pose.entity, out);
      out.x = PASSING.x;
      out.y = PASSING.y;
    }
    for (let i = 0; i < body.solids.length; i++) pushOut(body.solids[i]!, out, body.radius);

    // Keep only the offset that lies outside, because an offset deep inside would leave by another
    // side, which is a step.
    if (offset !== undefined) {
      offset.x = out.x - PASSING.x;
      offset.y = out.y - PASSING.y;
    }
  }

  /** Finds an entity's fade; undefined if it is not faded over. */
  fadeOf(entity: number): Fade | undefined {
    return this.#fades.get(entity);
  }

  /** Returns the length of an entity's error offset, metres. */
  offsetMetres(entity: number): number {
    const offset = this.#offsets.get(entity);
    return offset === undefined ? 0 : length(offset.x, offset.y);
  }

  /**
   * Adds the difference between `PASSED` and `PASSING` to an entity's offset.
   * @param velocityHz how much of the velocity is hidden, times ticks per second; 0 if it changes
   *   at once
   */
  #shift(entity: number, velocityHz: number): void {
    const dx = PASSED.x - PASSING.x;
    const dy = PASSED.y - PASSING.y;
    const angle = PASSED.angle - PASSING.angle;
    const dvx = (PASSED.vx - PASSING.vx) * velocityHz;
    const dvy = (PASSED.vy - PASSING.vy) * velocityHz;
    if (dx === 0 && dy === 0 && angle === 0 && dvx === 0 && dvy === 0) return;
    const offset = this.#offsets.get(entity) ?? { x: 0, y: 0, angle: 0, vx: 0, vy: 0, rate: 0 };
    offset.x += dx;
    offset.y += dy;
    offset.angle += angle;
    const metres = length(offset.x, offset.y);
    const speed = length(offset.vx += dvx, offset.vy += dvy);
    if (metres > FADE_METRES) {
      return this.#fade(entity, { x: PASSING.x + offset.x, y: PASSING.y + offset.y });
    }
    if (speed > SLIDE_SPEED_MAX) {
      offset.vx *= SLIDE_SPEED_MAX / speed;
      offset.vy *= SLIDE_SPEED_MAX / speed;
    }
    offset.rate = Math.min(RATE_MIN + RATE_PER_METRE * metres, 2 * SLIDE_SPEED_MAX / metres);
    this.#offsets.set(entity, offset);
  }

  /**
   * From now on draws the entity where it is simulated.
   * @param at where its old picture is
   */
  #fade(entity: number, { x, y }: { x: number; y: number }): void {
    this.#offsets.delete(entity);
    this.#fades.set(entity, { x, y, opacity: 0 });
  }
}

/** Scratch: the passages before and after a correction. */
const PASSED: Passage = { x: 0, y: 0, angle: 0, vx: 0, vy: 0 };
const PASSING = { ...PASSED };

/**
 * Writes an entity's passage between its previous pose and its pose now to `out`.
 * @returns false for a new or teleported entity, which rests at its pose now
 */
function passageOf(
  previous: PoseList,
  pose: Pose,
  { fraction, out }: { fraction: number; out: Passage },
): boolean {
  const before = previous.find(pose.entity);
  const hasPath = before?.teleports === pose.teleports;
  const from = hasPath ? before : pose;
  const dx = pose.x - from.x, dy = pose.y - from.y;
  out.x = from.x + dx * fraction;
  out.y = from.y + dy * fraction;
  out.angle = from.angle + (pose.angle - from.angle) * fraction;
  out.vx = dx;
  out.vy = dy;
  return hasPath;
}

/** Whether a solid is between the drawn and the simulated place. */
function isBehind(solids: readonly Solid[], drawn: Place, simulated: Place): boolean {
  for (let i = 0; i < solids.length; i++) if (isBetween(solids[i]!, drawn, simulated)) return true;
  return false;
}

function length(x: number, y: number): number {
  return Math.sqrt(x * x + y * y);
}
