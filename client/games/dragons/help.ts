/** One line that says how to play: with the player's keys, or with fingers on a touch screen. */
import { type KeyBindings, keyLabel } from "../../input/key_bindings.ts";
import { mediaQuery } from "../../input/optional.ts";

/** Whether the machine's main pointer is a finger. */
function hasTouchScreen(): boolean {
  return mediaQuery("(pointer: coarse)").matches;
}

/**
 * @param keys the line names each action's first key, and for flap also the last one: by default
 *   the large Space
 */
export function helpText(
  keys: KeyBindings,
  { oneButton, fingers = hasTouchScreen() }: { oneButton: boolean; fingers?: boolean },
): string {
  const { left, right, flap: flapKeys, fire } = keys as Record<
    "left" | "right" | "flap" | "fire",
    readonly string[]
  >;
  const flap = [...new Set([flapKeys[0]!, flapKeys.at(-1)!])].map(keyLabel).join(" or ");
  if (oneButton) {
    return `${fingers ? "Tap" : flap}: flap · hold: turn round · hold longer: breathe fire`;
  }
  if (fingers) return "Left thumb: fly · right thumb: flap, and fire above it";
  return `${keyLabel(left[0]!)} ${keyLabel(right[0]!)} fly · ${flap} flap · ${
    keyLabel(fire[0]!)
  } breathe fire`;
}
