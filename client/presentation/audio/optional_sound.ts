/**
 * Makes sound optional, because a browser may lack Web Audio, refuse it, or end its context during
 * play.
 */
import { optional } from "../../input/optional.ts";
import type { Sound } from "../view.ts";

/** @returns a sound that never throws; undefined if it could not be created */
export function optionalSound<Frame>(
  create: () => Sound<Frame> | undefined,
): Sound<Frame> | undefined {
  const sound = optional(create, undefined);
  return sound && {
    unlock: () => optional(() => sound.unlock(), undefined),
    setVolume: (level) => optional(() => sound.setVolume(level), undefined),
    play: (frame) => optional(() => sound.play(frame), undefined),
    silence: () => optional(() => sound.silence(), undefined),
  };
}
