/** Particles that a thing throws all the time, such as an engine's smoke. */
import { GameError } from "../../../shared/game_kit/game_error.ts";
import { Random } from "../../../shared/random.ts";
import type { Burst } from "../../presentation/picture/bursts.ts";
import { emitBurst } from "../../presentation/picture/effects.ts";
import type { Particles } from "../../presentation/picture/particles.ts";

/** An eye sees no more of one thing's, and all things share 512 at once. */
const PER_SECOND_MAX = 60;
/** All things of a name throw so many in a frame at most. */
const PER_FRAME_MAX = 64;

/** What a thing throws. Metres, m/s, ms; `turns` are relative to the thing's angle. */
export interface TrailOptions<Thing> extends Omit<Burst, "count" | "below"> {
  /** Particles, 1 … 60. The page has 512 of all kinds at once; then the oldest ones go. */
  readonly perSecond: number;
  /** Where they begin, in the thing's own frame; default 0, 0. */
  readonly from?: readonly [x: number, y: number];
  /** Whether the thing throws now; default always. */
  readonly when?: (shown: Thing) => boolean;
}

/** What a trail reads of a thing. */
interface TrailingThing {
  readonly x: number;
  readonly y: number;
  readonly angle: number;
  readonly colour: string;
}

/** What the page calls with each frame. */
export interface Trail<Thing> {
  /** Begins anew, so that the same frames throw the same particles. */
  reset(): void;
  /** @param elapsedMs since the last frame, at most 50 */
  advance(particles: Particles, things: readonly Thing[], elapsedMs: number): void;
}

/**
 * Makes what a view's `trails` take: `trails: { ship: trail({ shape: "puff", perSecond: 30, … }) }`.
 * @throws GameError if `perSecond` is not from 1 to 60
 */
export function trail<Thing extends TrailingThing>(options: TrailOptions<Thing>): Trail<Thing> {
  const { perSecond, from: [fromX, fromY] = [0, 0], when = () => true } = options;
  if (!(perSecond >= 1 && perSecond <= PER_SECOND_MAX)) {
    throw new GameError(`trail: perSecond is ${perSecond}; 1 to ${PER_SECOND_MAX} is allowed`);
  }

  const burst = { ...options, count: 1 };
  let random = new Random(1);
  /** How much of a particle is due of each thing. */
  let due = 0;
  return {
    reset() {
      random = new Random(1);
      due = 0;
    },
    advance(particles, things, elapsedMs) {
      due += perSecond * elapsedMs / 1000;
      const each = Math.floor(due);
      due -= each;
      let left = each === 0 ? 0 : PER_FRAME_MAX;
      for (const shown of things) {
        if (left === 0) return;
        if (!when(shown)) continue;
        const c = Math.cos(shown.angle);
        const s = Math.sin(shown.angle);
        const place = {
          x: shown.x + c * fromX - s * fromY,
          y: shown.y + s * fromX + c * fromY,
          angle: shown.angle,
          side: 1 as const,
          seatColour: shown.colour,
          key: "",
        };
        for (let i = 0; i < each && left > 0; i++, left--) {
          emitBurst(particles, random, burst, place);
        }
      }
    },
  };
}
